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
  return outcome === null ? '− unknown' : signed(outcome)
}

export const lookOf = (outcome: Outcome | null): Outcome => outcome ?? 'not-applicable'

/** The verdict of a side, with the operations that it covers if it does not cover all. */
export const verdictText = ({ verdict, judged, coverage }: Side): string =>
  judged === false ? 'not judged' : verdictLabel(verdict, coverage)

export const lookOfVerdict = ({ verdict, judged }: Side): Outcome =>
  judged === false ? 'inconclusive' : verdictLooks[verdict]

/** The name of a side beside its verdict. */
export const bareLabel = ({ label, judged }: Side): string =>
  judged === false ? label.replace(/, not judged$/, '') : label

/** More sides than this get no columns. Differences are then listed by outcome, with the names of the minority. */
export const mostColumns = 8

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
