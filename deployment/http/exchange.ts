/** The exchange with a target: what was asked, what came, and how what came is read. */

import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib'
import { type Fields, isObject } from '../../schemas/any-value.ts'

/** A request as it went over the wire. Holds secrets: it never leaves the process. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Who sends it, for its evidence. */
  readonly actor?: string
  /** What it asks for: the id of the operation. */
  readonly about?: string
  readonly sync?: SyncLimit
}

/** How long a workspace is busy at least, as its fixture says: with the sync that is asked for, or with one that runs. */
export interface SyncLimit {
  /** In milliseconds from the request. */
  readonly leastMs: number
  /** Another sync runs until then, in ms of `performance.now()`. */
  readonly busyUntil?: number
}

export type HeaderValues = Readonly<Record<string, string | string[] | undefined>>

/** What makes up a complete answer. */
interface AnswerParts {
  readonly request: SentRequest
  readonly status: number
  /** Names in lower case. */
  readonly headers: HeaderValues
  /** After content decoding. */
  readonly body: Buffer
  /** When the request was handed to the connection and when the answer was complete, in ms of `performance.now()`. */
  readonly sentAt: number
  readonly answeredAt: number
  /**
   * What the same request met with before, in words: a gateway that did not answer for the service, or a connection
   * that was lost. The service may have done it then, so that a refusal now proves nothing. Absent: it was sent once.
   */
  readonly repeatedAfter?: readonly string[]
}

/** The body as JSON, or why it is none. */
type Document = { readonly value: unknown } | { readonly error: BodyError | BodyLimitError }

/** Of a larger body only the beginning is kept for later, in bytes: some hundreds of them would fill the memory. */
export const largestKept = 64 * 1024

