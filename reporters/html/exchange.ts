/** One exchange on a page: the request beside its answer, with the faulty fields marked, and a command to copy. */
import type { Evidence } from '../../deployment/http/exchange.ts'
import type { Failure } from '../../runner/check-result.ts'
import type { ShownExchange } from '../nodes.ts'
import { safeText } from '../safe-text.ts'
import { countOf, durationOf } from '../wording.ts'
import { formMarkup, type IsMarked, jsonMarkup } from './marked-text.ts'
import { bounded, html, type Markup } from './markup.ts'

/** Our evidence is cut when it is captured. Evidence of other programs is cut here. */
const longestBody = 4400
const mostHeaders = 60

/** The exchange and its command. The page that shows the effect is folded, because the finding quotes what matters. */
export function exchangeMarkup({ exchange, marks, shown }: ShownExchange): Markup {
  return html`${bothSides(exchange, marks)}${
    shown === undefined
      ? undefined
      : html`<details><summary>The page that shows the effect${shown.later === undefined ? '' : `, ${shown.later}`}</summary>
${bothSides(shown.page, marks)}</details>
`
  }${command('curl', exchange.curl)}`
}

function bothSides(exchange: Evidence, marks: Failure['marks'] = {}): Markup {
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
  const shown = bounded(body, longestBody)
  return formMarkup(shown, marked) ?? html`<pre><code>${shown}</code></pre>`
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

/** Faulty fields that are not visible, because they are missing or beyond the cut. */
function absent(marked: readonly string[], seen: ReadonlySet<string>): Markup | undefined {
  const missing = marked.filter((path) => !seen.has(path))
  if (missing.length === 0) return undefined
  return html`<p class="line">Wrong, but cut off here: ${missing.map((path) => html`<mark>${path}</mark> `)}</p>`
}

function headers(values: Readonly<Record<string, string>>): Markup | undefined {
  const entries = Object.entries(values)
  if (entries.length === 0) return undefined
  return html`<details><summary>${countOf(entries.length, 'header')}</summary><dl class="form">${entries
    .slice(0, mostHeaders)
    .map(
      ([name, value]) =>
        html`<div><dt>${name}</dt><dd><code>${bounded(value, longestBody)}</code></dd></div>`,
    )}</dl></details>
`
}

/** A longer command is no help at a prompt. results.json has it. */
const longestCommand = 6000

/** The command on one line, with a copy button. Without scripts it can be selected. */
export function command(name: string, line: string): Markup {
  if (line === '') return html``
  if (line.length > longestCommand) {
    return html`<p class="line"><small>The ${name} line has ${line.length} characters: results.json holds it.</small></p>`
  }
  // Always one line: pasting a line end would run the part before it.
  return html`<div class="command"><span class="label">${name}</span><code tabindex="0" role="group" aria-label="The ${name} line">${safeText(line)}</code><button type="button" class="copy" aria-label="Copy the line ${name}">Copy</button></div>`
}
