/** One exchange: what was sent and what came, side by side. */

import type { Failure } from '../../suites/check-result.ts'
import type { Evidence } from '../../target/http/exchange.ts'
import { formMarkup } from './form-text.ts'
import { type IsMarked, jsonMarkup } from './json-text.ts'
import { bounded, durationOf, html, type Markup } from './markup.ts'

/** Evidence is cut at capture; what was written by others is cut here. */
const longestBody = 4400
const mostHeaders = 60

/** The exchange; `marks` say what is at fault in it. */
export function exchangeMarkup(exchange: Evidence, marks: Failure['marks'] = {}): Markup {
  const { request, actor, atMs } = exchange
  const who = [
    ...(actor === undefined ? [] : [`by ${actor}`]),
    ...(atMs === undefined ? [] : [`at ${durationOf(atMs)}`]),
  ]
  return html`<div class="exchange"><div class="side"><p class="label">Request <small>${who.join(', ')}</small></p>
<p class="line"><code>${request.method} ${bounded(request.url, longestBody)}</code></p>
${headers(request.headers)}${requestBody(request.body, marks.request ?? [])}</div>
<div class="side"><p class="label">Answer</p>
${answer(exchange, marks.response ?? [])}</div></div>
`
}

function requestBody(body: string, marked: readonly string[]): Markup {
  if (body === '') return html`<p class="line"><em>no body</em></p>`
  return (
    formMarkup(bounded(body, longestBody), marked) ??
    html`<pre><code>${bounded(body, longestBody)}</code></pre>`
  )
}

function answer({ response, error }: Evidence, marked: readonly string[]): Markup {
  if (response === undefined) {
    return html`<p class="line"><strong>None:</strong> ${error ?? 'no complete answer came'}</p>`
  }
  const type = response.headers['content-type']
  return html`<p class="line"><code>HTTP ${response.status}</code> after ${durationOf(response.durationMs)}${type === undefined ? '' : `, ${type}`}</p>
${headers(response.headers)}${answerBody(response.body, marked)}`
}

function answerBody(body: string, marked: readonly string[]): Markup {
  if (body === '') return html`<p class="line"><em>empty</em></p>${absent(marked, new Set())}`
  const seen = new Set<string>()
  const isMarked: IsMarked = (path) => {
    const joined = path.join('.')
    if (!marked.includes(joined)) return false
    seen.add(joined)
    return true
  }
  const shown = bounded(body, longestBody)
  const json = jsonMarkup(shown, isMarked)
  return html`<pre role="group" tabindex="0" aria-label="Body of the answer"><code>${json ?? shown}</code></pre>${absent(marked, seen)}`
}

/** What is at fault and not to be seen: it is missing, or beyond what is shown. */
function absent(marked: readonly string[], seen: ReadonlySet<string>): Markup | undefined {
  const missing = marked.filter((path) => !seen.has(path))
  if (missing.length === 0) return undefined
  return html`<p class="line">At fault and not in what is shown: ${missing.map((path) => html`<mark>${path}</mark> `)}</p>`
}

function headers(values: Readonly<Record<string, string>>): Markup | undefined {
  const entries = Object.entries(values)
  if (entries.length === 0) return undefined
  return html`<details class="headers"><summary>${entries.length} ${entries.length === 1 ? 'header' : 'headers'}</summary><dl class="form">${entries
    .slice(0, mostHeaders)
    .map(
      ([name, value]) =>
        html`<div><dt>${name}</dt><dd><code>${bounded(value, longestBody)}</code></dd></div>`,
    )}</dl></details>
`
}
