/** Tries the example providers as their users do: in a folder of their own, against a portal as `serve` starts it. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { stringify } from 'yaml'
import { type EmbeddedPortal, startPortal } from '../reference/portal.ts'
import type { Results } from '../reporters/results.ts'
import { loadConfiguration } from '../target/configuration/load-configuration.ts'
import { openFixtures } from '../target/fixtures/fixture-sources.ts'
import { checkFixtures } from './fixture-conformance.ts'
import { runProgram } from './program.ts'
import { observedSurroundings } from './surroundings.fixture.ts'

const example = (name: string) => fileURLToPath(new URL(`../examples/fixtures/${name}`, import.meta.url))

/** A portal as `serve` starts it, with the environment that the examples need for it. */
export async function served(): Promise<EmbeddedPortal> {
  const portal = await startPortal()
  process.env.EMBEDDED_FIXTURES = portal.configuration.fixtures.url
  onTestFinished(async () => {
    delete process.env.EMBEDDED_FIXTURES
    await portal.close()
  })
  return portal
}

/** A folder of a user, with a copy of the example in it. */
export function folderWith(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'pc-example-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  copyFileSync(example(name), join(folder, name))
  return folder
}

/** The configuration of the portal with other fixtures. */
export function configured(portal: EmbeddedPortal, folder: string, fixtures: object): string {
  const file = join(folder, 'portal.yaml')
  writeFileSync(file, stringify({ ...portal.configuration, fixtures }))
  return file
}

/** What is not right with the provider, by kind. */
export async function complaints(
  file: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<Record<string, string>> {
  const configuration = loadConfiguration({ file }, {}, environment)
  const fixtures = await openFixtures(configuration.fixtures, configuration.actors)
  try {
    const findings = await checkFixtures(fixtures, configuration, { runId: 'pc-1' })
    const others = findings.filter(({ outcome }) => outcome !== 'passed')
    return Object.fromEntries(others.map(({ kind, outcome, detail }) => [kind, `${outcome}: ${detail}`]))
  } finally {
    await fixtures.close()
  }
}

/** A run with a few cases and the given words. */
export async function judged(
  folder: string,
  file: string,
  words: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<{ code: number; results: Results; complained: string }> {
  const surroundings = observedSurroundings(environment)
  const out = join(folder, 'report')
  const few = ['--runs', '2', '--seed', '1', '--allow-incomplete', '--reporter', 'json', '--out', out]
  const code = await runProgram(['run', '--config', file, ...few, ...words], surroundings)
  const results = JSON.parse(readFileSync(join(out, 'results.json'), 'utf8')) as Results
  return { code, results, complained: surroundings.complained() }
}
