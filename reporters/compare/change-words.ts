/** How changes look and what they are called, in every rendering. */
import type { Outcome } from '../../specs/outcomes.ts'
import type { Format } from '../terminal/style.ts'
import { outcomeWords } from '../wording.ts'
import type { Change, Comparison } from './comparison.ts'

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
  if (outcome === null) return '− unknown'
  const { sign, word } = outcomeWords[outcome]
  return `${sign} ${word}`
}

/** On a terminal what is beyond is told with its number. */
export const mostNames = 40

/** The ids between commas. */
export function names(ids: readonly string[]): string {
  const left = ids.length - mostNames
  return left > 0 ? `${ids.slice(0, mostNames).join(', ')} and ${left} more` : ids.join(', ')
}

/** What came out, in a sentence: whether something that passed no longer does, and how many open points differ. */
export function comparisonSentence(comparison: Comparison): string {
  const { sides, lost, requirements, openPoints } = comparison
  if (sides.length > mostColumns) return fleetSentence(comparison)
  const differing = openPoints.filter(({ difference }) => difference === 'different').length
  const open =
    differing === 0 ? 'no open point differs' : counted(differing, 'open point differs', 'open points differ')
  if (lost.length > 0) {
    const ids = new Set<string>(requirements.map(({ id }) => id))
    const what = lost.every((id) => ids.has(id))
      ? counted(lost.length, 'requirement', 'requirements')
      : counted(lost.length, 'requirement or check', 'requirements or checks')
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
    changed === 0 ? 'no requirement changed' : counted(changed, 'requirement changed', 'requirements changed')
  return `Nothing that passed is lost: ${what}, ${open}.`
}

const counted = (count: number, one: string, several: string): string =>
  `${count} ${count === 1 ? one : several}`

/** Of many targets: how many are what. */
function fleetSentence({ sides }: Comparison): string {
  const judged = sides.filter((side) => side.judged !== false)
  const broken = judged.filter(({ verdict }) => verdict === 'non-conformant').length
  const open = judged.filter(({ verdict }) => verdict === 'incomplete').length
  const parts = [
    ...(broken === 0 ? [] : [counted(broken, 'is non-conformant', 'are non-conformant')]),
    ...(open === 0 ? [] : [counted(open, 'is incomplete', 'are incomplete')]),
    ...(judged.length === sides.length ? [] : [`${sides.length - judged.length} could not be judged`]),
  ]
  return parts.length === 0
    ? `All ${sides.length} targets are conformant.`
    : `Of ${sides.length} targets ${parts.join(', ')}.`
}

/** Whether the sentence tells of something that is wrong. */
export function isBad({ sides, lost }: Comparison): boolean {
  if (sides.length <= mostColumns) return lost.length > 0
  return sides.some(({ verdict, judged }) => verdict !== 'conformant' || judged === false)
}

/** More sides than this have no column each: what differs is told by outcome, with the names of the fewer. */
export const mostColumns = 8
