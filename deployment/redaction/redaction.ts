/** Keeps secrets, keys and the addresses of people out of everything that leaves the process. */
import {
  type Actor,
  type Authentication,
  type Configuration,
  type HttpSettings,
  loginOf,
} from '../configuration/configuration.ts'
import { decodeForm, type FormField, percentDecoded } from '../http/outgoing-request.ts'
import { hidden, hiddenAddress, hideIn, personal, secretHider } from './hiding.ts'

export interface Redactor {
  /** How credentials are sent. Whatever is in that place is hidden. */
  readonly authentication: Authentication
  /** How the target is reached. */
  readonly http: HttpSettings
  /** Names of headers, in lower case, whose values are never shown. */
  readonly hiddenHeaders: ReadonlySet<string>
  /**
   * The text without secrets, as SECURITY.md says: *** for each secret, PEM blocks without what they hold,
   * ***@*** for each address outside the domains for examples.
   */
  text(text: string): string
  /** As above, for what the suite made up itself: a certificate in it is no real one and remains. */
  madeUp(text: string): string
}

const alwaysHiddenHeaders = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-esri-authorization',
]

// Headers of a configuration that hold no secrets.
const openHeaders = ['accept', 'accept-language', 'origin', 'referer', 'user-agent', 'x-requested-with']

// Shorter secrets would hide ordinary text.
const shortestHeaderSecret = 8

/** A redactor for the credentials of the configuration and any further secrets. */
export function createRedactor(configuration: Configuration, secrets: readonly string[] = []): Redactor {
  const { authentication, http } = configuration
  const known = [
    secretHider([...secretsOf(configuration), ...secrets], hidden).find,
    secretHider(unusualAddresses(configuration), hiddenAddress).find,
  ]
  return {
    authentication,
    http,
    hiddenHeaders: new Set([
      ...alwaysHiddenHeaders,
      ...secretHeaders(http.headers).map(([name]) => name),
      ...(authentication.in === 'header' ? [authentication.name.toLowerCase()] : []),
    ]),
    text: (text) => hideIn(text, [...known, ...personal.all]),
    madeUp: (text) => hideIn(text, [...known, ...personal.private]),
  }
}

/** Hides what needs no configuration: PEM blocks (all, or only private keys) and e-mail addresses. */
export const hidePersonal = (text: string, which: 'all' | 'private'): string => hideIn(text, personal[which])

function secretsOf({ actors, administration, http }: Configuration): string[] {
  const callers = [...Object.values(actors), ...Object.values(administration?.logins ?? {})]
  return [
    ...callers.flatMap((actor) => [actor, actor.expired ?? []].flat()).flatMap(credentialSecrets),
    ...secretHeaders(http.headers).flatMap(([, value]) => headerSecrets(value)),
    ...[http.proxy?.http, http.proxy?.https].flatMap((proxy) => proxySecrets(proxy?.url)),
  ]
}

/** User names that are addresses but do not look like one, because the domain has no dot. */
function unusualAddresses({ actors }: Configuration): string[] {
  return Object.values(actors)
    .flatMap(({ username }) => (username === undefined ? [] : [username]))
    .filter((username) => /[^@]@(?!(?:.*\.)?(?:example|test|invalid|localhost)$)[^@.]+$/i.test(username))
}

function secretHeaders(headers: Readonly<Record<string, string>>): [name: string, value: string][] {
  return Object.entries(headers)
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .filter(([name]) => !openHeaders.includes(name))
}

// The whole value, and the part after a scheme such as Basic.
function headerSecrets(value: string): string[] {
  return [value, value.split(' ').at(-1)!].filter((secret) => secret.length >= shortestHeaderSecret)
}

const credentialSecrets = (of: Pick<Actor, 'credential' | 'source'>): string[] => [
  of.credential,
  loginOf(of)?.password ?? '',
]

