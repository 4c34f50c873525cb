/** Permitted variants, alone and in combinations: none may draw a finding, in a run or in a recording of it. */
import picomatch from 'picomatch'
import { variants } from '../../reference/variants/index.ts'
import type { Opening, Variant } from '../../reference/variants/variant.ts'
import { explains, type Judged, linesOf, type OpenCheck, openOf } from '../judgement.ts'
import { randomFrom, shuffled } from '../random.ts'
import {
  cleanCell,
  codesOf,
  countOf,
  isClean,
  type Part,
  rowOf,
  sectionOf,
  type Trial,
  timeCell,
} from './part.ts'

const quickOnes = variants.filter(({ takesLong }) => takesLong !== true)

/** Variants that do not make a run long. */
export const quick = quickOnes.map(({ id }) => id)

/** Variants that excuse nothing, so that every check must pass on their combinations. */
const strict = quickOnes
  .filter(({ may, judged }) => may === undefined && judged === undefined)
  .map(({ id }) => id)

export const variantPart: Part<VariantRow> = {
  name: 'variants',
  trials({ seed, runs, combinations: count, together }, judge) {
    const trial = (ids: readonly string[]): Trial<VariantRow> => {
      const chosen = ids.map((id) => variants.find((each) => each.id === id) as Variant)
      const requirements = chosen.flatMap(({ judged = [] }) => judged)
      return {
        name: `variant ${ids.join(' + ')}`,
        waits: chosen.some(({ takesLong }) => takesLong === true),
        run: async () =>
          variantRow(chosen, await judge({ variants: ids, seed, runs, requirements, recorded: true })),
      }
    }
    const alone = variants.map(({ id }) => trial([id]))
    if (!together) return [...alone, ...combinations(quick, seed, count).map(trial)]
    const enough = Math.ceil(strict.length / inCombination)
    return inCombinations(alone, combinations(strict, seed, Math.max(count, enough)), trial)
  },
  // A false alarm stays one. An undecided check may be decided on a quiet machine.
  restsOnTime: ({ blamed }) => !blamed,
  summary(rows) {
    const alone = rows.filter(({ ids }) => ids.length === 1).length
    const clean = countOf(rows, isClean)
    return [`Permitted variants: ${clean} clean (${alone} single, ${rows.length - alone} combined)`]
  },
  sections: (rows) => [
    sectionOf(
      'Permitted variants',
      'Each keeps the contract in another way, alone or together with others: nothing may fail, neither in a run nor in a recording of it, and nothing may be left open but what the variant gives a reason for.',
      rows,
      {
        Variants: ({ ids }) => codesOf(ids),
        'What the portal does': ({ sentence }) => sentence,
        Clean: cleanCell,
        Time: timeCell,
      },
    ),
  ],
}

type VariantRow = ReturnType<typeof variantRow>

/** The row of a conforming portal with these variants, by a run and its recorded traffic. */
export function variantRow(
  together: readonly Pick<Variant, 'id' | 'sentence' | 'may' | 'judged'>[],
  judged: Judged,
) {
  const facts = {
    /** Several ids: a combination. */
    ids: together.map(({ id }) => id),
    sentence: together.length > 1 ? 'All of these together.' : (together[0]?.sentence ?? ''),
    blamed: judged.failed.length + judged.breaches.length > 0,
  }
  return rowOf(judged, facts, [
    ...linesOf(openOf(judged).filter((check) => !together.some((variant) => allows(variant, check)))),
    ...judged.breaches.map(({ requirement, why }) => `in recorded traffic: ${requirement}: ${why}`),
  ])
}

/** Whether the variant explains why the check did not pass. */
function allows({ may = {}, judged }: Pick<Variant, 'may' | 'judged'>, check: OpenCheck): boolean {
  const { requirement, outcome } = check
  if (judged !== undefined && outcome === 'not-tested' && !picomatch.isMatch(requirement, [...judged]))
    return true
  const opening = (may as Readonly<Record<string, Opening>>)[outcome]
  return opening !== undefined && explains(opening, check)
}

/** Combinations first. Variants of a clean combination are not tried alone. `alone`: in the order of the variants. */
function inCombinations(
  alone: readonly Trial<VariantRow>[],
  drawn: readonly (readonly string[])[],
  trial: (ids: readonly string[]) => Trial<VariantRow>,
): Trial<VariantRow>[] {
  const rows = new Map<string, Promise<VariantRow>>()
  const combined = drawn.map((ids) => {
    const together = trial(ids)
    const run = () => {
      const row = together.run()
      for (const id of ids) if (!rows.has(id)) rows.set(id, row)
      return row
    }
    return { ...together, run }
  })
  const others = alone.map((own, at) => {
    const { id, sentence } = variants[at] as Variant
    const company = async () => {
      const row = await rows.get(id)
      return row !== undefined && isClean(row) ? { ...row, ids: [id], sentence } : undefined
    }
    return { ...own, turn: 1, company }
  })
  return [...others, ...combined]
}

/** Kinds of variants that exclude each other, mostly because they settle the same open point. */
const exclusive: readonly RegExp[] = [
  /^refusals-(as|with-their)-/,
  /^refusals-.*(success|body|details)/,
  /^(bearer-header|query-credential|cookie-credential)$|-credential$/,
  /-ids$|^ids-/,
  /^clock-/,
  /^(texts-|markup-)/,
  /^second-sync-|^busy-/,
  /^throttled-/,
  /-limits$/,
  /^created-\d/,
  /content-type|-type$/,
  /^chunked-|bursty|slow/,
  // Together, syncs take longer than a fixture promises at most.
  /^(second-sync-after-cool-down|syncs-of-varying-length)$/,
  // With one id for all syncs of a workspace nothing shows whether two of them overlapped.
  /^(second-sync-(?:overlaps|joins)|job-id-of-workspace)$/,
  // The ids of the first contain characters that the second refuses in a list.
  /^(odd-ids|spaces-in-items-refused)$/,
  // Each leaves so much open that the other could not show.
  /^(wrong-credentials-banned|credential-ends|one-second-outage)$/,
]

/** Whether one portal can have both variants. */
export function compatible(one: string, other: string): boolean {
  return one !== other && !exclusive.some((kind) => kind.test(one) && kind.test(other))
}

/** The number of variants in a combination. */
const inCombination = 3

/** Combinations drawn from the seed. Every variant is used once before any is used twice. */
export function combinations(ids: readonly string[], seed: number, count: number): string[][] {
  const random = randomFrom(seed)
  let waiting: string[] = []
  const draw = (): string[] => {
    const drawn: string[] = []
    while (drawn.length < inCombination) {
      const fits = (id: string): boolean => drawn.every((other) => compatible(id, other))
      if (!waiting.some(fits)) waiting = [...waiting, ...shuffled(ids, random)]
      const next = waiting.find(fits)
      if (next === undefined) break
      waiting = waiting.toSpliced(waiting.indexOf(next), 1)
      drawn.push(next)
    }
    return drawn
  }
  return Array.from({ length: count }, draw)
}
