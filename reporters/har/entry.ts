/** One exchange as an entry of an HTTP archive. */
import type { Evidence } from '../../deployment/http/exchange.ts'

/** What browsers write where nothing is known. */
const unknownType = 'x-unknown'
const unknownSize = -1

/** Request, answer and times; an exchange without a complete answer has the status 0 and says why, as in browsers. */
export function entryOf({ request, response, error }: Evidence): object {
  const time = response?.durationMs ?? 0
  return {
    time,
    request: {
      method: request.method,
      url: writtenUrl(request.url),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(request.headers),
      queryString: formPairs(request.url.split('#')[0]?.split('?').slice(1).join('?') ?? ''),
      ...postDataOf(request),
      headersSize: unknownSize,
      // The body that was sent is longer where secrets are hidden or much is cut.
      bodySize: request.body === '' ? 0 : unknownSize,
    },
    response: response === undefined ? noAnswer(error) : answerOf(response),
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
  }
}

/** Text and parameters, as browsers do: the text is the evidence, the parameters are what tools show. */
function postDataOf({ headers, body }: Evidence['request']): object {
  if (body === '') return {}
  const mimeType = headerOf(headers, 'content-type') ?? unknownType
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(mimeType)
  return { postData: { mimeType, text: body, ...(isForm ? { params: formPairs(body) } : {}) } }
}

function answerOf({ status, headers, body }: NonNullable<Evidence['response']>): object {
  return {
    status,
    // What the evidence does not keep stays empty: no phrase is made up.
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairs(headers),
    content: {
      size: Buffer.byteLength(body),
      mimeType: headerOf(headers, 'content-type') ?? unknownType,
      text: body,
    },
    redirectURL: headerOf(headers, 'location') ?? '',
    headersSize: unknownSize,
    bodySize: unknownSize,
  }
}

function noAnswer(error: string | undefined): object {
  return {
    status: 0,
    statusText: '',
    httpVersion: '',
    cookies: [],
    headers: [],
    content: { size: 0, mimeType: unknownType },
    redirectURL: '',
    headersSize: unknownSize,
    bodySize: unknownSize,
    _error: error ?? 'no complete answer came',
  }
}

interface Pair {
  readonly name: string
  readonly value: string
}

const pairs = (headers: Readonly<Record<string, string>>): Pair[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }))

const formPairs = (form: string): Pair[] =>
  [...new URLSearchParams(form)].map(([name, value]) => ({ name, value }))

function headerOf(headers: Readonly<Record<string, string>>, wanted: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1]
}

/** A URL has no other characters: what was sent raw is shown encoded. Brackets belong into an address, one # may be. */
function writtenUrl(url: string): string {
  const [, origin = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)?(.*)$/isu.exec(url) ?? []
  const [before = '', ...after] = encoded(rest, /%(?![0-9a-f]{2})|[^!#-;=?-Z_a-z~]/giu).split('#')
  const fragment = after.length === 0 ? '' : `#${after.join('%23')}`
  return encoded(origin, /[^!$-;=?-Z[\]_a-z~]/gu) + before + fragment
}

function encoded(text: string, foreign: RegExp): string {
  return text.replace(foreign, (character) =>
    [...Buffer.from(character)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  )
}
