/** Rules for the network settings of a configuration, beyond its schema. They read values of any shape. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { at, textAt } from '../../schemas/values.ts'
import { isUrl } from '../../specs/urls.ts'
import { actorNames, portalNames } from './actors.ts'
import { type Problem, problemAt, problemsIn } from './configuration-error.ts'
import { proxyOfEnvironment, proxyProblem, tls } from './connection-settings.ts'

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
