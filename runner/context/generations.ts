/** The generated cases of a check: how many it has, and in which situations they are judged. */

import { type CheckDefinition, usesUp } from '../check.ts'
import { casesIn, examplesIn, tries } from '../effort.ts'
import { Unproven } from '../findings.ts'
import { subSeed } from '../seeds.ts'
import type { Session } from '../session.ts'
import type { CheckContext, Runs } from './context.ts'
import { type Again, forAll } from './for-all.ts'
import type { AttemptRecord } from './record.ts'
import { besides, type Situation, type SituationOfAttempt } from './situations.ts'

/** So many cases at most are looked at in other situations as well. */
const mostLookedAtAgain = 8

/** How many cases a generated check has in a run of that setting. */
function casesOf(
  runs: number,
  { cases = 'some', most = Number.POSITIVE_INFINITY, judged = 0, examples = [] }: Runs,
): number {
  return Math.max(Math.min(most, casesIn(runs, cases)) - judged, Math.min(examples.length, examplesIn(runs)))
}

/** Whether each of its cases has a fixture of its own, so that one and the same is never looked at right after a refusal. */
const takesFreshFixtures = ({ operation, traits }: CheckDefinition): boolean =>
  operation !== undefined && !traits.includes('overlapping') && usesUp(operation)

/** The attempt that generates cases. */
interface Attempting {
  readonly record: AttemptRecord
  readonly again: Again
  readonly situation: SituationOfAttempt
}

/** `forAll` for one attempt, in whose record all cases are counted; each call is one generation of the check. */
export function generations(
  definition: CheckDefinition,
  session: Session,
  { record, again, situation: ofAttempt }: Attempting,
): CheckContext['forAll'] {
  const { run, http } = session.configuration
  const [wanted, only] = session.input.onlyCase?.split('/') ?? []
  // Where syncs take turns, each made-up case would take as long as a sync: the examples must do.
  const enoughSyncs = () => session.patience.syncTurns.taken && definition.operation === 'sync-workspace'
  let generations = 0
  return async (arbitrary, body, runs = {}) => {
    const { width = http.concurrency, examples = [] } = runs
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
          // Side by side they would come between another and its refusal.
          width: lookedAt ? 1 : width,
          only,
          exhausted: () => session.channel.exhausted || (++begun >= examples.length && enoughSyncs()),
          again,
          during: ofAttempt.during,
        }),
      )
      if (session.channel.exhausted && cases < count) record.cutShort = 'requests'
      else if (enoughSyncs() && cases < count) record.cutShort ??= 'syncs'
      return unproven
    }
    const all = casesOf(run.runs, runs)
    // Some of its examples must do: the look is at when a request comes, not at what it says.
    const few = Math.min(all, Math.max(1, examples.length), mostLookedAtAgain)
    const unproven = await pass(lookedAt ? few : all, 'plain')
    if (unproven !== undefined) record.unproven ??= unproven
    if (record.judged === 0 && wanted === undefined)
      throw unproven ?? new Unproven('no generated case could be judged')
    // What uses its fixture up is looked at again on others.
    if (!lookedAt && takesFreshFixtures(definition) && tries('thorough', run))
      await besides(async () => {
        const unproven = await pass(few, 'both')
        // A replay asks for that very case.
        if (wanted !== undefined && unproven !== undefined) record.unproven ??= unproven
      })
  }
}
