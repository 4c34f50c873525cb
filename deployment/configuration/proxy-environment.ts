/** Proxies as the environment names them: HTTP_PROXY and its kin, in the order in which curl looks at them. */
import type { NamedProxy, ProxySettings } from './configuration.ts'
import type { Problem } from './environment.ts'
import { noProxyEntries } from './no-proxy.ts'
import { proxyFor } from './proxy-choice.ts'

const variables = {
  http: ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'],
  https: ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
} as const

interface Found {
  /** Absent: none of the addresses goes through a proxy. */
  readonly proxy?: ProxySettings
  readonly problems: readonly Problem[]
}

/** What the environment says for these addresses, never for loopback. `noProxy` goes over NO_PROXY. */
export function proxyOfEnvironment(
  environment: NodeJS.ProcessEnv,
  addresses: readonly string[],
  noProxy?: readonly string[],
): Found {
  const named = {
    ...withProxy('http', namedBy(variables.http, environment)),
    ...withProxy('https', namedBy(variables.https, environment)),
    except: noProxy ?? noProxyEntries(environment.no_proxy || environment.NO_PROXY || ''),
    loopback: false,
  }
  const used = new Set(addresses.flatMap((address) => proxyFor(named, address) ?? []))
  const problems = [...used].flatMap(({ url, from }) => {
    const wrong = proxyProblem(url)
    // Its value may hold a password.
    return wrong === undefined
      ? []
      : [{ path: 'http.proxy', text: `the environment variable ${from} ${wrong}` }]
  })
  if (used.size === 0 || problems.length > 0) return { problems }
  const { http, https, ...others } = named
  const inUse = (proxy: NamedProxy | undefined) =>
    proxy !== undefined && used.has(proxy) ? proxy : undefined
  return {
    proxy: { ...withProxy('http', inUse(http)), ...withProxy('https', inUse(https)), ...others },
    problems,
  }
}

/** What is wrong with the URL of a proxy, without showing it. */
export function proxyProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'is not a URL'
  if (/^https?:\/\//i.test(text)) return undefined
  return 'must begin with http:// or https://; other kinds of proxies are not supported (http.noProxy: ["*"] goes without one)'
}

function namedBy(names: readonly string[], environment: NodeJS.ProcessEnv): NamedProxy | undefined {
  for (const name of names) {
    const text = environment[name]?.trim()
    // To a CGI script, HTTP_PROXY is a header that anybody can send.
    if (!text || (name === 'HTTP_PROXY' && environment.REQUEST_METHOD !== undefined)) continue
    return { url: text.includes('://') ? text : `http://${text}`, from: name }
  }
  return undefined
}

const withProxy = (
  scheme: 'http' | 'https',
  proxy: NamedProxy | undefined,
): Pick<ProxySettings, 'http' | 'https'> => (proxy === undefined ? {} : { [scheme]: proxy })
