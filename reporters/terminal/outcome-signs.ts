/** How outcomes look: a sign and a word, so that neither colour nor font is needed to tell them apart. */
import type { Outcome } from '../../specs/outcomes.ts'
import type { Format } from './style.ts'

const signs: Record<Outcome, { sign: string; word: string; format: Format }> = {
  passed: { sign: '✓', word: 'passed', format: 'green' },
  failed: { sign: '✗', word: 'failed', format: 'red' },
  warned: { sign: '!', word: 'warned', format: 'yellow' },
  inconclusive: { sign: '?', word: 'inconclusive', format: 'magenta' },
  'not-tested': { sign: '–', word: 'not tested', format: 'cyan' },
  'not-applicable': { sign: '·', word: 'not applicable', format: 'dim' },
  waived: { sign: '~', word: 'waived', format: 'yellow' },
}

const longestWord = Math.max(...Object.values(signs).map(({ word }) => word.length))

/** `✓ passed`; padded where it stands in a column. */
export function signed(outcome: Outcome, { padded = false } = {}): string {
  const { sign, word } = signs[outcome]
  return `${sign} ${padded ? word.padEnd(longestWord) : word}`
}

/** The look of an outcome. */
export function formatOf(outcome: Outcome): Format {
  return signs[outcome].format
}
