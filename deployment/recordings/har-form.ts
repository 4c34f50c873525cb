/** The parameters of a recorded request: query and body merged, in the encodings that clients use. */
import type { Answer, HeaderValues, SentRequest } from '../http/exchange.ts'
import { decodeForm, encodeForm, type FormField } from '../http/outgoing-request.ts'
import { member } from './har-file.ts'

type BodyForm = Pick<RecordedForm, 'fields' | 'kind' | 'exact' | 'lacks'>

const unreadable = 'the parameters are not encoded in UTF-8'
const notRecorded = 'the recording holds no body of the request'
const cutShort = 'the recording holds only a part of the body of the request'
/** Recorders cut bodies that are at least this long, in characters. */
const shortestCut = 64 * 1024
/** How our own evidence says that a body was cut. */
export const cutMark = /… \(cut: \d+ (?:characters|bytes) in all\)$/

/** The parameters, with the body as text for evidence. */
export async function recordedForm(
  request: unknown,
  url: URL,
  headers: HeaderValues,
): Promise<RecordedForm & { readonly body: string }> {
  const query = decoded(url.search.slice(1))
  const written = bodyText(request)
  const type = String(headers['content-type'] ?? member(request, 'postData', 'mimeType') ?? '')
  const body = await bodyForm(request, written, type, headers)
  const lacks = query.lacks ?? body.lacks
  return {
    fields: [...query.fields, ...body.fields],
    inQuery: new Set(query.fields.map(([name]) => name)),
    kind: body.kind,
    type: type.split(';', 1)[0]!.trim().toLowerCase(),
    exact: body.exact,
    ...(lacks === undefined ? {} : { lacks }),
    body: written ?? (body.kind === 'form' ? encoded(body.fields) : ''),
  }
}

/** The text of the body; undefined where the recording has none. */
function bodyText(request: unknown): string | undefined {
  const text = member(request, 'postData', 'text')
  if (typeof text !== 'string') return undefined
  // Not in the specification, but in use.
  return member(request, 'postData', 'encoding') === 'base64'
    ? Buffer.from(text, 'base64').toString('utf8')
    : text
}

async function bodyForm(
  request: unknown,
  text: string | undefined,
  type: string,
  headers: HeaderValues,
): Promise<BodyForm> {
  const size = member(request, 'bodySize')
  const declared = Number(headers['content-length'] ?? size)
  const params = paramsOf(member(request, 'postData', 'params'))
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
  const why = lacks ?? (cut ? cutShort : undefined)
  return { fields, kind, exact: !cut, ...(why === undefined ? {} : { lacks: why }) }
}

function kindOf(type: string): FormKind {
  if (/^\s*multipart\/form-data\b/i.test(type)) return 'multipart'
  return /^\s*(?:application\/x-www-form-urlencoded\b|$)/i.test(type) ? 'form' : 'other'
}

/** Recorders that keep no text list the fields; a file among them is known by name only. */
function paramsOf(list: unknown): FormField[] {
  return (Array.isArray(list) ? list : []).flatMap((param): FormField[] => {
    const name = member(param, 'name')
    const value = member(param, 'value') ?? ''
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
  /** Those of the query first, as servers merge them; decoded. */
  readonly fields: readonly FormField[]
  /** Names of those that stood in the query. */
  readonly inQuery: ReadonlySet<string>
  readonly kind: FormKind
  /** Content type of the body, without its parameters; empty where none was recorded. */
  readonly type: string
  /** Whether the values are known to be what was sent, character by character. */
  readonly exact: boolean
  /** Why there may be more parameters than the recording shows; absent: these are all. */
  readonly lacks?: string
}

export interface RecordedExchange {
  /** For people: the file, and the number of the entry in it, from 1. */
  readonly place: string
  readonly url: URL
  readonly request: SentRequest
  readonly form: RecordedForm
  /** When the request was sent, a Unix time in milliseconds; absent where the recording does not say. */
  readonly startedAt?: number
  /** Absent where the recording does not hold it: `lacks` says why. Its times are those of `startedAt`. */
  readonly answer?: Answer
  /** Why the answer cannot be judged; where there is an answer, all that is missing is the body of a refusal. */
  readonly lacks?: string
  /** Whether the bytes of the answer were recorded, and not only its text. */
  readonly bytes: boolean
}
