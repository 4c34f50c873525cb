/** The generated cases of a check: how many, and in which situations. */
import { type CheckDefinition, usesUp } from '../check.ts'
import { casesIn, isQuick, isThorough } from '../effort.ts'
import { Unproven } from '../findings.ts'
import { subSeed } from '../seeds.ts'
import type { CheckContext, Runs } from './context.ts'
import { forAll } from './for-all.ts'
import type { OngoingAttempt } from './record.ts'
import { asExtra, type Situation } from './situations.ts'

/** The largest number of cases that are repeated in other situations. */
const mostRepeatedCases = 8

/** How many cases a generated check has with that `run.runs`. */
function casesOf(
  runs: number,
  { cases = 'some', most = Number.POSITIVE_INFINITY, judged = 0 }: Runs,
  examples: readonly unknown[],
): number {
  return Math.max(Math.min(most, casesIn(runs, cases)) - judged, examples.length)
}

/** The cases that a run with that `run.runs` always judges. */
const examplesOf = (
  runs: number,
  { examples = [], quick = examples.slice(0, 1) }: Runs,
): readonly unknown[] => (isQuick({ runs }) ? quick : examples)

/** Whether each case uses a new fixture, so that none is tried right after a refusal on the same fixture. */
const usesFreshFixtures = ({ operation, traits }: CheckDefinition): boolean =>
  operation !== undefined && !traits.includes('overlapping') && usesUp(operation)

/** `forAll` for one attempt. Each call is one generation of the check. */
export function generations({
  definition,
  session,
  record,
  again,
  situation: ofAttempt,
}: OngoingAttempt): CheckContext['forAll'] {
  const { run, http } = session.configuration
  const [wanted, only] = session.input.onlyCase?.split('/') ?? []
  // With sync turns, each case takes as long as a sync, so only the examples are run.
  const enoughSyncs = () => session.patience.syncTurns.taken && definition.operation === 'sync-workspace'
  let generations = 0
  return async (arbitrary, body, runs = {}) => {
    const { width = http.concurrency } = runs
    const examples = examplesOf(run.runs, runs)
    const lookedAt = ofAttempt.now === 'after-the-same'
    const pass = async (count: number, situation: Situation): Promise<Error | undefined> => {
      generations += 1
      const generation = generations
      if (count === 0 || (wanted !== undefined && wanted !== String(generation))) return undefined
      let begun = 0
      const { cases, unproven } = await ofAttempt.during(situation, () =>
        forAll(arbitrary, body, {
          generation,
          examples,
          seed: subSeed(run.seed, `${definition.id}#${generation}`),
          runs: count,
          // Parallel cases would come between a request and its refused twin.
          width: lookedAt ? 1 : width,
          only,
          exhausted: () => session.channel.exhausted || (++begun >= examples.length && enoughSyncs()),
          again,
        }),
      )
      if (session.channel.exhausted && cases < count) record.cutShort = 'requests'
      else if (enoughSyncs() && cases < count) record.cutShort ??= 'syncs'
      return unproven
    }
    const all = casesOf(run.runs, runs, examples)
    // Some of the cases suffice, because here the situation matters and not the value.
    const few = Math.min(all, Math.max(1, examples.length), mostRepeatedCases)
    const unproven = await pass(lookedAt ? few : all, 'plain')
    if (unproven !== undefined) record.unproven ??= unproven
    if (record.judged === 0 && wanted === undefined)
      throw unproven ?? new Unproven('no generated case could be judged')
    // Cases that use up their fixture are repeated on new ones.
    if (!lookedAt && usesFreshFixtures(definition) && isThorough(run))
      await asExtra(async () => {
        const unproven = await pass(few, 'both')
        // A replay asks for exactly that case.
        if (wanted !== undefined && unproven !== undefined) record.unproven ??= unproven
      })
  }
}
