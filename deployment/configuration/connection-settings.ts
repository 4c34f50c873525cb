/** How servers are reached by a configuration and the environment: TLS, proxies in the order in which curl reads them, and their rules. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { resolve } from 'node:path'
import type { SecureContext } from 'node:tls'
import { at, textAt, withoutUndefined } from '../../schemas/values.ts'
import { isUrl } from '../../specs/paths.ts'
import { actorNames, portalNames } from './actors.ts'
import {
  type Configuration,
  type HttpSettings,
  isLoopback,
  loginOf,
  type NamedProxy,
  type ProxySettings,
} from './configuration.ts'
import { type Problem, problemAt, problemsIn } from './configuration-error.ts'

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

const variables = {
  http: ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'],
  https: ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
} as const

interface Found {
  /** Absent: none of the addresses goes through a proxy. */
  readonly proxy?: ProxySettings
  readonly problems: readonly Problem[]
}

/** The proxies that the environment names for these addresses, never for loopback. `noProxy` wins over NO_PROXY. */
export function proxyOfEnvironment(
  environment: NodeJS.ProcessEnv,
  addresses: readonly string[],
  noProxy?: readonly string[],
): Found {
  const named: ProxySettings = withoutUndefined({
    http: namedBy(variables.http, environment),
    https: namedBy(variables.https, environment),
    except: noProxy ?? noProxyEntries(environment.no_proxy || environment.NO_PROXY || ''),
    loopback: false,
  })
  const used = new Set(addresses.flatMap((address) => proxyFor(named, address) ?? []))
  const problems = [...used].flatMap(({ url, from }) => {
    const wrong = proxyProblem(url)
    // Its value may hold a password.
    return wrong === undefined
      ? []
      : [{ path: 'http.proxy', text: `the environment variable ${from} ${wrong}` }]
  })
  if (used.size === 0 || problems.length > 0) return { problems }
  const inUse = (proxy: NamedProxy | undefined) =>
    proxy !== undefined && used.has(proxy) ? proxy : undefined
  return {
    proxy: withoutUndefined({ ...named, http: inUse(named.http), https: inUse(named.https) }),
    problems,
  }
}

