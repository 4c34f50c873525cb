/** What a self-test tries, part by part: each trial ends in a row of the matrix. */
import type { Variant } from '../reference/alterations.ts'
import type { Fault } from '../reference/faults/fault.ts'
import { faults, productFaults } from '../reference/faults/index.ts'
import { variants } from '../reference/variants/index.ts'
import { withoutUndefined } from '../schemas/without-undefined.ts'
import { administered, alwaysUntested, faultsToRead, twoLogins } from './administered.ts'
import { brokenAnswers, brokenFixtures, wrongAnswers } from './hostile/broken-answers.ts'
import { problemsOf, runAgainst } from './hostile/command-run.ts'
import type { HostileTarget } from './hostile/hostile-target.ts'
import { notAPortal, unreachable } from './hostile/not-a-portal.ts'
import type { Alteration, Scarcity } from './judge-portal.ts'
import type { Judged } from './judging-process.ts'
import type { FaultRow, HostileRow, Matrix, VariantRow } from './matrix.ts'
import { powerFaults } from './power.ts'
import { hasPython } from './python-portal.ts'
import { randomFrom, shuffled } from './random.ts'
import {
  administrationRow,
  faultRow,
  poolRow,
  powerRow,
  rowsTogether,
  seedRow,
  situationRow,
  variantRow,
} from './rows.ts'
import { situatedFaults } from './situations.ts'

/** Those that take longest stand first. */
export const hostileTargets: readonly HostileTarget[] = [
  ...brokenFixtures.toReversed(),
  ...wrongAnswers,
  ...brokenAnswers,
  ...notAPortal,
  ...unreachable,
]

export const parts = [
  'faults',
  'variants',
  'hostile',
  'power',
  'pools',
  'situations',
  'seeds',
  'administration',
] as const

export type Part = (typeof parts)[number]

/** A row of that part of the matrix. */
export type RowOf<P extends Part> = NonNullable<Matrix[P]>[number]

export interface Trial<P extends Part = Part> {
  /** Its kind and its ids. */
  readonly name: string
  /** Where its row stands, where that is not in the order of the trials. */
  readonly place?: number
  /** Whether a busy machine can have spoilt what it came to: it is tried again with nothing beside it. */
  restsOnTime?(): boolean
  /** Whether it waits for most of its time: it begins first, and others run beside it. */
  readonly waits?: boolean
  run(): Promise<RowOf<P>>
}

export interface TrialPlan {
  readonly seed: number
  /** Cases of each generated check. */
  readonly runs: number
  /** Of variants, three each. */
  readonly combinations: number
  /** How often each fault is looked for at each rate. */
  readonly tries: number
  /**
   * Whether faults that do not meet are looked for in one run, and variants tried in combinations; alone only where that
   * does not show each of them.
   */
  readonly together: boolean
  /** Of the faults that are products of a rule and a place, every one of how many is looked for; 1: all. */
  readonly products: number
  /** Of faults with a situation each. */
  readonly situations: number
  /** Whole runs on each portal, with a seed each. */
  readonly seeds: number
  readonly signal: AbortSignal
}

type Judge = (alteration: Alteration) => Promise<Judged>

/** Hostile targets and scarce fixtures are judged by what happens to a run, for which a few cases are enough. */
const fewRuns = 5
/** Cases of each generated check for an intermittent fault: the default of a run on the embedded portal. */
const manyRuns = 100
/** Most faults show with a third of the cases. The others are judged alone, with all of them. */
const casesInCompany = (runs: number): number => Math.ceil(runs / 3)
const rates = [2, 3, 5, 10]
const poolSizes = [1, 2, 3, 5]
const failingOneIn = 10
const variantsOfPools = 10

