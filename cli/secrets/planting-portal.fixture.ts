/** The embedded portal behind a proxy that plants secrets in answers and makes user names email addresses; and a user whose output is recorded. */
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { request as ask } from 'undici'
import { decodeForm, encodeForm } from '../../deployment/http/outgoing-request.ts'
import { type EmbeddedPortal, type PortalOptions, startPortal } from '../../reference/portal.ts'
import { serve } from '../../selftest/hostile/servers.ts'
import { type Ended, UserFolder } from '../end-to-end/command.fixture.ts'
import { addresses, configured, leaked, realDomain } from './planted-secrets.fixture.ts'

export interface PlantingPortal {
  readonly configuration: EmbeddedPortal['configuration']
  readonly credentials: readonly string[]
  /** Requests so far. */
  readonly requests: number
  /** Breaks off every later answer. */
  die(): void
  close(): Promise<void>
}

const suffix = `@${realDomain}`
const hopByHop = new Set(['connection', 'keep-alive', 'content-length', 'transfer-encoding', 'host'])

/** Starts the portal and the proxy. */
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

/** Forwards the request with plain user names, and returns the answer with planted secrets. */
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

/** Makes user names in fixtures email addresses. */
function withAddresses(fixture: string): string {
  return fixture.replace(/"(owner|username|userName)":"([^"@]+)"/g, `"$1":"$2${suffix}"`)
}

function plantedHeaders(credentials: readonly string[]): Record<string, string> {
  return {
    'x-contact': addresses.inHeaders,
    'x-contact-encoded': Buffer.from(addresses.inHeaders).toString('base64'),
    'x-key': leaked.key.replaceAll('\n', ' ').trim(),
    'x-certificate': encodeURIComponent(leaked.certificate),
    'x-credentials': credentials.slice(0, 3).join(' '),
  }
}

/** Plants secrets in new fields and the error message of a JSON object, or in a comment of another body. */
function planted(body: string, credentials: readonly string[]): string {
  let value: Record<string, unknown>
  try {
    value = JSON.parse(body) as Record<string, unknown>
  } catch {
    return `${body}<!-- ${addresses.inAnswers} ${leaked.key} ${credentials[0]} -->`
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
    signing: { certificate: leaked.certificate },
    lost: leaked.key,
    echo: credentials,
  })
}

export class WatchedUser {
  readonly folder = new UserFolder()
  readonly #printed: string[] = []
  /** The output and files at the last call of `takeNewOutput`. */
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

  /** Writes an input file, which `takeNewOutput` ignores. */
  input(name: string, content: unknown): string {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    return this.folder.write(`input/${name}`, text)
  }

  // As on GitHub Actions, where commands print and write more.
  get #environment() {
    return {
      TMPDIR: join(this.folder.path, 'tmp'),
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: join(this.folder.path, 'step-summary.md'),
    }
  }

  async #record(ended: Promise<Ended>): Promise<Ended> {
    const end = await ended
    this.#printed.push(end.stdout, end.stderr)
    return end
  }

  /** Runs the command in this process, and records what it writes to the given streams. */
  run(...args: readonly string[]): Promise<Ended> {
    return this.#record(this.folder.run(args, this.#environment))
  }

  /** Runs the command in its own process, and records every byte. */
  start(args: readonly string[]) {
    const { process, ended } = this.folder.start(args, this.#environment)
    return { process, ended: this.#record(ended) }
  }

  /** All output and files so far, with the names of the files. */
  get everything(): string {
    return [...this.#printed, ...[...this.#files()].flat()].join('\n')
  }

  /** The output and files that are new since the last call, so that nothing is searched twice. */
  takeNewOutput(): string {
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
