/** Turns an exchange into evidence: without secrets and control characters, cut to a readable length, with the command that repeats it. */
import { relative } from 'node:path'
import { isUrl } from '../specs/paths.ts'
import type { HttpSettings } from './configuration/configuration.ts'
import { isUnchecked } from './configuration/connection-settings.ts'
import {
  type Answer,
  type Classified,
  type Evidence,
  type HeaderValues,
  type SentRequest,
  TransportError,
} from './http/exchange.ts'
import { hidden, hiddenAddress } from './redaction/hiding.ts'
import {
  carriesCredential,
  fieldName,
  hideFormFields,
  hideJsonFields,
  hideUrl,
  type Redactor,
} from './redaction/redaction.ts'

const longestBody = 4000
// Redaction reads no more than this of a body that is cut anyway.
const longestRead = 64 * 1024

/**
 * The evidence of a complete exchange, or of one that a TransportError ended, with the judge's classification. `began` is
 * the start of the run, in ms of `performance.now()`; without it the evidence has no time.
 */
export function evidenceOf(
  exchange: Answer | TransportError,
  classified: Classified,
  redactor: Redactor,
  began?: number,
): Evidence {
  const { request, sentAt } = exchange
  const form = hideFormFields(request.body, redactor)
  const url = hideUrl(request.url, redactor)
  const { refusal } = classified
  const shared = {
    ...classified,
    ...(refusal === undefined ? {} : { refusal: printable(redactor.text(refusal)) }),
    request: {
      method: request.method,
      url,
      headers: shownHeaders(request.headers, redactor),
      body: cut(printable(form), request.body.length, 'characters'),
    },
    curl: printable(curlLine(request, { url, form }, redactor)),
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
    shown.push([printable(redactor.text(name)), printable(isEmptyIn(name, text, redactor) ? text : safe)])
  }
  return Object.fromEntries(shown)
}

function shownBody(body: Buffer, redactor: Redactor): string {
  // UTF-16 has zero bytes between letters, which would hide a secret from the search.
  if (body.includes(0)) return `(binary: ${body.length} bytes)`
  const start = body.subarray(0, longestRead)
  const whole = start.length === body.length
  const text = decoded(start, whole)
  // The cut may have split a secret: the mark says so to the redactor.
  const safe = hideJsonFields(whole ? text.value : `${text.value}…`, redactor)
  const shown = cut(printable(whole ? safe : safe.replace(/…$/, '')), body.length, 'bytes', !whole)
  return text.valid
    ? shown
    : `(not valid UTF-8: ${body.length} bytes, shown with replacement characters) ${shown}`
}

