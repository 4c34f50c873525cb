/** From what a caller wants to send to the bytes that go over the wire. */
import { randomBytes } from 'node:crypto'
import type { Authentication, Configuration, PortalName } from '../configuration/configuration.ts'
import { suiteVersion } from '../suite-version.ts'
import type { SentRequest, SyncLimit } from './exchange.ts'
import { encodeForm, type FormField, type FormStyle } from './form.ts'

export interface OutgoingRequest {
  readonly portal: PortalName
  /** Relative to the base URL of the portal, percent-encoded, with a leading slash. */
  readonly path: string
  readonly fields: readonly FormField[]
  /** Absent: nothing that identifies the caller is sent. */
  readonly credential?: string | undefined
  /** Sent as Referer: some credentials are bound to it. */
  readonly referer?: string
  /** Who sends it, for its evidence; never on the wire. */
  readonly actor?: string
  /** GET carries the fields in the query. */
  readonly method?: 'POST' | 'GET'
  readonly style?: FormStyle
  readonly contentType?: string
  /** The header of that name; absent: anything is taken. */
  readonly accept?: string
  /** Sent as parts of a multipart form beside the fields. */
  readonly files?: readonly FormFile[]
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
  /** Sent once, whatever comes: a target that is not there is told at once. */
  readonly once?: boolean
}

/** A file of a form. */
export interface FormFile {
  readonly name: string
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
  const { authentication, http, portals, target } = configuration
  const bases = new Map<PortalName, { origin: string; path: string }>()
  const baseOf = (portal: PortalName) => {
    let base = bases.get(portal)
    if (!base) {
      const url = new URL(portals[portal]?.baseUrl ?? target.baseUrl)
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
    const path = base.path + request.path
    const boundary = request.files === undefined ? undefined : randomBytes(12).toString('hex')
    if (boundary !== undefined) places.headers['content-type'] = `multipart/form-data; boundary=${boundary}`
    const bytes = boundary === undefined ? undefined : multipart(places.fields, request.files ?? [], boundary)
    const separator = path.includes('?') ? '&' : '?'
    const targetPath = query.length === 0 ? path : `${path}${separator}${query.join('&')}`
    return {
      sent: {
        method,
        url: base.origin + targetPath,
        headers: places.headers,
        body: method === 'POST' && bytes === undefined ? encoded : '',
        ...(request.actor === undefined ? {} : { actor: request.actor }),
        ...(request.about === undefined ? {} : { about: request.about }),
        ...(request.sync === undefined ? {} : { sync: request.sync }),
      },
      origin: base.origin,
      target: targetPath,
      ...(bytes === undefined ? {} : { bytes }),
    }
  }
}

function multipart(fields: readonly FormField[], files: readonly FormFile[], boundary: string): Buffer {
  const head = (name: string, more = ''): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`
  return Buffer.concat([
    ...fields.map(([name, value]) => Buffer.from(`${head(name)}${value}\r\n`)),
    ...files.flatMap(({ name, content }) => [
      Buffer.from(head(name, '; filename="file"\r\nContent-Type: application/octet-stream')),
      content,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ])
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
