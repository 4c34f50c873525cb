/** TLS settings of a configuration: authorities, client certificate, and hosts without checks. */
import { readFileSync } from 'node:fs'
import type { SecureContext } from 'node:tls'
import { portalNames } from './actors.ts'
import { type Configuration, type HttpSettings, loginOf } from './configuration.ts'

/** Options for connections. */
interface TlsOptions {
  readonly secureContext?: SecureContext
  readonly rejectUnauthorized: boolean
}

/** Loaded with the first file: most targets need none. */
const tls = () => process.getBuiltinModule('node:tls')

/** A function that gives the options for an origin. Reads the files at once, and throws if one is unreadable. */
export function tlsFor(http: HttpSettings): (origin: string) => TlsOptions {
  const context = contextOf(http.ca, http.cert, http.key)
  return (origin) => ({ ...context, rejectUnauthorized: !isUnchecked(http, origin) })
}

/** As `tlsFor`, without the client certificate, for servers other than the target: proxies and fixture providers. */
export function trustOf({ ca, ...http }: HttpSettings): (origin: string) => TlsOptions {
  const context = contextOf(ca)
  return (origin) => ({
    ...context,
    rejectUnauthorized: !(http.insecure !== true && isUnchecked(http, origin)),
  })
}

/** By content of the files: reading the known authorities takes 60 ms, and a run has a client for each login. */
const contexts = new Map<string, SecureContext>()

function contextOf(
  caFile: string | undefined,
  certFile?: string,
  keyFile?: string,
): { secureContext?: SecureContext } {
  const files = [caFile, certFile, keyFile]
  if (files.every((file) => file === undefined)) return {}
  const [ca, cert, key] = files.map((file) => (file === undefined ? undefined : readFileSync(file, 'utf8')))
  const held = JSON.stringify([ca, cert, key])
  const secureContext =
    contexts.get(held) ??
    tls().createSecureContext({ cert, key, ca: ca === undefined ? ca : [...knownAuthorities(), ca] })
  contexts.set(held, secureContext)
  return { secureContext }
}

function knownAuthorities(): readonly string[] {
  // Node 22.15 and later includes NODE_EXTRA_CA_CERTS.
  const { getCACertificates, rootCertificates } = tls() as typeof import('node:tls') & {
    getCACertificates?: (kind: 'default') => readonly string[]
  }
  if (getCACertificates !== undefined) return getCACertificates('default')
  const further = process.env.NODE_EXTRA_CA_CERTS
  try {
    return further ? [...rootCertificates, readFileSync(further, 'utf8')] : rootCertificates
  } catch {
    // Node itself has warned that the file cannot be read.
    return rootCertificates
  }
}

/** Whether the certificate of that origin is not checked. */
export function isUnchecked({ insecure }: Pick<HttpSettings, 'insecure'>, origin: string): boolean {
  if (typeof insecure === 'boolean') return insecure
  const { hostname, port, protocol } = new URL(origin)
  const named = [hostname, `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`]
  return insecure.some((host) => named.includes(host.toLowerCase()))
}

/** The hosts at https:// whose certificates are not checked, in the order of the configuration. */
export function uncheckedHosts({ target, portals, actors, http }: Configuration): string[] {
  const logins = Object.values(actors).flatMap((actor) => loginOf(actor)?.url ?? [])
  const bases = portalNames.flatMap((name) => portals[name]?.baseUrl ?? [])
  const addresses = [target.baseUrl, ...bases, ...logins]
  const urls = addresses.map((address) => new URL(address)).filter(({ protocol }) => protocol === 'https:')
  return [...new Set(urls.filter(({ origin }) => isUnchecked(http, origin)).map(({ host }) => host))]
}
