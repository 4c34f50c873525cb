/** The top of the page: the verdict, what was judged, how, when, and the counts. */
import { outcomes, type Verdict } from '../../specs/outcomes.ts'
import { outcomeWords } from '../outcome-words.ts'
import type { Results } from '../results.ts'
import { verdictSentence } from '../verdict-sentence.ts'
import { durationOf, filterAnchor, html, type Markup } from './markup.ts'

const verdictLooks: Record<Verdict, { sign: string; word: string; look: string }> = {
  conformant: { sign: '✓', word: 'Conformant', look: 'passed' },
  'non-conformant': { sign: '✗', word: 'Non-conformant', look: 'failed' },
  incomplete: { sign: '?', word: 'Incomplete', look: 'inconclusive' },
}

/** The title of the document. */
export function pageTitle({ verdict, target }: Results): string {
  return `${verdictLooks[verdict].word}: ${target.baseUrl}`
}

/** Verdict, facts and counts. */
export function pageHead(results: Results): Markup {
  const { sign, word, look } = verdictLooks[results.verdict]
  const sentence = verdictSentence(results)
  const grounds = sentence.slice(sentence.indexOf(': ') + 2)
  return html`<header class="top">
<div class="brand"><p>portal-conformance ${results.suite.version} <span>report</span></p>
<button type="button" id="theme" aria-pressed="false">Dark</button></div>
<div class="verdict ${look}"><i aria-hidden="true">${sign}</i>
<div><h1>${word}</h1><p>${grounds.charAt(0).toUpperCase()}${grounds.slice(1)}</p></div></div>
${facts(results)}
${counts(results)}
</header>
`
}

function facts({ target, run }: Results): Markup {
  const share = run.shard === undefined ? '' : `, share ${run.shard.index} of ${run.shard.count}`
  const parts = run.mergedFrom === undefined ? '' : `, put together from ${run.mergedFrom.length} runs`
  const took = durationOf(run.durationMs)
  const sent: [string, string | Markup][] =
    run.traffic === undefined
      ? [
          ['Seed', html`<code>${run.seed}</code>`],
          ['Cases', `${run.runs} of each generated check`],
        ]
      : []
  const rows: [string, string | Markup][] = [
    ['Target', html`<code>${target.baseUrl}</code>`],
    ['Release', target.version ?? 'not configured'],
    ['Edition', target.edition ?? 'not configured'],
    ['Profile', target.profile],
    ...sent,
    ['Began', html`<time datetime="${run.startedAt}">${momentOf(run.startedAt)}</time>`],
    ['Took', run.traffic === undefined ? `${took}, ${run.requests} requests of the checks` : took],
    ['Run', html`<code>${run.id}</code>${share}${parts}`],
  ]
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

/** ISO 8601 for people; what is none is shown as it is. */
function momentOf(iso: string): string {
  const moment = new Date(iso)
  return Number.isNaN(moment.getTime()) ? iso : `${moment.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

function counts({ totals, requirements }: Results): Markup {
  return html`<div class="totals"><h2 id="counts">${requirements.length} requirements</h2>
${bar(totals)}
<ul class="counts">${outcomes.map(
    (outcome) => html`<li class="${outcome}${totals[outcome] === 0 ? ' none' : ''}"><a href="#${filterAnchor({
      outcome,
    })}" data-outcome="${outcome}" data-count="${totals[outcome]}"><i aria-hidden="true">${outcomeWords[outcome].sign}</i>
<b>${totals[outcome]}</b> ${outcomeWords[outcome].word}</a></li>`,
  )}</ul></div>`
}

/** The shares of the outcomes, drawn; the counts below say the same. */
function bar(totals: Results['totals']): Markup {
  const sum = outcomes.reduce((all, outcome) => all + totals[outcome], 0)
  let from = 0
  const parts = outcomes.map((outcome) => {
    const width = sum === 0 ? 0 : (totals[outcome] / sum) * 100
    const start = from
    from += width
    return width === 0
      ? undefined
      : html`<rect class="${outcome}" x="${start.toFixed(3)}%" width="${width.toFixed(3)}%" height="10"/>`
  })
  return html`<svg class="bar" width="100%" height="10" aria-hidden="true" focusable="false">${parts}</svg>`
}
