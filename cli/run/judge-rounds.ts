/** `run --for`: round after round on one target, combined into one set of results. */
import {
  assembleResults,
  type Begun,
  judgedChecks,
  looksTogether,
  putOffTogether,
} from '../../reporters/build-results.ts'
import type { JudgedCheck, Results } from '../../reporters/results.ts'
import type { Outcome } from '../../specs/outcomes.ts'
import { type Judged, type JudgingPlan, judgeTarget, type Observers } from './judge-target.ts'

interface RoundObservers extends Omit<Observers, 'onBegin'> {
  /** Called before the first request of each round; `before`: the checks of earlier rounds. */
  readonly onBegin: (begun: Begun, before: readonly JudgedCheck[]) => void
  /** Called after each round with the number of rounds and their requests. */
  readonly onRound: (rounds: { readonly count: number; readonly requests: number }) => void
  /** Called between two rounds, to clean up after the first. */
  readonly between: () => Promise<void>
}

/** If a check has two outcomes in two rounds, the first of these counts. */
const weightiest: readonly Outcome[] = [
  'failed',
  'waived',
  'warned',
  'inconclusive',
  'passed',
  'not-applicable',
  'not-tested',
]

/** `forMs`: how long rounds may begin, in milliseconds. The results hold each check once, with its worst outcome. */
export async function judgeRounds(
  plan: JudgingPlan,
  forMs: number,
  { onBegin, onRound, between, ...observers }: RoundObservers,
): Promise<Judged> {
  const began = performance.now()
  const { seed } = plan.configuration.run
  let whole: Results | undefined
  for (let count = 1; ; count += 1) {
    const roundBegan = performance.now()
    const before = whole === undefined ? [] : judgedChecks(whole)
    const { results, interrupted } = await judgeTarget(ofRound(plan, seed + count - 1), {
      ...observers,
      onBegin: (begun) => onBegin(begun, before),
    })
    whole = whole === undefined ? results : together(whole, results)
    const requests = (whole.run.rounds?.requests ?? 0) + results.run.requests
    const durationMs = Math.round(performance.now() - began)
    whole = {
      ...whole,
      run: { ...whole.run, seed, durationMs, rounds: { count, requests, lastSeed: seed + count - 1 } },
    }
    onRound({ count, requests })
    const left = forMs - durationMs
    const over = left < (performance.now() - roundBegan) / 2
    const nothing = !results.requirements.some(({ outcome }) => outcome === 'passed')
    const broken = results.errors !== undefined || results.run.stopped !== undefined
    if (interrupted || over || nothing || broken || results.verdict === 'non-conformant')
      return { results: whole, interrupted }
    await between()
    if (observers.signal.aborted) {
      const { complete: _, ...cutShort } = whole
      return { results: cutShort, interrupted: true }
    }
  }
}

/** The plan with another seed. */
function ofRound(plan: JudgingPlan, seed: number): JudgingPlan {
  const { configuration, targetOptions } = plan
  return {
    ...plan,
    configuration: { ...configuration, run: { ...configuration.run, seed } },
    targetOptions: targetOptions.seed === undefined ? targetOptions : { ...targetOptions, seed },
  }
}

/** The later results, where each check has its worst outcome, with the evidence of that round. */
function together(before: Results, after: Results): Results {
  const known = new Map(judgedChecks(before).map((check) => [check.id, check]))
  const checks = judgedChecks(after).map((check) => {
    const earlier = known.get(check.id)
    const worse =
      earlier !== undefined && weightiest.indexOf(earlier.outcome) < weightiest.indexOf(check.outcome)
    return worse ? earlier : check
  })
  // The watch of a run reports a check only if it saw something.
  const seen = new Set(checks.map(({ id }) => id))
  const seenBefore = [...known.values()].filter(({ id }) => !seen.has(id))
  const { exchanges: _, ...parts } = after
  return {
    ...assembleResults({
      ...parts,
      requirements: after.requirements.map((requirement) => ({
        ...requirement,
        ...looksTogether(requirement.id, [before, after]),
      })),
      checks: [...checks, ...seenBefore],
      observations: [...before.observations, ...after.observations],
      roles: [...(before.roles ?? []), ...(after.roles ?? [])],
      errors: [...(before.errors ?? []), ...(after.errors ?? [])],
      complete: before.complete === true && after.complete === true,
    }),
    run: {
      ...after.run,
      startedAt: before.run.startedAt,
      ...(before.run.rounds && { rounds: before.run.rounds }),
      ...putOffTogether([before, after]),
    },
  }
}
