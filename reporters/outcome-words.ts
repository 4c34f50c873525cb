/** How outcomes are told: a sign and a word, so that neither colour nor font is needed to tell them apart. */
import type { Outcome } from '../specs/outcomes.ts'

export interface OutcomeWords {
  /** One character. */
  readonly sign: string
  readonly word: string
}

export const outcomeWords: Readonly<Record<Outcome, OutcomeWords>> = {
  passed: { sign: '✓', word: 'passed' },
  failed: { sign: '✗', word: 'failed' },
  warned: { sign: '!', word: 'warned' },
  inconclusive: { sign: '?', word: 'inconclusive' },
  'not-tested': { sign: '–', word: 'not tested' },
  'not-applicable': { sign: '·', word: 'not applicable' },
  waived: { sign: '~', word: 'waived' },
}
