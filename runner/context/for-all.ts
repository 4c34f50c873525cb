/**
 * Runs the generated cases of a check side by side: how many, in which situations. A finding is retried and shrunk,
 * one case at a time.
 */
import fc from 'fast-check'
import { withoutUndefined } from '../../schemas/values.ts'
import { show } from '../../schemas/wording.ts'
import { type CheckDefinition, usesUp } from '../check.ts'
import { casesIn, isQuick, isThorough } from '../effort.ts'
import { Discarded, Finding, isOfTheTarget, NotTested, Unproven } from '../findings.ts'
import { subSeed } from '../seeds.ts'
import type { Body, CheckContext, Runs } from './context.ts'
import type { FindingRetries, OngoingAttempt } from './record.ts'
import { asExtra, type Situation } from './situations.ts'

/** Limits on shrinking. */
const shrinkCases = 80
const shrinkMs = 10_000

export interface ForAllSettings {
  /** The number of this generation within its check, from 1. */
  readonly generation: number
  readonly seed: number
  readonly runs: number
  /** Cases that come before all generated ones. */
  readonly examples?: readonly unknown[]
  /** Cases under way at once. */
  readonly width: number
  /** Replays only the case at this place. */
  readonly only?: string | undefined
  /** Asked before each case. True ends the generation early. */
  readonly exhausted: () => boolean
  readonly again: FindingRetries
}

interface ForAllOutcome {
  /** Judged cases. */
  readonly cases: number
  /** The first inconclusive case, if any. */
  readonly unproven?: Error
}

/** fast-check paths begin with the number of the case. */
const caseNumberOf = (path: string): number => Number(path.split(':')[0])

/**
 * Runs the body for each generated value. Throws the finding of the smallest counterexample, with its place and how
 * often it showed. Errors of the suite are rethrown.
 */
export async function forAll<T>(
  arbitrary: fc.Arbitrary<T>,
  body: Body<T>,
  settings: ForAllSettings,
): Promise<ForAllOutcome> {
  const { seed, runs, only } = settings
  const examples = (settings.examples ?? []) as T[]
  const [values, count] =
    only === undefined
      ? [generatedValues(arbitrary, { seed, examples }, runs), runs]
      : [fc.sample(arbitrary, { seed, examples, path: only, numRuns: 1 }).values(), 1]
  const ends = await runCases(values, count, body, settings)
  if (ends.broken !== undefined) throw ends.broken.error
  if (ends.found !== undefined) {
    const first = ends.found.error as Finding
    await settings.again.beforeRetry(first)
    throw await smallest({ arbitrary, body, settings, path: only ?? String(ends.found.index) }, first)
  }
  const { passed: cases, unproven } = ends
  return withoutUndefined({ cases, unproven: unproven?.error })
}

interface CaseEnd {
  readonly index: number
  readonly error: Error
}

/** How the cases ended. Of each kind only the first is kept, because a long run has more cases than memory. */
interface CaseEnds {
  passed: number
  found?: CaseEnd
  unproven?: CaseEnd
  /** An error of the suite. */
  broken?: CaseEnd
}

/** Runs the cases in order, `width` at once. After a finding or a broken exchange, no further case begins. */
async function runCases<T>(
  values: Iterator<T, unknown>,
  count: number,
  body: Body<T>,
  settings: ForAllSettings,
): Promise<CaseEnds> {
  const ends: CaseEnds = { passed: 0 }
  let over = false
  let begun = 0
  const next = async (): Promise<void> => {
    while (begun < count) {
      // At least one case, since a requirement without cases would not be judged.
      if (over || (begun > 0 && settings.exhausted())) return
      const index = begun
      begun += 1
      // Values are drawn in the order of the cases, and none is drawn ahead.
      const value = values.next().value as T
      try {
        await body(value, caseNumberOf(settings.only ?? String(index)))
        ends.passed += 1
      } catch (thrown) {
        const error = thrown instanceof Error ? thrown : new Error(String(thrown))
        over ||= !(error instanceof Discarded || error instanceof Unproven)
        const endsEarly = error instanceof NotTested && ends.passed > 0 && settings.exhausted()
        if (error instanceof Discarded || endsEarly) continue
        const kind = error instanceof Finding ? 'found' : isOfTheTarget(error) ? 'unproven' : 'broken'
        if (ends[kind] === undefined || index < ends[kind].index) ends[kind] = { index, error }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, settings.width) }, next))
  return ends
}

