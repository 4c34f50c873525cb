/** Generated cases of a check: run side by side, and on a finding tried again and shrunk, one by one. */
import fc from 'fast-check'
import { withoutUndefined } from '../../schemas/without-undefined.ts'
import { show } from '../../schemas/wording.ts'
import { Finding, isOfTheTarget, Unproven } from '../findings.ts'
import { inSituation, type Situation } from './situations.ts'

/** How often a case is tried again, to tell how often it shows what was found; until it shows a second time. */
const mostRepetitions = 4
/**
 * What must be seen twice and does not show at the next try may show now and then, or in one situation only: it is tried
 * so often again, twice as often once it shows, and must be seen once more than otherwise, so that no two accidents make
 * a finding.
 */
const furtherTries = 16
const situationsTried = ['after-refusal', 'in-company', 'plain'] as const
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
}

/** Does something while something else goes on. */
export type AmongOthers = <T>(look: () => Promise<T>) => Promise<T>

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

/** A case that does not lend itself to judging: neither passed nor failed, and not counted. */
export class Discarded extends Error {
  override readonly name = 'Discarded'
}

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
    throw await smallest(arbitrary, body, { ...settings, path: only ?? String(ends.found.index) }, first)
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

/** Tries the failing case again, until it shows a second time, and then shrinks it. `path`: where it stands. */
async function smallest<T>(
  arbitrary: fc.Arbitrary<T>,
  body: Body<T>,
  { generation, seed, examples = [], path, again }: ForAllSettings & { readonly path: string },
  first: Finding,
): Promise<Finding> {
  const alone = again.standsAlone(first)
  let shrinking = 0
  let tries = 1
  let found: { finding: Finding; value: T } | undefined
  const property = fc.asyncProperty(arbitrary, async (value) => {
    // The first value of each search is the very case that failed.
    const isRepetition = found === undefined
    if (!isRepetition) {
      shrinking += 1
      if (shrinking >= shrinkCases) return
    }
    try {
      await body(value, numberOf(path))
      if (isRepetition) tries += 1
    } catch (error) {
      // What stands by itself is not exchanged for what does not.
      if (!(error instanceof Finding) || (alone && !again.standsAlone(error))) return
      if (isRepetition) tries += 1
      found = { finding: error, value }
      throw error
    }
  })
  let failing = path
  for (let time = 0; time < (alone ? mostRepetitions : 1) && found === undefined; time += 1) {
    const { counterexamplePath } = await fc.check(property, {
      seed,
      examples: examples.map((example): [T] => [example as T]),
      path,
      numRuns: 1,
      endOnFailure: false,
      interruptAfterTimeLimit: shrinkMs,
    })
    failing = counterexamplePath ?? path
  }
  if (!alone && found === undefined) {
    const [value] = fc.sample(arbitrary, { seed, examples: examples as T[], path, numRuns: 1 })
    const rare = await seenNowAndThen(
      (situation) => inSituation(situation, () => body(value as T, numberOf(path))),
      again.amongOthers,
    )
    tries += rare.tries
    if (rare.finding !== undefined) {
      const counterexample = rare.finding.grounds.counterexample ?? show(value)
      const seen = { times: 1 + rare.times, tries }
      return new Finding(rare.finding.message, { ...rare.finding.grounds, counterexample, seen })
    }
  }
  const { message, grounds } = found?.finding ?? first
  return new Finding(message, {
    ...grounds,
    ...(found === undefined
      ? {}
      : {
          counterexample: grounds.counterexample ?? show(found.value),
          place: { seed, path: `${generation}/${failing}` },
        }),
    seen: { times: found === undefined ? 1 : 2, tries },
  })
}

/**
 * Tries a case, or a check, in one situation after the other; in company also of other operations. The finding is there
 * where it was seen often enough.
 */
export async function seenNowAndThen(
  attempt: (situation: Situation) => Promise<void>,
  amongOthers: AmongOthers,
): Promise<{ tries: number; times: number; finding?: Finding }> {
  let tries = 0
  let times = 0
  for (let time = 0; time < furtherTries * (times > 0 ? 2 : 1); time += 1) {
    try {
      const situation = situationsTried[time % situationsTried.length] as Situation
      const tried = () => attempt(situation)
      await (situation === 'in-company' ? amongOthers(tried) : tried())
      tries += 1
    } catch (error) {
      if (!(error instanceof Discarded || isOfTheTarget(error))) throw error
      if (!(error instanceof Finding)) continue
      tries += 1
      times += 1
      if (times > 1) return { tries, times, finding: error }
    }
  }
  return { tries, times }
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
