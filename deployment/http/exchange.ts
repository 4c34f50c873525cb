/** An exchange with a target: the request, the answer, and how the answer is read. */
import { brotliDecompressSync, gunzipSync, type ZlibOptions } from 'node:zlib'
import type { Evidence } from '../../schemas/types/results.ts'
import { type Fields, isObject } from '../../schemas/values.ts'

export type { Evidence } from '../../schemas/types/results.ts'

/** A request as it went over the wire. Holds secrets: it never leaves the process. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Who sent it, for evidence. */
  readonly actor?: string
  /** The id of the operation. */
  readonly about?: string
  readonly sync?: SyncLimit
}

/** How long a workspace is busy at least with the requested sync or a running one, as its fixture says. */
export interface SyncLimit {
  /** In milliseconds from the request. */
  readonly leastMs: number
  /** Another sync runs until then, in ms of `performance.now()`. */
  readonly busyUntil?: number
}

export type HeaderValues = Readonly<Record<string, string | string[] | undefined>>

/** The parts of a complete answer. */
interface AnswerParts {
  readonly request: SentRequest
  readonly status: number
  /** Names in lower case. */
  readonly headers: HeaderValues
  /** After content decoding. */
  readonly body: Buffer
  /** When the request went to the connection and when the answer was complete, in ms of `performance.now()`. */
  readonly sentAt: number
  readonly answeredAt: number
  /**
   * What happened to earlier attempts, in words: a gateway gave up, or the connection was lost. The service may have
   * performed one of them, so a refusal now proves nothing. Absent: there was one attempt.
   */
  readonly repeatedAfter?: readonly string[]
}

/** The body as JSON, or why it is not JSON. */
type Document = { readonly value: unknown } | { readonly error: BodyError | BodyLimitError }

/** Larger bodies are not kept as a whole, in bytes: hundreds of them would fill the memory. */
export const largestKept = 64 * 1024

/** A complete answer, parsed and read once. Anything less is a `TransportError`. */
export class Answer implements AnswerParts {
  readonly request: SentRequest
  readonly status: number
  readonly headers: HeaderValues
  readonly body: Buffer
  readonly sentAt: number
  readonly answeredAt: number
  declare readonly repeatedAfter?: readonly string[]
  #document: Document | undefined
  #keepsDocument = true
  readonly #readings = new Map<(answer: Answer) => unknown, unknown>()

