/** One finding: what was acceptable, what came, the smallest case, the exchange that shows it, and how to see it again. */
import type { Evidence } from '../../deployment/http/exchange.ts'
import { decodeForm, type FormField } from '../../deployment/http/outgoing-request.ts'
import type { Failure } from '../../runner/check-result.ts'
import { jsonIn } from '../../schemas/any-value.ts'
import { askedIn, pageIn, sentWords } from '../card-words.ts'
import { cutEnd } from '../case-words.ts'
import { sightings } from '../finding-text.ts'
import type { ReportedCheck, RequirementResult } from '../results.ts'
import { safeText } from '../safe-text.ts'
import { countOf, durationOf } from '../wording.ts'
import { timeline } from './charts.ts'
import { anchorOf, bounded, html, type Markup } from './markup.ts'

/** Before the exchange that the finding rests on. */
const mostEarlier = 4
const longestText = 4000

/** A check that is called like its requirement is linked to with it. */
export function anchorIn(requirement: RequirementResult, check: ReportedCheck): Markup | undefined {
  return check.id === requirement.id ? undefined : html` id="${anchorOf(check.id)}"`
}

/** What was found, as a title. */
export function foundWords({ failure, reason }: ReportedCheck): string {
  return bounded(failure?.message ?? reason ?? 'no reason given', longestText)
}

/** A finding below its title: what was sent, expected and answered, the exchanges, and how to see it again. */
export function findingBody(requirement: RequirementResult, check: ReportedCheck): Markup {
  const { failure, evidence: exchanges = [] } = check
  const asked = askedIn(check)
  const waiver = waiverWords(check)
  return html`${waiver === undefined ? undefined : html`<p class="which"><strong>Waived:</strong> ${waiver}</p>`}
${failure === undefined ? undefined : grounds(check, failure)}
${asked === undefined ? undefined : html`${isTimed(requirement) ? timeline(exchanges) : undefined}${exchangeMarkup(asked, failure?.marks)}${pageMarkup(check)}${command('curl', asked.curl)}`}
${failure === undefined ? undefined : command('replay', failure.replay)}
${asked === undefined ? undefined : earlierExchanges(exchanges, asked)}`
}

/** The page that shows the effect; its body is folded, since the finding says what matters of it. */
function pageMarkup(check: ReportedCheck): Markup | undefined {
  const shown = pageIn(check)
  if (shown === undefined) return undefined
  const { page, later } = shown
  return html`<details class="earlier"><summary>The page that shows the effect${later === undefined ? '' : `, ${later}`}</summary>
${exchangeMarkup(page, check.failure?.marks)}</details>
`
}

function grounds(check: ReportedCheck, failure: Failure): Markup {
  const { counterexample, seed, path } = failure
  const seen = sightings(failure)
  const place = seed === undefined ? undefined : `seed ${seed}${path === undefined ? '' : `, case ${path}`}`
  return html`<dl class="grounds">${answerRows(check, failure, longestText)}${
    seen === undefined ? undefined : html`<div><dt>Seen</dt><dd>${seen}</dd></div>`
  }${
    counterexample !== undefined
      ? html`<div><dt>Smallest case</dt><dd><pre><code>${caseMarkup(counterexample, failure.marks?.request ?? [])}</code></pre>${place === undefined ? undefined : html`<small>${place}</small>`}</dd></div>`
      : undefined
  }</dl>`
}

/** What was sent that matters, what was expected, and what came: the answer to what is wrong. */
export function answerRows(check: ReportedCheck, { expected, actual }: Failure, longest: number): Markup {
  return html`<div><dt>Sent</dt><dd>${bounded(sentWords(check), longest)}</dd></div><div><dt>Expected</dt><dd>${expected.map((each, at) => html`${at === 0 ? '' : html`<br><small>or</small> `}${bounded(each, longest)}`)}</dd></div><div><dt>Came</dt><dd><strong>${bounded(actual, longest)}</strong></dd></div>`
}

