/** Asks every address of the target once, so that a dead one is told at once and not a hundred times. */

import { type PortalName, portalNames } from '../../deployment/configuration/actors.ts'
import { baseUrlOf, type Configuration } from '../../deployment/configuration/configuration.ts'
import { addressesOf } from '../../deployment/configuration/network-rules.ts'
import { proxyAddress, proxyFor } from '../../deployment/configuration/proxy-environment.ts'
import { uncheckedHosts } from '../../deployment/configuration/tls-settings.ts'
import { Client } from '../../deployment/http/client.ts'
import { TransportError } from '../../deployment/http/exchange.ts'
import { byKey } from '../../reporters/alike.ts'
import { exitCodes } from '../../reporters/exit-codes.ts'
import { CommandError } from '../command-error.ts'

/**
 * Resolves once each address has answered anything, with the longest that an answer took, in milliseconds. Throws an
 * error of exit code 4 that names the first that did not answer.
 */
export async function reachTarget(configuration: Configuration, signal: AbortSignal): Promise<number> {
  const client = new Client(configuration, { signal })
  try {
    let longestMs = 0
    for (const portal of portalsToReach(configuration))
      longestMs = Math.max(longestMs, await reach(client, configuration, portal))
    return longestMs
  } finally {
    await client.close()
  }
}

async function reach(
  client: Client,
  configuration: Configuration,
  portal: PortalName,
  method: 'GET' | 'POST' = 'GET',
): Promise<number> {
  const url = baseUrlOf(configuration, portal)
  try {
    const { sentAt, answeredAt } = await client.send({ portal, path: '', fields: [], method, once: true })
    return answeredAt - sentAt
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
    // An answer came, if not one that can be read whole.
    if (error.fault === 'too-large') return 0
    // Some hang up on what they do not serve, and every operation is a POST.
    if (error.fault === 'broken' && method === 'GET') return reach(client, configuration, portal, 'POST')
    if (error.fault === 'interrupted') throw new CommandError(exitCodes.interrupted, 'interrupted')
    const what = error.message.replace(/^\S+ \S+: /, '')
    const key = configuration.portals[portal]?.baseUrl === undefined ? 'target' : `portals.${portal}`
    throw new CommandError(
      exitCodes.broken,
      `the target at ${url} (${key}.baseUrl) cannot be reached: ${what}`,
    )
  }
}

/** One portal for each address. */
function portalsToReach(configuration: Configuration): PortalName[] {
  const { portals } = configuration
  const named = portalNames.filter((name) => name === 'host' || portals[name]?.baseUrl !== undefined)
  const alike = byKey(named, (name) => baseUrlOf(configuration, name))
  return [...alike.values()].map(([first]) => first as PortalName)
}

/** One line each, without a password: proxies that the environment names, and certificates that are not checked. */
export function networkNotices(configuration: Configuration): string[] {
  const unchecked = uncheckedHosts(configuration)
  const insecure = `Warning: TLS certificates of ${unchecked.join(', ')} are not checked (http.insecure): anybody may answer in their place`
  return [...proxyNotices(configuration), ...(unchecked.length === 0 ? [] : [insecure])]
}

function proxyNotices(configuration: Configuration): string[] {
  const { http } = configuration
  // One that the configuration names is no news; and one of the environment is never used on loopback.
  if (http.proxy === undefined || http.proxy.loopback) return []
  const hostsByProxy = new Map<string, Set<string>>()
  for (const address of addressesOf(configuration)) {
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
