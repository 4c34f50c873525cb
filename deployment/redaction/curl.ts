/** A command line that repeats a request, with credential and addresses left to environment variables. */
import type { SentRequest } from '../http/exchange.ts'
import { shellWord } from './curl-network.ts'
import { carriesCredential, fieldName, hideUrl, type Redactor } from './redaction.ts'
import { hidden, hiddenAddress } from './secret-hider.ts'

/** The variable that the line takes the credential from. */
const credentialVariable = '"$PORTAL_CREDENTIAL"'
/** The one that it takes the first address from; the next end in _2, _3 and so on. */
const addressVariable = 'PORTAL_USERNAME'

// What curl sets by itself, or what would only make the answer harder to read.
const leftOut = new Set(['user-agent', 'accept', 'accept-encoding'])
const longestBody = 32_000

/**
 * The line for a POSIX shell; `hiddenBody` is the form with its secrets hidden. A credential in the query and an
 * address anywhere must be percent-encoded in the variable.
 */
export function curlLine(request: SentRequest, hiddenBody: string, redactor: Redactor): string {
  const head = ['curl -sS -i -g', ...redactor.network(request.url).map((word) => redactor.text(word))]
  const words = [...head, `-X ${request.method}`, urlWord(request.url, redactor)]
  for (const [name, value] of Object.entries(request.headers)) {
    if (!leftOut.has(name)) words.push(`-H ${headerWord(name, value, redactor)}`)
  }
  return withAddresses([...words, ...bodyWords(hiddenBody, redactor)].join(' '))
}

// Whatever stands in for an address stands between single quotes.
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

// curl joins its data words by & in the order given, and encodes what --data-urlencode names.
function bodyWords(body: string, redactor: Redactor): string[] {
  if (body === '') return []
  const words: string[] = []
  let plain: string[] = []
  const flush = () => {
    if (plain.length > 0) words.push(`--data-raw ${shellWord(cut(plain.join('&')))}`)
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

function cut(data: string): string {
  if (data.length <= longestBody) return data
  return `${data.slice(0, longestBody)} (cut: ${data.length} characters in all)`
}

function splitOnce(text: string, separator: string): [before: string, after?: string] {
  const start = text.indexOf(separator)
  return start < 0 ? [text] : [text.slice(0, start), text.slice(start + separator.length)]
}