interface Failing<T> {
  readonly arbitrary: fc.Arbitrary<T>
  readonly body: Body<T>
  readonly settings: ForAllSettings
  /** The place of the case in fast-check's notation. */
  readonly path: string
}

/** Retries the failing case to see how often it fails. If it fails again at once, it is shrunk. */
async function smallest<T>(failing: Failing<T>, first: Finding): Promise<Finding> {
  const { arbitrary, body, path } = failing
  const { seed, generation, examples = [], again } = failing.settings
  const [value] = fc.sample(arbitrary, { seed, examples: examples as T[], path, numRuns: 1 }) as [T]
  const look = () => body(value, caseNumberOf(path))
  const most = again.isProvedAtOnce(first) ? mostRetries.howOften : mostRetries.again
  const repeated = await retried(most, () => retrySameFinding(first, look, again))
  const tries = 1 + repeated.tries
  if (repeated.finding === undefined) return first.with({ seen: { times: 1, tries } })
  const { finding, value: shrunk, path: place } = await shrink(failing, { finding: repeated.finding, value })
  return finding.with({
    counterexample: finding.grounds.counterexample ?? show(shrunk),
    path: `${generation}/${place}`,
    seen: { times: 2, tries },
  })
}

/** The number of tries if the finding does not show again. */
const mostRetries = {
  /** One exchange proves it, so retries only show how often it occurs. */
  howOften: 4,
  /** The environment may be the reason, so it must show a second time. */
  again: 1,
} as const

/** Retries until the finding shows again, at most that often. Inconclusive tries are not counted. */
async function retried(
  most: number,
  look: () => Promise<void>,
): Promise<{ readonly tries: number; readonly finding?: Finding }> {
  let tries = 0
  for (let time = 0; time < most; time += 1) {
    try {
      await look()
      tries += 1
    } catch (error) {
      if (error instanceof Finding) return { tries: tries + 1, finding: error }
      if (!(error instanceof Discarded || isOfTheTarget(error))) throw error
    }
  }
  return { tries }
}

/** Tries the case again. A finding that one exchange proves is not replaced by a weaker one. */
async function retrySameFinding(
  first: Finding,
  look: () => Promise<void>,
  again: FindingRetries,
): Promise<void> {
  try {
    await look()
  } catch (error) {
    if (error instanceof Finding && again.isProvedAtOnce(first) && !again.isProvedAtOnce(error))
      throw new Discarded('shows something else')
    throw error
  }
}

interface Counterexample<T> {
  readonly finding: Finding
  readonly value: T
}

/** The smallest value that still fails, and its place, within the limits. */
async function shrink<T>(
  { arbitrary, body, settings, path }: Failing<T>,
  largest: Counterexample<T>,
): Promise<Counterexample<T> & { readonly path: string }> {
  const { seed, examples = [], again } = settings
  let found = largest
  let cases = 0
  const property = fc.asyncProperty(arbitrary, async (value) => {
    cases += 1
    // The first value is the one that just failed.
    if (cases === 1) throw largest.finding
    if (cases > shrinkCases) return
    try {
      await retrySameFinding(largest.finding, () => body(value, caseNumberOf(path)), again)
    } catch (error) {
      if (!(error instanceof Finding)) return
      found = { finding: error, value }
      throw error
    }
  })
  const { counterexamplePath } = await fc.check(property, {
    seed,
    examples: examples.map((example): [T] => [example as T]),
    path,
    numRuns: 1,
    endOnFailure: false,
    interruptAfterTimeLimit: shrinkMs,
  })
  return { ...found, path: counterexamplePath ?? path }
}

/** Values are generated in portions, because all values of a long run would fill the memory. */
const portionSize = 64

/** Generates the same values as one large sample would, examples first, each only when needed. */
export function* generatedValues<T>(
  arbitrary: fc.Arbitrary<T>,
  { seed, examples }: { readonly seed: number; readonly examples: T[] },
  count: number,
): Generator<T, void> {
  for (let from = 0; from < count; from += portionSize) {
    const numRuns = Math.min(portionSize, count - from)
    // A path with one number is the place where the sample begins.
    yield* fc.sample(arbitrary, { seed, examples, numRuns, path: String(from) })
  }
}

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
