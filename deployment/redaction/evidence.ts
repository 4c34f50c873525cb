/** An exchange as reports may show it: no secrets, no control characters, of readable length; and the command that repeats it. */

import { relative } from 'node:path'
import type { HttpSettings } from '../configuration/configuration.ts'
import { proxyAddress, proxyFor } from '../configuration/proxy-environment.ts'
import { isUnchecked } from '../configuration/tls-settings.ts'
import {
  type Answer,
  type Classified,
  type Evidence,
  type HeaderValues,
  type SentRequest,
  TransportError,
} from '../http/exchange.ts'
import {
  carriesCredential,
  fieldName,
  hideFormFields,
  hideJsonFields,
  hideUrl,
  type Redactor,
} from './redaction.ts'
import { hidden, hiddenAddress } from './secret-hider.ts'

const longestBody = 4000
// Redaction reads no more than this of a body that is cut anyway.
const longestRead = 64 * 1024

/**
 * The evidence of a complete exchange, or of one that a TransportError ended; the judge classified it. `began` is when
 * the run did, in ms of `performance.now()`; without it the evidence does not say when it was sent.
 */
export function evidenceOf(
  exchange: Answer | TransportError,
  classified: Classified,
  redactor: Redactor,
  began?: number,
): Evidence {
  const { request, sentAt } = exchange
  const form = hideFormFields(request.body, redactor)
  const shared = {
    ...classified,
    request: {
      method: request.method,
      url: hideUrl(request.url, redactor),
      headers: shownHeaders(request.headers, redactor),
      body: cut(printable(form), request.body.length, 'characters'),
    },
    curl: printable(curlLine(request, form, redactor)),
    ...(request.actor === undefined ? {} : { actor: request.actor }),
    ...(began === undefined || sentAt === undefined ? {} : timesOf(request, sentAt, began)),
  }
  if (exchange instanceof TransportError) {
    const { answer, message } = exchange
    return {
      ...shared,
      ...(answer === undefined ? {} : { response: shownAnswer(answer, redactor) }),
      error: printable(redactor.text(message)),
    }
  }
  return { ...shared, response: shownAnswer(exchange, redactor) }
}

function timesOf(
  { sync }: SentRequest,
  sentAt: number,
  began: number,
): Pick<Evidence, 'atMs' | 'syncUntilMs'> {
  const atMs = tenths(Math.max(0, sentAt - began))
  if (sync === undefined) return { atMs }
  const { leastMs, busyUntil = 0 } = sync
  return { atMs, syncUntilMs: tenths((busyUntil > sentAt ? busyUntil : sentAt + leastMs) - began) }
}

const shownAnswer = (answer: Answer, redactor: Redactor): NonNullable<Evidence['response']> => ({
  status: answer.status,
  headers: shownHeaders(answer.headers, redactor),
  body: shownBody(answer.body, redactor),
  durationMs: tenths(answer.answeredAt - answer.sentAt),
})

const tenths = (ms: number): number => Math.round(ms * 10) / 10

function shownHeaders(headers: HeaderValues, redactor: Redactor): Record<string, string> {
  const shown: [string, string][] = []
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue
    const text = Array.isArray(value) ? value.join(', ') : value
    const safe = redactor.hiddenHeaders.has(name.toLowerCase()) ? hidden : hideUrl(text, redactor)
    shown.push([printable(redactor.text(name)), printable(safe)])
  }
  return Object.fromEntries(shown)
}

function shownBody(body: Buffer, redactor: Redactor): string {
  // Text in UTF-16 has zero bytes between its letters, where no secret would be found.
  if (body.includes(0)) return `(binary: ${body.length} bytes)`
  const start = body.subarray(0, longestRead)
  const whole = start.length === body.length
  const text = decoded(start, whole)
  let safe = hideJsonFields(text.value, redactor)
  // The cut may have split a secret, of which the first part would remain.
  if (!whole) safe = safe.slice(0, Math.max(0, safe.length - redactor.longestSecret))
  const shown = cut(printable(safe), body.length, 'bytes', !whole)
  return text.valid
    ? shown
    : `(not valid UTF-8: ${body.length} bytes, shown with replacement characters) ${shown}`
}

function decoded(bytes: Buffer, whole: boolean): { value: string; valid: boolean } {
  try {
    // Streaming: a character that the cut has split is no error.
    const value = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: !whole })
    return { value, valid: true }
  } catch {
    return { value: bytes.toString('utf8'), valid: false }
  }
}

function cut(text: string, length: number, unit: string, incomplete = false): string {
  if (text.length <= longestBody && !incomplete) return text
  return `${text.slice(0, longestBody)}… (cut: ${length} ${unit} in all)`
}

