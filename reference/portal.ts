/** The embedded portal: built from its parts, changed by faults and variants, and started. */
import type { IncomingMessage, Server } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { distance } from 'fastest-levenshtein'
import { createApplication, type Portal, type Served, siteOf } from './application.ts'
import { type Certificate, selfSigned } from './certificate.ts'
import { type AdministratorLogin, type ConfigurationFile, configurationOf } from './configuration.ts'
import { faults, readBackFaults } from './faults/index.ts'
import { honestParts } from './honest-parts.ts'
import type { Alter, Parts } from './parts.ts'
import { createStore, type PortalName, type Store } from './store.ts'
import { type ActorName, addActors, endedTokens, usernameOf } from './users.ts'
import { administrationVariants } from './variants/administration.ts'
import { variants } from './variants/index.ts'

export interface PortalOptions {
  /** Absent or 0: a free port. */
  readonly port?: number
  /** Default: 127.0.0.1. */
  readonly host?: string
  /** Ids of faults. */
  readonly faults?: readonly string[]
  /** Ids of permitted variants. */
  readonly variants?: readonly string[]
  /** The delay of every answer in milliseconds. */
  readonly latencyMs?: number
  /** A change that is neither a fault nor a variant. It is applied last. */
  readonly alter?: Alter
  /** Serves over TLS with a new self-signed certificate. */
  readonly tls?: boolean
}

export interface EmbeddedPortal {
  readonly baseUrl: string
  /** Ready for a run, in the format of a configuration file. */
  readonly configuration: ConfigurationFile
  readonly store: Store
  /** The administrator of each portal. */
  readonly logins: Readonly<Record<PortalName, AdministratorLogin>>
  /** In PEM. Absent: the portal does not use TLS. */
  readonly certificate?: string
  /** The number of operation requests so far. */
  readonly requests: number
  close(): Promise<void>
}

/** Hooks for the self-test only. */
interface SelftestHooks {
  /** A second set of parts on the same store. It serves the requests for which `draw` returns true. */
  readonly sometimes?: { alter(parts: Parts): void; draw(request: IncomingMessage): boolean }
  /** Called with every request and its answer. */
  readonly watch?: (served: Served) => void
}

/** Starts a portal. Rejects unknown ids of faults and variants, and suggests the nearest known ones. */
export function startPortal(options: PortalOptions = {}): Promise<EmbeddedPortal> {
  return startWatchedPortal(options, {})
}

/** Starts a portal with the hooks of the self-test. */
export async function startWatchedPortal(
  options: PortalOptions,
  { sometimes, watch }: SelftestHooks,
): Promise<EmbeddedPortal> {
  const chosenVariants = select('variant', [...variants, ...administrationVariants], options.variants ?? [])
  const chosenFaults = select('fault', [...faults, ...readBackFaults], options.faults ?? [])
  const altered = (): Parts => {
    const parts = honestParts()
    for (const change of [...chosenVariants, ...chosenFaults]) change.alter?.(parts)
    options.alter?.(parts)
    return parts
  }
  const parts = altered()
  const others = altered()
  sometimes?.alter(others)

  const store = createStore({
    host: parts.newId('portal'),
    guest: parts.newId('portal'),
    otherGuest: parts.newId('portal'),
  })
  const tokens = addActors(store)
  const ended = endedTokens(store)
  const portal: Portal = {
    parts,
    store,
    latencyMs: options.latencyMs ?? 0,
    requests: 0,
    ...(sometimes === undefined
      ? {}
      : { nextParts: (request) => (sometimes.draw(request) ? others : parts) }),
    ...(watch === undefined ? {} : { watch }),
  }
  const host = options.host ?? '127.0.0.1'

  const certificate = options.tls === true ? selfSigned([host]) : undefined
  const servers: Server[] = []
  const close = async () => {
    await Promise.all(servers.map(stop))
  }
  try {
    const serve = async (port: number, serves: (name: PortalName) => boolean) => {
      const server = createServerFor(portal, serves, certificate)
      servers.push(server)
      return originOf(await listen(server, port, host), host, certificate === undefined ? 'http' : 'https')
    }
    const origin = await serve(options.port ?? 0, (name) => !parts.separatePortals.includes(name))
    const origins: Partial<Record<PortalName, string>> = {}
    for (const name of parts.separatePortals) origins[name] = await serve(0, (each) => each === name)

    const configuration = configurationOf(parts, store, { origin, origins, tokens, ended })
    for (const change of [...chosenVariants, ...chosenFaults]) change.configure?.(configuration)
    return {
      baseUrl: configuration.target.baseUrl,
      configuration,
      store,
      logins: loginsOf(store, (name) => (origins[name] ?? origin) + siteOf[name] + parts.basePath),
      ...(certificate === undefined ? {} : { certificate: certificate.certificate }),
      get requests() {
        return portal.requests
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function loginsOf(store: Store, baseUrlOf: (name: PortalName) => string): EmbeddedPortal['logins'] {
  const login = (name: PortalName, actor: ActorName): AdministratorLogin => {
    const username = usernameOf(actor)
    return { baseUrl: baseUrlOf(name), username, password: store.users.get(username)?.password ?? '' }
  }
  return {
    host: login('host', 'hostAdministrator'),
    guest: login('guest', 'guestAdministrator'),
    otherGuest: login('otherGuest', 'syncNonInitiator'),
  }
}

function createServerFor(
  portal: Portal,
  serves: (name: PortalName) => boolean,
  certificate: Certificate | undefined,
): Server {
  const { fetch } = createApplication(portal, serves)
  const tls =
    certificate === undefined
      ? {}
      : { createServer, serverOptions: { cert: certificate.certificate, key: certificate.key } }
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: false, ...tls }) as Server
  // Longer than any client keeps an idle connection, so that the client closes it first.
  server.keepAliveTimeout = 120_000
  return server
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

function originOf(port: number, host: string, scheme: 'http' | 'https'): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

/** An unknown fault or variant. The message is one line for users. */
class UnknownName extends Error {
  override readonly name = 'UnknownName'
}

/** The entries with these ids. Throws for unknown ids, and suggests the nearest known ones. */
function select<T extends { readonly id: string }>(
  kind: 'fault' | 'variant',
  entries: readonly T[],
  ids: readonly string[],
): T[] {
  return ids.map((id) => {
    const entry = entries.find((each) => each.id === id)
    if (entry !== undefined) return entry
    const nearest = entries
      .map((each) => each.id)
      .sort((one, other) => distance(one, id) - distance(other, id))
      .slice(0, 3)
    throw new UnknownName(`There is no ${kind} "${id}". The nearest: ${nearest.join(', ')}.`)
  })
}
