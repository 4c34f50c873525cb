/** What to add to the configuration so that the next run judges more. */
import type { Step } from '../../suites/what-to-add.ts'
import { additionsNote, additionsTitle, gainOf, wordsFor } from '../addition-words.ts'
import { bounded, countOf, html, type Markup } from './markup.ts'

const mostSteps = 100
const mostKeys = 50
const longestKey = 200

/** The list, or nothing where there is nothing to add. */
export function additionList(steps: readonly Step[]): Markup | undefined {
  if (steps.length === 0) return undefined
  const left = steps.length - mostSteps
  return html`<h3 id="add">${additionsTitle}</h3>
<ul class="reasons">${steps.slice(0, mostSteps).map(entry)}${
    left > 0 ? html`<li>and ${countOf(left, 'more thing')}: results.json holds them</li>` : undefined
  }</ul>
<p><small>${additionsNote}</small></p>
`
}

function entry(step: Step): Markup {
  const keys = step.add.slice(0, mostKeys).map((key) => bounded(key, longestKey))
  const names = keys.map((key, at) => html`${at === 0 ? '' : ', '}<code>${key}</code>`)
  const meanings = keys.flatMap((key) => {
    const words = wordsFor(key)
    return words === undefined ? [] : [html`<p class="where"><code>${key}</code>: ${words}</p>`]
  })
  return html`<li>${names} <small>${gainOf(step)}</small>${meanings}</li>`
}