function printable(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The variable that the line takes the credential from. */
const credentialVariable = '"$PORTAL_CREDENTIAL"'
/** The one that it takes the first address from; the next end in _2, _3 and so on. */
const addressVariable = 'PORTAL_USERNAME'

// What curl sets by itself, or what would only make the answer harder to read.
const leftOut = new Set(['user-agent', 'accept', 'accept-encoding'])
const longestData = 32_000

/**
 * The line for a POSIX shell; `hiddenBody` is the form with its secrets hidden. A credential in the query and an
 * address anywhere must be percent-encoded in the variable.
 */
export function curlLine(request: SentRequest, hiddenBody: string, redactor: Redactor): string {
  const head = [
    'curl -sS -i -g',
    ...networkWords(redactor.http, request.url).map((word) => redactor.text(word)),
  ]
  const words = [...head, `-X ${request.method}`, urlWord(request.url, redactor)]
  for (const [name, value] of Object.entries(request.headers)) {
    if (!leftOut.has(name)) words.push(`-H ${headerWord(name, value, redactor)}`)
  }
  return withAddresses([...words, ...bodyWords(hiddenBody, redactor)].join(' '))
}

// Whatever stands in for an address stands between single quotes.
function withAddresses(line: string): string {
  let count = 0
  return line.replaceAll(hiddenAddress, () => {
    count += 1
    return `'"$${addressVariable}${count === 1 ? '' : `_${count}`}"'`
  })
}

function urlWord(url: string, redactor: Redactor): string {
  const [path, query] = splitOnce(hideUrl(url, redactor), '?')
  if (query === undefined) return shellWord(path)
  const pairs = query.split('&').map((pair) => {
    const name = fieldName(pair)
    if (!carriesCredential(name, redactor)) return shellWord(pair)
    const prefix = encodeURIComponent(redactor.authentication.prefix)
    return shellWord(`${encodeURIComponent(name)}=${prefix}`) + credentialVariable
  })
  return `${shellWord(`${path}?`)}${pairs.join("'&'")}`
}

function headerWord(name: string, value: string, redactor: Redactor): string {
  const { in: place, name: credentialName, prefix } = redactor.authentication
  if (place === 'header' && name === credentialName.toLowerCase()) {
    return shellWord(`${name}: ${prefix}`) + credentialVariable
  }
  if (place === 'cookie' && name === 'cookie' && value.includes(`${credentialName}=`)) {
    return shellWord(`${name}: ${credentialName}=${prefix}`) + credentialVariable
  }
  return shellWord(`${name}: ${redactor.hiddenHeaders.has(name) ? hidden : hideUrl(value, redactor)}`)
}

// curl joins its data words by & in the order given, and encodes what --data-urlencode names.
function bodyWords(body: string, redactor: Redactor): string[] {
  if (body === '') return []
  const words: string[] = []
  let plain: string[] = []
  const flush = () => {
    if (plain.length > 0) words.push(`--data-raw ${shellWord(shortened(plain.join('&')))}`)
    plain = []
  }
  for (const pair of body.split('&')) {
    const name = fieldName(pair)
    if (!carriesCredential(name, redactor)) {
      plain.push(pair)
      continue
    }
    flush()
    const field = shellWord(`${encodeURIComponent(name)}=${redactor.authentication.prefix}`)
    words.push(`--data-urlencode ${field}${credentialVariable}`)
  }
  flush()
  return words
}

function shortened(data: string): string {
  if (data.length <= longestData) return data
  return `${data.slice(0, longestData)} (cut: ${data.length} characters in all)`
}

function splitOnce(text: string, separator: string): [before: string, after?: string] {
  const start = text.indexOf(separator)
  return start < 0 ? [text] : [text.slice(0, start), text.slice(start + separator.length)]
}

/** The variable that the line takes the credentials of a proxy from: NAME:PASSWORD. */
const proxyVariable = '"$PORTAL_PROXY_USER"'

/** Words for a shell; none where curl goes the same way by itself. Paths are seen from the folder of the run. */
function networkWords(http: HttpSettings, url: string): string[] {
  // A recording may hold anything.
  if (!URL.canParse(url)) return []
  const { origin, protocol } = new URL(url)
  return [...(protocol === 'https:' ? tlsWords(http, origin) : []), ...proxyWords(http, origin)]
}

function tlsWords(http: HttpSettings, origin: string): string[] {
  const { ca, cert, key } = http
  const files = Object.entries({ cacert: ca, cert, key }).flatMap(([name, path]) =>
    path === undefined ? [] : [`--${name} ${fileWord(path)}`],
  )
  return isUnchecked(http, origin) ? [...files, '--insecure'] : files
}

function proxyWords(http: HttpSettings, origin: string): string[] {
  const proxy = proxyFor(http.proxy, origin)
  if (proxy === undefined) return []
  const { protocol, username, password } = new URL(proxy.url)
  const secure = protocol === 'https:'
  return [
    `--proxy ${shellWord(proxyAddress(proxy))}`,
    // The environment does not touch a proxy of the configuration; curl would leave it out for hosts in NO_PROXY.
    ...(proxy.from === 'http.proxy' ? ["--noproxy ''"] : []),
    ...(username === '' && password === '' ? [] : [`--proxy-user ${proxyVariable}`]),
    ...(secure && http.ca !== undefined ? [`--proxy-cacert ${fileWord(http.ca)}`] : []),
  ]
}

/** Whole only where the file is outside the folder of the run: the way there is nobody's concern. */
function fileWord(path: string): string {
  const near = relative(process.cwd(), path)
  return shellWord(near.startsWith('..') ? path : near)
}

/** One word, whatever it holds. */
function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
