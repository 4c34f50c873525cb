/** `run --for`: round after round on one target, put together into one set of results. */
import { assembleResults, type Begun, judgedChecks } from '../../reporters/build-results.ts'
import type { JudgedCheck, Results } from '../../reporters/results.ts'
import { looksTogether, putOffTogether } from '../../reporters/rounds.ts'
import type { Outcome } from '../../specs/outcomes.ts'
import { type Judged, type JudgingPlan, judgeTarget, type Onlookers } from './judge-target.ts'

interface RoundOnlookers extends Omit<Onlookers, 'onBegin'> {
  /** Called before the first request of each round; `before` is what the checks of earlier ones came to. */
  readonly onBegin: (begun: Begun, before: readonly JudgedCheck[]) => void
  /** Called after each round with how many there were, and the requests of all of them. */
  readonly onRound: (rounds: { readonly count: number; readonly requests: number }) => void
  /** Called between two rounds: what the one before used need not wait for the end. */
  readonly between: () => Promise<void>
}

/** Of a check that came out differently in two rounds the earlier of these stands. */
const weightiest: readonly Outcome[] = [
  'failed',
  'waived',
  'warned',
  'inconclusive',
  'passed',
  'not-applicable',
  'not-tested',
]

/** `forMs`: how long rounds may begin, in milliseconds. The results hold each check once, as it came out worst. */
export async function judgeRounds(
  plan: JudgingPlan,
  forMs: number,
  { onBegin, onRound, between, ...onlookers }: RoundOnlookers,
): Promise<Judged> {
  const began = performance.now()
  const { seed } = plan.configuration.run
  let whole: Results | undefined
  for (let count = 1; ; count += 1) {
    const roundBegan = performance.now()
    const before = whole === undefined ? [] : judgedChecks(whole)
    const { results, interrupted } = await judgeTarget(ofRound(plan, seed + count - 1), {
      ...onlookers,
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
    if (onlookers.signal.aborted) {
      const { complete: _, ...cutShort } = whole
      return { results: cutShort, interrupted: true }
    }
  }
}

/** The plan with another seed, also where a finding is shown again. */
function ofRound(plan: JudgingPlan, seed: number): JudgingPlan {
  const { configuration, replayCommand, targetOptions } = plan
  return {
    ...plan,
    configuration: { ...configuration, run: { ...configuration.run, seed } },
    replayCommand: replayCommand.replace(/--seed -?\d+/, `--seed ${seed}`),
    targetOptions: targetOptions.seed === undefined ? targetOptions : { ...targetOptions, seed },
  }
}

/** The later results, in which each check is as it came out worst; evidence is kept of that one alone. */
function together(before: Results, after: Results): Results {
  const known = new Map(judgedChecks(before).map((check) => [check.id, check]))
  const checks = judgedChecks(after).map((check) => {
    const earlier = known.get(check.id)
    const worse =
      earlier !== undefined && weightiest.indexOf(earlier.outcome) < weightiest.indexOf(check.outcome)
    return worse ? earlier : check
  })
  // The watch has a check only where it saw something.
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
