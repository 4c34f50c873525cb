/** The trials of a self-test, part by part. Each trial ends in a row of the matrix. */
import type { Variant } from '../reference/alterations.ts'
import type { Fault } from '../reference/faults/fault.ts'
import { faults, productFaults } from '../reference/faults/index.ts'
import { variants } from '../reference/variants/index.ts'
import { withoutUndefined } from '../schemas/values.ts'
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

/** The slowest come first. */
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
  /** Kind and ids. */
  readonly name: string
  /** The place of its row, if that differs from the order of the trials. */
  readonly place?: number
  /** Whether a busy machine may have changed the result, so that a problem is tried again alone. */
  restsOnTime?(): boolean
  /** Whether it mostly waits. Such trials start first and run beside others. */
  readonly waits?: boolean
  run(): Promise<RowOf<P>>
}

export interface TrialPlan {
  readonly seed: number
  /** Cases of each generated check. */
  readonly runs: number
  /** The number of combinations of three variants. */
  readonly combinations: number
  /** The number of tries for each fault and rate. */
  readonly tries: number
  /**
   * Whether faults that do not interact share a run, and variants are combined. They are tried alone only if that run
   * does not show each of them.
   */
  readonly together: boolean
  /** Of the faults that are products of a rule and a place, try every N-th. 1: all. */
  readonly products: number
  /** The number of faults in one situation. */
  readonly situations: number
  /** The number of whole runs on each portal, each with its own seed. */
  readonly seeds: number
  readonly signal: AbortSignal
}

type Judge = (alteration: Alteration) => Promise<Judged>

/** Few cases are enough to see what hostile targets and scarce fixtures do to a run. */
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
    // The first fault of each group starts the run of its group, so the first ones come before all others.
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
        // A false alarm stays one. An undecided check may be decided on a quiet machine.
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

  /** Logins alone: conforming deployments, and faults that only read-back finds. */
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
/** Variants that excuse nothing, so that every check must pass on their combinations. */
const strict = quickOnes
  .filter(({ may, judged }) => may === undefined && judged === undefined)
  .map(({ id }) => id)

/** Takes the row from a shared run. Runs alone if there is none, or if the trial is repeated. */
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

/** Combinations first. Variants of a clean combination are not tried alone. `alone`: in the order of the variants. */
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

/** Only the embedded portal if there is no Python, or if the examples are missing. */
function conformantPortals(): readonly ConformantPortal[] {
  const embedded: ConformantPortal = { portal: 'the embedded portal' }
  return hasPython() ? [embedded, { portal: 'the portal in Python', python: true }] : [embedded]
}

type Broken = Pick<Fault, 'breaks' | 'mayBreak'>

const operationsOf = (ids: Fault['breaks']): string[] => ids.map((id) => id.split('/')[0] as string)

/** Whether one fault may change the judgement of the other. */
function meet(one: Broken, other: Broken): boolean {
  const reaches = (from: Broken, to: Broken) => {
    const its = operationsOf(to.breaks)
    return operationsOf([...from.breaks, ...(from.mayBreak ?? [])]).some((each) => its.includes(each))
  }
  const breaksAll = ({ breaks }: Broken) => operationsOf(breaks).includes('protocol')
  return breaksAll(one) || breaksAll(other) || reaches(one, other) || reaches(other, one)
}

/** Groups of faults for one portal each. They break different operations, so that none hides another. */
export function apart<F extends Broken>(faults: readonly F[]): F[][] {
  const groups: F[][] = []
  for (const fault of faults) {
    const free = groups.find((group) => !group.some((other) => meet(fault, other)))
    if (free === undefined) groups.push([fault])
    else free.push(fault)
  }
  return groups
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
