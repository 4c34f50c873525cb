/** What was sent and answered on a page: requests beside their answers, and cases, with the faulty parts marked, and commands to copy. */
import type { Evidence } from '../../deployment/http/exchange.ts'
import type { Failure } from '../../runner/check-result.ts'
import { jsonIn } from '../../schemas/values.ts'
import { safeText } from '../../schemas/wording.ts'
import { cutEnd, fieldsIn, insteadOfCommand, senderWords } from '../finding-text.ts'
import type { Phrase, ShownExchange } from '../nodes.ts'
import { bounded } from '../safe-text.ts'
import { countOf, durationOf } from '../wording.ts'
import { html, type Markup } from './markup.ts'

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

/** The command on one line, with a copy button. Without scripts it can be selected. */
export function command(name: string, line: string): Markup {
  if (line === '') return html``
  const instead = insteadOfCommand(name, line)
  if (instead !== undefined) return html`<p class="line"><small>${instead}</small></p>`
  // Always one line: pasting a line end would run the part before it.
  return html`<div class="command"><span class="label">${name}</span><code tabindex="0" role="group" aria-label="The ${name} line">${safeText(line)}</code><button type="button" class="copy" aria-label="Copy the line ${name}">Copy</button></div>`
}

/** Longer cases are cut. */
const longestCase = 4000

/** Of a control and a probe, only the probe is faulty. */
export function caseMarkup({ text, marked, place }: Phrase & { readonly kind: 'case' }): Markup {
  const shown = bounded(text, longestCase)
  const isMarked: IsMarked = (path) => path[0] !== 'control' && marked.includes(path.at(-1) as string)
  return html`<pre><code>${jsonMarkup(shown, isMarked) ?? withMarks(shown, marked)}</code></pre>${
    place === undefined ? undefined : html`<small>${place}</small>`
  }`
}

/** Whether to mark the member or element at these keys. */
type IsMarked = (path: readonly string[]) => boolean

// A string (also one that was cut), a structural character, or any other token.
const tokens = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/g

const deepestIndent = 24

interface Level {
  readonly close: string
  /** Of the current member or element. */
  key: string
  index: number
}

/** The text, formatted and marked. Undefined if it is no JSON, or if formatting would change more than whitespace. */
export function jsonMarkup(text: string, isMarked: IsMarked): Markup | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined
  const end = cutEnd.exec(text)?.[0] ?? ''
  if (end === '' && jsonIn(text) === undefined) return undefined
  const found = text.slice(0, text.length - end.length).match(tokens) ?? []
  return html`${laidOut(found, isMarked)}${end}`
}

function laidOut(found: readonly string[], isMarked: IsMarked): (string | Markup)[] {
  const pieces: (string | Markup)[] = []
  const levels: Level[] = []
  const line = (): string => `\n${'  '.repeat(Math.min(levels.length, deepestIndent))}`
  const put = (text: string): void => {
    const path = levels.map(({ close, key, index }) => (close === ']' ? String(index) : key))
    pieces.push(levels.length > 0 && isMarked(path) ? html`<mark>${text}</mark>` : text)
  }
  for (let at = 0; at < found.length; at += 1) {
    const token = found[at] as string
    if (token === '{' || token === '[') {
      const close = token === '{' ? '}' : ']'
      const empty = found[at + 1] === close
      put(empty ? token + close : token)
      if (empty) at += 1
      else {
        levels.push({ close, key: '', index: 0 })
        pieces.push(line())
      }
    } else if (token === '}' || token === ']') {
      levels.pop()
      pieces.push(`${line()}${token}`)
    } else if (token === ',') {
      const level = levels.at(-1)
      if (level !== undefined) level.index += 1
      pieces.push(`,${line()}`)
    } else if (token === ':') {
      pieces.push(': ')
    } else {
      const level = levels.at(-1)
      if (found[at + 1] === ':' && level?.close === '}') level.key = String(jsonIn(token) ?? token)
      put(token)
    }
  }
  return pieces
}

const mostFields = 100
const longestValue = 2000

/** Texts of at least this length show their number of characters, since limits count characters. */
const longValue = 40

/** The fields, with those marked that were not sent. Undefined if the body is no form. */
export function formMarkup(body: string, marked: readonly string[]): Markup | undefined {
  if (!/^[^\s=&]+=[^\s]*/.test(body)) return undefined
  const fields = fieldsIn(body)
  const sent = new Set(fields.map(([name]) => name))
  const left = fields.length - mostFields
  return html`<dl class="form">${fields.slice(0, mostFields).map(([name, value]) => field(name, value, marked))}${marked
    .filter((name) => !sent.has(name))
    .map((name) => html`<div><dt><mark>${name}</mark></dt><dd><em>not sent</em></dd></div>`)}${
    left > 0 ? html`<div><dt>…</dt><dd>${left} more: results.json holds them</dd></div>` : undefined
  }</dl>`
}

function field(name: string, value: string, marked: readonly string[]): Markup {
  const characters = [...value].length
  const shown = value === '' ? html`<em>empty</em>` : html`<code>${bounded(value, longestValue)}</code>`
  const length = characters < longValue ? undefined : html` <small>${characters} characters</small>`
  return marked.includes(name)
    ? html`<div><dt><mark>${name}</mark></dt><dd><mark>${shown}</mark>${length}</dd></div>`
    : html`<div><dt>${name}</dt><dd>${shown}${length}</dd></div>`
}

/** A text with all occurrences of the words marked. */
export function withMarks(text: string, words: readonly string[]): Markup {
  const wanted = words
    .filter((word) => word !== '')
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  if (wanted.length === 0) return html`${text}`
  const parts = text.split(new RegExp(`(${wanted.join('|')})`))
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`<mark>${part}</mark>` : part))}`
}
