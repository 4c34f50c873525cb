/** Which proxy a request goes through. */
import type { NamedProxy, ProxySettings } from './configuration.ts'
import { isLoopback } from './loopback.ts'
import { goesPast } from './no-proxy.ts'

/** The proxy for requests to that origin; undefined where it is asked itself. */
export function proxyFor(settings: ProxySettings | undefined, origin: string): NamedProxy | undefined {
  if (settings === undefined) return undefined
  const proxy = origin.startsWith('https:') ? settings.https : settings.http
  if (proxy === undefined || goesPast(settings.except, origin)) return undefined
  return settings.loopback || !isLoopback(origin) ? proxy : undefined
}

/** The proxy without what may stand before its host. */
export function proxyAddress({ url }: NamedProxy): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}
