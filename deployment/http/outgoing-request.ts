/** From what a caller wants to send to the bytes that go over the wire. */
import { randomBytes } from 'node:crypto'
import type { PortalName } from '../configuration/actors.ts'
import { type Authentication, baseUrlOf, type Configuration } from '../configuration/configuration.ts'
import { suiteVersion } from '../suite-version.ts'
import type { SentRequest, SyncLimit } from './exchange.ts'

export interface OutgoingRequest {
  readonly portal: PortalName
  /** Relative to the base URL of the portal, percent-encoded, with a leading slash. */
  readonly path: string
  readonly fields: readonly FormField[]
  /** Absent: nothing that identifies the caller is sent. */
  readonly credential?: string | undefined
  /** Sent as Referer: some credentials are bound to it. */
  readonly referer?: string | undefined
  /** Who sends it, for its evidence; never on the wire. */
  readonly actor?: string
  /** GET carries the fields in the query. */
  readonly method?: 'POST' | 'GET'
  readonly style?: FormStyle
  readonly contentType?: string
  /** The header of that name; absent: anything is taken. */
  readonly accept?: string
  /** Sent as parts of a multipart form beside the fields. */
  readonly files?: readonly FormFile[] | undefined
  /** Goes before all that wait for a slot; what waits at a gate always does. */
  readonly urgent?: boolean
  /** The request takes its slot and its connection, then waits for this before anything is written. */
  readonly gate?: Promise<void>
  /** Called once: when the request waits at its gate, or can no longer get there. */
  readonly atGate?: () => void
  /** What it asks for: what fails again and again is waited for less, and nothing else for its sake. */
  readonly about?: string
  /** For its evidence; never on the wire. */
  readonly sync?: SyncLimit
  /** How long its answer may take where that is longer than http.timeout, in milliseconds. */
  readonly longestMs?: number
  /** Sent once, whatever comes: a target that is not there is told at once. */
  readonly once?: boolean
}

/** A file of a form. */
export interface FormFile {
  readonly name: string
  /** What the file is called, with its ending: plain ASCII without quotes. */
  readonly filename: string
  readonly content: Buffer
}

/** A request that is ready to be written. */
export interface PreparedRequest {
  readonly sent: SentRequest
  readonly origin: string
  /** Path and query. */
  readonly target: string
  /** What is written in place of the text of the body, where it is no text. */
  readonly bytes?: Buffer
}

const formType = 'application/x-www-form-urlencoded'

/** Prepares requests for one configuration. Throws where a field cannot be encoded. */
export function requestBuilder(configuration: Configuration): (request: OutgoingRequest) => PreparedRequest {
  const { authentication, http } = configuration
  const bases = new Map<PortalName, { origin: string; path: string }>()
  const baseOf = (portal: PortalName) => {
    let base = bases.get(portal)
    if (!base) {
      const url = new URL(baseUrlOf(configuration, portal))
      base = { origin: url.origin, path: url.pathname.replace(/\/+$/, '') }
      bases.set(portal, base)
    }
    return base
  }
  const common: Record<string, string> = {
    'user-agent': `portal-conformance/${suiteVersion}`,
    accept: '*/*',
    'accept-encoding': 'gzip, deflate, br',
  }
  for (const [name, value] of Object.entries(http.headers)) common[name.toLowerCase()] = value

  return (request) => {
    const method = request.method ?? 'POST'
    const places: CredentialPlaces = { fields: request.fields, query: [], headers: { ...common } }
    if (request.credential !== undefined) addCredential(places, request.credential, authentication)
    if (request.referer !== undefined) places.headers.referer = request.referer
    if (request.accept !== undefined) places.headers.accept = request.accept
    if (method === 'POST') places.headers['content-type'] = request.contentType ?? formType

    const encoded = encodeForm(places.fields, request.style)
    const query = [encodeForm(places.query), method === 'GET' ? encoded : ''].filter((part) => part !== '')
    const base = baseOf(request.portal)
    const path = base.path + request.path || '/'
    const parts = request.files && multipart(places.fields, request.files)
    if (parts !== undefined) places.headers['content-type'] = parts.type
    const separator = path.includes('?') ? '&' : '?'
    const targetPath = query.length === 0 ? path : `${path}${separator}${query.join('&')}`
    return {
      sent: {
        method,
        url: base.origin + targetPath,
        headers: places.headers,
        body: method === 'POST' && parts === undefined ? encoded : '',
        ...(request.actor === undefined ? {} : { actor: request.actor }),
        ...(request.about === undefined ? {} : { about: request.about }),
        ...(request.sync === undefined ? {} : { sync: request.sync }),
      },
      origin: base.origin,
      target: targetPath,
      ...(parts && { bytes: parts.bytes }),
    }
  }
}

