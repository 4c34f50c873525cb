/** Portals that keep the contract: permitted variants, alone and in combinations, and scarce fixtures. None may draw a finding. */
import picomatch from 'picomatch'
import { variants } from '../../reference/variants/index.ts'
import type { Opening, Variant } from '../../reference/variants/variant.ts'
import { subSeed } from '../../runner/seeds.ts'
import {
  type Alteration,
  explains,
  fewRuns,
  type Judged,
  linesOf,
  type OpenCheck,
  openOf,
  type Part,
} from '../trial.ts'

/** Variants that do not make a run long. */
export const quick = variants.filter(({ takesLong }) => takesLong !== true)

/** Variants that excuse nothing, so that every check must pass on their combinations. */
const strict = quick.filter(({ may, judged }) => may === undefined && judged === undefined)

/** The number of variants in a combination. */
const inCombination = 3

export const variantPart: Part = {
  name: 'variants',
  title: 'Permitted variants',
  clean: 'clean',
  lead: 'Each keeps the contract in another way, alone or together with others: nothing may fail, neither in a run nor in a recording of it, and nothing may be left open but what the variant gives a reason for.',
  trials({ seed, runs, combinations: count, together }) {
    const enough = Math.ceil(strict.length / inCombination)
    const combined = together
      ? combinations(strict, seed, Math.max(count, enough))
      : combinations(quick, seed, count)
    const alone = variants
      .filter((variant) => !together || !combined.flat().includes(variant))
      .toSorted((one, other) => Number(one.takesLong ?? false) - Number(other.takesLong ?? false))
    return [...combined, ...alone.map((variant) => [variant])].map((chosen) => {
      const ids = chosen.map(({ id }) => id)
      const requirements = chosen.flatMap(({ judged = [] }) => judged)
      return {
        name: `variant ${ids.join(' + ')}`,
        sentence: chosen.map(({ sentence }) => sentence).join(' '),
        alteration: { variants: ids, seed, runs, requirements, recorded: true },
        problemsIn: (judged) => wrongOn(chosen, judged),
      }
    })
  },
}

/** What is wrong with a run on a conforming portal with these variants, and with its recorded traffic. */
export function wrongOn(together: readonly Pick<Variant, 'may' | 'judged'>[], judged: Judged): string[] {
  return [
    ...linesOf(openOf(judged).filter((check) => !together.some((variant) => allows(variant, check)))),
    ...judged.wrongs,
  ]
}

/** Whether the variant explains why the check did not pass. */
function allows({ may = {}, judged }: Pick<Variant, 'may' | 'judged'>, check: OpenCheck): boolean {
  const { requirement, outcome } = check
  if (judged !== undefined && outcome === 'not-tested' && !picomatch.isMatch(requirement, [...judged]))
    return true
  const opening = (may as Readonly<Record<string, Opening>>)[outcome]
  return opening !== undefined && explains(opening, check)
}

/** Whether one portal can have both variants. */
function compatible(one: Variant, other: Variant): boolean {
  return one !== other && one.settles?.some((point) => other.settles?.includes(point)) !== true
}

/** In an order that depends on the seed. */
const shuffled = (those: readonly Variant[], seed: number): Variant[] =>
  those.toSorted((one, other) => subSeed(seed, one.id) - subSeed(seed, other.id))

/** Combinations drawn from the seed. Every variant is used once before any is used twice. */
export function combinations(from: readonly Variant[], seed: number, count: number): Variant[][] {
  let rounds = 0
  let waiting: Variant[] = []
  const draw = (): Variant[] => {
    const drawn: Variant[] = []
    while (drawn.length < inCombination) {
      const fits = (variant: Variant): boolean => drawn.every((other) => compatible(variant, other))
      if (!waiting.some(fits)) waiting = [...waiting, ...shuffled(from, subSeed(seed, `round ${++rounds}`))]
      const next = waiting.find(fits)
      if (next === undefined) break
      waiting = waiting.toSpliced(waiting.indexOf(next), 1)
      drawn.push(next)
    }
    return drawn
  }
  return Array.from({ length: count }, draw)
}

// Scarce fixtures.

interface ScarceFixtures extends Pick<Alteration, 'scarcity' | 'usedUp'> {
  readonly fixtures: string
}

const variantsOfPools = 10

const scarceFixtures: readonly ScarceFixtures[] = [
  ...[1, 2, 3, 5].flatMap((pool) => [
    { fixtures: `${pool} of each kind`, scarcity: { pool } },
    { fixtures: `${pool} of each kind, used up by an earlier run`, scarcity: { pool }, usedUp: true },
  ]),
  { fixtures: 'a provider that fails one time in ten', scarcity: { failing: 10 } },
]

export const poolPart: Part = {
  name: 'pools',
  title: 'Portals with scarce fixtures',
  clean: 'without a finding',
  lead: 'Portals that keep the contract, with providers that hand out little or fail now and then: nothing may fail, and what is left open says why.',
  trials({ seed }) {
    const varied = shuffled(quick, seed).slice(0, variantsOfPools)
    return [[], ...varied.map(({ id }) => [id])].flatMap((variants) =>
      scarceFixtures.map(({ fixtures, ...scarce }) => ({
        name: `pool ${variants[0] ?? 'the embedded portal'}: ${fixtures}`,
        sentence: `There are few fixtures: ${fixtures}.`,
        alteration: { variants, ...scarce, seed, runs: fewRuns },
        problemsIn: wrongWithScarceFixtures,
      })),
    )
  },
}

/** Findings, and checks that are open without a reason. */
export const wrongWithScarceFixtures = (judged: Judged): string[] =>
  linesOf(openOf(judged).filter(({ outcome, why }) => outcome === 'failed' || why === ''))
