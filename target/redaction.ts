/** Keeps secrets out of everything that leaves the process. */
import type { Authentication, Configuration } from './configuration.ts'
import { candidatesAt, indexed, matchEnd, type NeedleIndex, needle } from './secret-matcher.ts'

export interface Redactor {
  /** How credentials travel: what stands in that place is hidden whatever it is. */
  readonly authentication: Authentication
  /** Names of headers, in lower case, whose values are never shown. */
  readonly hiddenHeaders: ReadonlySet<string>
  /** Length of the longest notation of a secret that `text` knows. */
  readonly longestSecret: number
  /** The text with every secret in it replaced by ***, however it is encoded. */
  text(text: string): string
}

/** Stands in for what is hidden. */
export const hidden = '***'

const alwaysHiddenHeaders = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-esri-authorization',
]

// What a configuration may send with every request that says nothing secret.
const openHeaders = ['accept', 'accept-language', 'origin', 'referer', 'user-agent', 'x-requested-with']

// Characters that one character of a secret takes at most, in escapes that were escaped once more.
const longestNotation = 12

// Shorter ones would hide ordinary text.
const shortestBase64 = 6
const shortestHeaderSecret = 8

/** A redactor for the credentials of the configuration and any further secrets. */
export function createRedactor(configuration: Configuration, secrets: readonly string[] = []): Redactor {
  const { actors, authentication, http } = configuration
  const all = [
    ...Object.values(actors).map((actor) => actor.credential),
    ...secretHeaders(http.headers).flatMap(([, value]) => headerSecrets(value)),
    ...proxySecrets(http.proxy),
    ...secrets,
  ].filter((secret) => secret !== '')
  const plain = new Set([...all, ...all.map(asHeaderText)])
  const notations = new Set([...plain, ...[...plain].flatMap(base64Notations)])
  // The longest first: one secret may be the beginning of another.
  const needles = indexed([...notations].sort((one, other) => other.length - one.length).map(needle))
  return {
    authentication,
    hiddenHeaders: new Set([
      ...alwaysHiddenHeaders,
      ...secretHeaders(http.headers).map(([name]) => name),
      ...(authentication.in === 'header' ? [authentication.name.toLowerCase()] : []),
    ]),
    longestSecret: longestNotation * Math.max(0, ...[...notations].map((secret) => secret.length)),
    text: (text) => hideNeedles(text, needles),
  }
}

function hideNeedles(text: string, needles: NeedleIndex): string {
  let result = ''
  let kept = 0
  let at = 0
  while (at < text.length) {
    const end = endOfSecret(text, at, needles)
    if (end < 0) {
      at += 1
      continue
    }
    result += text.slice(kept, at) + hidden
    at = end
    kept = end
  }
  return kept === 0 ? text : result + text.slice(kept)
}

function endOfSecret(text: string, at: number, needles: NeedleIndex): number {
  for (const candidate of candidatesAt(text, at, needles)) {
    const end = matchEnd(text, at, candidate)
    if (end >= 0) return end
  }
  return -1
}

/** The secret as it looks within Base64, at each of the three places where it can begin in a group. */
function base64Notations(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64url')
    // Characters at the edges also hold bits of what stands beside the secret.
    const first = [0, 2, 3][offset]!
    const last = Math.floor(((offset + bytes.length) * 8) / 6)
    const core = encoded.slice(first, last)
    if (core.length < shortestBase64) return []
    return [core, core.replaceAll('-', '+').replaceAll('_', '/')]
  })
}

// Headers of answers are read byte by byte, which takes characters beyond ASCII apart.
function asHeaderText(secret: string): string {
  return Buffer.from(secret, 'utf8').toString('latin1')
}

function secretHeaders(headers: Readonly<Record<string, string>>): [name: string, value: string][] {
  return Object.entries(headers)
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .filter(([name]) => !openHeaders.includes(name))
}

// The value as a whole, and what follows a scheme such as Basic.
function headerSecrets(value: string): string[] {
  return [value, value.split(' ').at(-1)!].filter((secret) => secret.length >= shortestHeaderSecret)
}

function proxySecrets(proxy: string | undefined): string[] {
  if (proxy === undefined) return []
  const { username, password } = new URL(proxy)
  if (password === '') return []
  return [decodeURIComponent(password), `${decodeURIComponent(username)}:${decodeURIComponent(password)}`]
}
