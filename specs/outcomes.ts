/** The outcomes of a check and the algebra that makes a verdict of them. */

/** From worst to best: a requirement takes the worst outcome of its checks. */
export const outcomes = [
  'failed',
  'inconclusive',
  'not-tested',
  'warned',
  'waived',
  'passed',
  'not-applicable',
] as const

export type Outcome = (typeof outcomes)[number]

export type Verdict = 'conformant' | 'non-conformant' | 'incomplete'

/**
 * `must`: said by the contract; `implied`: follows from what it says; `advice`: good practice;
 * `must (profile)`: said by the profile of the deployment. Only the first two make the verdict.
 */
export const levels = ['must', 'implied', 'advice', 'must (profile)'] as const

export type Level = (typeof levels)[number]

/** Whether requirements of this level make the verdict on the contract. */
export function isGating(level: Level): boolean {
  return level === 'must' || level === 'implied'
}

/** The worst of several outcomes; nothing at all is `not-tested`. */
export function worst(several: readonly Outcome[]): Outcome {
  return outcomes.find((outcome) => several.includes(outcome)) ?? 'not-tested'
}

/** How many there are of each outcome. */
export function countsByOutcome(several: readonly { readonly outcome: Outcome }[]): Record<Outcome, number> {
  const counts = Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Record<Outcome, number>
  for (const { outcome } of several) counts[outcome] += 1
  return counts
}

/**
 * The verdict of a run. Advice and profile never count; not applicable leaves the denominator;
 * a run in which nothing passed proves nothing and is incomplete.
 */
export function verdictOf(requirements: readonly { level: Level; outcome: Outcome }[]): Verdict {
  const gating = requirements.filter(({ level }) => isGating(level)).map(({ outcome }) => outcome)
  if (gating.includes('failed')) return 'non-conformant'
  if (gating.some((outcome) => outcome === 'inconclusive' || outcome === 'not-tested')) return 'incomplete'
  return gating.includes('passed') ? 'conformant' : 'incomplete'
}
