/** What a comparison of results says, the same for terminal, Markdown, HTML and JSON, and how it is arranged for readers. */
import { type Level, type Outcome, type Verdict, worst } from '../../specs/outcomes.ts'
import type { Coverage } from '../../specs/releases.ts'
import type { Subject } from '../../specs/requirements.ts'
import { byKey } from '../alike.ts'
import type { Results } from '../results.ts'
import type { ResultsOfFile } from '../results-json.ts'
import type { Format } from '../terminal/sheet.ts'
import { verdictLabel } from '../verdict.ts'
import { countOf, signed } from '../wording.ts'

/** What became of a requirement or a check, from the first results to others. */
export const changes = ['broken', 'lost', 'gone', 'fixed', 'still-failing', 'changed', 'new', 'same'] as const

export type Change = (typeof changes)[number]

/** Results that are to be compared. */
export interface ComparedResults extends ResultsOfFile {
  /** What they are called; absent: after the target or the file. */
  readonly name?: string
  /** Set where there were no results, and these only say so. */
  readonly judged?: false
}

/** One of the results that are compared. */
export interface Side {
  /** A, B, C: short enough for the head of a column. */
  readonly key: string
  /** The name; without one the base URL, or the file where several have the same. */
  readonly label: string
  readonly file: string
  readonly target: Results['target']
  readonly suiteVersion: string
  readonly run: Pick<Results['run'], 'id' | 'startedAt' | 'seed' | 'runs'>
  readonly verdict: Verdict
  /** Which operations the verdict covers, where the release or the edition of the target lacks some; absent: all. */
  readonly coverage?: Coverage
  readonly totals: Results['totals']
  readonly complete: boolean
  /** Set where there were no results: every outcome is not tested then. */
  readonly judged?: false
}

export interface Compared {
  readonly id: string
  /** One for each side; null: that side does not know the id. */
  readonly outcomes: readonly (Outcome | null)[]
  /** Why it is neither passed nor not applicable, in a sentence; one for each side, empty where nothing is to be said. */
  readonly reasons: readonly string[]
  /** From the first side to each of the others. */
  readonly changes: readonly Change[]
}

export interface ComparedRequirement extends Compared {
  readonly level: Level
  readonly operation: Subject
  readonly section: string
  readonly text: string
  /** The checks that differ although the requirement does not, or that are lost although it had not passed. */
  readonly checks: readonly Compared[]
}

/** What each side does with a point that the contract leaves open. */
export interface ComparedOpenPoint {
  readonly id: string
  readonly operation: Subject
  readonly question: string
  /** For each side what was observed, sorted; empty: nothing was. */
  readonly observed: readonly (readonly string[])[]
  /** `partly`: those that observed it observed the same, others did not observe it. */
  readonly difference: 'same' | 'different' | 'partly'
}

export interface Comparison {
  readonly format: 'portal-conformance/comparison'
  readonly formatVersion: 1
  /** The first is what the others are compared with. */
  readonly sides: readonly Side[]
  /** What makes the sides less comparable, in sentences. */
  readonly notes: readonly string[]
  /** In the order of the contract. */
  readonly requirements: readonly ComparedRequirement[]
  readonly openPoints: readonly ComparedOpenPoint[]
  /** Requirements by change, for each side but the first. */
  readonly counts: readonly Readonly<Record<Change, number>>[]
  /** Ids of requirements and checks that passed on the first side and do not on one of the others. */
  readonly lost: readonly string[]
}

/** Requirements of one class that went the same way for the same reason: one cause is told once. */
export interface Group {
  readonly outcomes: readonly (Outcome | null)[]
  /** Why the later outcome; where that needs no reason, why the earlier. */
  readonly reason: string
  readonly members: readonly ComparedRequirement[]
}

interface Section {
  readonly change: Change
  readonly count: number
  readonly groups: readonly Group[]
}

/** Of two sides: the changes, the worst first; what stayed the same is only counted. */
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
  const alike = byKey(requirements, (each) => JSON.stringify([each.outcomes, reasonOf(each)]))
  return [...alike.values()].map((members) => {
    const [first] = members as [ComparedRequirement]
    return { outcomes: first.outcomes, reason: reasonOf(first), members }
  })
}

/** Why the latest outcome is what it is; of what is fixed or gone, why it was what it was. */
export function reasonOf({ reasons }: Compared): string {
  return reasons.at(-1) || reasons[0] || ''
}

/** Checks that changed beneath a requirement that did not; those that no longer pass first. */
export function changedBeneath({ requirements, lost }: Comparison): { check: Compared; lost: boolean }[] {
  const ids = new Set(lost)
  const all = requirements
    .flatMap(({ checks }) => checks)
    .map((check) => ({ check, lost: ids.has(check.id) }))
  return [...all.filter((each) => each.lost), ...all.filter((each) => !each.lost)]
}

/** The requirements by what they speak of, for a matrix. */
export function byOperation({ requirements }: Comparison): Map<Subject, ComparedRequirement[]> {
  return byKey(requirements, ({ operation }) => operation)
}

/** All sides have the same outcome. */
export function isAlike({ outcomes }: Compared): boolean {
  return new Set(outcomes).size === 1
}

