/** Explains in one line for users why a connection failed, and what is between the suite and a portal. Pure. */
import { at, textAt } from '../../schemas/values.ts'
import { isUrl } from '../../specs/paths.ts'
import { type Answer, bodyFields, errorCodeOf, type TransportFault, tokenCodes } from './exchange.ts'

/** How far an exchange was when its connection failed. */
interface Progress {
  readonly secure: boolean
  /** The request went to a connection. */
  readonly started: boolean
  /** The connection was opened for this exchange. */
  readonly fresh?: boolean
  /** The head of the answer has come. */
  readonly answering: boolean
  /** The address of the proxy and the setting that names it. Absent: no proxy. */
  readonly proxy?: { readonly address: string; readonly from: string }
}

const unreachable: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  EADDRNOTAVAIL: 'the address is not available',
}

/** The fault, and what happened in a few words that repeat nothing of the request. */
export function classify(error: Error, progress: Progress): [fault: TransportFault, what: string] {
  const code = codeOf(error)
  const known = unreachable[code]
  if (known) return ['unreachable', unreachedBy(known, progress)]
  const tls = tlsFault(code)
  if (tls !== undefined) return ['tls', tls]
  if (code === 'UND_ERR_PRX_TLS')
    return ['tls', 'TLS with the proxy failed: its certificate is for another host']
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW') {
    return ['too-large', 'the headers of the answer are larger than 16 KiB']
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT')
    return ['timeout', 'the connection timed out']
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
    return ['truncated', 'the answer is not as long as its Content-Length says']
  }
  const breach = breachOfHttp(error)
  if (progress.answering && code !== 'ECONNRESET' && breach === undefined) {
    return ['truncated', 'the connection was closed in the middle of the answer']
  }
  const proxy = /^Proxy (?:response|Authentication Required) \((\d+)\)/.exec(error.message)
  if (proxy) return ['unreachable', refusedByProxy(proxy[1] as string, progress)]
  if (breach !== undefined) return ['broken', `the answer is not HTTP/1.1 (${breach})`]
  if (!progress.started && progress.secure)
    return ['tls', 'the connection was closed during the TLS handshake']
  if (code === 'UND_ERR_INVALID_ARG') return ['broken', 'the request cannot be sent over HTTP as it is']
  const how = code === 'ECONNRESET' ? 'reset' : 'closed'
  return ['broken', `the connection was ${how} before an answer was complete${closeHint(progress)}`]
}

function closeHint({ secure, started, fresh, answering }: Progress): string {
  if (!started || !fresh || answering) return ''
  // With TLS 1.3 a server asks for a certificate after the handshake, and some servers only hang up.
  return secure
    ? '; so does a target that wants a client certificate, or another one (http.cert and http.key name it)'
    : '; so does a port for TLS: try https://'
}

function unreachedBy(what: string, { proxy }: Progress): string {
  if (proxy === undefined) return `${what} (check the base URL, and that the service is up)`
  return `${what} (the proxy ${proxy.address}: check ${proxy.from}, and that it is up)`
}

function refusedByProxy(status: string, { proxy }: Progress): string {
  const { address = '', from = 'http.proxy' } = proxy ?? {}
  if (status === '407')
    return `the proxy ${address} wants a user name and password, or others than it got (HTTP 407): put them into ${from}, as in http://NAME:PASSWORD@HOST`
  if (status.startsWith('5'))
    return `the proxy ${address} cannot connect to the target (HTTP ${status}; check the base URL, and that the service is up)`
  return `the proxy ${address} does not let the connection through (HTTP ${status}; http.noProxy names hosts that need none)`
}

function codeOf(error: Error): string {
  const { code, cause, errors } = error as NodeJS.ErrnoException & { cause?: Error; errors?: Error[] }
  if (code !== undefined) return code
  const inner = cause ?? errors?.[0]
  return inner === undefined ? '' : codeOf(inner)
}

// The parser also reports a stream that ends early, which does not break the protocol.
function breachOfHttp(error: Error): string | undefined {
  if (error.name !== 'HTTPParserError' || /EOF/i.test(error.message)) return undefined
  return /\(([^)]+)\)$/.exec(error.message)?.[1] ?? 'it cannot be parsed'
}

const tlsCode =
  /^(ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|CRL_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)/

