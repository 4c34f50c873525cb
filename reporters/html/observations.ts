/** What the deployment does with what the contract leaves open. */
import type { Observation } from '../../suites/check-result.ts'
import { byKey } from '../grouping.ts'
import { placesOf } from '../observed-places.ts'
import { bounded, countOf, html, type Markup } from './markup.ts'

const mostQuestions = 200
const mostAnswers = 50
const longestAnswer = 1000

/** The questions of the contract with the answers of the deployment. Never part of the verdict. */
export function observationList(observations: readonly Observation[]): Markup {
  const questions = [...byKey(observations, ({ question }) => question)]
  const left = questions.length - mostQuestions
  return html`<section aria-labelledby="observed"><h2 id="observed">Observed on open points</h2>
${
  questions.length === 0
    ? html`<p class="lead">Nothing was observed on what the contract leaves open.</p>`
    : html`<p class="lead">What the contract leaves open, and this deployment does. It is no part of the verdict.</p>
<dl class="observed">${questions.slice(0, mostQuestions).map(([question, several]) => entry(question, several))}</dl>`
}${left > 0 ? html`<p class="lead">And ${countOf(left, 'more question')}: results.json holds them.</p>` : undefined}</section>
`
}

function entry(question: string, several: readonly Observation[]): Markup {
  const answers = [...byKey(several, ({ observed }) => observed)]
  const left = answers.length - mostAnswers
  return html`<div><dt>${question}</dt><dd>${answers
    .slice(0, mostAnswers)
    .map(
      ([observed, alike]) =>
        html`<p>${bounded(observed, longestAnswer)} <small>${placesOf(alike)}</small></p>`,
    )}${left > 0 ? html`<p><small>and ${left} more in results.json</small></p>` : undefined}</dd></div>
`
}
