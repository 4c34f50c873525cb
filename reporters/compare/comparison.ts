/** The content of a comparison for terminal, Markdown, HTML and JSON, and its arrangement. */
import type {
  Change,
  Compared,
  ComparedOpenPoint,
  ComparedRequirement,
  Comparison,
  Side,
} from '../../schemas/types/comparison.ts'
import { type Outcome, type Verdict, worst } from '../../specs/outcomes.ts'
import type { Subject } from '../../specs/requirements.ts'
import { byKey } from '../grouping.ts'
import type { Look } from '../nodes.ts'
import type { ResultsOfFile } from '../results-json.ts'
import { verdictLabel } from '../verdict.ts'
import { countOf, signed } from '../wording.ts'

/** How a requirement or a check changed from the first results to others. */
export const changes: readonly Change[] = [
  'broken',
  'lost',
  'gone',
  'fixed',
  'still-failing',
  'changed',
  'new',
  'same',
]

/** Results to compare. */
export interface ComparedResults extends ResultsOfFile {
  /** Their name. Default: the target or the file. */
  readonly name?: string
  /** The report of the run, relative to the comparison. Absent: unknown. */
  readonly report?: string
  /** True if there were no results, and these only say so. */
  readonly judged?: false
}

/** Requirements of one class that changed in the same way for the same reason, since one cause is reported once. */
export interface Group {
  readonly outcomes: readonly (Outcome | null)[]
  /** The reason of the later outcome, or else of the earlier one. */
  readonly reason: string
  readonly members: readonly ComparedRequirement[]
}

interface Section {
  readonly change: Change
  readonly count: number
  readonly groups: readonly Group[]
}

/** The changes between two sides, the worst first. Unchanged requirements are only counted. */
export function sectionsOf({ requirements }: Comparison): Section[] {
  return changes
    .filter((change) => change !== 'same')
    .map((change) => {
      const such = requirements.filter((requirement) => requirement.changes[0] === change)
      return { change, count: such.length, groups: groupsOf(such) }
    })
    .filter(({ count }) => count > 0)
}

function groupsOf(requirements: readonly ComparedRequirement[]): Group[] {
  const groups = byKey(requirements, (each) => JSON.stringify([each.outcomes, reasonOf(each)]))
  return [...groups.values()].map((members) => {
    const [first] = members as [ComparedRequirement]
    return { outcomes: first.outcomes, reason: reasonOf(first), members }
  })
}

/** The reason of the latest outcome. For fixed or gone ones, the reason of the earlier outcome. */
function reasonOf({ reasons }: Compared): string {
  return reasons.at(-1) || reasons[0] || ''
}

/** Changed checks of unchanged requirements, those that no longer pass first. */
export function changedBeneath({ requirements, lost }: Comparison): { check: Compared; lost: boolean }[] {
  const ids = new Set(lost)
  const all = requirements
    .flatMap(({ checks }) => checks)
    .map((check) => ({ check, lost: ids.has(check.id) }))
  return [...all.filter((each) => each.lost), ...all.filter((each) => !each.lost)]
}

/** The requirements by subject, for a matrix. */
export function byOperation({ requirements }: Comparison): Map<Subject, ComparedRequirement[]> {
  return byKey(requirements, ({ operation }) => operation)
}

/** All sides have the same outcome. */
export function hasOneOutcome({ outcomes }: Compared): boolean {
  return new Set(outcomes).size === 1
}

/** Operations with the same differences in an open point. */
interface OpenPointGroup extends Omit<ComparedOpenPoint, 'operation'> {
  readonly operations: readonly string[]
}

/** The open points that differ, then those that some sides did not observe. */
export function differingPoints({ openPoints }: Comparison): OpenPointGroup[] {
  const differing = (['different', 'partly'] as const).flatMap((kind) =>
    openPoints.filter(({ difference }) => difference === kind),
  )
  const groups = byKey(differing, ({ id, observed }) => JSON.stringify([id, observed]))
  return [...groups.values()].map((points) => {
    const [{ operation: _, ...first }] = points as [ComparedOpenPoint]
    return { ...first, operations: points.map(({ operation }) => operation) }
  })
}