function proxySecrets(proxy: string | undefined): string[] {
  if (proxy === undefined) return []
  const { username, password } = new URL(proxy)
  // A user name without a password may be a key.
  if (password === '') return username.length < shortestHeaderSecret ? [] : [percentDecoded(username)]
  return [percentDecoded(password), [username, password].map(percentDecoded).join(':')]
}

/** A copy of a plain value with every text changed. Keys stay. */
export function withTexts<Value>(value: Value, change: (text: string) => string): Value {
  if (typeof value === 'string') return change(value) as Value
  if (Array.isArray(value)) return value.map((item) => withTexts(item, change)) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withTexts(inner, change)]),
  ) as Value
}

/** A thrown value with its message changed. An error stays the same object. */
export function withMessage(thrown: unknown, change: (text: string) => string): unknown {
  if (typeof thrown === 'string') return change(thrown)
  if (!(thrown instanceof Error)) return thrown
  if (thrown.stack !== undefined) thrown.stack = change(thrown.stack)
  thrown.message = change(thrown.message)
  return thrown
}

const names =
  'token|password|passwd|pwd|secret|client_?secret|access_?token|refresh_?token|id_?token|api_?key|private_?key|passphrase|credentials?|authorization'
// The parameter in which the suite sends certificates that it made up.
const certificateField = 'certificate'
const sensitiveName = new RegExp(`^(?:${names})$`, 'i')
const jsonField = new RegExp(
  `("(?:${names})"\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\[^]?)*(?:"|$)|[^\\s"{}[\\],]+)`,
  'gi',
)

/** The form of a request with its secret fields and any secret elsewhere hidden; the certificate is a made-up one. */
export function hideFormFields(form: string, redactor: Redactor): string {
  const safe = redactor.madeUp(form).replace(/[^&]+/g, (pair) => {
    return fieldName(pair) === certificateField ? pair : redactor.text(pair)
  })
  return hidePairs(safe, /[^&]+/g, redactor)
}

/** A URL, or a header that may hold one, with its secrets hidden. */
export function hideUrl(url: string, redactor: Redactor): string {
  return hidePairs(redactor.text(url), /[^?#&;]+/g, redactor)
}

// After the whole text, since a secret may hold separators of fields.
function hidePairs(text: string, pairs: RegExp, redactor: Redactor): string {
  return text.replace(pairs, (pair) => {
    const equals = pair.indexOf('=')
    if (equals < 0) return pair
    const name = fieldName(pair)
    const isSecret = sensitiveName.test(name) || isOfCredential(name, redactor)
    return isSecret && !isEmptyCredential(pair, redactor) ? `${pair.slice(0, equals)}=${hidden}` : pair
  })
}

/** The decoded name of a field. */
export function fieldName(pair: string): string {
  const encoded = pair.split('=', 1)[0]!
  return decodedField(encoded)?.[0] ?? encoded
}

/** Whether the field carries a credential that must be hidden. */
export const carriesCredential = (pair: string, redactor: Redactor): boolean =>
  isOfCredential(fieldName(pair), redactor) && !isEmptyCredential(pair, redactor)

/** Whether the field carries an empty credential. There is nothing to hide, and the request means something else. */
function isEmptyCredential(pair: string, redactor: Redactor): boolean {
  const [name, value] = decodedField(pair) ?? []
  return name !== undefined && isOfCredential(name, redactor) && value === redactor.authentication.prefix
}

function decodedField(pair: string): FormField | undefined {
  try {
    return decodeForm(pair)[0] ?? ['', '']
  } catch {
    return undefined
  }
}

/** Whether the configuration puts credentials into a field of that name. */
function isOfCredential(name: string, { authentication }: Redactor): boolean {
  return (authentication.in === 'form' || authentication.in === 'query') && name === authentication.name
}

/** A JSON body, whole or cut, or another text, with its secret fields and any secret elsewhere hidden. */
export function hideJsonFields(json: string, redactor: Redactor): string {
  return redactor.text(json).replace(jsonField, `$1"${hidden}"`)
}
