/** Turns an entry of a HAR file into a recorded exchange. Nothing in the entry is trusted. */
import { at, textAt, withoutUndefined } from '../../schemas/values.ts'
import { isUrl } from '../../specs/paths.ts'
import {
  Answer,
  DecodingError,
  decodeContent,
  endsEarly,
  type HeaderValues,
  type SentRequest,
} from '../http/exchange.ts'
import { decodeForm, encodeForm, type FormField } from '../http/outgoing-request.ts'

/** The parts that are checked before an entry is read as a whole. */
interface Addressed {
  readonly method: string
  readonly url: URL
}

/** Method and URL of an entry. Undefined: it is no entry, or not of HTTP. */
export function addressOf(entry: unknown): Addressed | undefined {
  const method = textAt(entry, 'request', 'method')
  const url = textAt(entry, 'request', 'url')
  if (method === undefined || url === undefined || !/^https?:/i.test(url) || !isUrl(url)) return undefined
  return { method: method.toUpperCase(), url: new URL(url) }
}

/** The exchange of an entry whose address is known. */
export async function recordedExchange(
  entry: unknown,
  { method, url }: Addressed,
  place: string,
): Promise<RecordedExchange> {
  const headers = headersOf(at(entry, 'request', 'headers'))
  const { body, ...form } = await recordedForm(at(entry, 'request'), url, headers)
  const request = { method, url: url.href, headers, body }
  const started = Date.parse(String(at(entry, 'startedDateTime')))
  const startedAt = Number.isFinite(started) ? started : undefined
  const took = at(entry, 'time')
  const durationMs = typeof took === 'number' && took > 0 && took < 1e9 ? took : 0
  const { answer, ...known } = recordedAnswer(at(entry, 'response'))
  const sentAt = startedAt ?? 0
  const times = { sentAt, answeredAt: sentAt + durationMs }
  return {
    ...withoutUndefined({ place, url, request, form, startedAt }),
    ...(textAt(entry, '_actor') === undefined ? {} : { bySuite: true }),
    ...known,
    ...(answer && { answer: new Answer({ request, ...answer, ...times }) }),
  }
}

/** Headers by their names in lower case, without the pseudo-headers of HTTP/2. Values of one name are joined. */
function headersOf(list: unknown): Record<string, string> {
  const headers = new Map<string, string>()
  for (const header of Array.isArray(list) ? list : []) {
    const [name, value] = [textAt(header, 'name')?.toLowerCase(), textAt(header, 'value')]
    if (!name || value === undefined || name.startsWith(':')) continue
    const before = headers.get(name)
    headers.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return Object.fromEntries(headers)
}

/** The answer of an entry. */
interface RecordedAnswer extends Pick<RecordedExchange, 'bytes' | 'lacks'> {
  readonly answer?: Pick<Answer, 'status' | 'headers' | 'body'>
}

const lacking = (lacks: string): RecordedAnswer => ({ bytes: false, lacks })

const noAnswer = 'no complete answer was recorded'
const withoutBody = 'the recording holds no body of the answer'
const partOfBody = 'the recording holds only a part of the body of the answer'
const brokenBody = 'the body of the answer cannot be decoded'
/** Largest body that a compressed one may decode to, in bytes. */
const largestBody = 16 * 1024 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })

function recordedAnswer(response: unknown): RecordedAnswer {
  const status = at(response, 'status')
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 100 || status > 999) {
    return lacking(noAnswer)
  }
  const headers = withType(headersOf(at(response, 'headers')), textAt(response, 'content', 'mimeType'))
  const text = textAt(response, 'content', 'text')
  const size = at(response, 'content', 'size')
  if (text === undefined || (text === '' && Number(size) > 0)) {
    // The status alone shows a refusal.
    const refused = status < 200 || status > 299
    return { ...lacking(withoutBody), ...(refused && { answer: { status, headers, body: Buffer.alloc(0) } }) }
  }
  if (at(response, 'content', 'encoding') === 'base64') return fromBase64(text, status, headers)
  if (cutMark.test(text) || isCut(text, size)) return lacking(partOfBody)
  return { answer: { status, headers, body: Buffer.from(text) }, bytes: false }
}

