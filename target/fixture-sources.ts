/** Opens the fixtures of a configuration: whatever their source, they are had over HTTP. */
import { pathToFileURL } from 'node:url'
import type { Configuration, FixtureSource, HttpSettings } from './configuration.ts'
import { type CleanupAnswer, FixtureClient } from './fixture-client.ts'
import { FixtureFailure } from './fixture-errors.ts'
import { type FixtureProvider, fixtureKinds } from './fixture-kinds.ts'
import { startProgramFixtures } from './fixture-program/program-fixtures.ts'
import { serveFixtures } from './fixture-server.ts'
import { staticFixtures } from './static-fixtures.ts'

export interface OpenFixtures {
  /** Absent: no fixtures at all. */
  readonly url?: string
  /** Has the provider remove what it handed out for that run. Throws a FixtureFailure where it cannot. */
  cleanup(runId?: string): Promise<CleanupAnswer>
  /** Told every line that a program says beside its answers, from the first on. Not redacted. */
  hear(listener: (line: string) => void): void
  /** Ends what was opened here. */
  close(): Promise<void>
}

/**
 * The fixtures of that source. `actors` tells static lists the user names of item owners, `http` how a provider
 * elsewhere is reached. Throws a FixtureFailure where a module cannot be loaded or offers nothing.
 */
export async function openFixtures(
  source: FixtureSource | undefined,
  actors: Configuration['actors'] = {},
  http?: HttpSettings,
): Promise<OpenFixtures> {
  if (source === undefined) return { cleanup: async () => 'none', ...nothingOpened }
  if ('url' in source)
    return { url: source.url, cleanup: (runId) => cleanUp(source.url, runId, http), ...nothingOpened }
  if ('command' in source) return openProgram(source)
  const provider =
    'module' in source ? await loadProvider(source.module) : staticFixtures(source.static, actors)
  const { url, close } = await serveFixtures(provider)
  return { url, cleanup: (runId) => cleanUp(url, runId), hear: nothingOpened.hear, close }
}

const nothingOpened = { hear: () => {}, close: async () => {} }

async function openProgram(source: Extract<FixtureSource, { command: string }>): Promise<OpenFixtures> {
  const program = startProgramFixtures(source)
  try {
    const { url, close } = await serveFixtures(program.provider)
    return {
      url,
      cleanup: (runId) => cleanUp(url, runId),
      hear: program.hear,
      close: async () => {
        await Promise.all([close(), program.close()])
      },
    }
  } catch (error) {
    await program.close()
    throw error
  }
}

function cleanUp(url: string, runId: string | undefined, http?: HttpSettings): Promise<CleanupAnswer> {
  const options = { ...(runId === undefined ? {} : { runId }), ...(http === undefined ? {} : { http }) }
  return new FixtureClient(url, options).cleanup()
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
