/** What curl needs to go the way of the client: authorities, certificates, a proxy. */
import { relative } from 'node:path'
import type { HttpSettings } from '../configuration/configuration.ts'
import { proxyAddress, proxyFor } from '../configuration/proxy-environment.ts'
import { isUnchecked } from '../configuration/tls-settings.ts'

/** The variable that the line takes the credentials of a proxy from: NAME:PASSWORD. */
const proxyVariable = '"$PORTAL_PROXY_USER"'

/** Words for a shell; none where curl goes the same way by itself. Paths are seen from the folder of the run. */
export function networkWords(http: HttpSettings, url: string): string[] {
  // A recording may hold anything.
  if (!URL.canParse(url)) return []
  const { origin, protocol } = new URL(url)
  return [...(protocol === 'https:' ? tlsWords(http, origin) : []), ...proxyWords(http, origin)]
}

function tlsWords(http: HttpSettings, origin: string): string[] {
  const { ca, cert, key } = http
  const files = Object.entries({ cacert: ca, cert, key }).flatMap(([name, path]) =>
    path === undefined ? [] : [`--${name} ${fileWord(path)}`],
  )
  return isUnchecked(http, origin) ? [...files, '--insecure'] : files
}

function proxyWords(http: HttpSettings, origin: string): string[] {
  const proxy = proxyFor(http.proxy, origin)
  if (proxy === undefined) return []
  const { protocol, username, password } = new URL(proxy.url)
  const secure = protocol === 'https:'
  return [
    `--proxy ${shellWord(proxyAddress(proxy))}`,
    // The environment does not touch a proxy of the configuration; curl would leave it out for hosts in NO_PROXY.
    ...(proxy.from === 'http.proxy' ? ["--noproxy ''"] : []),
    ...(username === '' && password === '' ? [] : [`--proxy-user ${proxyVariable}`]),
    ...(secure && http.ca !== undefined ? [`--proxy-cacert ${fileWord(http.ca)}`] : []),
  ]
}

/** Whole only where the file is outside the folder of the run: the way there is nobody's concern. */
function fileWord(path: string): string {
  const near = relative(process.cwd(), path)
  return shellWord(near.startsWith('..') ? path : near)
}

/** One word, whatever it holds. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
