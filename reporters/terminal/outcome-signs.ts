/** How outcomes look on a terminal. */
import type { Outcome } from '../../specs/outcomes.ts'
import { outcomeWords } from '../outcome-words.ts'
import type { Format } from './style.ts'

const formats: Record<Outcome, Format> = {
  passed: 'green',
  failed: 'red',
  warned: 'yellow',
  inconclusive: 'magenta',
  'not-tested': 'cyan',
  'not-applicable': 'dim',
  waived: 'yellow',
}

const longestWord = Math.max(...Object.values(outcomeWords).map(({ word }) => word.length))

/** `✓ passed`; padded where it stands in a column. */
export function signed(outcome: Outcome, { padded = false } = {}): string {
  const { sign, word } = outcomeWords[outcome]
  return `${sign} ${padded ? word.padEnd(longestWord) : word}`
}

/** The look of an outcome. */
export function formatOf(outcome: Outcome): Format {
  return formats[outcome]
}