/** A complete answer, which is parsed and read once. Anything less is a `TransportError`. */
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

  /** What was parsed of an answer with the same body is taken over. */
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

  /** What that function reads of it; each is asked once. What it gives must not hold what was parsed. */
  once<Reading>(read: (answer: Answer) => Reading): Reading {
    if (!this.#readings.has(read)) this.#readings.set(read, read(this))
    return this.#readings.get(read) as Reading
  }

  /** All that looks at every answer has seen it: a large body is parsed again for each that asks from now on. */
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

/** How the judge reads an exchange. No verdict: no complete answer came, or one that is neither, such as HTTP 429. */
export type AnswerClass = 'accepted' | 'refused' | 'no-verdict'

/** What the judge says of an exchange that becomes evidence. */
export interface Classified {
  readonly class: AnswerClass
  /** The operation that was asked for: its id. Absent where it was a page. */
  readonly operation?: string
  /** Why a refused answer is no acceptance, in one line: its status, and what its body says. */
  readonly refusal?: string
}

/** An exchange as reports show it: redacted, cut to a readable length. */
export interface Evidence extends Classified {
  readonly request: { method: string; url: string; headers: Record<string, string>; body: string }
  /** Absent where no complete answer came; `error` then says why. */
  readonly response?: { status: number; headers: Record<string, string>; body: string; durationMs: number }
  readonly error?: string
  /** Repeats the request; credentials are environment variables in it. */
  readonly curl: string
  /** Who sent it. */
  readonly actor?: string
  /** When it was sent, in milliseconds since the run began. */
  readonly atMs?: number
  /** Until when at least a sync of its workspace runs, as the fixture says; in milliseconds since the run began. */
  readonly syncUntilMs?: number
}

/** What keeps an exchange from being complete. */
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

/** No complete answer of the service came: neither accepted nor refused. The message is one line for users. */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  readonly fault: TransportFault
  readonly request: SentRequest
  /** As in an Answer; absent where the request was never handed to a connection. */
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

/** The body is not what it was read as. The message is one line and quotes nothing from the body. */
export class BodyError extends Error {
  override readonly name = 'BodyError'
}

/** The body is more than is read; whether it is right is not known. The message is one line. */
export class BodyLimitError extends Error {
  override readonly name = 'BodyLimitError'
}

const deepestNesting = 500
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The body as JSON (RFC 8259; a byte order mark is ignored). Throws a BodyError where it is anything else, and a
 * BodyLimitError where it is nested deeper than is read.
 */
export function bodyJson({ document }: Answer): unknown {
  if ('error' in document) throw document.error
  return document.value
}

function parsed(body: Buffer): Document {
  // On the bytes: a body that is not read further is not decoded either. A shorter one has no room for so many.
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

/** The fields of the JSON object that the body is; none where it is anything else, or more than is read. */
export function bodyFields({ document }: Answer): Fields {
  return 'value' in document && isObject(document.value) ? document.value : {}
}

/** The code that the error of an answer names, as a number or as text; undefined where it names none. */
export function errorCode(answer: Answer): number | undefined {
  const { error } = bodyFields(answer) as { error?: { code?: unknown } | null }
  const code = error?.code
  if (typeof code === 'string' && /^\d+$/.test(code)) return Number(code)
  return typeof code === 'number' ? code : undefined
}

/** The code of an answer's error, or its status where it names none. */
export const errorCodeOf = (answer: Answer): number => errorCode(answer) ?? answer.status

// The parser's own message quotes the body, which may hold a secret.
function whyNotJson(text: string, error: Error): string {
  if (text.trimStart().startsWith('<')) return 'it looks like HTML or XML'
  const position = positionIn(error)
  return position === undefined
    ? 'it is incomplete or has a syntax error'
    : `syntax error at position ${position}`
}

/** Where in a text that is no JSON its parser stopped, as the error says; undefined where it does not. */
export function positionIn({ message }: Error): number | undefined {
  // At the end of the message: what stands before may quote the text.
  const found = /at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message)?.[1]
  return found === undefined ? undefined : Number(found)
}

/** Whether it was the end of the text that the parser complained of. */
export function endsEarly(text: string, error: Error): boolean {
  const position = positionIn(error)
  return (
    /^Un(?:expected end|terminated)/.test(error.message) ||
    (position !== undefined && position >= text.length)
  )
}

/** How deep brackets are nested outside of strings; counted before parsing, so that no recursion runs away. */
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

/** Why a body could not be decoded: too much came out, or the stream is broken. */
export class DecodingError extends Error {
  override readonly name = 'DecodingError'
  readonly fault: 'too-large' | 'truncated'

  constructor(fault: DecodingError['fault'], message: string) {
    super(message)
    this.fault = fault
  }
}

const mostEncodings = 4
// The compression method in a zlib header.
const deflated = 8

/**
 * The body behind its content encodings, of at most `limit` bytes. An encoding that was never asked for leaves the
 * body as it came. Throws a DecodingError.
 */
export function decodeContent(body: Buffer, header: string | string[] | undefined, limit: number): Buffer {
  if (header === undefined || body.length === 0) return body
  const encodings = String(header)
    .toLowerCase()
    .split(',')
    .map((encoding) => encoding.trim())
    .filter((encoding) => encoding !== '' && encoding !== 'identity')
  if (encodings.length > mostEncodings) return body
  return encodings.reduceRight((decoded, encoding) => decodeOne(decoded, encoding, limit), body)
}

function decodeOne(body: Buffer, encoding: string, limit: number): Buffer {
  const options: ZlibOptions = { maxOutputLength: Math.max(limit, 1) }
  try {
    if (encoding === 'gzip' || encoding === 'x-gzip') return gunzipSync(body, options)
    if (encoding === 'br') return brotliDecompressSync(body, options)
    if (encoding === 'deflate')
      return hasZlibHeader(body) ? inflateSync(body, options) : inflateRawSync(body, options)
    return body
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ERR_BUFFER_TOO_LARGE') {
      throw new DecodingError('too-large', `decodes from ${encoding} to more than ${limit} bytes`)
    }
    throw new DecodingError('truncated', `is a broken or incomplete ${encoding} stream`)
  }
}

// "deflate" means the zlib format, but servers also send the bare stream.
function hasZlibHeader(body: Buffer): boolean {
  const first = body[0]!
  return (first & 0x0f) === deflated && ((first << 8) | (body[1] ?? 0)) % 31 === 0
}
