/** Turns what a caller wants to send into the bytes on the wire. */
import { randomBytes } from 'node:crypto'
import { withoutUndefined } from '../../schemas/values.ts'
import type { PortalName } from '../configuration/actors.ts'
import { type Authentication, baseUrlOf, type Configuration } from '../configuration/configuration.ts'
import { suiteVersion } from '../suite-version.ts'
import type { SentRequest, SyncLimit } from './exchange.ts'

export interface OutgoingRequest {
  readonly portal: PortalName
  /** Relative to the base URL of the portal, percent-encoded, with a leading slash. */
  readonly path: string
  readonly fields: readonly FormField[]
  /** Absent: the request is anonymous. */
  readonly credential?: string | undefined
  /** Sent as the Referer header, to which some credentials are bound. */
  readonly referer?: string | undefined
  /** Who sends it. For evidence only. */
  readonly actor?: string
  /** GET carries the fields in the query. */
  readonly method?: 'POST' | 'GET'
  readonly style?: FormStyle
  readonly contentType?: string
  /** The Accept header. Default: anything. */
  readonly accept?: string
  /** Sent with the fields in a multipart form. */
  readonly files?: readonly FormFile[] | undefined
  /** Goes before all others that wait for a slot. Default: if it has a gate. */
  readonly urgent?: boolean
  /** Other requests wait for its answer, so it goes before ordinary ones. */
  readonly waitedFor?: boolean
  /** The request takes its slot and its connection, then waits for this promise before it writes anything. */
  readonly gate?: Promise<void>
  /** Called when the request has reached its gate or cannot reach it any more, perhaps more than once. */
  readonly atGate?: () => void
  /** The kind of request. The run waits less for a kind that keeps failing. */
  readonly about?: string
  /** For evidence only. */
  readonly sync?: SyncLimit
  /** How long the answer may take if that is longer than http.timeout, in milliseconds. */
  readonly longestMs?: number
  /** Never sent again. */
  readonly once?: boolean
  /** Not sent again if the target may have performed it. */
  readonly unrepeatable?: boolean
}

/** A file of a form. */
export interface FormFile {
  readonly name: string
  /** Plain ASCII without quotes, with its extension. */
  readonly filename: string
  readonly content: Buffer
}

/** A request that is ready to be sent. */
export interface PreparedRequest {
  readonly sent: SentRequest
  readonly origin: string
  /** Path and query. */
  readonly target: string
  /** The body if it is not text. */
  readonly bytes?: Buffer
}

const formType = 'application/x-www-form-urlencoded'

/** Prepares requests for one configuration. Throws if a field cannot be encoded. */
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
    'accept-encoding': 'gzip, br',
  }
  for (const [name, value] of Object.entries(http.headers)) common[name.toLowerCase()] = value

  return (request) => {
    const { method = 'POST', actor, about, sync } = request
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
      sent: withoutUndefined({
        method,
        url: base.origin + targetPath,
        headers: places.headers,
        body: method === 'POST' && parts === undefined ? encoded : '',
        actor,
        about,
        sync,
      }),
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
  /** Fields that are added to the query of the path. */
  query: readonly FormField[]
  headers: Record<string, string>
}

/** Adds the credential in its place. Nothing else in a request identifies the caller. */
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

/** Ways to write the same form. Absent members: as the WHATWG serializer writes it. */
export interface FormStyle {
  readonly space?: '+' | '%20'
  /** Case of the hex digits in percent-escapes. */
  readonly escapes?: 'upper' | 'lower'
  /** `plain` also leaves ! ~ ' ( ) and commas unescaped; `escaped` also escapes letters, digits and * - . _ */
  readonly safe?: 'plain' | 'escaped'
  readonly order?: 'given' | 'reversed' | 'rotated'
}

/** What the WHATWG serializer escapes, and `plain` does not. */
const plain: Readonly<Record<string, string>> = {
  '%21': '!',
  '%27': "'",
  '%28': '(',
  '%29': ')',
  '%2C': ',',
  '%7E': '~',
}

/** The form body of the fields. Throws if a text holds a lone surrogate, which UTF-8 cannot carry. */
export function encodeForm(fields: readonly FormField[], style: FormStyle = {}): string {
  if (fields.flat().some((text) => /\p{Surrogate}/u.test(text)))
    throw new Error('A form field holds a lone surrogate: it cannot be sent as UTF-8.')
  const pairs = ordered(fields, style.order)
  let encoded =
    style.safe === 'escaped'
      ? pairs.map((pair) => pair.map(escapeAll).join('=')).join('&')
      : new URLSearchParams(pairs as [string, string][]).toString()
  if (style.safe === 'plain') encoded = encoded.replace(/%../g, (found) => plain[found] ?? found)
  if (style.space === '%20') encoded = encoded.replaceAll('+', '%20')
  return style.escapes === 'lower' ? encoded.replace(/%../g, (found) => found.toLowerCase()) : encoded
}

const escapeAll = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) => (byte === 0x20 ? '+' : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`))
    .join('')

/** The fields of a form body. Throws if the escapes are not valid UTF-8. */
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

/** The text without percent-escapes, or unchanged if they are invalid. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodeText(encoded: string): string {
  if (/^[\w*.-]*$/.test(encoded)) return encoded
  // In latin1 each character is one byte.
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
