/** One entry of a HAR file as a recorded exchange. Nothing that the entry holds is taken on trust. */

import { DecodingError, decodeContent } from '../http/content-encoding.ts'
import type { HeaderValues } from '../http/exchange.ts'
import { endsEarly, member } from './har-file.ts'
import { cutMark, type RecordedExchange, recordedForm } from './har-form.ts'

/** What is looked at before an entry is read as a whole. */
interface Addressed {
  readonly method: string
  readonly url: URL
}

/** Method and URL of an entry; undefined where it is none, or not of HTTP. */
export function addressOf(entry: unknown): Addressed | undefined {
  const method = member(entry, 'request', 'method')
  const url = member(entry, 'request', 'url')
  if (typeof method !== 'string' || typeof url !== 'string' || !/^https?:/i.test(url)) return undefined
  if (!URL.canParse(url)) return undefined
  return { method: method.toUpperCase(), url: new URL(url) }
}

/** The exchange of an entry whose address is known. */
export async function recordedExchange(
  entry: unknown,
  { method, url }: Addressed,
  place: string,
): Promise<RecordedExchange> {
  const headers = headersOf(member(entry, 'request', 'headers'))
  const form = await recordedForm(member(entry, 'request'), url, headers)
  const { body, ...recorded } = form
  const request = { method, url: url.href, headers: joined(headers), body }
  const started = Date.parse(String(member(entry, 'startedDateTime')))
  const startedAt = Number.isFinite(started) ? started : undefined
  const took = member(entry, 'time')
  const durationMs = typeof took === 'number' && took > 0 && took < 1e9 ? took : 0
  const read = recordedAnswer(member(entry, 'response'), headersOf(member(entry, 'response', 'headers')))
  return {
    place,
    url,
    request,
    form: recorded,
    ...(startedAt === undefined ? {} : { startedAt }),
    bytes: read.status !== undefined && read.bytes,
    ...(read.lacks === undefined ? {} : { lacks: read.lacks }),
    ...(read.status === undefined
      ? {}
      : {
          answer: {
            request,
            status: read.status,
            headers: read.headers,
            body: read.body,
            sentAt: startedAt ?? 0,
            answeredAt: (startedAt ?? 0) + durationMs,
          },
        }),
  }
}

/** Headers by their names in lower case; those that HTTP/2 makes up are left out. */
function headersOf(list: unknown): HeaderValues {
  const headers = new Map<string, string | string[]>()
  for (const header of Array.isArray(list) ? list : []) {
    const [name, value] = [member(header, 'name'), member(header, 'value')]
    if (typeof name !== 'string' || typeof value !== 'string' || name === '' || name.startsWith(':')) continue
    const key = name.toLowerCase()
    const before = headers.get(key)
    headers.set(key, before === undefined ? value : [before, value].flat())
  }
  return Object.fromEntries(headers)
}

function joined(headers: HeaderValues): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
}

type ReadAnswer =
  | {
      readonly status: number
      readonly headers: HeaderValues
      readonly body: Buffer
      /** Whether these are the bytes that came, and not a text that a recorder made of them. */
      readonly bytes: boolean
      /** Why the body is not known, where the status alone makes the answer a refusal. */
      readonly lacks?: string
    }
  | { readonly status?: undefined; readonly lacks: string }

const noAnswer = 'no complete answer was recorded'
const noBody = 'the recording holds no body of the answer'
const partOfBody = 'the recording holds only a part of the body of the answer'
const brokenBody = 'the body of the answer cannot be decoded'
/** Largest body that a compressed one may decode to, in bytes. */
const largestBody = 16 * 1024 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The answer of an entry. */
function recordedAnswer(response: unknown, headers: HeaderValues): ReadAnswer {
  const status = member(response, 'status')
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 100 || status > 999) {
    return { lacks: noAnswer }
  }
  const typed = withType(headers, member(response, 'content', 'mimeType'))
  const text = member(response, 'content', 'text')
  const size = member(response, 'content', 'size')
  if (typeof text !== 'string' || (text === '' && Number(size) > 0)) {
    const refused = status < 200 || status > 299
    return refused ? { status, headers: typed, body: none, bytes: false, lacks: noBody } : { lacks: noBody }
  }
  if (member(response, 'content', 'encoding') === 'base64') return fromBase64(text, status, typed)
  if (cutMark.test(text) || isCut(text, size)) return { lacks: partOfBody }
  return { status, headers: typed, body: Buffer.from(text), bytes: false }
}

const none = Buffer.alloc(0)

/** JSON that breaks off, of which the recording itself says that there was more: that is the recorder's fault. */
function isCut(text: string, size: unknown): boolean {
  if (!(Number(size) > Buffer.byteLength(text)) || !/^\s*[[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return false
  } catch (error) {
    return endsEarly(text, error as Error)
  }
}

function fromBase64(text: string, status: number, headers: HeaderValues): ReadAnswer {
  const plain = text.replace(/\s+/g, '')
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(plain)) return { lacks: brokenBody }
  const bytes = Buffer.from(plain, 'base64')
  try {
    return { status, headers, body: uncompressed(bytes, headers), bytes: true }
  } catch (error) {
    if (!(error instanceof DecodingError)) throw error
    return { lacks: brokenBody }
  }
}

/** A HAR file holds bodies decoded; some recorders keep them as they came over the wire. */
function uncompressed(bytes: Buffer, headers: HeaderValues): Buffer {
  try {
    utf8.decode(bytes)
    return bytes
  } catch {
    return decodeContent(bytes, headers['content-encoding'], largestBody)
  }
}

/** Recorders that keep no headers often keep the type. */
function withType(headers: HeaderValues, type: unknown): HeaderValues {
  if (
    headers['content-type'] !== undefined ||
    typeof type !== 'string' ||
    type === '' ||
    type === 'x-unknown'
  )
    return headers
  return { ...headers, 'content-type': type }
}
