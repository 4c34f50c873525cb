/** What was sent and answered on a page: requests beside their answers, with the faulty parts marked, and commands to copy. */
import type { Evidence } from '../../deployment/http/exchange.ts'
import type { Failure } from '../../runner/check-result.ts'
import { jsonIn } from '../../schemas/values.ts'
import { safeText } from '../../schemas/wording.ts'
import { answerHead, fieldsIn, insteadOfCommand, senderWords } from '../finding-text.ts'
import type { ShownExchange } from '../nodes.ts'
import { bounded } from '../safe-text.ts'
import { countOf } from '../wording.ts'
import { html, type Markup } from './markup.ts'

/** Our evidence is cut when it is captured. Evidence of other programs is cut here. */
const longestBody = 4400

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
  const { request } = exchange
  return html`<div class="exchange"><div class="side"><p class="label">Request <small>${senderWords(exchange).join(', ')}</small></p>
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

function answer(exchange: Evidence, marked: readonly string[]): Markup {
  const { response } = exchange
  return html`<p class="line">${answerHead(exchange)}</p>
${response && html`${headers(response.headers)}${answerBody(response.body, marked)}`}`
}

function answerBody(body: string, marked: readonly string[]): Markup {
  const wrong =
    marked.length === 0
      ? undefined
      : html`<p class="line">Wrong: ${marked.map((path) => html`<mark>${path}</mark> `)}</p>`
  if (body === '') return html`${wrong}<p class="line"><em>empty</em></p>`
  const shown = bounded(laidOut(body), longestBody)
  return html`${wrong}<pre role="group" tabindex="0" aria-label="Body of the answer"><code>${shown}</code></pre>`
}

/** JSON on many lines, if that changes nothing but white space. */
function laidOut(body: string): string {
  const value = jsonIn(body)
  return JSON.stringify(value) === body ? JSON.stringify(value, null, 2) : body
}

function headers(values: Readonly<Record<string, string>>): Markup | undefined {
  const entries = Object.entries(values)
  if (entries.length === 0) return undefined
  return html`<details><summary>${countOf(entries.length, 'header')}</summary><dl class="form">${entries.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd><code>${bounded(value, longestBody)}</code></dd></div>`,
  )}</dl></details>
`
}

/** The command on one line, with a copy button. Without scripts it can be selected. */
export function command(name: string, line: string): Markup {
  if (line === '') return html``
  const instead = insteadOfCommand(name, line)
  if (instead !== undefined) return html`<p class="line"><small>${instead}</small></p>`
  // Always one line: pasting a line end would run the part before it.
  return html`<div class="command"><span class="label">${name}</span><code tabindex="0" role="group" aria-label="The ${name} line">${safeText(line)}</code><button type="button" class="copy" aria-label="Copy the line ${name}">Copy</button></div>`
}

const longestValue = 2000

/** Texts of at least this length show their number of characters, since limits count characters. */
const longValue = 40

/** The fields, with those marked that were not sent. Undefined if the body is no form. */
export function formMarkup(body: string, marked: readonly string[]): Markup | undefined {
  if (!/^[^\s=&]+=[^\s]*/.test(body)) return undefined
  const fields = fieldsIn(body)
  const sent = new Set(fields.map(([name]) => name))
  return html`<dl class="form">${fields.map(([name, value]) => field(name, value, marked))}${marked
    .filter((name) => !sent.has(name))
    .map((name) => html`<div><dt><mark>${name}</mark></dt><dd><em>not sent</em></dd></div>`)}</dl>`
}

function field(name: string, value: string, marked: readonly string[]): Markup {
  const characters = [...value].length
  const shown = value === '' ? html`<em>empty</em>` : html`<code>${bounded(value, longestValue)}</code>`
  const length = characters < longValue ? undefined : html` <small>${characters} characters</small>`
  return marked.includes(name)
    ? html`<div><dt><mark>${name}</mark></dt><dd><mark>${shown}</mark>${length}</dd></div>`
    : html`<div><dt>${name}</dt><dd>${shown}${length}</dd></div>`
}