/** Why the URL of a proxy cannot be used. The reason does not show the URL. */
function proxyProblem(text: string): string | undefined {
  if (!isUrl(text)) return 'is not a URL'
  if (/^https?:\/\//i.test(text)) return undefined
  return 'must begin with http:// or https://; other kinds of proxies are not supported (http.noProxy: ["*"] goes without one)'
}

function namedBy(names: readonly string[], environment: NodeJS.ProcessEnv): NamedProxy | undefined {
  for (const name of names) {
    const text = environment[name]?.trim()
    // In a CGI script, HTTP_PROXY is a header that anybody can send.
    if (!text || (name === 'HTTP_PROXY' && environment.REQUEST_METHOD !== undefined)) continue
    return { url: text.includes('://') ? text : `http://${text}`, from: name }
  }
  return undefined
}

/** The entries of a variable such as NO_PROXY: separated by commas or white space. */
export function noProxyEntries(text: string): string[] {
  return text.split(/[\s,]+/).filter((entry) => entry !== '')
}

/**
 * Whether one of the entries names the host of that origin: `*`, a host (its subdomains are meant as well), `.domain`,
 * an address, a network such as 10.0.0.0/8; all but networks may end in a port.
 */
export function goesPast(entries: readonly string[], origin: string): boolean {
  const { hostname, port, protocol } = new URL(origin)
  const host = bare(hostname)
  const portOf = port || (protocol === 'https:' ? '443' : '80')
  return entries.some((entry) => matches(entry.toLowerCase(), host, portOf))
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true
  if (entry.includes('/')) return isWithin(entry, host)
  const [name, ofPort] = splitPort(entry)
  if (ofPort !== undefined && ofPort !== port) return false
  if (isIPv6(name)) return isIPv6(host) && isWithin(`${name}/128`, host)
  const domain = name.replace(/^\*?\./, '').replace(/\.$/, '')
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`))
}

function isWithin(network: string, host: string): boolean {
  const [address = '', prefix = ''] = network.split('/')
  const family = isIPv4(address) ? 'ipv4' : 'ipv6'
  const longest = family === 'ipv4' ? 32 : 128
  if (!(isIPv4(address) || isIPv6(address)) || !/^\d{1,3}$/.test(prefix) || Number(prefix) > longest)
    return false
  if (!(isIPv4(host) || isIPv6(host))) return false
  const block = new BlockList()
  block.addSubnet(address, Number(prefix), family)
  return block.check(host, isIPv4(host) ? 'ipv4' : 'ipv6')
}

/** Splits at the last colon. Several colons without brackets are an IPv6 address without a port. */
function splitPort(entry: string): [name: string, port?: string] {
  const bracketed = /^\[([^\]]*)\](?::(\d+))?$/.exec(entry)
  if (bracketed) return [bracketed[1] as string, bracketed[2]] as [string, string?]
  const plain = /^([^:]*):(\d+)$/.exec(entry)
  return plain ? [plain[1] as string, plain[2] as string] : [entry]
}

const bare = (hostname: string) =>
  hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()

/** The proxy for requests to that origin; undefined if they need none. */
export function proxyFor(settings: ProxySettings | undefined, origin: string): NamedProxy | undefined {
  if (settings === undefined) return undefined
  const proxy = origin.startsWith('https:') ? settings.https : settings.http
  if (proxy === undefined || goesPast(settings.except, origin)) return undefined
  return settings.loopback || !isLoopback(origin) ? proxy : undefined
}

/** The address of the proxy without user name and password. */
export function proxyAddress({ url }: NamedProxy): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}

/** A proxy that cannot be used. The message never shows it, because it may hold a password. */
export const proxyProblems = (value: unknown): Problem[] =>
  problemsIn(value, [['http', 'proxy']], proxyProblem)

/** Problems of the proxies that the environment names, if the configuration has no proxy of its own. */
export function environmentProxyProblems(value: unknown, environment: NodeJS.ProcessEnv): readonly Problem[] {
  if (at(value, 'http', 'proxy') !== undefined) return []
  return proxyOfEnvironment(environment, addressesOf(value), textsAt(value, 'http', 'noProxy')).problems
}

/** Every address that the command may send to. */
export function addressesOf(value: unknown): string[] {
  return [
    ...portalAddressesOf(value),
    ...actorNames.map((name) => textAt(value, 'actors', name, 'credential', 'login', 'url')),
    textAt(value, 'fixtures', 'url'),
  ].filter(isAddress)
}

/** Base URLs of the target and its portals. */
export function portalAddressesOf(value: unknown): string[] {
  return [
    textAt(value, 'target', 'baseUrl'),
    ...portalNames.map((name) => textAt(value, 'portals', name, 'baseUrl')),
  ].filter(isAddress)
}

/** Problems of the content of TLS files. All of them must be readable. */
export function tlsProblems(value: unknown, folder: string): Problem[] {
  const [ca, cert, key] = ['ca', 'cert', 'key'].map((name) => {
    const path = textAt(value, 'http', name)
    return path === undefined ? undefined : resolve(folder, path)
  })
  const noAuthority = ca && whyUnusable(() => new X509Certificate(readFileSync(ca)))
  const noPair =
    cert &&
    key &&
    whyUnusable(() => tls().createSecureContext({ cert: readFileSync(cert), key: readFileSync(key) }))
  return [
    ...problemAt('http.ca', noAuthority && `the file ${ca} holds no certificate in PEM (${noAuthority})`),
    ...problemAt(
      'http.key',
      noPair && `${cert} and ${key} are no certificate with its key in PEM, without a passphrase (${noPair})`,
    ),
  ]
}

/** What OpenSSL says, in a few words. */
function whyUnusable(use: () => unknown): string | undefined {
  try {
    use()
    return undefined
  } catch (error) {
    return (error as Error).message.split(':').at(-1)
  }
}

function textsAt(value: unknown, ...keys: string[]): string[] | undefined {
  const found = at(value, ...keys)
  return Array.isArray(found) ? found.filter((entry) => typeof entry === 'string') : undefined
}

function isAddress(text: string | undefined): text is string {
  return text !== undefined && /^https?:/i.test(text) && isUrl(text)
}
