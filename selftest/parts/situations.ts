/** Faults in one situation only: what the suite misses depends more on when a request comes than on its content. */
import { type Fault, faults } from '../../reference/faults/index.ts'
import { codeOf, type Inline, type Node, textOf } from '../../reporters/nodes.ts'
import { subSeed } from '../../runner/seeds.ts'
import { type OperationId, operations } from '../../specs/operations.ts'
import { type RequirementId, requirementOf, type Subject } from '../../specs/requirements.ts'
import { isGatingCheck, type Judged } from '../judgement.ts'
import { randomFrom, shuffled } from '../random.ts'
import { type Situation, situations } from '../sometimes.ts'
import { blamable, blameOf, notKept, subjectsOf, wronglyBlamed } from './faults.ts'
import { countOf, isClean, manyRuns, type Part, rowOf, sectionOf } from './part.ts'

/** A fault, and the situation in which it shows. */
interface SituatedFault {
  readonly fault: Fault
  readonly situation: Situation
}

/** Faults that no second use of a path shows, or none that the contract lets us judge. */
interface Hidden {
  readonly holdsFor: (fault: Fault) => boolean
  readonly why: string
}

const secondUse: Situation['id'] = 'second-use'

/** Whether the path of the request names something that does not exist, or does not belong together. */
function isAboutPath(id: RequirementId): boolean {
  const { operation, mustExist = [], belongs } = requirementOf(id)
  const { path } = operations.find((each) => each.id === operation) ?? {}
  return belongs !== undefined || mustExist.some((parameter) => path?.includes(`{${parameter}}`))
}

const subjectsBesideProtocol = (ids?: readonly RequirementId[]): Subject[] =>
  subjectsOf(ids).filter((subject) => subject !== 'protocol')

/** Whether only requests of the operation show the fault. What it may break counts where it breaks common rules alone. */
function concernsOnly(operation: OperationId, { breaks, mayBreak }: Fault): boolean {
  const broken = subjectsBesideProtocol(breaks)
  const subjects = broken.length > 0 ? broken : subjectsBesideProtocol(mayBreak)
  return subjects.length > 0 && subjects.every((subject) => subject === operation)
}

const refusing: readonly Fault['kind'][] = [
  'valid requests refused',
  'ordinary texts that are refused or changed',
]

export const hiddenInSecondUse: readonly Hidden[] = [
  {
    holdsFor: ({ breaks }) => breaks.every(isAboutPath),
    why: 'the path names something that does not exist or does not belong together, and was not accepted before',
  },
  {
    holdsFor: ({ misplaced }) => misplaced === true,
    why: 'no request was accepted on that path before',
  },
  {
    holdsFor: (fault) => concernsOnly('delete-collaboration', fault),
    why: 'a delete was accepted before, so that nothing is left to delete',
  },
  {
    holdsFor: (fault) => refusing.includes(fault.kind) && concernsOnly('update-task-run', fault),
    why: 'it is open whether a run takes a second update',
  },
]

const canShow = ({ fault, situation }: SituatedFault): boolean =>
  situation.id !== secondUse || !hiddenInSecondUse.some((each) => each.holdsFor(fault))

/**
 * That many combinations of a fault and a situation, drawn from the seed. A fault that depends on more than the request
 * has a situation of its own, and one that the run must be configured for shows in all requests or in none.
 */
export function situatedFaults(seed: number, count: number): SituatedFault[] {
  const all = faults
    .filter(({ dependsOn, configure }) => dependsOn === undefined && configure === undefined)
    .flatMap((fault) => situations.map((situation) => ({ fault, situation })))
    .filter(canShow)
  return shuffled(all, randomFrom(subSeed(seed, 'situations'))).slice(0, count)
}

export const situationPart: Part<SituationRow> = {
  name: 'situations',
  onRequest: true,
  trials: ({ seed, situations }, judge) =>
    situatedFaults(seed, situations).map((situated, at) => {
      const sometimes = { fault: situated.fault.id, when: situated.situation.id }
      return {
        name: `situation ${sometimes.fault} ${sometimes.when}`,
        run: async () => situationRow(situated, await judge({ sometimes, seed: seed + at, runs: manyRuns })),
      }
    }),
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
        hiddenInSecondUse.flatMap(({ why }, at): Inline[] => [
          at === 0 ? '' : '; ',
          codeOf(secondUse),
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
function situationRow({ fault, situation }: SituatedFault, judged: Judged) {
  const failed = notKept(judged)
  const found = blamable(fault).some((id) => failed.includes(id))
  const open = judged.open.some((check) => check.outcome === 'inconclusive' && isGatingCheck(check))
  const facts = {
    fault: fault.id,
    situation: situation.id,
    missed: found ? undefined : open ? leftOpen : 'missed',
    /** Whether a requirement failed that the fault always breaks. */
    exactly: fault.breaks.some((id) => failed.includes(id)),
    /** Requests in which the situation held. */
    held: judged.drawn,
  }
  return rowOf(judged, facts, wronglyBlamed(blameOf(fault, failed).wrong))
}
