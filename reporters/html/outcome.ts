/** The outcome of a check or requirement on the page: colour, sign and word together. */
import { type Outcome, outcomes } from '../../specs/outcomes.ts'
import { outcomeWords } from '../outcome-words.ts'
import { html, type Markup } from './markup.ts'

/** In the order in which readers look for them. */
export const outcomesShown: readonly Outcome[] = [
  'failed',
  'inconclusive',
  'not-tested',
  'warned',
  'waived',
  'passed',
  'not-applicable',
]

/** The sign and the word. The sign is left to the eye: the word says the same. */
export function outcomeBadge(outcome: Outcome): Markup {
  const { sign, word } = outcomeWords[outcome]
  return html`<span class="o ${outcome}"><i aria-hidden="true">${sign}</i> ${word}</span>`
}

/** How many there are of each outcome. */
export function outcomeCounts(several: readonly { readonly outcome: Outcome }[]): Record<Outcome, number> {
  const counts = Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Record<Outcome, number>
  for (const { outcome } of several) counts[outcome] += 1
  return counts
}

/** `1 failed, 18 passed`. */
export function countsInWords(counts: Readonly<Record<Outcome, number>>): string {
  return outcomesShown
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `${counts[outcome]} ${outcomeWords[outcome].word}`)
    .join(', ')
}