  /** Takes over what was parsed of an answer with the same body. */
  constructor(parts: AnswerParts) {
    this.request = parts.request
    this.status = parts.status
    this.headers = parts.headers
    this.body = parts.body
    this.sentAt = parts.sentAt
    this.answeredAt = parts.answeredAt
    if (parts.repeatedAfter !== undefined) this.repeatedAfter = parts.repeatedAfter
    if (#document in parts) this.#document = parts.#document
  }

  /** Whether the body is too large to be kept for later. */
  get isLarge(): boolean {
    return this.body.length > largestKept
  }

  get document(): Document {
    const document = this.#document ?? parsed(this.body)
    if (this.#keepsDocument) this.#document = document
    return document
  }

  /** The result of that function, which is called once. The result must not hold the parsed document. */
  once<Reading>(read: (answer: Answer) => Reading): Reading {
    if (!this.#readings.has(read)) this.#readings.set(read, read(this))
    return this.#readings.get(read) as Reading
  }

  /** Drops the parsed document of a large body once everything that reads every answer has read it. */
  folded(): void {
    if (!this.isLarge || 'error' in this.document) return
    this.#document = undefined
    this.#keepsDocument = false
  }

  /** The same answer but for that. */
  with(changes: Partial<AnswerParts>): Answer {
    return new Answer({ ...this, ...changes })
  }
}

/** How the judge classifies an exchange. No verdict: no complete answer came, or a status such as 429. */
export type AnswerClass = Evidence['class']

/** The judge's classification of an exchange that becomes evidence. */
export type Classified = Pick<Evidence, 'class' | 'operation' | 'refusal'>

/** Why an exchange is not complete. */
export type TransportFault =
  | 'unreachable'
  | 'timeout'
  | 'broken'
  | 'truncated'
  | 'too-large'
  | 'throttled'
  | 'unavailable'
  | 'not-sent'
  | 'tls'
  | 'interrupted'

/** No complete answer of the service came, so the request was neither accepted nor refused. The message is one line for users. */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  readonly fault: TransportFault
  readonly request: SentRequest
  /** As in an Answer. Absent if the request never went to a connection. */
  readonly sentAt: number | undefined
  /** The last answer of a target that was throttling or not available. */
  readonly answer: Answer | undefined

  constructor(
    fault: TransportFault,
    message: string,
    request: SentRequest,
    { sentAt, answer }: { sentAt?: number | undefined; answer?: Answer } = {},
  ) {
    super(message)
    this.fault = fault
    this.request = request
    this.sentAt = sentAt ?? answer?.sentAt
    this.answer = answer
  }
}

/** The body is not JSON. The message is one line and quotes nothing from the body. */
export class BodyError extends Error {
  override readonly name = 'BodyError'
}

/** The body is beyond the limits of reading, so it cannot be judged. The message is one line. */
export class BodyLimitError extends Error {
  override readonly name = 'BodyLimitError'
}

const deepestNesting = 500
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The body as JSON (RFC 8259; a byte order mark is ignored). Throws a BodyError if it is anything else, and a
 * BodyLimitError if it is nested too deeply.
 */
export function bodyJson({ document }: Answer): unknown {
  if ('error' in document) throw document.error
  return document.value
}

function parsed(body: Buffer): Document {
  // Counted on the bytes, so that a body over the limit is not decoded. A short body has no room for that many levels.
  if (body.length > deepestNesting && nesting(body) > deepestNesting) {
    const why = `the body is nested deeper than ${deepestNesting} levels, which is more than is read`
    return { error: new BodyLimitError(why) }
  }
  let text: string
  try {
    text = utf8.decode(body).replace(/^\uFEFF/, '')
  } catch {
    return { error: new BodyError(`the body of ${body.length} bytes is not valid UTF-8`) }
  }
  if (text.trim() === '') return { error: new BodyError('the body is empty, not JSON') }
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { error: new BodyError(`the body is not JSON: ${whyNotJson(text, error as Error)}`) }
  }
}

/** The fields of the body's JSON object. None if the body is anything else, or beyond the limits of reading. */
export function bodyFields({ document }: Answer): Fields {
  return 'value' in document && isObject(document.value) ? document.value : {}
}

/** The code of the answer's error, which may be a number or text. Undefined: there is none. */
export function errorCode(answer: Answer): number | undefined {
  const { error } = bodyFields(answer) as { error?: { code?: unknown } | null }
  const code = error?.code
  if (typeof code === 'string' && /^\d+$/.test(code)) return Number(code)
  return typeof code === 'number' ? code : undefined
}

/** The codes for a token that has ended, or that the deployment did not see. */
export const tokenCodes: readonly (number | undefined)[] = [498, 499]

/** The code of the answer's error, or else its status. */
export const errorCodeOf = (answer: Answer): number => errorCode(answer) ?? answer.status

// The parser's own message quotes the body, which may hold a secret.
function whyNotJson(text: string, error: Error): string {
  if (text.trimStart().startsWith('<')) return 'it looks like HTML or XML'
  const position = positionIn(error)
  return position === undefined
    ? 'it is incomplete or has a syntax error'
    : `syntax error at position ${position}`
}

/** Where the JSON parser stopped, as its error says. Undefined: the error does not say. */
export function positionIn({ message }: Error): number | undefined {
  // Only at the end of the message: the rest may quote the text.
  const found = /at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message)?.[1]
  return found === undefined ? undefined : Number(found)
}

/** Whether the text ended before the JSON did. */
export function endsEarly(text: string, error: Error): boolean {
  const position = positionIn(error)
  return (
    /^Un(?:expected end|terminated)/.test(error.message) ||
    (position !== undefined && position >= text.length)
  )
}

/** How deeply brackets are nested outside of strings. Counted before parsing, which is recursive. */
function nesting(json: Uint8Array): number {
  let depth = 0
  let deepest = 0
  for (let at = 0; at < json.length; at++) {
    const code = json[at]
    if (code === 0x22) at = endOfString(json, at)
    else if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, ++depth)
    else if (code === 0x5d || code === 0x7d) depth -= 1
  }
  return deepest
}

function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1
  while (at < json.length && json[at] !== 0x22) at += json[at] === 0x5c ? 2 : 1
  return at
}

/** A body that cannot be decoded: the result is too large, or the stream is broken. */
export class DecodingError extends Error {
  override readonly name = 'DecodingError'
  readonly fault: 'too-large' | 'truncated'

  constructor(fault: DecodingError['fault'], message: string) {
    super(message)
    this.fault = fault
  }
}

/**
 * The decoded body of at most `limit` bytes. A body in an encoding that was not requested stays as it came. Throws a
 * DecodingError.
 */
export function decodeContent(body: Buffer, header: string | string[] | undefined, limit: number): Buffer {
  const encoding = String(header).trim().toLowerCase()
  const options: ZlibOptions = { maxOutputLength: Math.max(limit, 1) }
  if (body.length === 0) return body
  try {
    if (encoding === 'gzip' || encoding === 'x-gzip') return gunzipSync(body, options)
    return encoding === 'br' ? brotliDecompressSync(body, options) : body
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ERR_BUFFER_TOO_LARGE') {
      throw new DecodingError('too-large', `decodes from ${encoding} to more than ${limit} bytes`)
    }
    throw new DecodingError('truncated', `is a broken or incomplete ${encoding} stream`)
  }
}
