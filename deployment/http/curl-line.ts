/** The curl command that repeats a request, with variables in place of credentials and addresses. */
import { relative } from 'node:path'
import type { HttpSettings } from '../configuration/configuration.ts'
import { proxyAddress, proxyFor } from '../configuration/proxy-environment.ts'
import { isUnchecked } from '../configuration/tls-settings.ts'
import { hidden, hiddenAddress } from '../redaction/hiding.ts'
import { carriesCredential, fieldName, hideUrl, type Redactor } from '../redaction/redaction.ts'
import type { SentRequest } from './exchange.ts'

/** The variable for the credential. */
const credentialVariable = '"$PORTAL_CREDENTIAL"'
/** The variable for the first address. The next ones end in _2, _3 and so on. */
const addressVariable = 'PORTAL_USERNAME'

// curl sets these by itself, or they would make the answer harder to read.
const leftOut = new Set(['user-agent', 'accept', 'accept-encoding'])
const longestData = 32_000

/**
 * The command for a POSIX shell. `hiddenBody` is the form with its secrets hidden. A credential in the query and an
 * address anywhere must be percent-encoded in the variable.
 */
export function curlLine(request: SentRequest, hiddenBody: string, redactor: Redactor): string {
  const head = [
    'curl -sS -i -g',
    ...networkWords(redactor.http, request.url).map((word) => redactor.text(word)),
  ]
  const words = [...head, `-X ${request.method}`, urlWord(request.url, redactor)]
  for (const [name, value] of Object.entries(request.headers)) {
    if (!leftOut.has(name)) words.push(`-H ${headerWord(name, value, redactor)}`)
  }
  return withAddresses([...words, ...bodyWords(hiddenBody, redactor)].join(' '))
}

// The placeholder of an address is always between single quotes.
function withAddresses(line: string): string {
  let count = 0
  return line.replaceAll(hiddenAddress, () => {
    count += 1
    return `'"$${addressVariable}${count === 1 ? '' : `_${count}`}"'`
  })
}

function urlWord(url: string, redactor: Redactor): string {
  const [path, query] = splitOnce(hideUrl(url, redactor), '?')
  if (query === undefined) return shellWord(path)
  const pairs = query.split('&').map((pair) => {
    const name = fieldName(pair)
    if (!carriesCredential(name, redactor)) return shellWord(pair)
    const prefix = encodeURIComponent(redactor.authentication.prefix)
    return shellWord(`${encodeURIComponent(name)}=${prefix}`) + credentialVariable
  })
  return `${shellWord(`${path}?`)}${pairs.join("'&'")}`
}

function headerWord(name: string, value: string, redactor: Redactor): string {
  const { in: place, name: credentialName, prefix } = redactor.authentication
  if (place === 'header' && name === credentialName.toLowerCase()) {
    return shellWord(`${name}: ${prefix}`) + credentialVariable
  }
  if (place === 'cookie' && name === 'cookie' && value.includes(`${credentialName}=`)) {
    return shellWord(`${name}: ${credentialName}=${prefix}`) + credentialVariable
  }
  return shellWord(`${name}: ${redactor.hiddenHeaders.has(name) ? hidden : hideUrl(value, redactor)}`)
}

// curl joins its data options with & in the given order, and encodes the values of --data-urlencode.
function bodyWords(body: string, redactor: Redactor): string[] {
  if (body === '') return []
  const words: string[] = []
  let plain: string[] = []
  const flush = () => {
    if (plain.length > 0) words.push(`--data-raw ${shellWord(shortened(plain.join('&')))}`)
    plain = []
  }
  for (const pair of body.split('&')) {
    const name = fieldName(pair)
    if (!carriesCredential(name, redactor)) {
      plain.push(pair)
      continue
    }
    flush()
    const field = shellWord(`${encodeURIComponent(name)}=${redactor.authentication.prefix}`)
    words.push(`--data-urlencode ${field}${credentialVariable}`)
  }
  flush()
  return words
}

function shortened(data: string): string {
  if (data.length <= longestData) return data
  return `${data.slice(0, longestData)} (cut: ${data.length} characters in all)`
}

function splitOnce(text: string, separator: string): [before: string, after?: string] {
  const start = text.indexOf(separator)
  return start < 0 ? [text] : [text.slice(0, start), text.slice(start + separator.length)]
}

/** The variable for the credentials of a proxy: NAME:PASSWORD. */
const proxyVariable = '"$PORTAL_PROXY_USER"'

/** Options for TLS and the proxy. Paths are relative to the folder of the run. */
function networkWords(http: HttpSettings, url: string): string[] {
  // A recording may hold an invalid URL.
  if (!URL.canParse(url)) return []
  const { origin, protocol } = new URL(url)
  return [...(protocol === 'https:' ? tlsWords(http, origin) : []), ...proxyWords(http, origin)]
}

function tlsWords(http: HttpSettings, origin: string): string[] {
  const { ca, cert, key } = http
  const files = Object.entries({ cacert: ca, cert, key }).flatMap(([name, path]) =>
    path === undefined ? [] : [`--${name} ${fileWord(path)}`],
  )
  return isUnchecked(http, origin) ? [...files, '--insecure'] : files
}

function proxyWords(http: HttpSettings, origin: string): string[] {
  const proxy = proxyFor(http.proxy, origin)
  if (proxy === undefined) return []
  const { protocol, username, password } = new URL(proxy.url)
  const secure = protocol === 'https:'
  return [
    `--proxy ${shellWord(proxyAddress(proxy))}`,
    // Without it, curl would skip the proxy of the configuration for hosts in NO_PROXY.
    ...(proxy.from === 'http.proxy' ? ["--noproxy ''"] : []),
    ...(username === '' && password === '' ? [] : [`--proxy-user ${proxyVariable}`]),
    ...(secure && http.ca !== undefined ? [`--proxy-cacert ${fileWord(http.ca)}`] : []),
  ]
}

/** Absolute only if the file is outside the folder of the run: reports need not show where that folder is. */
function fileWord(path: string): string {
  const near = relative(process.cwd(), path)
  return shellWord(near.startsWith('..') ? path : near)
}

/** One shell word, whatever it holds. */
function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
