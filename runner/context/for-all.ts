/** Generated cases of a check: run side by side, and on a finding tried again and shrunk, one by one. */
import fc from 'fast-check'
import { withoutUndefined } from '../../schemas/without-undefined.ts'
import { show } from '../../schemas/wording.ts'
import { Discarded, Finding, isOfTheTarget, Unproven } from '../findings.ts'
import { type AmongOthers, policies, seen } from '../seen.ts'
import type { InSituation } from './situations.ts'

/** Bounds on looking for a smaller counterexample. */
const shrinkCases = 80
const shrinkMs = 10_000

export interface ForAllSettings {
  /** Which of the generations of its check this is, from 1. */
  readonly generation: number
  readonly seed: number
  readonly runs: number
  /** Cases that are always there, before all that are made up. */
  readonly examples?: readonly unknown[]
  /** Cases under way at once. */
  readonly width: number
  /** Only the case at this place, as a finding names it: a replay. */
  readonly only?: string | undefined
  /** Asked before each case: true ends the generation early. */
  readonly exhausted: () => boolean
  readonly again: Again
  /** Does it with its requests in that situation. */
  readonly during: InSituation
}

/** How a finding is looked for again. */
export interface Again {
  /** Whether one exchange proves it. Then it stands, and is tried again only to tell how often it shows. */
  readonly standsAlone: (finding: Finding) => boolean
  /** Awaited before a case is tried again; what it throws becomes the end of the check. */
  readonly before: (finding: Finding) => Promise<void>
  /** Does it while other operations are performed. */
  readonly amongOthers: AmongOthers
}

interface ForAllOutcome {
  /** Cases that were judged. */
  readonly cases: number
  /** The first case that proved nothing, if any did. */
  readonly unproven?: Error
}

/** What is done for each case: its value, and its number, which stays with it when it is shrunk or replayed. */
export type Body<T> = (value: T, number: number) => Promise<void>

/** A path of fast-check begins with the number of the case. */
const numberOf = (path: string): number => Number(path.split(':')[0])

/**
 * Runs the body for each generated value. Throws the finding of the smallest counterexample, with its place among
 * the cases and how often it showed; errors of the suite are thrown as they are.
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
    await settings.again.before(first)
    throw await smallest({ arbitrary, body, settings, path: only ?? String(ends.found.index) }, first)
  }
  const { passed: cases, unproven } = ends
  return withoutUndefined({ cases, unproven: unproven?.error })
}

interface CaseEnd {
  readonly index: number
  readonly error: Error
}

/** How cases ended. Of those that end alike the first in their order is kept: a long run has more than memory holds. */
interface CaseEnds {
  passed: number
  found?: CaseEnd
  unproven?: CaseEnd
  /** What is neither said of the target nor of a case. */
  broken?: CaseEnd
}

/** Runs the cases in their order, `width` at once; no further one begins after a finding or a broken exchange. */
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
      // One case at the least: a clause that no case shows is not judged.
      if (over || (begun > 0 && settings.exhausted())) return
      const index = begun
      begun += 1
      // Cases begin in their order, and where one does not begin none after it does.
      const value = values.next().value as T
      try {
        await body(value, numberOf(settings.only ?? String(index)))
        ends.passed += 1
      } catch (thrown) {
        const error = thrown instanceof Error ? thrown : new Error(String(thrown))
        over ||= !(error instanceof Discarded || error instanceof Unproven)
        if (error instanceof Discarded) continue
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
  /** Where it stands among the cases. */
  readonly path: string
}

/** Tries the failing case again, to tell how often it shows; where it does at once, it is shrunk. */
async function smallest<T>(failing: Failing<T>, first: Finding): Promise<Finding> {
  const { arbitrary, body, path } = failing
  const { seed, generation, examples = [], again, during } = failing.settings
  const [value] = fc.sample(arbitrary, { seed, examples: examples as T[], path, numRuns: 1 }) as [T]
  const look = () => body(value, numberOf(path))
  const alone = again.standsAlone(first)
  const repeated = await seen(alone ? policies.howOften : policies.again, () => insteadOf(first, look, again))
  if (repeated.finding !== undefined) {
    const {
      finding,
      value: shrunk,
      path: place,
    } = await shrink(failing, { finding: repeated.finding, value })
    return finding.with({
      counterexample: finding.grounds.counterexample ?? show(shrunk),
      place: { seed, path: `${generation}/${place}` },
      seen: { times: 2, tries: 1 + repeated.tries },
    })
  }
  if (alone) return first.with({ seen: { times: 1, tries: 1 + repeated.tries } })
  const rare = await seen(policies.nowAndThen, (situation) => during(situation, look), again.amongOthers)
  const tries = 1 + repeated.tries + rare.tries
  if (rare.finding === undefined) return first.with({ seen: { times: 1, tries } })
  return rare.finding.with({
    counterexample: rare.finding.grounds.counterexample ?? show(value),
    seen: { times: 1 + rare.times, tries },
  })
}

/** Looks for the same as the first finding: what stands by itself is not exchanged for what does not. */
async function insteadOf(first: Finding, look: () => Promise<void>, again: Again): Promise<void> {
  try {
    await look()
  } catch (error) {
    if (error instanceof Finding && again.standsAlone(first) && !again.standsAlone(error))
      throw new Discarded('shows something else')
    throw error
  }
}

interface Counterexample<T> {
  readonly finding: Finding
  readonly value: T
}

/** The smallest value that still shows it, with its place, as far as the bounds allow. */
async function shrink<T>(
  { arbitrary, body, settings, path }: Failing<T>,
  largest: Counterexample<T>,
): Promise<Counterexample<T> & { readonly path: string }> {
  const { seed, examples = [], again } = settings
  let found = largest
  let cases = 0
  const property = fc.asyncProperty(arbitrary, async (value) => {
    cases += 1
    // The first value is that of the largest, which was just seen.
    if (cases === 1) throw largest.finding
    if (cases > shrinkCases) return
    try {
      await insteadOf(largest.finding, () => body(value, numberOf(path)), again)
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

/** So many are made up at a time: all of a long run at once would fill the memory. */
const portion = 64

/**
 * The same values that one sample of all would be, in their order, the examples first; each is asked for once, and not
 * before it is needed.
 */
export function* generatedValues<T>(
  arbitrary: fc.Arbitrary<T>,
  { seed, examples }: { readonly seed: number; readonly examples: T[] },
  count: number,
): Generator<T, void> {
  for (let from = 0; from < count; from += portion) {
    const numRuns = Math.min(portion, count - from)
    // A path of one number is the place at which a sample begins.
    yield* fc.sample(arbitrary, { seed, examples, numRuns, path: String(from) })
  }
}
