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

/** Variants that do not make a run long. */
export const quick = variants.filter(({ takesLong }) => takesLong !== true)

/** Variants that excuse nothing, so that every check must pass on their combinations. */
const strict = quick.filter(({ may, judged }) => may === undefined && judged === undefined)

export const variantPart: Part<VariantRow> = {
  name: 'variants',
  trials({ seed, runs, combinations: count, together }, judge) {
    const trial = (chosen: readonly Variant[]): Trial<VariantRow> => {
      const ids = chosen.map(({ id }) => id)
      const requirements = chosen.flatMap(({ judged = [] }) => judged)
      return {
        name: `variant ${ids.join(' + ')}`,
        waits: chosen.some(({ takesLong }) => takesLong === true),
        run: async () =>
          variantRow(chosen, await judge({ variants: ids, seed, runs, requirements, recorded: true })),
      }
    }
    const alone = variants.map((variant) => trial([variant]))
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
  drawn: readonly (readonly Variant[])[],
  trial: (chosen: readonly Variant[]) => Trial<VariantRow>,
): Trial<VariantRow>[] {
  const rows = new Map<Variant, Promise<VariantRow>>()
  const combined = drawn.map((chosen) => {
    const together = trial(chosen)
    const run = () => {
      const row = together.run()
      for (const variant of chosen) if (!rows.has(variant)) rows.set(variant, row)
      return row
    }
    return { ...together, run }
  })
  const others = alone.map((own, at) => {
    const variant = variants[at] as Variant
    const { id, sentence } = variant
    const company = async () => {
      const row = await rows.get(variant)
      return row !== undefined && isClean(row) ? { ...row, ids: [id], sentence } : undefined
    }
    return { ...own, turn: 1, company }
  })
  return [...others, ...combined]
}

/** Whether one portal can have both variants. */
export function compatible(one: Variant, other: Variant): boolean {
  return one !== other && one.settles?.some((point) => other.settles?.includes(point)) !== true
}

/** The number of variants in a combination. */
const inCombination = 3

/** Combinations drawn from the seed. Every variant is used once before any is used twice. */
export function combinations(from: readonly Variant[], seed: number, count: number): Variant[][] {
  const random = randomFrom(seed)
  let waiting: Variant[] = []
  const draw = (): Variant[] => {
    const drawn: Variant[] = []
    while (drawn.length < inCombination) {
      const fits = (variant: Variant): boolean => drawn.every((other) => compatible(variant, other))
      if (!waiting.some(fits)) waiting = [...waiting, ...shuffled(from, random)]
      const next = waiting.find(fits)
      if (next === undefined) break
      waiting = waiting.toSpliced(waiting.indexOf(next), 1)
      drawn.push(next)
    }
    return drawn
  }
  return Array.from({ length: count }, draw)
}