const causes: readonly (readonly [codes: RegExp, says: string])[] = [
  [/^CERT_HAS_EXPIRED$/, 'a certificate of the target has expired, or the clock of this machine is wrong'],
  [
    /^CERT_NOT_YET_VALID$/,
    'a certificate of the target is not valid yet, or the clock of this machine is wrong',
  ],
  [
    /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
    'the certificate is for another host; the base URL must name the host as its certificate does',
  ],
  [
    /SELF_SIGNED|DEPTH_ZERO|^UNABLE_TO_(GET_ISSUER|VERIFY)/,
    'an unknown authority signed the certificate; http.ca (--ca of init) names a certificate authority to trust',
  ],
  [/ALERT_CERTIFICATE_REQUIRED/, 'the target wants a client certificate; http.cert and http.key name it'],
  [
    /ALERT_(HANDSHAKE_FAILURE|NO_CERTIFICATE|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_\w+|UNKNOWN_CA|ACCESS_DENIED)/,
    'the target wants a client certificate, or another one; http.cert and http.key name it',
  ],
  [/ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/, 'the target speaks only versions of TLS that are not safe'],
  [/WRONG_VERSION_NUMBER|PACKET_LENGTH/, 'no TLS is spoken there; is the base URL one for http://?'],
]

/** One line for a TLS error code. Undefined: the code is none. */
function tlsFault(code: string): string | undefined {
  if (!tlsCode.test(code)) return undefined
  const known = causes.find(([codes]) => codes.test(code))
  return `TLS failed (${code})${known === undefined ? '' : `: ${known[1]}`}`
}

/** An answer that does not come from a portal. Both texts are parts of one line for users. */
export interface Diagnosis {
  /** What came, such as `HTTP 403 with the HTML page "Access denied"`. */
  readonly found: string
  readonly advice: string
  /** There is nothing at this path. The portal may be at another path of the same host. */
  readonly elsewhere?: true
}

const redirects = [301, 302, 303, 307, 308]
const gateways = [429, 502, 503, 504]
const noPortalHere =
  'no portal answers here: the base URL usually ends in /sharing/rest, below the name of the web adaptor'
/** Longest title of a page and longest message that are shown, in characters. */
const [longestTitle, longestWords] = [80, 240]

/**
 * Diagnoses an answer to a request below that base URL. Undefined if the answer may come from a portal, or if a gateway
 * could not reach the portal for now. Set `quotes: false` if the answer may repeat a secret of its request.
 */
export function diagnosisOf(answer: Answer, baseUrl: string, { quotes = true } = {}): Diagnosis | undefined {
  if (isOfGateway(answer)) return undefined
  return (
    webTierLogin(answer) ??
    redirection(answer, baseUrl) ??
    pageForPeople(answer, quotes) ??
    nothingThere(answer)
  )
}

/** A gateway could not reach the portal, or throttles. */
export const isOfGateway = ({ status }: Answer): boolean => gateways.includes(status)

/** The diagnosis on one line. */
export const inOneLine = ({ found, advice }: Diagnosis): string => `answered ${found}; ${advice}`

function webTierLogin({ status, headers }: Answer): Diagnosis | undefined {
  const schemes = String(headers['www-authenticate'] ?? '').match(/\b(?:Negotiate|NTLM)\b/gi)
  if (status !== 401 || schemes === null) return undefined
  return {
    found: `HTTP 401 with WWW-Authenticate: ${[...new Set(schemes)].join(', ')} (web-tier authentication)`,
    advice:
      'the suite cannot sign in there: use an address of the portal without web-tier authentication, often port 7443 of its machine',
  }
}

function redirection({ status, headers, request }: Answer, baseUrl: string): Diagnosis | undefined {
  if (!redirects.includes(status)) return undefined
  const location = String(headers.location ?? '')
  if (location === '' || !isUrl(location, request.url))
    return { found: `HTTP ${status} without a usable Location`, advice: 'check the base URL' }
  const from = new URL(request.url)
  const to = new URL(location, from)
  // The query may repeat a secret of the request.
  const found = `HTTP ${status} with Location ${to.origin}${to.pathname}`
  if (isSignIn(to))
    return {
      found,
      advice: 'a sign-in page is in front: use an address of the portal that answers without it',
    }
  const basePath = withoutSlash(new URL(baseUrl).pathname)
  const below = withoutSlash(from.pathname.slice(basePath.length))
  const path = withoutSlash(to.pathname)
  const there = to.origin + (path.endsWith(below) ? path.slice(0, path.length - below.length) : path)
  if (from.protocol === 'http:' && to.protocol === 'https:' && to.hostname === from.hostname)
    return { found, advice: `use https: set the base URL to ${there}` }
  const isHere = to.origin === from.origin
  return {
    found,
    advice: `${isHere ? '' : 'it is at another host: if that is the deployment to judge, '}set the base URL to ${there}`,
  }
}

const isSignIn = ({ pathname }: URL): boolean =>
  /\b(?:log-?in|sign-?in|authorize|sso|saml|adfs|oauth)/i.test(pathname)

const withoutSlash = (path: string): string => path.replace(/\/+$/, '')