function decoded(bytes: Buffer, whole: boolean): { value: string; valid: boolean } {
  try {
    // In streaming mode, a character that the cut has split is no error.
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

/** The variable for the credential. */
const credentialVariable = '"$PORTAL_CREDENTIAL"'
/** The variable for the first address. The next ones end in _2, _3 and so on. */
const addressVariable = 'PORTAL_USERNAME'

// curl sets these by itself, or they would make the answer harder to read.
const leftOut = new Set(['user-agent', 'accept', 'accept-encoding'])
const longestData = 32_000

/**
 * The command for a POSIX shell. `safe`: the URL and the form with their secrets hidden. A credential in the query and an
 * address anywhere must be percent-encoded in the variable.
 */
function curlLine(
  request: SentRequest,
  safe: { readonly url: string; readonly form: string },
  redactor: Redactor,
): string {
  const head = ['curl -sS -i -g', ...tlsWords(redactor.http, request.url).map((word) => redactor.text(word))]
  const words = [...head, `-X ${request.method}`, urlWord(safe.url, redactor)]
  for (const [name, value] of Object.entries(request.headers)) {
    if (!leftOut.has(name)) words.push(`-H ${headerWord(name, value, redactor)}`)
  }
  return withAddresses([...words, ...bodyWords(safe.form, redactor)].join(' '))
}

// The placeholder of an address is always between single quotes.
function withAddresses(line: string): string {
  let count = 0
  return line.replaceAll(hiddenAddress, () => {
    count += 1
    return `'"$${addressVariable}${count === 1 ? '' : `_${count}`}"'`
  })
}

function urlWord(safeUrl: string, redactor: Redactor): string {
  const [, path = '', query] = /^([^?]*)(?:\?(.*))?$/s.exec(safeUrl) ?? []
  if (query === undefined) return shellWord(path)
  const pairs = query.split('&').map((pair) => {
    if (!carriesCredential(pair, redactor)) return shellWord(pair)
    const prefix = encodeURIComponent(redactor.authentication.prefix)
    return shellWord(`${encodeURIComponent(fieldName(pair))}=${prefix}`) + credentialVariable
  })
  return `${shellWord(`${path}?`)}${pairs.join("'&'")}`
}

function headerWord(name: string, value: string, redactor: Redactor): string {
  const { in: place, name: credentialName, prefix } = redactor.authentication
  // curl leaves out a header without a value, unless a semicolon follows its name.
  if (isEmptyIn(name, value, redactor)) return shellWord(value === '' ? `${name};` : `${name}: ${value}`)
  if (place === 'header' && name === credentialName.toLowerCase()) {
    return shellWord(`${name}: ${prefix}`) + credentialVariable
  }
  if (place === 'cookie' && name === 'cookie' && value.includes(`${credentialName}=`)) {
    return shellWord(`${name}: ${credentialName}=${prefix}`) + credentialVariable
  }
  if (!redactor.hiddenHeaders.has(name)) return shellWord(`${name}: ${hideUrl(value, redactor)}`)
  return `${shellWord(`${name}: `)}"$PORTAL_${name.toUpperCase().replace(/\W/g, '_')}"`
}

/** Whether the header carries an empty credential and nothing else. There is nothing to hide. */
function isEmptyIn(name: string, value: string, { authentication }: Redactor): boolean {
  const { in: place, name: credentialName, prefix } = authentication
  if (place === 'header') return name.toLowerCase() === credentialName.toLowerCase() && value === prefix
  return place === 'cookie' && name.toLowerCase() === 'cookie' && value === `${credentialName}=${prefix}`
}

// curl joins its data options with & in the given order, and encodes the values of --data-urlencode.
function bodyWords(body: string, redactor: Redactor): string[] {
  if (body === '') return []
  const words: string[] = []
  let plain: string[] = []
  const flush = () => {
    if (plain.length > 0) words.push(`--data-raw ${shellWord(shortened(plain.join('&')))}`)
    plain = []
  }
  for (const pair of body.split('&')) {
    if (!carriesCredential(pair, redactor)) {
      plain.push(pair)
      continue
    }
    flush()
    const field = shellWord(`${encodeURIComponent(fieldName(pair))}=${redactor.authentication.prefix}`)
    words.push(`--data-urlencode ${field}${credentialVariable}`)
  }
  flush()
  return words
}

function shortened(data: string): string {
  if (data.length <= longestData) return data
  return `${data.slice(0, longestData)} (cut: ${data.length} characters in all)`
}

/** Options for TLS. Paths are relative to the folder of the run. */
function tlsWords(http: HttpSettings, url: string): string[] {
  // A recording may hold an invalid URL.
  if (!url.startsWith('https:') || !isUrl(url)) return []
  const { ca, cert, key } = http
  const files = Object.entries({ cacert: ca, cert, key }).flatMap(([name, path]) =>
    path === undefined ? [] : [`--${name} ${fileWord(path)}`],
  )
  return isUnchecked(http, new URL(url).origin) ? [...files, '--insecure'] : files
}

/** Absolute only if the file is outside the folder of the run: reports need not show where that folder is. */
function fileWord(path: string): string {
  const near = relative(process.cwd(), path)
  return shellWord(near.startsWith('..') ? path : near)
}

/** One shell word, whatever it holds. */
function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
