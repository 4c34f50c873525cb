/** The words of a comparison: changes, verdicts of its sides, and the result in a sentence. */
import type { Change, Comparison, Side } from '../../schemas/types/comparison.ts'
import type { Outcome } from '../../specs/outcomes.ts'
import type { Look } from '../nodes.ts'
import { verdictLabel } from '../verdict.ts'
import { countOf, signed, verdictLooks } from '../wording.ts'

interface ChangeWords {
  readonly sign: string
  readonly word: string
  readonly look: Look
  /** The heading of the requirements of this class. */
  readonly title: string
}

/** How a requirement or a check changed from the first results to others, in order of interest. */
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

export const changes = Object.keys(changeWords) as Change[]

/** `✗ broken`. */
export function signedChange(change: Change): string {
  const { sign, word } = changeWords[change]
  return `${sign} ${word}`
}

/** `✓ passed`. A side that does not know the id has no outcome. */
export function signedOutcome(outcome: Outcome | null): string {
  return outcome === null ? '− not in this run' : signed(outcome)
}

/** The verdict of a side, with the operations that it covers if it does not cover all. */
export const verdictText = ({ verdict, judged, coverage }: Side): string =>
  judged === false ? 'not judged' : verdictLabel(verdict, coverage)

export const lookOfVerdict = ({ verdict, judged }: Side): Outcome =>
  judged === false ? 'inconclusive' : verdictLooks[verdict]

/** What the sides are. Several results of one target have the names of their files. */
export const nounOf = (sides: Comparison['sides']): string =>
  sides.some(({ label, file }) => label === file) ? 'result' : 'target'

/** The result in a sentence: the verdicts of several targets, or how many requirements changed between two sides. */
export function comparisonSentence(comparison: Comparison, asMatrix: boolean): string {
  const { sides, lost } = comparison
  const lostOfMany = `${lostInWords(comparison)} passed on ${sides[0]?.label} and not on every other.`
  if (asMatrix) return [verdictsSentence(sides), ...(lost.length > 0 ? [lostOfMany] : [])].join(' ')
  const differing = comparison.openPoints.filter(({ difference }) => difference === 'different').length
  const open =
    differing === 0 ? 'no open point differs' : countOf(differing, 'open point differs', 'open points differ')
  const [before, after] = sides
  const where =
    before?.target.baseUrl === after?.target.baseUrl
      ? `passed before and ${lost.length === 1 ? 'does' : 'do'} not pass now`
      : `passed on ${before?.label} and not on ${after?.label}`
  if (lost.length > 0) return `${lostInWords(comparison)} ${where}; ${open}.`
  const changed = comparison.requirements.filter(({ changes: [change] }) => !unchanged.has(change)).length
  const what =
    changed === 0 ? 'no requirement changed' : countOf(changed, 'requirement changed', 'requirements changed')
  return `Nothing that passed is lost: ${what}, ${open}.`
}

const unchanged: ReadonlySet<Change | undefined> = new Set(['same', 'still-failing'])

/** `3 requirements`, or checks too. */
function lostInWords({ lost, requirements }: Comparison): string {
  const ids = new Set<string>(requirements.map(({ id }) => id))
  return lost.every((id) => ids.has(id))
    ? countOf(lost.length, 'requirement')
    : countOf(lost.length, 'requirement or check', 'requirements or checks')
}

/** The number of targets by verdict. */
function verdictsSentence(sides: Comparison['sides']): string {
  const counted = (count: number, one: string, several: string) =>
    count === 0 ? [] : [countOf(count, one, several)]
  const having = (verdict: Side['verdict']): number =>
    sides.filter((side) => side.judged !== false && side.verdict === verdict).length
  const unjudged = sides.filter(({ judged }) => judged === false).length
  const parts = [
    ...counted(having('non-conformant'), 'is non-conformant', 'are non-conformant'),
    ...counted(having('incomplete'), 'is incomplete', 'are incomplete'),
    ...counted(unjudged, 'could not be judged', 'could not be judged'),
  ]
  const partly = sides.filter(({ coverage }) => coverage !== undefined).length
  const but = partly === 0 ? '' : `, ${partly} of them for a part of the operations only`
  return parts.length === 0
    ? `All ${sides.length} ${nounOf(sides)}s are conformant${but}.`
    : `Of ${sides.length} ${nounOf(sides)}s ${parts.join(', ')}.`
}