function multipart(fields: readonly FormField[], files: readonly FormFile[]) {
  const boundary = randomBytes(12).toString('hex')
  const head = (name: string, more = ''): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`
  const bytes = Buffer.concat([
    ...fields.map(([name, value]) => Buffer.from(`${head(name)}${value}\r\n`)),
    ...files.flatMap(({ name, filename, content }) => [
      Buffer.from(head(name, `; filename="${filename}"\r\nContent-Type: application/octet-stream`)),
      content,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ])
  return { type: `multipart/form-data; boundary=${boundary}`, bytes }
}

/** The parts of a request that can carry a credential. */
interface CredentialPlaces {
  fields: readonly FormField[]
  /** Fields of the query that stand beside what the path holds. */
  query: readonly FormField[]
  headers: Record<string, string>
}

/** Adds the credential in its place. Nothing else of a request ever identifies the caller. */
function addCredential(places: CredentialPlaces, credential: string, authentication: Authentication): void {
  const { in: place, name, prefix } = authentication
  const value = prefix + credential
  if (place === 'form') places.fields = [...places.fields, [name, value]]
  else if (place === 'query') places.query = [...places.query, [name, value]]
  else if (place === 'header') places.headers[name.toLowerCase()] = value
  else {
    const others = places.headers.cookie
    places.headers.cookie = `${others ? `${others}; ` : ''}${name}=${value}`
  }
}

export type FormField = readonly [name: string, value: string]

/** Notations of one and the same form. Absent members: what the WHATWG serializer writes. */
export interface FormStyle {
  readonly space?: '+' | '%20'
  /** Case of the hex digits in percent-escapes. */
  readonly escapes?: 'upper' | 'lower'
  /** `plain`: ! ~ ' ( ) and commas are left plain as well; `escaped`: letters, digits and * - . _ are percent-escaped as well. */
  readonly safe?: 'plain' | 'escaped'
  readonly order?: 'given' | 'reversed' | 'rotated'
}

const plainText = /^[\w*.-]*$/
const ascii = /^[\0-\x7f]*$/
const escapedBeyondUriComponents = /[!'()~]/g

/** The form body of the fields. Throws where a text holds a lone surrogate, which UTF-8 cannot carry. */
export function encodeForm(fields: readonly FormField[], style: FormStyle = {}): string {
  const pairs = ordered(fields, style.order).map(
    ([name, value]) => `${encodeText(name, style)}=${encodeText(value, style)}`,
  )
  return pairs.join('&')
}

/** The fields of a form body. Throws where the escapes do not decode to UTF-8. */
export function decodeForm(body: string): FormField[] {
  return body
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=')
      return equals < 0
        ? [decodeText(pair), '']
        : [decodeText(pair.slice(0, equals)), decodeText(pair.slice(equals + 1))]
    })
}

function ordered(fields: readonly FormField[], order: FormStyle['order']): readonly FormField[] {
  if (order === 'reversed') return fields.toReversed()
  if (order === 'rotated') return [...fields.slice(1), ...fields.slice(0, 1)]
  return fields
}

function encodeText(text: string, style: FormStyle): string {
  if (style.safe === 'escaped') return escapeAll(text, style)
  if (plainText.test(text)) return text
  let encoded = encodeWellFormed(text)
  if (style.safe === 'plain') encoded = encoded.replaceAll('%2C', ',')
  else encoded = encoded.replace(escapedBeyondUriComponents, escapeCharacter)
  if (style.space !== '%20') encoded = encoded.replaceAll('%20', '+')
  return style.escapes === 'lower' ? lowerEscapes(encoded) : encoded
}

function escapeAll(text: string, style: FormStyle): string {
  encodeWellFormed(text)
  let encoded = ''
  for (const byte of Buffer.from(text, 'utf8')) {
    const space = byte === 0x20 && style.space !== '%20'
    encoded += space ? '+' : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return style.escapes === 'lower' ? lowerEscapes(encoded) : encoded
}

function encodeWellFormed(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    throw new Error('A form field holds a lone surrogate: it cannot be sent as UTF-8.')
  }
}

const escapeCharacter = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

const lowerEscapes = (encoded: string) => encoded.replace(/%[0-9A-F]{2}/g, (found) => found.toLowerCase())

/** The text without its percent-escapes; as it is where a percent sign was meant as one. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodeText(encoded: string): string {
  if (plainText.test(encoded)) return encoded
  if (ascii.test(encoded)) {
    try {
      return decodeURIComponent(encoded.replaceAll('+', ' '))
    } catch {
      // A percent sign that begins no escape stands for itself; anything else is told below.
    }
  }
  return decodeBytes(encoded)
}

function decodeBytes(encoded: string): string {
  // One character is one byte here: what is not escaped is UTF-8 already.
  const bytes = Buffer.from(encoded.replaceAll('+', ' '), 'utf8').toString('latin1')
  const decoded = bytes.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  try {
    return strictUtf8.decode(Buffer.from(decoded, 'latin1'))
  } catch {
    throw new Error('The form holds escapes that are not valid UTF-8.')
  }
}
