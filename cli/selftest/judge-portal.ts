/** Runs the whole suite, in this process, on an embedded portal that was altered on purpose. */

import { type EmbeddedPortal, startPortal } from '../../reference/portal.ts'
import { isGating } from '../../specs/outcomes.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { requirementOf } from '../../specs/requirements.ts'
import type { CheckResult } from '../../suites/check-result.ts'
import { runAll } from '../../suites/run-all.ts'
import { loadConfiguration } from '../../target/configuration/load-configuration.ts'

/** How the portal is altered, and how thoroughly it is judged. */
export interface Alteration {
  readonly faults?: readonly string[]
  readonly variants?: readonly string[]
  readonly seed: number
  readonly runs: number
  /** A built-in profile, or the path of one; absent: none. */
  readonly profile?: string
  /** Globs over requirement ids; absent: everything. */
  readonly requirements?: readonly string[]
}

export interface PortalJudgement {
  readonly checks: readonly CheckResult[]
  /** Must and implied requirements that failed, in the order of the contract. */
  readonly failed: readonly RequirementId[]
  /** Advice that was not kept. */
  readonly warned: readonly RequirementId[]
  /** Requests of operations that the portal served. */
  readonly requests: number
  readonly durationMs: number
}

/** Starts the portal, judges it, stops it. Rejects where the suite itself breaks. */
export async function judgePortal({
  seed,
  runs,
  requirements = [],
  profile = 'none',
  ...altered
}: Alteration): Promise<PortalJudgement> {
  const began = performance.now()
  const portal = await startPortal(altered)
  try {
    const configuration = loadConfiguration(
      { value: withProfile(portal.configuration, profile), name: 'the embedded portal' },
      { seed, runs },
      {},
    )
    const { fixtures } = configuration
    const checks = await runAll({
      configuration,
      ...(fixtures !== undefined && 'url' in fixtures ? { fixturesUrl: fixtures.url } : {}),
      runId: 'selftest',
      selection: { operations: [], requirements },
      files: [],
      replayCommand: 'portal-conformance run --reference',
    })
    const requirementsThat = (end: CheckResult['outcome']) => [
      ...new Set(checks.filter(({ outcome }) => outcome === end).map(({ requirement }) => requirement)),
    ]
    return {
      checks,
      failed: requirementsThat('failed').filter((id) => isGating(requirementOf(id).level)),
      warned: requirementsThat('warned'),
      requests: portal.requests,
      durationMs: Math.round(performance.now() - began),
    }
  } finally {
    await portal.close()
  }
}

function withProfile(written: EmbeddedPortal['configuration'], profile: string): unknown {
  return { ...written, target: { ...written.target, profile } }
}
