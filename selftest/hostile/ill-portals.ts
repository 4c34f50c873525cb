/** Conforming portals in which one operation fails intermittently. No other operation may get a finding for it. */

import { loadConfiguration } from '../../deployment/configuration/load-configuration.ts'
import { around } from '../../reference/alterations.ts'
import type { Arrival, Parts, Rendered } from '../../reference/parts.ts'
import { startPortal } from '../../reference/portal.ts'
import type { CheckResult } from '../../runner/check-result.ts'
import { runAll } from '../../runner/run-all.ts'
import { inputOf } from '../../runner/run-input.ts'
import { type OperationId, operationIds } from '../../specs/operations.ts'
import { declaredChecks } from '../../suites/declared-checks.ts'
import type { PortalJudgement } from '../judge-portal.ts'

/**
 * `error`: HTTP 500. `page`: HTML instead of JSON. `silence`: no answer. `closed`: the connection closes unanswered.
 */
export const illnesses = ['error', 'page', 'silence', 'closed'] as const

type Illness = (typeof illnesses)[number]

interface IllPortal {
  readonly operation: OperationId
  readonly illness: Illness
  /** One request in this many fails, chosen pseudo-randomly. */
  readonly oneIn: number
}

const rates = [2, 3, 10] as const

/** Every operation with every illness at every rate. */
export const illPortals: readonly IllPortal[] = operationIds.flatMap((operation) =>
  illnesses.flatMap((illness) => rates.map((oneIn) => ({ operation, illness, oneIn }))),
)

/**
 * Makes one operation fail. A request answered with an error or a page has no effect. A request without an answer takes
 * effect.
 */
function fallIll(parts: Parts, { operation, illness, oneIn }: IllPortal): void {
  const ill = new WeakSet<Arrival>()
  const chance = dice(oneIn)
  around(operation, (call, honest) => {
    if (!chance()) return honest()
    ill.add(call.arrival)
    return illness === 'error' || illness === 'page' ? parts.refuse('not-found') : honest()
  })(parts)
  const send = parts.send
  parts.send = (rendered, arrival) => {
    if (!ill.has(arrival)) return send(rendered, arrival)
    if (illness === 'closed') arrival.socket.destroy()
    else if (illness !== 'silence') return send(failure(illness), arrival)
  }
}

const failure = (illness: 'error' | 'page'): Rendered =>
  illness === 'error'
    ? {
        status: 500,
        headers: { 'content-type': 'application/json' },
        body: Buffer.from('{"error":{"code":500,"message":"Internal error","details":[]}}'),
      }
    : {
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: Buffer.from('<!doctype html><title>Sorry</title><p>Something went wrong.</p>'),
      }

/** True in one of this many calls. Deterministic, so that runs are repeatable. */
function dice(oneIn: number): () => boolean {
  let state = 12_345
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 16) % oneIn === 0
  }
}

/** The longest run allowed, as a multiple of the run against a healthy portal. */
const mostTimes = 5

/** The time-out of an answer. A healthy embedded portal is much faster. */
const timeout = '1500ms'

export type JudgedIllPortal = Pick<PortalJudgement, 'checks' | 'requests' | 'durationMs'>

/** `ill` undefined: a healthy portal. Rejects if the suite itself breaks. */
export async function judgeIllPortal(
  ill: IllPortal | undefined,
  { seed, runs }: { readonly seed: number; readonly runs: number },
): Promise<JudgedIllPortal> {
  const portal = await startPortal(ill === undefined ? {} : { alter: (parts) => fallIll(parts, ill) })
  try {
    const value = { ...portal.configuration, http: { timeout } }
    const configuration = loadConfiguration({ value, name: 'the embedded portal' }, { seed, runs }, {})
    const began = performance.now()
    const { checks } = await runAll(await declaredChecks(), inputOf(configuration, 'ill'))
    return { checks, requests: portal.requests, durationMs: performance.now() - began }
  } finally {
    await portal.close()
  }
}

/** The problems, one line each: findings in other operations, missing results, and a run that takes too long. */
export function problemsOfIll(
  { operation }: IllPortal,
  judged: JudgedIllPortal,
  healthy: JudgedIllPortal,
): string[] {
  const { checks, durationMs } = judged
  const blamed = checks.filter((check) => check.outcome === 'failed' && operationOf(check) !== operation)
  // The run may report further checks that the healthy run lacks. Their failures are covered above.
  const reported = new Set(checks.map(({ id }) => id))
  const missing = healthy.checks.filter(({ id }) => !reported.has(id))
  const times = durationMs / healthy.durationMs
  return [
    ...blamed.map(({ id, failure }) => `blamed: ${id}: ${failure?.message} (${failure?.actual})`),
    ...missing.map(({ id }) => `${id} has no result`),
    ...(times <= mostTimes ? [] : [`took ${times.toFixed(1)} times as long as with a healthy portal`]),
  ]
}

/** The operation of a check. `lifecycle` has none. */
function operationOf({ id, requirement }: CheckResult): string | undefined {
  return requirement.startsWith('protocol/') ? id.split(':')[1] : requirement.split('/')[0]
}
