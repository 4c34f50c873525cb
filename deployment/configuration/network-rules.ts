/** Rules for the network settings of a configuration, beyond its schema. They read values of any shape. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { at, textAt } from '../../schemas/values.ts'
import { actorNames, portalNames } from './actors.ts'
import { type Problem, problemAt, problemsIn } from './configuration-error.ts'
import { proxyOfEnvironment, proxyProblem } from './connection-settings.ts'

/** Every broken rule. Messages never show a proxy, which may hold a password. */
export function networkProblems(value: unknown): Problem[] {
  return [
    ...problemsIn(value, [['http', 'proxy']], proxyProblem),
    ...noProxyProblems(value),
    ...insecureProblems(value),
  ]
}

/** Problems of the proxies that the environment names, if the configuration has no proxy of its own. */
export function environmentProxyProblems(value: unknown, environment: NodeJS.ProcessEnv): readonly Problem[] {
  if (at(value, 'http', 'proxy') !== undefined) return []
  return proxyOfEnvironment(environment, addressesOf(value), textsAt(value, 'http', 'noProxy')).problems
}

/** Every address that the command may send to. The fixture provider is the last. */
export function addressesOf(value: unknown): string[] {
  return [...targetAddressesOf(value), textAt(value, 'fixtures', 'url')].filter(isAddress)
}

/** Base URLs of the target and its portals. */
export function portalAddressesOf(value: unknown): string[] {
  return [
    textAt(value, 'target', 'baseUrl'),
    ...portalNames.map((name) => textAt(value, 'portals', name, 'baseUrl')),
  ].filter(isAddress)
}

function targetAddressesOf(value: unknown): string[] {
  return [
    ...portalAddressesOf(value),
    ...actorNames.map((name) => textAt(value, 'actors', name, 'credential', 'login', 'url')),
  ].filter(isAddress)
}

/** Problems of the content of TLS files. All of them must be readable. */
export function tlsProblems(value: unknown, folder: string): Problem[] {
  const [ca, cert, key] = ['ca', 'cert', 'key'].map((name) => {
    const path = textAt(value, 'http', name)
    return path === undefined ? undefined : resolve(folder, path)
  })
  return [
    ...(ca === undefined || certificatesIn(ca).length > 0 ? [] : [noCertificate('ca', ca)]),
    ...(cert === undefined || key === undefined ? [] : pairProblems(cert, key)),
  ]
}

function noProxyProblems(value: unknown): Problem[] {
  const expected =
    'a host, .domain, address, network such as 10.0.0.0/8 or * expected, with :port where it matters'
  return textsAt(value, 'http', 'noProxy')?.some((entry) => /\/\/|[\s,]/.test(entry))
    ? [{ path: 'http.noProxy', text: `${expected}, one in each entry` }]
    : []
}

/** Names in http.insecure that are no host of the configuration: a misspelt name would have no effect. */
function insecureProblems(value: unknown): Problem[] {
  const urls = addressesOf(value).map((address) => new URL(address))
  const known = new Set(
    urls.flatMap(({ protocol, hostname, host, port }) => [
      hostname,
      port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host,
    ]),
  )
  const strange = textsAt(value, 'http', 'insecure')?.find((name) => !known.has(name.toLowerCase()))
  if (strange === undefined) return []
  const hosts = [...new Set(urls.map(({ hostname }) => hostname))].join(', ')
  return [{ path: 'http.insecure', text: `names a host that this configuration has not; it has ${hosts}` }]
}

function textsAt(value: unknown, ...keys: string[]): string[] | undefined {
  const found = at(value, ...keys)
  return Array.isArray(found) ? found.filter((entry) => typeof entry === 'string') : undefined
}

function isAddress(text: string | undefined): text is string {
  return text !== undefined && /^https?:/i.test(text) && URL.canParse(text)
}

function pairProblems(cert: string, key: string): Problem[] {
  const [certificate] = certificatesIn(cert)
  if (certificate === undefined) return [noCertificate('cert', cert)]
  const pem = readFileSync(key, 'utf8')
  if (pem.includes('ENCRYPTED')) {
    return problemAt('http.key', `the key in ${key} is encrypted: a key without a passphrase is expected`)
  }
  if (belongsTo(certificate, pem)) return []
  return problemAt('http.key', `the file ${key} holds no key in PEM that belongs to the certificate`)
}

const noCertificate = (key: 'ca' | 'cert', file: string): Problem => ({
  path: `http.${key}`,
  text: `the file ${file} holds no certificate in PEM`,
})

function certificatesIn(file: string): X509Certificate[] {
  const blocks = readFileSync(file, 'utf8').match(
    /-----BEGIN ([A-Z0-9 ]*CERTIFICATE)-----[^-]+-----END \1-----/g,
  )
  try {
    return (blocks ?? []).map((block) => new X509Certificate(block))
  } catch {
    return []
  }
}

function belongsTo(certificate: X509Certificate, pem: string): boolean {
  try {
    return certificate.checkPrivateKey(createPrivateKey(pem))
  } catch {
    return false
  }
}
