/** Judges an embedded portal that has fallen ill, in this process: what it is blamed for, and how long that takes. */

import { loadConfiguration } from '../../deployment/configuration/load-configuration.ts'
import { startPortal } from '../../reference/portal.ts'
import type { CheckResult } from '../../runner/check-result.ts'
import { runAll } from '../../runner/run-all.ts'
import { fallIll, type IllPortal } from './ill-portals.ts'

/** How many times as long as with a healthy portal a run may take. */
const mostTimes = 5

/** The time-out of an answer: a healthy embedded portal answers long before. */
const timeout = '1500ms'

export interface JudgedIllPortal {
  readonly checks: readonly CheckResult[]
  /** Requests of operations that the portal served. */
  readonly requests: number
  readonly durationMs: number
}

/** `ill` absent: a healthy one. Rejects where the suite itself breaks. */
export async function judgeIllPortal(
  ill: IllPortal | undefined,
  { seed, runs }: { readonly seed: number; readonly runs: number },
): Promise<JudgedIllPortal> {
  const portal = await startPortal(ill === undefined ? {} : { alter: (parts) => fallIll(parts, ill) })
  try {
    const value = { ...portal.configuration, http: { timeout } }
    const configuration = loadConfiguration({ value, name: 'the embedded portal' }, { seed, runs }, {})
    const { fixtures } = configuration
    const began = performance.now()
    const checks = await runAll({
      configuration,
      ...(fixtures !== undefined && 'url' in fixtures ? { fixturesUrl: fixtures.url } : {}),
      runId: 'ill',
      selection: { operations: [], requirements: [] },
      files: [],
      replayCommand: 'portal-conformance run --reference',
    })
    return { checks, requests: portal.requests, durationMs: performance.now() - began }
  } finally {
    await portal.close()
  }
}

/** What is wrong with a judgement, one line each: whom it blames beside the operation that is ill, and how long it took. */
export function problemsOfIll(
  { operation }: IllPortal,
  judged: JudgedIllPortal,
  healthy: JudgedIllPortal,
): string[] {
  const { checks, durationMs } = judged
  const blamed = checks.filter((check) => check.outcome === 'failed' && operationOf(check) !== operation)
  // The watch may have found something besides: that is one more, and it is looked at above.
  const told = new Set(checks.map(({ id }) => id))
  const missing = healthy.checks.filter(({ id }) => !told.has(id))
  const times = durationMs / healthy.durationMs
  return [
    ...blamed.map(({ id, failure }) => `blamed: ${id}: ${failure?.message} (${failure?.actual})`),
    ...missing.map(({ id }) => `${id} has no result`),
    ...(times <= mostTimes ? [] : [`took ${times.toFixed(1)} times as long as with a healthy portal`]),
  ]
}

/** The operation that a check is about; `lifecycle` is about none. */
function operationOf({ id, requirement }: CheckResult): string | undefined {
  return requirement.startsWith('protocol/') ? id.split(':')[1] : requirement.split('/')[0]
}
