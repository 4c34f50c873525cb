/** Faults in one situation only: what the suite misses depends more on when a request comes than on its content. */
import type { Fault } from '../../reference/faults/fault.ts'
import { faults } from '../../reference/faults/index.ts'
import { codeOf, type Inline, type Node, textOf } from '../../reporters/nodes.ts'
import { subSeed } from '../../runner/seeds.ts'
import { type Intermittent, isGatingCheck, type Judged } from '../judgement.ts'
import { randomFrom, shuffled } from '../random.ts'
import { blamable, blameOf, notKept, wronglyBlamed } from './faults.ts'
import { countOf, isClean, manyRuns, type Part, rowOf, sectionOf } from './part.ts'

/** What a portal knows when a request comes. */
interface Moment {
  /** The path of the request, and its connection. */
  readonly path: string
  readonly connection: object
  /** Paths on which a request was accepted. */
  readonly accepted: ReadonlySet<string>
  /** Paths whose last answer was a refusal, and whether the last answer of all was one. */
  readonly refusedThere: ReadonlySet<string>
  readonly lastRefused: boolean
  /** Connections that have carried a request. */
  readonly used: WeakSet<object>
  /** Requests being served now. */
  readonly underWay: number
  /** Operation requests so far. */
  readonly served: number
  readonly random: () => number
}

interface Situation {
  readonly id: string
  readonly sentence: string
  /** How long the portal takes for an answer. Without it, requests of this process hardly overlap. */
  readonly latencyMs?: number
  readonly holds: (moment: Moment) => boolean
}

const late = 200
const oneIn = 5

/** Situations in which a fault of the catalogue is made to show. */
export const situations: readonly Situation[] = [
  {
    id: 'second-use',
    sentence: 'Only where the same path was accepted before.',
    holds: ({ path, accepted }) => accepted.has(path),
  },
  {
    id: 'after-refusal-there',
    sentence: 'Only where the last request of the same path was refused.',
    holds: ({ path, refusedThere }) => refusedThere.has(path),
  },
  {
    id: 'after-refusal',
    sentence: 'Only where the last request of all was refused.',
    holds: ({ lastRefused }) => lastRefused,
  },
  {
    id: 'after-acceptance',
    sentence: 'Only where the last request of all was accepted.',
    holds: ({ lastRefused, served }) => served > 0 && !lastRefused,
  },
  {
    id: 'used-connection',
    sentence: 'Only on a connection that has carried a request before.',
    holds: ({ connection, used }) => used.has(connection),
  },
  {
    id: 'in-company',
    sentence: 'Only where another request is being served.',
    latencyMs: 5,
    holds: ({ underWay }) => underWay > 0,
  },
  {
    id: 'late',
    sentence: `Only after ${late} requests.`,
    holds: ({ served }) => served >= late,
  },
  {
    id: 'one-in-five',
    sentence: `Only one time in ${oneIn}.`,
    holds: ({ random }) => random() * oneIn < 1,
  },
]

export interface SituatedFault {
  readonly fault: string
  readonly situation: string
}

/** Faults that already show in their own situation only, or need several requests. */
const ofTheirOwn =
  /overlap|scheduled|lock|leaves|later|once|every-(?:sixth|fifth|hundredth)|on-cold|field-missing|^second-|^third-try|replayed|rights-(?:kept|from|linger)|comes?-back|survives|^deleted-|^deletion-|of-the-(?:deleted|refused)|id-from-|ids-(?:from|count)|mixed-up|former|^long-syn|constant|-time-zone$|^first-workspace|keeps-its-caller|drops-participant$|of-others-refused|simultaneous|(?:^|-)signature-/

interface Impossible {
  readonly situation: string
  readonly faults: RegExp
  readonly why: string
}

/** Combinations in which a fault shows in no request, or in none that the contract lets us judge. */
export const impossible: readonly Impossible[] = [
  {
    situation: 'second-use',
    faults:
      /-taken-for-|^(?:unknown-(?:workspace|run|task|participant|federation)|workspace-in-unknown|sync-in-unknown|participant-of-unknown|run-under|task-under|workspace-of-other|unknown-user-overlooked|runs-under-any)|(?:user-name|(?:collaboration|task|run|workspace|participant-portal|federation)-id)-(?:(?:start|middle|end)-not-compared|may-go-on)$/,
    why: 'the path names something that does not exist or does not belong together, and was not accepted before',
  },
  {
    situation: 'second-use',
    faults: /-under-guest-path$/,
    why: 'no request was accepted on that path before',
  },
  {
    situation: 'second-use',
    faults: /(?:^|-)(?:deletes?|deleted)(?:-|$)/,
    why: 'a delete was accepted before, so that nothing is left to delete',
  },
  {
    situation: 'second-use',
    faults: /^(?:run-result|run-empty|results-|skipped-run)/,
    why: 'it is open whether a run takes a second update',
  },
]

const canShow = ({ fault, situation }: SituatedFault): boolean =>
  !impossible.some((each) => each.situation === situation && each.faults.test(fault))

/** That many combinations of a fault and a situation, drawn from the seed. */
export function situatedFaults(seed: number, count: number): SituatedFault[] {
  const all = faults
    .filter(({ id, breaks }) => breaks.length > 0 && !ofTheirOwn.test(id))
    .flatMap(({ id }) => situations.map((situation) => ({ fault: id, situation: situation.id })))
    .filter(canShow)
  return shuffled(all, randomFrom(subSeed(seed, 'situations'))).slice(0, count)
}

