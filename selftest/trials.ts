/** What a self-test tries, part by part; each trial puts its row into the matrix. */
import type { Fault } from '../reference/faults/fault.ts'
import { faults } from '../reference/faults/index.ts'
import { variants } from '../reference/variants/index.ts'
import type { Variant } from '../reference/variants/variant.ts'
import { administered, alwaysUntested, faultsToRead, twoLogins } from './administered.ts'
import { runAgainst } from './hostile/command-run.ts'
import type { HostileTarget } from './hostile/hostile-target.ts'
import { hostileTargets } from './hostile/index.ts'
import { problemsOf } from './hostile/judge-run.ts'
import type { Alteration, Scarcity } from './judge-portal.ts'
import type { Judged } from './judging-process.ts'
import {
  type AdministrationRow,
  administrationRow,
  type FaultRow,
  faultRow,
  type HostileRow,
  type PoolRow,
  type PowerRow,
  poolRow,
  powerRow,
  type SeedRow,
  type SituationRow,
  seedRow,
  situationRow,
  type VariantRow,
  variantRow,
} from './matrix.ts'
import { powerFaults } from './power.ts'
import { hasPython } from './python-portal.ts'
import { randomFrom, shuffled } from './random.ts'
import { situatedFaults } from './situations.ts'

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

export interface Trial {
  /** Its kind and its ids. */
  readonly name: string
  /** Whether a busy machine can have spoilt what it came to: it is tried once more with nothing beside it. */
  restsOnTime?(): boolean
  /** Resolves with what is wrong. */
  run(): Promise<readonly string[]>
}

/** What was found so far, in the order of the trials. */
export interface Rows {
  readonly faults: FaultRow[]
  readonly variants: VariantRow[]
  readonly hostile: HostileRow[]
  readonly power: PowerRow[]
  readonly pools: PoolRow[]
  readonly situations: SituationRow[]
  readonly seeds: SeedRow[]
  readonly administration: AdministrationRow[]
}

export interface TrialPlan {
  readonly seed: number
  /** Cases of each generated check. */
  readonly runs: number
  /** Of variants, three each. */
  readonly combinations: number
  /** How often each fault is looked for at each rate. */
  readonly tries: number
  /** Of faults with a situation each. */
  readonly situations: number
  /** Whole runs on each portal, with a seed each. */
  readonly seeds: number
  readonly signal: AbortSignal
}

type Judge = (alteration: Alteration) => Promise<Judged>

/** Hostile targets and scarce fixtures are judged by what happens to a run, for which a few cases are enough. */
const fewRuns = 5
/** Power is the power of a run of a certain length. */
const runsOfPower = 100
const rates = [2, 3, 5, 10]
const poolSizes = [1, 2, 3, 5]
const failingOneIn = 10
const variantsOfPools = 10

/** The trials of a part. */
export function trialsOf(part: Part, plan: TrialPlan, rows: Rows, judge: Judge): Trial[] {
  const all = {
    ...{ faults: onFaults, variants: onVariants, hostile: onHostile },
    ...{ power, pools, situations, seeds, administration },
  }
  return all[part](plan, rows, judge)
}

function onFaults({ seed, runs }: TrialPlan, rows: Rows, judge: Judge): Trial[] {
  return faults.map((fault, at) => ({
    name: `fault ${fault.id}`,
    restsOnTime: () => true,
    async run() {
      rows.faults[at] = faultRow(fault, await judge({ faults: [fault.id], seed, runs }))
      return rows.faults[at].problems
    },
  }))
}

function onVariants(plan: TrialPlan, rows: Rows, judge: Judge): Trial[] {
  const { seed, runs } = plan
  const ids = variants.map(({ id }) => id)
  const combined = combinations(quick, seed, plan.combinations)
  return [...ids.map((id) => [id]), ...combined].map((together, at) => {
    let blamed = false
    return {
      name: `variant ${together.join(' + ')}`,
      // Who was blamed was blamed; what could not be told may be told with time.
      restsOnTime: () => !blamed,
      async run() {
        const chosen = together.map((id) => variants.find((each) => each.id === id) as Variant)
        const requirements = chosen.flatMap(({ judged = [] }) => judged)
        const judged = await judge({ variants: together, seed, runs, requirements, recorded: true })
        blamed = !('broke' in judged) && judged.failed.length + judged.breaches.length > 0
        rows.variants[at] = variantRow(chosen, judged)
        return rows.variants[at].problems
      },
    }
  })
}

const quick = variants.filter(({ takesLong }) => takesLong !== true).map(({ id }) => id)

function onHostile({ seed, signal }: TrialPlan, rows: Rows): Trial[] {
  return hostileTargets.map((target, at) => ({
    name: `target ${target.id}`,
    restsOnTime: () => true,
    async run() {
      rows.hostile[at] = await hostileRow(target, seed, signal)
      return rows.hostile[at].problems
    },
  }))
}

