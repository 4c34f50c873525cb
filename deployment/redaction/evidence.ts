/** Turns an exchange into evidence: without secrets and control characters, cut to a readable length, with the command that repeats it. */
import { curlLine } from '../http/curl-line.ts'
import {
  type Answer,
  type Classified,
  type Evidence,
  type HeaderValues,
  type SentRequest,
  TransportError,
} from '../http/exchange.ts'
import { hidden } from './hiding.ts'
import { hideFormFields, hideJsonFields, hideUrl, type Redactor } from './redaction.ts'

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
  const { refusal } = classified
  const shared = {
    ...classified,
    ...(refusal === undefined ? {} : { refusal: printable(redactor.text(refusal)) }),
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