export const trialsByPart: { readonly [P in Part]: (plan: TrialPlan, judge: Judge) => Trial<P>[] } = {
  faults: ({ seed, runs, together, products }, judge) => {
    const looked = faults.filter((fault) => {
      const at = productFaults.indexOf(fault)
      return at < 0 || at % products === 0
    })
    const judged = (those: readonly Fault[], cases: number) =>
      judge({ faults: those.map(({ id }) => id), seed, runs: cases })
    const trial = (fault: Fault): Trial<'faults'> => ({
      name: `fault ${fault.id}`,
      place: faults.indexOf(fault),
      restsOnTime: () => true,
      run: async () => faultRow(fault, await judged([fault], runs)),
    })
    if (!together) return looked.map(trial)
    // The first of each group makes the run for all of them: they come before the others.
    const members = apart(looked).flatMap((group) => {
      let rows: Promise<readonly FaultRow[] | undefined> | undefined
      const ofGroup = () =>
        (rows ??= judged(group, casesInCompany(runs)).then((each) => rowsTogether(group, each)))
      return group.map((fault, at) => ({
        at,
        trial: inCompanyOrAlone(trial(fault), async () => (await ofGroup())?.[at]),
      }))
    })
    return members.sort((one, other) => one.at - other.at).map((member) => member.trial)
  },

  variants: ({ seed, runs, combinations: count, together }, judge) => {
    const trial = (ids: readonly string[]): Trial<'variants'> => {
      const chosen = ids.map((id) => variants.find((each) => each.id === id) as Variant)
      const requirements = chosen.flatMap(({ judged = [] }) => judged)
      let blamed = false
      return {
        name: `variant ${ids.join(' + ')}`,
        // Who was blamed was blamed; what could not be decided may be decided with time.
        restsOnTime: () => !blamed,
        waits: chosen.some(({ takesLong }) => takesLong === true),
        run: async () => {
          const judged = await judge({ variants: ids, seed, runs, requirements, recorded: true })
          blamed = !('broke' in judged) && judged.failed.length + judged.breaches.length > 0
          return variantRow(chosen, judged)
        },
      }
    }
    const alone = variants.map(({ id }) => trial([id]))
    if (!together) return [...alone, ...combinations(quick, seed, count).map(trial)]
    const enough = Math.ceil(strict.length / inCombination)
    return inCombinations(alone, combinations(strict, seed, Math.max(count, enough)), trial)
  },

  hostile: ({ seed, signal }) =>
    hostileTargets.map((target) => ({
      name: `target ${target.id}`,
      restsOnTime: () => true,
      run: () => hostileRow(target, seed, signal),
    })),

  power: ({ seed, tries }, judge) =>
    powerFaults.map((fault) => ({
      name: `power ${fault.id}`,
      run: async () => {
        const judged = (oneIn: number, attempt: number) =>
          judge({
            rare: { fault: fault.id, oneIn },
            requirements: [fault.breaks],
            seed: seed + attempt,
            runs: manyRuns,
          })
        const without = await judged(0, 0)
        const found = new Map<number, Judged[]>()
        for (const oneIn of rates) {
          const judgements: Judged[] = []
          for (let attempt = 0; attempt < tries; attempt++) judgements.push(await judged(oneIn, attempt))
          found.set(oneIn, judgements)
        }
        return powerRow(fault, 'looks' in without ? without.looks : 0, found)
      },
    })),

  pools: ({ seed }, judge) => {
    const varied = shuffled(quick, randomFrom(seed)).slice(0, variantsOfPools)
    const portals = [...conformantPortals(), ...varied.map((id) => ({ portal: id, variants: [id] }))]
    return portals.flatMap(({ portal, ...altered }) =>
      scarceProviders.map(({ provider, ...scarce }) => ({
        name: `pool ${portal}: ${provider}`,
        run: async () =>
          poolRow(portal, provider, await judge({ ...altered, ...scarce, seed, runs: fewRuns })),
      })),
    )
  },

  situations: ({ seed, situations }, judge) =>
    situatedFaults(seed, situations).map((situated, at) => ({
      name: `situation ${situated.fault} ${situated.situation}`,
      run: async () => {
        const fault = faults.find(({ id }) => id === situated.fault) as Fault
        return situationRow(fault, situated, await judge({ situated, seed: seed + at, runs: manyRuns }))
      },
    })),

  seeds: ({ seed: first, seeds, runs }, judge) => {
    const each = Array.from({ length: seeds }, (_, at) => first + at)
    return conformantPortals().flatMap(({ portal, ...altered }) =>
      each.map((seed) => ({
        name: `seed ${seed} on ${portal}`,
        run: async () => seedRow(portal, seed, await judge({ ...altered, seed, runs })),
      })),
    )
  },

  /** Nothing is given but logins: deployments that keep the contract, and faults that only reading finds. */
  administration: ({ seed }, judge) => {
    const kept = administered.map(({ untested, logins, variants, ...about }) => ({
      about,
      untested: untested === undefined ? [alwaysUntested] : [alwaysUntested, untested],
      altered: { logins, variants },
    }))
    const broken = faultsToRead.map((fault) => ({
      about: { id: fault.id, sentence: fault.sentence, fault },
      untested: [],
      altered: { logins: { ...twoLogins, otherGuest: true as const }, faults: [fault.id] },
    }))
    return [...kept, ...broken].map(({ about, untested, altered }) => ({
      name: `administration ${about.id}`,
      restsOnTime: () => true,
      run: async () => administrationRow(about, untested, await judge({ ...altered, seed, runs: fewRuns })),
    }))
  },
}

const quickOnes = variants.filter(({ takesLong }) => takesLong !== true)
const quick = quickOnes.map(({ id }) => id)
/** The expectations of any portal apply to these: a combination of them excuses nothing. */
const strict = quickOnes
  .filter(({ may, judged }) => may === undefined && judged === undefined)
  .map(({ id }) => id)