async function hostileRow(target: HostileTarget, seed: number, signal: AbortSignal): Promise<HostileRow> {
  const { id, sentence, expect } = target
  const run = await runAgainst(target, { seed, runs: fewRuns, signal })
  const { exitCode, durationMs, peakBytes } = run
  const problems = problemsOf(expect, run)
  return {
    id,
    sentence,
    handled: problems.length === 0,
    problems,
    exitCode,
    durationMs,
    ...(peakBytes === undefined ? {} : { peakMiB: Math.round(peakBytes / 1024 / 1024) }),
  }
}

function power({ seed, tries }: TrialPlan, rows: Rows, judge: Judge): Trial[] {
  return powerFaults.map((fault, at) => ({
    name: `power ${fault.id}`,
    async run() {
      const judged = (oneIn: number, attempt: number) =>
        judge({
          rare: { fault: fault.id, oneIn },
          requirements: [fault.breaks],
          seed: seed + attempt,
          runs: runsOfPower,
        })
      const without = await judged(0, 0)
      const found = new Map<number, Judged[]>()
      for (const oneIn of rates) {
        const judgements: Judged[] = []
        for (let attempt = 0; attempt < tries; attempt++) judgements.push(await judged(oneIn, attempt))
        found.set(oneIn, judgements)
      }
      rows.power[at] = powerRow(fault, 'looks' in without ? without.looks : 0, found)
      return rows.power[at].problems
    },
  }))
}

function pools({ seed }: TrialPlan, rows: Rows, judge: Judge): Trial[] {
  const varied = shuffled(quick, randomFrom(seed)).slice(0, variantsOfPools)
  const portals = [...conformantPortals(), ...varied.map((id) => ({ portal: id, variants: [id] }))]
  const providers: readonly { provider: string; scarcity: Scarcity; usedUp: boolean }[] = [
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
  return portals
    .flatMap((portal) => providers.map((provider) => ({ portal, provider })))
    .map(({ portal: { portal, ...altered }, provider: { provider, ...scarce } }, at) => ({
      name: `pool ${portal}: ${provider}`,
      async run() {
        const judged = await judge({ ...altered, ...scarce, seed, runs: fewRuns })
        rows.pools[at] = poolRow(portal, provider, judged)
        return rows.pools[at].problems
      },
    }))
}

function situations({ seed, runs, situations }: TrialPlan, rows: Rows, judge: Judge): Trial[] {
  return situatedFaults(seed, situations).map((situated, at) => ({
    name: `situation ${situated.fault} ${situated.situation}`,
    async run() {
      const fault = faults.find(({ id }) => id === situated.fault) as Fault
      rows.situations[at] = situationRow(fault, situated, await judge({ situated, seed: seed + at, runs }))
      return rows.situations[at].problems
    },
  }))
}

function seeds({ seed: first, seeds, runs }: TrialPlan, rows: Rows, judge: Judge): Trial[] {
  const each = Array.from({ length: seeds }, (_, at) => first + at)
  return conformantPortals()
    .flatMap((portal) => each.map((seed) => ({ ...portal, seed })))
    .map(({ portal, seed, ...altered }, at) => ({
      name: `seed ${seed} on ${portal}`,
      async run() {
        rows.seeds[at] = seedRow(portal, seed, await judge({ ...altered, seed, runs }))
        return rows.seeds[at].problems
      },
    }))
}

/** Nothing is given but logins: deployments that keep the contract, and faults that only reading finds. */
function administration({ seed }: TrialPlan, rows: Rows, judge: Judge): Trial[] {
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
  return [...kept, ...broken].map(({ about, untested, altered }, at) => ({
    name: `administration ${about.id}`,
    restsOnTime: () => true,
    async run() {
      const judged = await judge({ ...altered, seed, runs: fewRuns })
      rows.administration[at] = administrationRow(about, untested, judged)
      return rows.administration[at].problems
    },
  }))
}

interface ConformantPortal extends Pick<Alteration, 'python'> {
  readonly portal: string
}

/** Without Python, and where the examples are not there, the embedded one alone. */
function conformantPortals(): readonly ConformantPortal[] {
  const embedded: ConformantPortal = { portal: 'the embedded portal' }
  return hasPython() ? [embedded, { portal: 'the portal in Python', python: true }] : [embedded]
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
  // The ids of the one have what the other refuses in a list of them.
  /^(odd-ids|spaces-in-items-refused)$/,
  // Each leaves so much open that nothing of another one would be seen.
  /^(wrong-credentials-banned|credential-ends|one-second-outage)$/,
]

/** Whether both can hold of one portal. */
export function compatible(one: string, other: string): boolean {
  return one !== other && !exclusive.some((kind) => kind.test(one) && kind.test(other))
}

/** So many combinations, drawn by the seed: each variant stands in one of them before any stands in a second one. */
export function combinations(ids: readonly string[], seed: number, count: number, size = 3): string[][] {
  const random = randomFrom(seed)
  let waiting: string[] = []
  const draw = (): string[] => {
    const drawn: string[] = []
    while (drawn.length < size) {
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