/** Whether the recorder cut the JSON: it breaks off, and the entry says that the body was longer. */
function isCut(text: string, size: unknown): boolean {
  if (!(Number(size) > Buffer.byteLength(text)) || !/^\s*[[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return false
  } catch (error) {
    return endsEarly(text, error as Error)
  }
}

function fromBase64(text: string, status: number, headers: HeaderValues): RecordedAnswer {
  const plain = text.replace(/\s+/g, '')
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(plain)) return lacking(brokenBody)
  const bytes = Buffer.from(plain, 'base64')
  try {
    return { answer: { status, headers, body: uncompressed(bytes, headers) }, bytes: true }
  } catch (error) {
    if (!(error instanceof DecodingError)) throw error
    return lacking(brokenBody)
  }
}

/** HAR files hold decoded bodies, but some recorders keep them as they came over the wire. */
function uncompressed(bytes: Buffer, headers: HeaderValues): Buffer {
  try {
    utf8.decode(bytes)
    return bytes
  } catch {
    return decodeContent(bytes, headers['content-encoding'], largestBody)
  }
}

/** Recorders that keep no headers often keep the type. */
function withType(headers: HeaderValues, type: string | undefined): HeaderValues {
  const known = headers['content-type'] !== undefined || !type || type === 'x-unknown'
  return known ? headers : { ...headers, 'content-type': type }
}

type BodyForm = Pick<RecordedForm, 'fields' | 'kind' | 'exact' | 'lacks'>

const unreadable = 'the parameters are not encoded in UTF-8'
const notRecorded = 'the recording holds no body of the request'
const cutShort = 'the recording holds only a part of the body of the request'
/** Recorders cut bodies that are at least this long, in characters. */
const shortestCut = 64 * 1024
/** The mark of a cut body in our own evidence. */
const cutMark = /… \(cut: \d+ (?:characters|bytes) in all\)$/

/** The parameters, with the body as text for evidence. */
async function recordedForm(
  request: unknown,
  url: URL,
  headers: HeaderValues,
): Promise<RecordedForm & { readonly body: string }> {
  const query = decoded(url.search.slice(1))
  const written = bodyText(request)
  const type = String(headers['content-type'] ?? at(request, 'postData', 'mimeType') ?? '')
  const body = await bodyForm(request, written, type, headers)
  return withoutUndefined({
    fields: [...query.fields, ...body.fields],
    inQuery: new Set(query.fields.map(([name]) => name)),
    kind: body.kind,
    type: type.split(';', 1)[0]!.trim().toLowerCase(),
    exact: body.exact,
    lacks: query.lacks ?? body.lacks,
    body: written ?? (body.kind === 'form' ? encoded(body.fields) : ''),
  })
}

/** The text of the body. Undefined: the recording has none. */
function bodyText(request: unknown): string | undefined {
  const text = textAt(request, 'postData', 'text')
  if (text === undefined) return undefined
  // In use, although the specification does not have it.
  return at(request, 'postData', 'encoding') === 'base64'
    ? Buffer.from(text, 'base64').toString('utf8')
    : text
}

async function bodyForm(
  request: unknown,
  text: string | undefined,
  type: string,
  headers: HeaderValues,
): Promise<BodyForm> {
  const size = at(request, 'bodySize')
  const declared = Number(headers['content-length'] ?? size)
  const params = paramsOf(at(request, 'postData', 'params'))
  const kind = kindOf(type)
  if (text === undefined || (text === '' && declared > 0)) {
    if (params.length > 0) return { fields: params, kind, exact: false }
    const empty: BodyForm = { fields: [], kind: 'none', exact: true }
    return declared === 0 || text === '' ? empty : { ...empty, kind, lacks: notRecorded }
  }
  if (text === '') return { fields: [], kind: 'none', exact: true }
  const cut = cutMark.test(text) || (text.length >= shortestCut && Buffer.byteLength(text) < Number(size))
  if (kind === 'multipart') return { ...(await multipart(text, type)), ...(cut ? { lacks: cutShort } : {}) }
  if (kind === 'other') return { fields: [], kind, exact: true, lacks: `the body is ${type.slice(0, 80)}` }
  const { fields, lacks } = decoded(text.replace(cutMark, '').trim())
  return withoutUndefined({ fields, kind, exact: !cut, lacks: lacks ?? (cut ? cutShort : undefined) })
}

function kindOf(type: string): FormKind {
  if (/^\s*multipart\/form-data\b/i.test(type)) return 'multipart'
  return /^\s*(?:application\/x-www-form-urlencoded\b|$)/i.test(type) ? 'form' : 'other'
}

/** The fields that a recorder lists in place of a text. Of a file, only the name is known. */
function paramsOf(list: unknown): FormField[] {
  return (Array.isArray(list) ? list : []).flatMap((param): FormField[] => {
    const name = at(param, 'name')
    const value = at(param, 'value') ?? ''
    return typeof name === 'string' && typeof value === 'string' ? [[name, value]] : []
  })
}

async function multipart(text: string, type: string): Promise<BodyForm> {
  try {
    const form = await new Response(Buffer.from(text), { headers: { 'content-type': type } }).formData()
    const fields: FormField[] = []
    for (const [name, value] of form)
      fields.push([name, typeof value === 'string' ? value : await value.text()])
    return { fields, kind: 'multipart', exact: !text.includes('\uFFFD') }
  } catch {
    return { fields: [], kind: 'multipart', exact: false, lacks: 'the multipart body cannot be read' }
  }
}

function decoded(form: string): { readonly fields: FormField[]; readonly lacks?: string } {
  try {
    return { fields: decodeForm(form) }
  } catch {
    return { fields: [], lacks: unreadable }
  }
}

function encoded(fields: readonly FormField[]): string {
  try {
    return encodeForm(fields)
  } catch {
    return ''
  }
}

/** How the parameters of a recorded request were sent. `none`: without a body. */
type FormKind = 'form' | 'multipart' | 'none' | 'other'

/** The parameters of a recorded request. */
interface RecordedForm {
  /** Decoded; those of the query first, as servers merge them. */
  readonly fields: readonly FormField[]
  /** Names of the parameters in the query. */
  readonly inQuery: ReadonlySet<string>
  readonly kind: FormKind
  /** Content type of the body without its parameters. Empty: none was recorded. */
  readonly type: string
  /** Whether every value is exactly what was sent. */
  readonly exact: boolean
  /** Why there may be more parameters than the recording shows. Absent: these are all. */
  readonly lacks?: string
}

export interface RecordedExchange {
  /** For people: the file, and the number of the entry in it, from 1. */
  readonly place: string
  readonly url: URL
  readonly request: SentRequest
  readonly form: RecordedForm
  /** When the request was sent, a Unix time in milliseconds. Absent: the recording does not say. */
  readonly startedAt?: number
  /** Absent if the recording does not hold it: `lacks` says why. Its times are those of `startedAt`. */
  readonly answer?: Answer
  /** Why the answer cannot be judged. If there is an answer, only the body of a refusal is missing. */
  readonly lacks?: string
  /** True for requests of a run, from its own evidence. Some of them are wrong on purpose. */
  readonly bySuite?: true
  /** Whether the bytes of the answer were recorded, and not only its text. */
  readonly bytes: boolean
}
