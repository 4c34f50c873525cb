/** Conforming portals in which one operation fails intermittently. No other operation may get a finding for it. */
import { around } from '../../reference/alterations.ts'
import type { Arrival, Rendered } from '../../reference/parts.ts'
import type { CheckResult } from '../../runner/check-result.ts'
import { subSeed } from '../../runner/seeds.ts'
import { operationIds } from '../../specs/operations.ts'
import type { Alteration, Intermittent } from '../judgement.ts'
import { randomFrom } from '../random.ts'

type IllPortal = NonNullable<Alteration['ill']>

export const illnesses = ['error', 'page', 'silence', 'closed'] as const

const rates = [2, 3, 10] as const

/** Every operation with every illness at every rate. */
export const illPortals: readonly IllPortal[] = operationIds.flatMap((operation) =>
  illnesses.flatMap((illness) => rates.map((oneIn) => ({ operation, illness, oneIn }))),
)

/** A request answered with an error or a page has no effect. A request without an answer takes effect. */
export function fallingIll({ operation, illness, oneIn }: IllPortal, seed: number): Intermittent {
  const random = randomFrom(subSeed(seed, `${operation} ${illness}`))
  return {
    draw: () => random() * oneIn < 1,
    alter(parts) {
      const ill = new WeakSet<Arrival>()
      around(operation, ({ arrival }, honest) => {
        ill.add(arrival)
        return illness in failures ? parts.refuse('not-found') : honest()
      })(parts)
      const send = parts.send
      parts.send = (rendered, arrival) => {
        if (!ill.has(arrival)) return send(rendered, arrival)
        if (illness === 'closed') arrival.socket.destroy()
        else if (illness !== 'silence') return send(failures[illness], arrival)
      }
    },
  }
}

const failures: Readonly<Record<'error' | 'page', Rendered>> = {
  error: {
    status: 500,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{"error":{"code":500,"message":"Internal error","details":[]}}'),
  },
  page: {
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: Buffer.from('<!doctype html><title>Sorry</title><p>Something went wrong.</p>'),
  },
}

/** The longest run allowed, as a multiple of the run against a healthy portal. */
const mostTimes = 5

/** The time-out of an answer. A healthy embedded portal is much faster. */
export const illTimeout = '1500ms'

interface JudgedIllPortal {
  readonly checks: readonly CheckResult[]
  readonly durationMs: number
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