/** In a pair of control and probe only the probe is at fault. */
function caseMarkup(counterexample: string, marked: readonly string[]): Markup {
  const text = bounded(counterexample, longestText)
  return (
    jsonMarkup(text, (path) => path[0] !== 'control' && marked.includes(path.at(-1) as string)) ??
    withMarks(text, marked)
  )
}

/** Rules of which the order and the time of requests are the point. */
export function isTimed({ kind }: RequirementResult): boolean {
  return kind === 'order' || kind === 'races'
}

function earlierExchanges(exchanges: readonly Evidence[], asked: Evidence): Markup | undefined {
  const earlier = exchanges.slice(0, exchanges.indexOf(asked))
  if (earlier.length === 0) return undefined
  const near = earlier.slice(-mostEarlier)
  const far = earlier.length - near.length
  return html`<details class="earlier"><summary>${countOf(near.length, 'exchange')} before it${far > 0 ? ` (${far} more in results.json)` : ''}</summary>
${near.map((exchange) => html`${exchangeMarkup(exchange)}${command('curl', exchange.curl)}`)}</details>
`
}

/** Evidence is cut at capture; what was written by others is cut here. */
const longestBody = 4400
const mostHeaders = 60

/** The exchange; `marks` say what is at fault in it. */
function exchangeMarkup(exchange: Evidence, marks: Failure['marks'] = {}): Markup {
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

/** What is at fault and not to be seen: it is missing, or beyond what is shown. */
function absent(marked: readonly string[], seen: ReadonlySet<string>): Markup | undefined {
  const missing = marked.filter((path) => !seen.has(path))
  if (missing.length === 0) return undefined
  return html`<p class="line">At fault and not in what is shown: ${missing.map((path) => html`<mark>${path}</mark> `)}</p>`
}

function headers(values: Readonly<Record<string, string>>): Markup | undefined {
  const entries = Object.entries(values)
  if (entries.length === 0) return undefined
  return html`<details class="headers"><summary>${countOf(entries.length, 'header')}</summary><dl class="form">${entries
    .slice(0, mostHeaders)
    .map(
      ([name, value]) =>
        html`<div><dt>${name}</dt><dd><code>${bounded(value, longestBody)}</code></dd></div>`,
    )}</dl></details>
`
}

/** Why a failure does not count, who answers for it, and until when. */
export function waiverWords({ waiver }: ReportedCheck): Markup | undefined {
  if (waiver === undefined) return undefined
  const { reason, owner, link, expires } = waiver
  return html`${reason} (${owner}, until ${expires}${link === undefined ? '' : html`, ${outside(link)}`})`
}

/** A link out of the page is one only where it leads to a web page. */
function outside(link: string): Markup {
  return /^https?:\/\/[^\s]+$/i.test(link)
    ? html`<a href="${link}" rel="noopener noreferrer">${link}</a>`
    : html`<code>${link}</code>`
}

/** A longer command does not help at a prompt: it stands in results.json. */
const longestCommand = 6000

/** The command on one line, with a button; without a script it is there to be selected. */
function command(name: string, line: string): Markup {
  if (line === '') return html``
  if (line.length > longestCommand) {
    return html`<p class="line"><small>The ${name} line has ${line.length} characters: results.json holds it.</small></p>`
  }
  // One line whatever it holds: a line end that is pasted would start what comes before it.
  return html`<div class="command"><span class="label">${name}</span><code tabindex="0" role="group" aria-label="The ${name} line">${safeText(line)}</code><button type="button" class="copy" aria-label="Copy the ${name} line">Copy</button></div>`
}

/** Whether the member or element at these keys is to be marked. */
type IsMarked = (path: readonly string[]) => boolean

// A string (also one that the cut ended), a sign of structure, or any other word.
const tokens = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/g

const deepestIndent = 24

interface Level {
  readonly close: string
  /** Of the member or element that is being read. */
  key: string
  index: number
}

/** The text laid out and marked; undefined where it is no JSON, or more than whitespace would change. */
export function jsonMarkup(text: string, isMarked: IsMarked): Markup | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined
  const end = cutEnd.exec(text)?.[0] ?? ''
  if (end === '' && jsonIn(text) === undefined) return undefined
  const found = text.slice(0, text.length - end.length).match(tokens) ?? []
  return html`${laidOut(found, isMarked)}${end}`
}

