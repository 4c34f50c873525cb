/** What a user must know of the way to the target before anything is sent. */
import { type Configuration, portalNames } from '../../deployment/configuration/configuration.ts'
import { proxyAddress, proxyFor } from '../../deployment/configuration/proxy-choice.ts'
import { uncheckedHosts } from '../../deployment/configuration/tls-settings.ts'

/** One line each, without a password: proxies that the environment names, and certificates that are not checked. */
export function networkNotices(configuration: Configuration): string[] {
  const unchecked = uncheckedHosts(configuration)
  const insecure = `Warning: TLS certificates of ${unchecked.join(', ')} are not checked (http.insecure): anybody may answer in their place`
  return [...proxyNotices(configuration), ...(unchecked.length === 0 ? [] : [insecure])]
}

function proxyNotices({ target, portals, http, fixtures }: Configuration): string[] {
  // One that the configuration names is no news; and one of the environment is never used on loopback.
  if (http.proxy === undefined || http.proxy.loopback) return []
  const bases = [target.baseUrl, ...portalNames.flatMap((name) => portals[name]?.baseUrl ?? [])]
  const addresses = fixtures !== undefined && 'url' in fixtures ? [...bases, fixtures.url] : bases
  const hostsByProxy = new Map<string, Set<string>>()
  for (const address of addresses) {
    const proxy = proxyFor(http.proxy, address)
    if (proxy === undefined) continue
    const name = `${proxyAddress(proxy)} (${proxy.from} in the environment`
    hostsByProxy.set(name, (hostsByProxy.get(name) ?? new Set()).add(new URL(address).host))
  }
  return [...hostsByProxy].map(
    ([name, hosts]) =>
      `${[...hosts].join(', ')}: asked through the proxy ${name}; http.noProxy: ["*"] goes without it)`,
  )
}