export type VerdictWord = Verdict | 'not judged'

/** The verdict of a side, or that it was not judged. */
const verdictWord = ({ verdict, judged }: Pick<Side, 'verdict' | 'judged'>): VerdictWord =>
  judged === false ? 'not judged' : verdict

/** As above, with the operations that the verdict covers if it does not cover all. */
export const verdictText = (side: Pick<Side, 'verdict' | 'judged' | 'coverage'>): string =>
  side.judged === false ? verdictWord(side) : verdictLabel(side.verdict, side.coverage)

/** The name of a side beside its verdict. */
export const bareLabel = ({ label, judged }: Pick<Side, 'label' | 'judged'>): string =>
  judged === false ? label.replace(/, not judged$/, '') : label

/** The sides of an outcome. */
interface Share {
  readonly outcome: Outcome | null
  readonly labels: readonly string[]
}

/** The sides by outcome, the most frequent outcome last, because readers look for the exceptions. */
export function sharesOf({ outcomes }: Compared, { sides }: Comparison): Share[] {
  const having = byKey(
    sides.flatMap(({ label, judged }, at) =>
      judged === false ? [] : [{ label, outcome: outcomes[at] ?? null }],
    ),
    ({ outcome }) => outcome,
  )
  return [...having]
    .map(([outcome, several]) => ({ outcome, labels: several.map(({ label }) => label) }))
    .sort((one, other) => one.labels.length - other.labels.length)
}

/** The requirements with different outcomes, those that fail on most sides first. */
export function differing({ requirements, sides }: Comparison): ComparedRequirement[] {
  const unlike = ({ outcomes }: Compared): boolean =>
    new Set(outcomes.filter((_, at) => sides[at]?.judged !== false)).size > 1
  const failing = ({ outcomes }: Compared): number => outcomes.filter((each) => each === 'failed').length
  return requirements.filter(unlike).sort((one, other) => failing(other) - failing(one))
}

/** The worst outcome of a side at an operation, and the number of requirements with it. */
interface Heat {
  readonly outcome: Outcome | null
  readonly count: number
  readonly of: number
}

export interface HeatRow {
  readonly side: Side
  readonly heats: readonly Heat[]
}

/** For each side, the worst outcome at each operation. */
export function heatOf(comparison: Comparison): {
  readonly subjects: readonly Subject[]
  readonly rows: readonly HeatRow[]
} {
  const operations = [...byOperation(comparison)]
  const rows = comparison.sides.map((side, at) => {
    const heats = operations.map(([, requirements]): Heat => {
      const known = requirements.flatMap(({ outcomes }) => outcomes[at] ?? [])
      if (known.length === 0) return { outcome: null, count: 0, of: 0 }
      const outcome = worst(known)
      return { outcome, count: known.filter((each) => each === outcome).length, of: known.length }
    })
    return { side, heats }
  })
  return { subjects: operations.map(([subject]) => subject), rows }
}

interface VerdictGroup {
  readonly verdict: VerdictWord
  /** The verdict, with the operations that it covers if it does not cover all. */
  readonly text: string
  readonly sides: readonly Side[]
}

/** The sides by verdict, the worst first. Partial verdicts and sides that were not judged are separate. */
export function byVerdict({ sides }: Comparison): VerdictGroup[] {
  const worstFirst = ['not judged', 'non-conformant', 'incomplete', 'conformant'] as const
  return worstFirst.flatMap((verdict) => {
    const such = sides.filter((side) => verdictWord(side) === verdict)
    return [...byKey(such, verdictText)].map(([text, several]) => ({ verdict, text, sides: several }))
  })
}

interface ChangeWords {
  readonly sign: string
  readonly word: string
  readonly look: Look
  /** The heading of the requirements of this class. */
  readonly title: string
}

