/** Faults in one situation only: what the suite misses depends more on when a request comes than on its content. */
import type { Fault } from '../../reference/faults/fault.ts'
import { faults } from '../../reference/faults/index.ts'
import { codeOf, type Inline, type Node, textOf } from '../../reporters/nodes.ts'
import { subSeed } from '../../runner/seeds.ts'
import { isGatingCheck, type Judged } from '../judgement.ts'
import { randomFrom, shuffled } from '../random.ts'
import { situations } from '../sometimes.ts'
import { blamable, blameOf, notKept, wronglyBlamed } from './faults.ts'
import { countOf, isClean, manyRuns, type Part, rowOf, sectionOf } from './part.ts'

/** A fault, and the situation in which it shows. */
interface SituatedFault {
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
        const sometimes = { fault: fault.id, when: situated.situation }
        return situationRow(fault, situated, await judge({ sometimes, seed: seed + at, runs: manyRuns }))
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
  const items = missed.map(({ fault, situation, held, missed = [], problems }) => ({
    text: [
      codeOf(fault),
      ', ',
      codeOf(situation),
      ` (${held} requests): ${[missed, problems].flat().join('; ')}`,
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
    held: judged.drawn,
  }
  return rowOf(judged, facts, wronglyBlamed(blameOf(fault, failed).wrong))
}