export const situationPart: Part<SituationRow> = {
  name: 'situations',
  onRequest: true,
  trials: ({ seed, situations }, judge) =>
    situatedFaults(seed, situations).map((situated, at) => ({
      name: `situation ${situated.fault} ${situated.situation}`,
      run: async () => {
        const fault = faults.find(({ id }) => id === situated.fault) as Fault
        return situationRow(fault, situated, await judge({ situated, seed: seed + at, runs: manyRuns }))
      },
    })),
  // It measures what the suite misses.
  isOk: () => true,
  summary(rows) {
    const [exactly, open] = [rows.filter((row) => row.exactly).length, rows.filter(isOpen).length]
    const blamed = rows.filter((row) => !isClean(row)).length
    return [
      `Faults in one situation only: ${countOf(rows, isFound)} found, ${exactly} of them by a requirement that the fault breaks whatever is sent, ${open} left open, something else blamed in ${blamed}`,
    ]
  },
  sections: (rows) => [
    sectionOf(
      'Faults in one situation only',
      [
        'Faults of the catalogue, drawn by the seed, each in one situation only, in runs with ',
        codeOf(`--runs ${manyRuns}`),
        ', as ',
        codeOf('run --reference'),
        ' has them. Found: a requirement that the fault breaks failed; exactly: one that it breaks whatever is sent, and not one that depends on what comes in the situation. Left open: none failed, and one is inconclusive: the run is incomplete, and its exit code 3. Left out is what no request can show or no one may judge: ',
        impossible.flatMap(({ situation, why }, at): Inline[] => [
          at === 0 ? '' : '; ',
          codeOf(situation),
          `, where ${why}`,
        ]),
        '.',
      ],
      situations.map(({ id, sentence }) => ({
        id,
        sentence,
        its: rows.filter(({ situation }) => situation === id),
      })),
      {
        Situation: ({ id }) => codeOf(id),
        'What it is': ({ sentence }) => sentence,
        Tried: ({ its }) => String(its.length),
        Found: ({ its }) => String(its.filter(isFound).length),
        Exactly: ({ its }) => String(its.filter(({ exactly }) => exactly).length),
        'Left open': ({ its }) => String(its.filter(isOpen).length),
        'Something else blamed': ({ its }) => String(its.filter((row) => !isClean(row)).length),
      },
      missedIn(rows),
    ),
  ],
}

function missedIn(rows: readonly SituationRow[]): Node[] {
  const missed = rows.filter((row) => !isFound(row) || !isClean(row))
  if (missed.length === 0) return []
  const items = missed.map(({ fault, situation, looks, missed = [], problems }) => ({
    text: [
      codeOf(fault),
      ', ',
      codeOf(situation),
      ` (${looks} requests): ${[missed, problems].flat().join('; ')}`,
    ],
  }))
  return [textOf('Missed, left open, or something else blamed:'), { kind: 'list', items }]
}

type SituationRow = ReturnType<typeof situationRow>

const isFound = ({ missed }: SituationRow): boolean => missed === undefined
const isOpen = ({ missed }: SituationRow): boolean => missed === leftOpen

/** No requirement failed that the fault breaks or may break, but the run is incomplete. */
const leftOpen = 'left open'

/** The row of a portal with a fault in one situation. */
function situationRow(fault: Fault, situated: SituatedFault, judged: Judged) {
  const failed = notKept(judged)
  const found = blamable(fault).some((id) => failed.includes(id))
  const open = judged.open.some((check) => check.outcome === 'inconclusive' && isGatingCheck(check))
  const facts = {
    ...situated,
    missed: found ? undefined : open ? leftOpen : 'missed',
    /** Whether a requirement failed that the fault always breaks. */
    exactly: fault.breaks.some((id) => failed.includes(id)),
    /** Requests in which the situation held. */
    looks: judged.looks,
  }
  return rowOf(judged, facts, wronglyBlamed(blameOf(fault, failed).wrong))
}

/** Makes a portal show a fault in one situation only. Looks: requests in which the situation held. */
export function inSituation({ fault, situation }: SituatedFault, seed: number): Intermittent {
  const known = situations.find(({ id }) => id === situation)
  if (known === undefined) throw new Error(`There is no situation "${situation}".`)
  const random = randomFrom(subSeed(seed, `${fault} ${situation}`))
  /** The path being served on each connection. */
  const pathOn = new WeakMap<object, string>()
  const accepted = new Set<string>()
  const refusedThere = new Set<string>()
  const used = new WeakSet<object>()
  const past = { lastRefused: false, underWay: 0, served: 0 }
  let looks = 0
  return {
    latencyMs: known.latencyMs,
    looks: () => looks,
    alter: (parts) => faults.find(({ id }) => id === fault)?.alter(parts),
    draw({ url = '', socket }) {
      const path = url.split('?')[0] as string
      pathOn.set(socket, path)
      const holds = known.holds({ ...past, path, connection: socket, accepted, refusedThere, used, random })
      past.underWay += 1
      if (holds) looks += 1
      return holds
    },
    watch({ call, answer, arrival: { socket } }) {
      past.underWay = Math.max(0, past.underWay - 1)
      used.add(socket)
      if (call === undefined || answer === undefined) return
      past.served += 1
      past.lastRefused = answer.refused !== undefined
      const path = pathOn.get(socket) as string
      if (past.lastRefused) refusedThere.add(path)
      else {
        refusedThere.delete(path)
        accepted.add(path)
      }
    },
  }
}
