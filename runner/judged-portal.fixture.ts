/** Runs some checks on an embedded portal. */
import { loadConfiguration } from '../deployment/configuration/load-configuration.ts'
import type { ProviderPlace } from '../deployment/fixtures/fixture-kinds.ts'
import { type EmbeddedPortal, type PortalOptions, startWatchedPortal } from '../reference/portal.ts'
import { declaredChecks } from '../suites/declared-checks.ts'
import type { CheckResult } from './check-result.ts'
import { runAll } from './run-all.ts'
import { inputOf } from './run-input.ts'

interface Judging {
  readonly requirements: readonly string[]
  readonly seed?: number
  readonly runs?: number
  /** Sections that replace those of the portal's configuration. */
  readonly sections?: (portal: EmbeddedPortal) => object
  readonly hooks?: Parameters<typeof startWatchedPortal>[1]
  /** The provider of fixtures, given the URL of the portal's own fixtures, which are the default. */
  readonly fixturesFrom?: (url: string) => ProviderPlace
}

/** The results of the checks of these requirements. */
export async function resultsOn(
  options: PortalOptions,
  { requirements, seed = 5, runs = 8, sections, hooks = {}, fixturesFrom }: Judging,
): Promise<CheckResult[]> {
  const portal = await startWatchedPortal(options, hooks)
  try {
    const { url } = portal.configuration.fixtures
    const value = { ...portal.configuration, fixtures: { url }, ...sections?.(portal) }
    const configuration = loadConfiguration({ value, name: 'the embedded portal' }, { seed, runs }, {})
    const provider = fixturesFrom?.(url) ?? url
    const others = { provider, selection: { operations: [], requirements } }
    const { checks } = await runAll(await declaredChecks(), inputOf(configuration, 'test', others))
    return checks.filter(({ reason }) => reason !== 'not selected for this run')
  } finally {
    await portal.close()
  }
}
