/** Opens the fixtures of a configuration: whatever their source, they are had over HTTP. */
import { pathToFileURL } from 'node:url'
import type { Configuration, FixtureSource } from './configuration.ts'
import { FixtureClient } from './fixture-client.ts'
import { FixtureFailure } from './fixture-errors.ts'
import { type FixtureProvider, fixtureKinds } from './fixture-kinds.ts'
import { serveFixtures } from './fixture-server.ts'
import { staticFixtures } from './static-fixtures.ts'

export interface OpenFixtures {
  /** Absent: no fixtures at all. */
  readonly url?: string
  /** Has the provider remove all it handed out. Throws a FixtureFailure where it cannot. */
  cleanup(): Promise<void>
  /** Ends what was opened here. */
  close(): Promise<void>
}

/**
 * The fixtures of that source. `actors` tells static lists the user names of item owners. Throws a FixtureFailure
 * where a module cannot be loaded or offers nothing.
 */
export async function openFixtures(
  source: FixtureSource | undefined,
  actors: Configuration['actors'] = {},
): Promise<OpenFixtures> {
  if (source === undefined) return { cleanup: async () => {}, close: async () => {} }
  if ('url' in source) return { url: source.url, cleanup: () => cleanUp(source.url), close: async () => {} }
  const provider =
    'module' in source ? await loadProvider(source.module) : staticFixtures(source.static, actors)
  const { url, close } = await serveFixtures(provider)
  return { url, cleanup: () => cleanUp(url), close }
}

function cleanUp(url: string): Promise<void> {
  return new FixtureClient(url).cleanup()
}

async function loadProvider(file: string): Promise<FixtureProvider> {
  let provider: FixtureProvider
  try {
    provider = (await import(pathToFileURL(file).href)) as FixtureProvider
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
    throw new FixtureFailure(`fixtures.module ${file} cannot be loaded: ${reason}`)
  }
  if (fixtureKinds.every((kind) => typeof provider[kind] !== 'function')) {
    throw new FixtureFailure(
      `fixtures.module ${file} exports none of the functions that offer fixtures: ${fixtureKinds.join(', ')}`,
    )
  }
  return provider
}
