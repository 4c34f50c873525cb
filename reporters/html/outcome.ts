/** The outcome of a check or requirement on the page: colour, sign and word together. */
import { type Outcome, outcomes } from '../../specs/outcomes.ts'
import { outcomeWords } from '../outcome-words.ts'
import { html, type Markup } from './markup.ts'

/** The sign and the word. The sign is left to the eye: the word says the same. */
export function outcomeBadge(outcome: Outcome): Markup {
  const { sign, word } = outcomeWords[outcome]
  return html`<span class="o ${outcome}"><i aria-hidden="true">${sign}</i> ${word}</span>`
}

/** `1 failed, 18 passed`. */
export function countsInWords(counts: Readonly<Record<Outcome, number>>): string {
  return outcomes
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `${counts[outcome]} ${outcomeWords[outcome].word}`)
    .join(', ')
}
