/** What was found, what was not judged and why, what to add, and what was seen on open points. */
import type { Outcome } from '../../specs/outcomes.ts'
import { additionsNote, additionsTitle, gainOf, wordsFor } from '../addition-words.ts'
import type { Cause, Outline, Question, Reason } from '../outline.ts'
import { countOf } from '../wording.ts'
import { bounded, filterAnchor, html, idLink, listed, type Markup, outcomeBadge } from './markup.ts'

const mostCauses = 40
const mostIds = 8
const longestMessage = 300
/** Requirements of one reason beyond this number are told with their number. */
const mostLinks = 100
const mostReasons = 100
/** More than this would hide the other reasons: they are folded. */
const mostOpen = 8
const longestReason = 600
const mostSteps = 100
const mostKeys = 50
const longestKey = 200
const mostQuestions = 200
const mostAnswers = 50
const longestAnswer = 1000

/** What failed, was waived or warned of, on one screen: an entry for each cause, with links to where it is told. */
export function findingsOverview({ causes }: Outline): Markup {
  if (causes.length === 0) return html``
  const left = causes.length - mostCauses
  return html`<section aria-labelledby="found"><h2 id="found">What was found</h2>
<ol class="found">${causes.slice(0, mostCauses).map(causeEntry)}</ol>
${left > 0 ? html`<p class="lead">And ${countOf(left, 'more finding')}: they stand at their requirements below.</p>` : undefined}</section>
`
}

function causeEntry({ check, requirement, where, checks, blocked }: Cause): Markup {
  const { text, section } = requirement
  return html`<li>${outcomeBadge(check.outcome)}
<div><p class="sentence">${where}: ${text} <small>§${section}</small></p>
<p>${bounded(check.failure?.message ?? '', longestMessage)}</p>
<p class="where">${checks.length === 1 ? '' : `${countOf(checks.length, 'check')}: `}${links(checks, mostIds)}</p>${
    blocked.length === 0
      ? undefined
      : html`<p class="where">Because of this, ${countOf(blocked.length, 'requirement')} could not be judged: ${links(
          blocked.map((id) => ({ id })),
          mostLinks,
        )}</p>`
  }</div></li>
`
}

function links(things: readonly { readonly id: string }[], most: number): Markup {
  const left = things.length - most
  return html`${listed(things.slice(0, most).map(({ id }) => idLink(id)))}${left > 0 ? ` and ${left} more` : ''}`
}

/** What was not tested, by reason, and what to add to the configuration so that the next run judges more. */
export function unresolved({ reasons, additions, causes }: Outline): Markup {
  const blocked = causes.some((cause) => cause.blocked.length > 0)
  return html`<section aria-labelledby="untested"><h2 id="untested">What was not tested, and why</h2>
${blocked ? html`<p>What could not be judged because of a finding stands <a href="#found">at the finding</a>.</p>` : undefined}${
  reasons.length === 0
    ? blocked
      ? undefined
      : html`<p>Everything that applies was judged.</p>`
    : reasons.map(reasonSection)
}${additionList(additions)}</section>
`
}

function reasonSection({ outcome, title, reasons }: Outline['reasons'][number]): Markup {
  const left = reasons.length - mostReasons
  const count = reasons.reduce((sum, { ids }) => sum + ids.length, 0)
  const anchor = outcome === 'passed' ? undefined : html` id="${filterAnchor({ outcome })}"`
  return html`<h3${anchor}>${title} <small>${countOf(count, 'requirement')}</small></h3>
<ul class="reasons">${reasons.slice(0, mostReasons).map((reason) => reasonEntry(outcome, reason))}${
    left > 0
      ? html`<li>and ${countOf(left, 'more reason')}: they stand at their requirements above</li>`
      : undefined
  }</ul>
`
}

function reasonEntry(outcome: Outcome, { reason, ids }: Reason): Markup {
  const list = links(
    ids.map((id) => ({ id })),
    mostLinks,
  )
  const told = html`<li>${outcomeBadge(outcome)} ${bounded(reason, longestReason)} <small>${countOf(ids.length, 'requirement')}</small>`
  return ids.length <= mostOpen
    ? html`${told}<p class="where">${list}</p></li>`
    : html`${told}<details class="where"><summary>which</summary><p>${list}</p></details></li>`
}

function additionList(steps: Outline['additions']): Markup | undefined {
  if (steps.length === 0) return undefined
  const left = steps.length - mostSteps
  return html`<h3 id="add">${additionsTitle}</h3>
<ul class="reasons">${steps.slice(0, mostSteps).map(additionEntry)}${
    left > 0 ? html`<li>and ${countOf(left, 'more thing')}: results.json holds them</li>` : undefined
  }</ul>
<p><small>${additionsNote}</small></p>
`
}

function additionEntry(step: Outline['additions'][number]): Markup {
  const keys = step.add.slice(0, mostKeys).map((key) => bounded(key, longestKey))
  const meanings = keys.flatMap((key) => {
    const words = wordsFor(key)
    return words === undefined ? [] : [html`<p class="where"><code>${key}</code>: ${words}</p>`]
  })
  return html`<li>${listed(keys.map((key) => html`<code>${key}</code>`))} <small>${gainOf(step)}</small>${meanings}</li>`
}

/** The questions of the contract with the answers of the deployment. Never part of the verdict. */
export function observationList({ questions }: Outline): Markup {
  const left = questions.length - mostQuestions
  return html`<section aria-labelledby="observed"><h2 id="observed">Observed on open points</h2>
${
  questions.length === 0
    ? html`<p class="lead">Nothing was observed on what the contract leaves open.</p>`
    : html`<p class="lead">What the contract leaves open, and this deployment does. It is no part of the verdict.</p>
<dl class="observed">${questions.slice(0, mostQuestions).map(questionEntry)}</dl>`
}${left > 0 ? html`<p class="lead">And ${countOf(left, 'more question')}: results.json holds them.</p>` : undefined}</section>
`
}

function questionEntry({ question, answers }: Question): Markup {
  const left = answers.length - mostAnswers
  return html`<div><dt>${question}</dt><dd>${answers
    .slice(0, mostAnswers)
    .map(
      ({ observed, places }) => html`<p>${bounded(observed, longestAnswer)} <small>${places}</small></p>`,
    )}${left > 0 ? html`<p><small>and ${left} more in results.json</small></p>` : undefined}</dd></div>
`
}