function laidOut(found: readonly string[], isMarked: IsMarked): Markup[] {
  const pieces: Markup[] = []
  const levels: Level[] = []
  let plain = ''
  const line = (): string => `\n${'  '.repeat(Math.min(levels.length, deepestIndent))}`
  const put = (text: string, marked: boolean): void => {
    if (!marked) {
      plain += text
      return
    }
    if (plain !== '') pieces.push(html`${plain}`)
    plain = ''
    pieces.push(html`<mark>${text}</mark>`)
  }
  const here = (): boolean =>
    levels.length > 0 &&
    isMarked(levels.map(({ close, key, index }) => (close === ']' ? String(index) : key)))
  for (let at = 0; at < found.length; at += 1) {
    const token = found[at] as string
    if (token === '{' || token === '[') {
      const close = token === '{' ? '}' : ']'
      const empty = found[at + 1] === close
      put(empty ? token + close : token, here())
      if (empty) at += 1
      else {
        levels.push({ close, key: '', index: 0 })
        plain += line()
      }
    } else if (token === '}' || token === ']') {
      levels.pop()
      plain += `${line()}${token}`
    } else if (token === ',') {
      const level = levels.at(-1)
      if (level !== undefined) level.index += 1
      plain += `,${line()}`
    } else if (token === ':') {
      plain += ': '
    } else if (found[at + 1] === ':' && levels.at(-1)?.close === '}') {
      ;(levels.at(-1) as Level).key = String(jsonIn(token) ?? token)
      put(token, here())
    } else {
      put(token, here())
    }
  }
  return plain === '' ? pieces : [...pieces, html`${plain}`]
}

const mostFields = 100
const longestValue = 2000

/** From this length on the number of characters is said: limits are about it. */
const longValue = 40

/** The fields, and those marked that were not sent; undefined where the body is no form. */
export function formMarkup(body: string, marked: readonly string[]): Markup | undefined {
  const fields = fieldsOf(body)
  if (fields === undefined) return undefined
  const sent = new Set(fields.map(([name]) => name))
  const left = fields.length - mostFields
  return html`<dl class="form">${fields.slice(0, mostFields).map(([name, value]) => field(name, value, marked))}${marked
    .filter((name) => !sent.has(name))
    .map((name) => html`<div><dt><mark>${name}</mark></dt><dd><em>not sent</em></dd></div>`)}${
    left > 0 ? html`<div><dt>…</dt><dd>${left} more: results.json holds them</dd></div>` : undefined
  }</dl>`
}

function fieldsOf(body: string): FormField[] | undefined {
  if (!/^[^\s=&]+=[^\s]*/.test(body)) return undefined
  return body.split('&').flatMap((pair) => {
    try {
      return decodeForm(pair)
    } catch {
      // What does not decode was sent so on purpose, or was cut: it is shown as it went.
      const [name = '', ...rest] = pair.split('=')
      return [[name, rest.join('=')]] as FormField[]
    }
  })
}

function field(name: string, value: string, marked: readonly string[]): Markup {
  const characters = [...value].length
  const shown = value === '' ? html`<em>empty</em>` : html`<code>${bounded(value, longestValue)}</code>`
  const length = characters < longValue ? undefined : html` <small>${characters} characters</small>`
  return marked.includes(name)
    ? html`<div><dt><mark>${name}</mark></dt><dd><mark>${shown}</mark>${length}</dd></div>`
    : html`<div><dt>${name}</dt><dd>${shown}${length}</dd></div>`
}

/** A text with every occurrence of the words marked. */
export function withMarks(text: string, words: readonly string[]): Markup {
  const wanted = words
    .filter((word) => word !== '')
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  if (wanted.length === 0) return html`${text}`
  const parts = text.split(new RegExp(`(${wanted.join('|')})`))
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`<mark>${part}</mark>` : part))}`
}