/** Operations for which the sides answer an open point with the same differences. */
interface OpenPointGroup extends Omit<ComparedOpenPoint, 'operation'> {
  readonly operations: readonly string[]
}

/** The open points that differ, then those that not every side observed. */
export function differingPoints({ openPoints }: Comparison): OpenPointGroup[] {
  const differing = (['different', 'partly'] as const).flatMap((kind) =>
    openPoints.filter(({ difference }) => difference === kind),
  )
  const alike = byKey(differing, ({ id, observed }) => JSON.stringify([id, observed]))
  return [...alike.values()].map((points) => {
    const [{ operation: _, ...first }] = points as [ComparedOpenPoint]
    return { ...first, operations: points.map(({ operation }) => operation) }
  })
}

export type VerdictWord = Verdict | 'not judged'

/** The verdict of a side; of one that was not judged, that it was not. */
const verdictWord = ({ verdict, judged }: Pick<Side, 'verdict' | 'judged'>): VerdictWord =>
  judged === false ? 'not judged' : verdict

/** The same, with the operations that the verdict covers where these are not all. */
export const verdictText = (side: Pick<Side, 'verdict' | 'judged' | 'coverage'>): string =>
  side.judged === false ? verdictWord(side) : verdictLabel(side.verdict, side.coverage)

/** What a side is called where its verdict stands beside it. */
export const bareLabel = ({ label, judged }: Pick<Side, 'label' | 'judged'>): string =>
  judged === false ? label.replace(/, not judged$/, '') : label

/** The sides of an outcome. */
interface Share {
  readonly outcome: Outcome | null
  readonly labels: readonly string[]
}

/** Who has which outcome, the most frequent last: the few are what a reader looks for. */
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

/** The requirements that do not have the same outcome wherever there are results, those that fail on most sides first. */
export function differing({ requirements, sides }: Comparison): ComparedRequirement[] {
  const unlike = ({ outcomes }: Compared): boolean =>
    new Set(outcomes.filter((_, at) => sides[at]?.judged !== false)).size > 1
  const failing = ({ outcomes }: Compared): number => outcomes.filter((each) => each === 'failed').length
  return requirements.filter(unlike).sort((one, other) => failing(other) - failing(one))
}

/** A side at an operation: its worst outcome, and how many requirements have it. */
interface Heat {
  readonly outcome: Outcome | null
  readonly count: number
  readonly of: number
}

export interface HeatRow {
  readonly side: Side
  readonly heats: readonly Heat[]
}

/** For each side, what it comes to at each operation. */
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
  /** The verdict, with the operations that it covers where these are not all. */
  readonly text: string
  readonly sides: readonly Side[]
}

/** The sides by verdict, the worst first; those whose verdict covers less, and those that were not judged, apart. */
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
  readonly format: Format
  /** What stands over the requirements of this class. */
  readonly title: string
}

/** In the order in which a reader wants to know them. */
export const changeWords: Readonly<Record<Change, ChangeWords>> = {
  broken: { sign: '✗', word: 'broken', format: 'red', title: 'Broken: passed before, not kept now' },
  lost: {
    sign: '?',
    word: 'lost',
    format: 'magenta',
    title: 'No longer passed: inconclusive, not tested or not applicable',
  },
  gone: { sign: '−', word: 'gone', format: 'cyan', title: 'Gone: unknown to the later results' },
  fixed: { sign: '✓', word: 'fixed', format: 'green', title: 'Fixed: passed now' },
  'still-failing': { sign: '=', word: 'still failing', format: 'red', title: 'Still failing' },
  changed: { sign: '~', word: 'changed', format: 'yellow', title: 'Changed otherwise' },
  new: { sign: '+', word: 'new', format: 'cyan', title: 'New: unknown to the earlier results' },
  same: { sign: '·', word: 'same', format: 'dim', title: 'Same outcome' },
}

/** `✗ broken`. */
export function signedChange(change: Change): string {
  const { sign, word } = changeWords[change]
  return `${sign} ${word}`
}

/** `✓ passed`; an id that a side does not know has no outcome there. */
export function signedOutcome(outcome: Outcome | null): string {
  return outcome === null ? '− unknown' : signed(outcome)
}

/** What came out, in a sentence: whether something that passed no longer does, and how many open points differ. */
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
    const where =
      sides.length > 2
        ? `passed on ${sides[0]?.key} and not on every other`
        : `passed before and ${lost.length === 1 ? 'does' : 'do'} not any more`
    return `${what} ${where}; ${open}.`
  }
  const changed = requirements.filter(({ changes }) =>
    changes.some((change) => change !== 'same' && change !== 'still-failing'),
  ).length
  const what =
    changed === 0 ? 'no requirement changed' : countOf(changed, 'requirement changed', 'requirements changed')
  return `Nothing that passed is lost: ${what}, ${open}.`
}

/** Of many targets: how many are what. */
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

/** Whether the sentence tells of something that is wrong. */
export function isBad({ sides, lost }: Comparison): boolean {
  if (sides.length <= mostColumns) return lost.length > 0
  return sides.some(({ verdict, judged }) => verdict !== 'conformant' || judged === false)
}

/** More sides than this have no column each: what differs is told by outcome, with the names of the fewer. */
export const mostColumns = 8