/** The row that a run of several gives; that of a run of its own where there is none, or it is tried again. */
function inCompanyOrAlone<P extends Part>(
  alone: Trial<P>,
  inCompany: () => Promise<RowOf<P> | undefined>,
): Trial<P> {
  let tried = false
  const run = async () => {
    const row = tried ? undefined : await inCompany()
    tried = true
    return row ?? alone.run()
  }
  return { ...alone, run }
}

/** Combinations first: of the variants of a clean one, which stand in the order of `alone`, none is tried alone. */
function inCombinations(
  alone: readonly Trial<'variants'>[],
  drawn: readonly (readonly string[])[],
  trial: (ids: readonly string[]) => Trial<'variants'>,
): Trial<'variants'>[] {
  const rows = new Map<string, Promise<VariantRow>>()
  const combined = drawn.map((ids, at) => {
    const together = trial(ids)
    const run = () => {
      const row = together.run()
      for (const id of ids) if (!rows.has(id)) rows.set(id, row)
      return row
    }
    return { ...together, place: alone.length + at, run }
  })
  const others = alone.map((own, place) => {
    const { id, sentence } = variants[place] as Variant
    return inCompanyOrAlone<'variants'>({ ...own, place }, async () => {
      const row = await rows.get(id)
      return row?.clean === true ? { ...row, ids: [id], sentence } : undefined
    })
  })
  return [...combined, ...others]
}

async function hostileRow(target: HostileTarget, seed: number, signal: AbortSignal): Promise<HostileRow> {
  const { id, sentence, expect } = target
  const run = await runAgainst(target, { seed, runs: fewRuns, signal })
  const { exitCode, durationMs, peakBytes } = run
  const problems = problemsOf(expect, run)
  return withoutUndefined({
    id,
    sentence,
    handled: problems.length === 0,
    problems,
    exitCode,
    durationMs,
    peakMiB: peakBytes === undefined ? undefined : Math.round(peakBytes / 1024 / 1024),
  })
}

const scarceProviders: readonly { provider: string; scarcity: Scarcity; usedUp: boolean }[] = [
  ...poolSizes.flatMap((pool) =>
    [false, true].map((usedUp) => ({
      provider: `${pool} of each kind, ${usedUp ? 'used up by an earlier run' : 'fresh'}`,
      scarcity: { pool },
      usedUp,
    })),
  ),
  {
    provider: `fails one time in ${failingOneIn}`,
    scarcity: { failing: failingOneIn },
    usedUp: false,
  },
]

interface ConformantPortal extends Pick<Alteration, 'python'> {
  readonly portal: string
}

/** Without Python, and where the examples are not there, the embedded one alone. */
function conformantPortals(): readonly ConformantPortal[] {
  const embedded: ConformantPortal = { portal: 'the embedded portal' }
  return hasPython() ? [embedded, { portal: 'the portal in Python', python: true }] : [embedded]
}

type Broken = Pick<Fault, 'breaks' | 'mayBreak'>

const operationsOf = (ids: Fault['breaks']): string[] => ids.map((id) => id.split('/')[0] as string)

/** One breaks, or may break, what the other must be found by, or what all answers need. */
function meet(one: Broken, other: Broken): boolean {
  const reaches = (from: Broken, to: Broken) => {
    const its = operationsOf(to.breaks)
    return operationsOf([...from.breaks, ...(from.mayBreak ?? [])]).some((each) => its.includes(each))
  }
  const breaksAll = ({ breaks }: Broken) => operationsOf(breaks).includes('protocol')
  return breaksAll(one) || breaksAll(other) || reaches(one, other) || reaches(other, one)
}

/** Those of one portal break different operations: none hides another. */
export function apart<F extends Broken>(faults: readonly F[]): F[][] {
  const groups: F[][] = []
  for (const fault of faults) {
    const free = groups.find((group) => !group.some((other) => meet(fault, other)))
    if (free === undefined) groups.push([fault])
    else free.push(fault)
  }
  return groups
}

/** Variants of one kind settle the same open point: a portal can do only one of them. */
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
  // Together they last longer than the most that a fixture promises.
  /^(second-sync-after-cool-down|syncs-of-varying-length)$/,
  // With one id for all syncs of a workspace nothing shows whether two of them overlapped.
  /^(second-sync-overlaps|job-id-of-workspace)$/,
  // The ids of the one have what the other refuses in a list of them.
  /^(odd-ids|spaces-in-items-refused)$/,
  // Each leaves so much open that nothing of another one would be seen.
  /^(wrong-credentials-banned|credential-ends|one-second-outage)$/,
]

/** Whether both can hold of one portal. */
export function compatible(one: string, other: string): boolean {
  return one !== other && !exclusive.some((kind) => kind.test(one) && kind.test(other))
}

/** How many variants make a combination. */
const inCombination = 3

/** How many combinations, drawn by the seed: each variant stands in one of them before any stands in a second one. */
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
