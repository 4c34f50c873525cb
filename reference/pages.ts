/** Allows web pages of the same machine to call the portal from any port (CORS). */
import { admitBefore, changeRendered, withHeaders } from './alterations.ts'
import type { Alter, Arrival } from './parts.ts'

const loopback = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/

/** Undefined: the request does not come from a page, or comes from a page of another host. */
function headersFor({ headers }: Arrival): Record<string, string> | undefined {
  const { origin } = headers
  if (origin === undefined || !loopback.test(origin)) return undefined
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': headers['access-control-request-headers'] ?? 'content-type',
    vary: 'Origin',
  }
}

export const readFromPages: Alter = (parts) => {
  changeRendered((rendered, _answer, arrival) => withHeaders(rendered, headersFor(arrival) ?? {}))(parts)
  // The preflight request of a browser.
  admitBefore((arrival) => {
    const headers = headersFor(arrival)
    if (arrival.method !== 'OPTIONS' || headers === undefined) return undefined
    return { status: 204, headers, body: Buffer.alloc(0) }
  })(parts)
}
