/** One entry of a HAR file as a recorded exchange. Nothing that the entry holds is taken on trust. */
import type { HeaderValues } from '../http/exchange.ts'
import { recordedAnswer } from './har-answer.ts'
import { member } from './har-file.ts'
import { recordedForm } from './har-form.ts'
import type { RecordedExchange } from './recorded-exchange.ts'

/** What is looked at before an entry is read as a whole. */
export interface Addressed {
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