/** In order of interest. */
export const changeWords: Readonly<Record<Change, ChangeWords>> = {
  broken: { sign: '✗', word: 'broken', look: 'failed', title: 'Broken: passed before, not kept now' },
  lost: {
    sign: '?',
    word: 'lost',
    look: 'inconclusive',
    title: 'No longer passed: inconclusive, not tested or not applicable',
  },
  gone: { sign: '−', word: 'gone', look: 'not-tested', title: 'Gone: unknown to the later results' },
  fixed: { sign: '✓', word: 'fixed', look: 'passed', title: 'Fixed: passed now' },
  'still-failing': { sign: '=', word: 'still failing', look: 'failed', title: 'Still failing' },
  changed: { sign: '~', word: 'changed', look: 'warned', title: 'Changed otherwise' },
  new: { sign: '+', word: 'new', look: 'not-tested', title: 'New: unknown to the earlier results' },
  same: { sign: '·', word: 'same', look: 'not-applicable', title: 'Same outcome' },
}

/** `✗ broken`. */
export function signedChange(change: Change): string {
  const { sign, word } = changeWords[change]
  return `${sign} ${word}`
}

/** `✓ passed`. A side that does not know the id has no outcome. */
export function signedOutcome(outcome: Outcome | null): string {
  return outcome === null ? '− unknown' : signed(outcome)
}

/** The result in a sentence: whether something that passed no longer does, and how many open points differ. */
export function comparisonSentence(comparison: Comparison): string {
  const { sides, lost, requirements, openPoints } = comparison
  if (sides.length > mostColumns) return fleetSentence(comparison)
  const differing = openPoints.filter(({ difference }) => difference === 'different').length
  const open =
    differing === 0 ? 'no open point differs' : countOf(differing, 'open point differs', 'open points differ')
  if (lost.length > 0) {
    const ids = new Set<string>(requirements.map(({ id }) => id))
    const what = lost.every((id) => ids.has(id))
      ? countOf(lost.length, 'requirement')
      : countOf(lost.length, 'requirement or check', 'requirements or checks')
    return `${what} ${whereLost(sides, lost.length)}; ${open}.`
  }
  const changed = requirements.filter(({ changes }) =>
    changes.some((change) => change !== 'same' && change !== 'still-failing'),
  ).length
  const what =
    changed === 0 ? 'no requirement changed' : countOf(changed, 'requirement changed', 'requirements changed')
  return `Nothing that passed is lost: ${what}, ${open}.`
}

/** Two runs of one target are compared in time, several targets by place. */
function whereLost(sides: Comparison['sides'], count: number): string {
  const [first, second, ...others] = sides
  if (others.length > 0) return `passed on ${first?.key} and not on every other`
  if (first?.target.baseUrl !== second?.target.baseUrl)
    return `passed on ${first?.key} and not on ${second?.key}`
  return `passed before and ${count === 1 ? 'does' : 'do'} not pass now`
}

/** The number of targets by verdict. */
function fleetSentence({ sides }: Comparison): string {
  const judged = sides.filter((side) => side.judged !== false)
  const broken = judged.filter(({ verdict }) => verdict === 'non-conformant').length
  const open = judged.filter(({ verdict }) => verdict === 'incomplete').length
  const parts = [
    ...(broken === 0 ? [] : [countOf(broken, 'is non-conformant', 'are non-conformant')]),
    ...(open === 0 ? [] : [countOf(open, 'is incomplete', 'are incomplete')]),
    ...(judged.length === sides.length ? [] : [`${sides.length - judged.length} could not be judged`]),
  ]
  const partly = sides.filter(({ coverage }) => coverage !== undefined).length
  const but = partly === 0 ? '' : `, ${partly} of them for a part of the operations only`
  return parts.length === 0
    ? `All ${sides.length} targets are conformant${but}.`
    : `Of ${sides.length} targets ${parts.join(', ')}.`
}

/** Whether the sentence is about a problem. */
export function isBad({ sides, lost }: Comparison): boolean {
  if (sides.length <= mostColumns) return lost.length > 0
  return sides.some(({ verdict, judged }) => verdict !== 'conformant' || judged === false)
}

/** More sides than this get no columns. Differences are then listed by outcome, with the names of the minority. */
export const mostColumns = 8
