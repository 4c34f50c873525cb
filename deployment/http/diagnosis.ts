/** Recognizes what is between the suite and a portal from one answer. Pure. */
import { type Answer, bodyFields, errorCodeOf } from './exchange.ts'

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
/** Longest title that is shown, in characters. */
const longestTitle = 80

/**
 * Diagnoses an answer to a request below that base URL. Undefined if the answer may come from a portal, or if a gateway
 * could not reach the portal for now. Set `quotes: false` if the answer may repeat a secret of its request.
 */
export function diagnosisOf(answer: Answer, baseUrl: string, { quotes = true } = {}): Diagnosis | undefined {
  if (gateways.includes(answer.status)) return undefined
  return (
    webTierLogin(answer) ??
    redirection(answer, baseUrl) ??
    pageForPeople(answer, quotes) ??
    nothingThere(answer)
  )
}

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
  if (location === '' || !URL.canParse(location, request.url))
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

const isSignIn = ({ pathname }: URL): boolean => /\b(?:log-?in|sign-?in|authorize|sso|saml)/i.test(pathname)

const withoutSlash = (path: string): string => path.replace(/\/+$/, '')

function pageForPeople(answer: Answer, quotes: boolean): Diagnosis | undefined {
  const { status } = answer
  if (!isPageForPeople(answer)) return undefined
  if (status === 404) return nothingThere(answer)
  const title = titleOf(answer)
  const found = `HTTP ${status} with ${title === undefined || !quotes ? 'an HTML page' : `the HTML page "${title}"`}`
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

/** The title of the page on one line, cut to a readable length. */
function titleOf({ body }: Answer): string | undefined {
  const [, title = ''] = /<title[^>]*>([^<]*)/i.exec(body.subarray(0, 16 * 1024).toString()) ?? []
  const line = title.replace(/[\p{C}\s]+/gu, ' ').trim()
  return line === '' ? undefined : line.slice(0, longestTitle)
}

/** Malformed JSON counts as a portal's answer, because it is a finding. */
function nothingThere(answer: Answer): Diagnosis | undefined {
  const isAbsent = errorCodeOf(answer) === 404
  const isObject = /^\ufeff?\s*\{/.test(answer.body.subarray(0, 256).toString())
  if (!isAbsent && (isObject || answer.status < 200 || answer.status > 299)) return undefined
  const what = isAbsent ? (answer.status === 404 ? '' : ' with error code 404') : ' without a JSON object'
  return { found: `HTTP ${answer.status}${what}`, advice: noPortalHere, elsewhere: true }
}

/** Other base URLs at the same host where a portal may answer, the most likely first. */
export function likelyBaseUrls(baseUrl: string): string[] {
  const { origin, pathname } = new URL(baseUrl)
  const path = withoutSlash(pathname)
  if (/\/sharing\/rest$/.test(path)) return []
  if (/\/sharing$/.test(path)) return [`${origin}${path}/rest`]
  const below = `${origin}${path}/sharing/rest`
  return path === '' ? [below, `${origin}/portal/sharing/rest`, `${origin}/arcgis/sharing/rest`] : [below]
}

/** Why a login was refused. */
export type LoginRefusal = 'locked' | 'wrong' | 'unknown'

/** The reason by the documented details of the error. */
export function loginRefusalOf(answer: Answer): LoginRefusal {
  const said = JSON.stringify(bodyFields(answer).error ?? '')
  if (/too many invalid attempts/i.test(said)) return 'locked'
  return /invalid username or password/i.test(said) ? 'wrong' : 'unknown'
}

const endedTokens = [498, 499]

/** Why a new token may not work although the login was accepted. Undefined: the answer is no such refusal. */
export function newTokenTrouble(answer: Answer, referer: string | undefined): string | undefined {
  const code = endedTokens.find((each) => each === answer.status || each === errorCodeOf(answer))
  if (code === undefined) return undefined
  const cause =
    code === 498 && referer !== undefined
      ? 'a proxy probably drops the Referer header, to which the token is bound: have the proxy pass it on'
      : 'the deployment does not accept the token that it has just issued'
  return `answered HTTP ${answer.status} with error code ${code} directly after the login: ${cause}`
}
