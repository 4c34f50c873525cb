/** The embedded portal behind a proxy that plants secrets in every answer, and in which everybody's name is an address; and a user of it whose every byte of output is kept. */
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { request as ask } from 'undici'
import { decodeForm, encodeForm } from '../../deployment/http/outgoing-request.ts'
import { type EmbeddedPortal, type PortalOptions, startPortal } from '../../reference/portal.ts'
import { serve } from '../../selftest/hostile/servers.ts'
import { type Ended, UserFolder } from '../end-to-end/command.fixture.ts'
import { addresses, configured, givenAway, realDomain } from './planted-secrets.fixture.ts'

export interface PlantingPortal {
  readonly configuration: EmbeddedPortal['configuration']
  readonly credentials: readonly string[]
  /** Requests so far. */
  readonly requests: number
  /** From now on every answer breaks off. */
  die(): void
  close(): Promise<void>
}

const suffix = `@${realDomain}`
const hopByHop = new Set(['connection', 'keep-alive', 'content-length', 'transfer-encoding', 'host'])

/** Starts both. */
export async function startPlantingPortal(options: PortalOptions = {}): Promise<PlantingPortal> {
  const portal = await startPortal(options)
  const { origin, pathname } = new URL(portal.baseUrl)
  const credentials = Object.values(portal.configuration.actors).map(({ credential }) => credential)
  let requests = 0
  let dead = false
  const proxy = await serve(async (request, response) => {
    requests += 1
    if (dead) {
      response.writeHead(200, { 'content-length': 1000, 'x-contact': addresses.inHeaders })
      response.write(addresses.inAnswers)
      setTimeout(() => response.destroy(), 5)
      return
    }
    await relay(origin, request, response, credentials).catch(() => response.destroy())
  })
  const configuration = structuredClone(portal.configuration)
  configuration.target.baseUrl = proxy.origin + pathname
  configuration.fixtures.url = `${proxy.origin}/fixtures`
  for (const actor of Object.values(configuration.actors)) actor.username += suffix
  return {
    configuration,
    credentials,
    get requests() {
      return requests
    },
    die: () => {
      dead = true
    },
    close: async () => {
      await Promise.all([portal.close(), proxy.close()])
    },
  }
}

/** Passes the request on with plain user names, and the answer back with all that is planted in it. */
async function relay(
  origin: string,
  request: IncomingMessage,
  response: ServerResponse,
  credentials: readonly string[],
): Promise<void> {
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !hopByHop.has(name) && name !== 'accept-encoding'),
  )
  const url = request.url as string
  const answer = await ask(origin + withoutDomain(url), {
    method: request.method as 'POST',
    headers,
    body: plainForm(await buffer(request)),
  })
  const body = await answer.body.text()
  const back = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !hopByHop.has(name)))
  if (url.startsWith('/fixtures/')) {
    response.writeHead(answer.statusCode, back).end(withAddresses(body))
    return
  }
  response.writeHead(answer.statusCode, { ...back, ...plantedHeaders(credentials) })
  response.end(planted(body, credentials))
}

const withoutDomain = (path: string): string =>
  path.replaceAll(encodeURIComponent(suffix), '').replaceAll(suffix, '')

function plainForm(body: Buffer): Buffer {
  const text = body.toString('latin1')
  if (!/stadt|%73%74/i.test(text)) return body
  const fields = decodeForm(body.toString('utf8')).map(
    ([name, value]) => [name, value.replaceAll(suffix, '')] as const,
  )
  return Buffer.from(encodeForm(fields))
}

/** Names of users in fixtures as addresses. */
function withAddresses(fixture: string): string {
  return fixture.replace(/"(owner|username|userName)":"([^"@]+)"/g, `"$1":"$2${suffix}"`)
}

function plantedHeaders(credentials: readonly string[]): Record<string, string> {
  return {
    'x-contact': addresses.inHeaders,
    'x-contact-encoded': Buffer.from(addresses.inHeaders).toString('base64'),
    'x-key': givenAway.key.replaceAll('\n', ' ').trim(),
    'x-certificate': encodeURIComponent(givenAway.certificate),
    'x-credentials': credentials.slice(0, 3).join(' '),
  }
}