function pageForPeople(answer: Answer, quotes: boolean): Diagnosis | undefined {
  const { status } = answer
  if (!isPageForPeople(answer)) return undefined
  if (status === 404) return nothingThere(answer)
  const title = titleOf(answer)
  const found = `HTTP ${status} with ${title === undefined || !quotes ? 'an HTML page' : `the HTML page "${title}"`}`
  if (status === 401 && /\bBasic\b/i.test(String(answer.headers['www-authenticate'])))
    return {
      found,
      advice:
        'the server in front wants a user name and password: send them with http.headers.Authorization (Basic …), or use another address',
    }
  if (status === 401 || /log ?in|sign ?in/i.test(title ?? ''))
    return { found, advice: 'a login page is in front: use an address of the portal that answers without it' }
  if (status === 403)
    return {
      found,
      advice:
        'a firewall or a proxy refuses the request: have it let the suite through, or use another address',
    }
  return { found, advice: noPortalHere, elsewhere: true }
}

/** An HTML page in place of JSON. */
export const isPageForPeople = ({ headers, body }: Answer): boolean =>
  /^text\/html/i.test(String(headers['content-type'])) && /^\s*</.test(body.subarray(0, 100).toString())

/** The deployment's own words about a refusal: its message and details, or the title of its page. `hide` removes secrets. */
export function wordsOf(answer: Answer, hide: (text: string) => string): string {
  const body = bodyFields(answer)
  const message =
    textAt(body, 'error', 'message') ??
    textAt(body, 'messages', '0') ??
    textAt(body, 'message') ??
    (isPageForPeople(answer) ? titleOf(answer) : undefined)
  const details = [at(body, 'error', 'details')].flat().filter((each) => typeof each === 'string')
  const said = [...new Set([message, ...details])].filter(Boolean).join(' ')
  return inLine(hide(said), longestWords).replace(/\.$/, '')
}

/** The text on one line, cut to a readable length. */
const inLine = (text: string, longest: number): string =>
  text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, longest)

/** The title of the page. */
function titleOf({ body }: Answer): string | undefined {
  const [, title = ''] = /<title[^>]*>([^<]*)/i.exec(body.subarray(0, 16 * 1024).toString()) ?? []
  return inLine(title, longestTitle) || undefined
}

/** Malformed JSON counts as a portal's answer, because it is a finding. */
function nothingThere(answer: Answer): Diagnosis | undefined {
  const isAbsent = errorCodeOf(answer) === 404
  const encoding = String(answer.headers['content-encoding'] ?? 'identity')
  const isObject = /^\ufeff?\s*\{/.test(answer.body.subarray(0, 256).toString())
  if (!isAbsent && (isObject || answer.status < 200 || answer.status > 299)) return undefined
  if (!isAbsent && !/^(?:identity|(?:x-)?gzip|br)$/i.test(encoding))
    return {
      found: `HTTP ${answer.status} with Content-Encoding: ${inLine(encoding, longestTitle)}`,
      advice: 'the suite accepts only gzip and br: have the server in front use one of them, or none',
    }
  const what = isAbsent ? (answer.status === 404 ? '' : ' with error code 404') : ' without a JSON object'
  return { found: `HTTP ${answer.status}${what}`, advice: noPortalHere, elsewhere: true }
}

/** The parts of a path that may be the site of a portal. */
const mostParts = 4

/** Other base URLs at the same host where a portal may answer, the most likely first. */
export function likelyBaseUrls(baseUrl: string): string[] {
  const { origin, pathname } = new URL(baseUrl)
  const path = withoutSlash(pathname)
  const parts = path.split('/').slice(1, 1 + mostParts)
  const above = parts.map((_, index) => `/${parts.slice(0, parts.length - index).join('/')}`)
  const sites =
    path === '' ? ['', '/portal', '/arcgis'] : [...above, ...above.map((each) => each.toLowerCase())]
  const likely = sites.map((each) => origin + each.replace(/(?:\/sharing(?:\/rest)?)?$/i, '/sharing/rest'))
  return [...new Set(likely)].filter((each) => each !== origin + path)
}

/** Why a new token may not work although the login was accepted. Undefined: the answer is no such refusal. */
export function newTokenTrouble(answer: Answer, referer: string | undefined): string | undefined {
  const code = tokenCodes.find((each) => each === answer.status || each === errorCodeOf(answer))
  if (code === undefined) return undefined
  const cause =
    code === 498 && referer !== undefined
      ? 'a proxy probably drops the Referer header, to which the token is bound: have the proxy pass it on'
      : 'the deployment does not accept the token that it has just issued'
  return `answered HTTP ${answer.status} with error code ${code} directly after the login: ${cause}`
}