/** The JSON object with further fields, and with more in the message of its error; other bodies with a comment. */
function planted(body: string, credentials: readonly string[]): string {
  let value: Record<string, unknown>
  try {
    value = JSON.parse(body) as Record<string, unknown>
  } catch {
    return `${body}<!-- ${addresses.inAnswers} ${givenAway.key} ${credentials[0]} -->`
  }
  const { error } = value as { error?: { message?: string } }
  if (error !== undefined)
    error.message = `${error.message}: ask ${addresses.inErrors} with ${credentials[1]}`
  return JSON.stringify({
    ...value,
    contact: addresses.inAnswers,
    contactEscaped: `&#${addresses.inAnswers.charCodeAt(0)};${addresses.inAnswers.slice(1).replace('@', '&#64;')}`,
    contactEncoded: encodeURIComponent(addresses.inAnswers),
    token_of: Buffer.from(JSON.stringify({ email: addresses.inAnswers })).toString('base64url'),
    signing: { certificate: givenAway.certificate },
    lost: givenAway.key,
    echo: credentials,
  })
}

export class WatchedUser {
  readonly folder = new UserFolder()
  readonly #printed: string[] = []
  /** How much of it was looked at, and the files as they were then. */
  #seen: { readonly printed: number; readonly files: ReadonlyMap<string, string> } = {
    printed: 0,
    files: new Map(),
  }

  constructor() {
    for (const name of ['input', 'tmp']) mkdirSync(join(this.folder.path, name))
    this.input('key.pem', configured.key)
    this.input('cert.pem', configured.cert)
    this.input('ca.pem', configured.ca)
  }

  /** A file that no search looks into. */
  input(name: string, content: unknown): string {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    return this.folder.write(`input/${name}`, text)
  }

  // As in GitHub Actions, where there is more that is printed and written.
  get #environment() {
    return {
      TMPDIR: join(this.folder.path, 'tmp'),
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: join(this.folder.path, 'step-summary.md'),
    }
  }

  async #kept(ended: Promise<Ended>): Promise<Ended> {
    const end = await ended
    this.#printed.push(end.stdout, end.stderr)
    return end
  }

  /** Runs the command in this process: what it prints on the streams that it is given is all that is seen of it. */
  run(...args: readonly string[]): Promise<Ended> {
    return this.#kept(this.folder.run(args, this.#environment))
  }

  /** Runs it in a process of its own and sees every byte. */
  start(args: readonly string[]) {
    const { process, ended } = this.folder.start(args, this.#environment)
    return { process, ended: this.#kept(ended) }
  }

  /** All that was printed and written so far, with the names of the files. */
  get everything(): string {
    return [...this.#printed, ...[...this.#files()].flat()].join('\n')
  }

  /** What of it is new since the last time that this was asked: nothing needs to be searched twice. */
  takeNews(): string {
    const files = this.#files()
    const changed = [...files].filter(([name, text]) => this.#seen.files.get(name) !== text)
    const printed = this.#printed.slice(this.#seen.printed)
    this.#seen = { printed: this.#printed.length, files }
    return [...printed, ...changed.flat()].join('\n')
  }

  #files(): ReadonlyMap<string, string> {
    const { path } = this.folder
    const names = (readdirSync(path, { recursive: true }) as string[]).filter(
      (name) => !name.startsWith('input') && statSync(join(path, name)).isFile(),
    )
    return new Map(names.map((name) => [name, readFileSync(join(path, name), 'latin1')]))
  }
}

/** The configuration of the portal with the TLS files, and a certificate among the further parameters. */
export function configurationOf(portal: PlantingPortal) {
  const { contract, ...others } = structuredClone(portal.configuration)
  return {
    ...others,
    contract: {
      ...contract,
      federation: {
        certificateMarkers: { begin: '-----BEGIN CERTIFICATE-----', end: '-----END CERTIFICATE-----' },
        parameters: { signing: configured.cert },
      },
    },
    http: { key: 'key.pem', cert: 'cert.pem', ca: 'ca.pem' },
  }
}
