/** The preflight: a few requests before anything is made, so that a wrong address or login shows at once. */

import { type PortalName, portalNames } from '../../deployment/configuration/actors.ts'
import { baseUrlOf, type Configuration } from '../../deployment/configuration/configuration.ts'
import { addressesOf } from '../../deployment/configuration/network-rules.ts'
import { proxyAddress, proxyFor } from '../../deployment/configuration/proxy-environment.ts'
import { uncheckedHosts } from '../../deployment/configuration/tls-settings.ts'
import { Client } from '../../deployment/http/client.ts'
import { type Answer, TransportError } from '../../deployment/http/exchange.ts'
import { byKey } from '../../reporters/alike.ts'
import { exitCodes } from '../../reporters/exit-codes.ts'
import { CommandError } from '../command-error.ts'
import { whyNoPortal } from './no-portal.ts'

/**
 * Resolves once each address has answered, with the longest that an answer took, in milliseconds. Throws an error of
 * exit code 4 that names the first that did not answer, or the base URL of the target where no portal is.
 */
export async function reachTarget(configuration: Configuration, signal: AbortSignal): Promise<number> {
  const client = new Client(configuration, { signal })
  try {
    let longestMs = 0
    for (const portal of portalsToReach(configuration)) {
      const answer = await reach(client, configuration, portal)
      if (answer === undefined) continue
      longestMs = Math.max(longestMs, answer.answeredAt - answer.sentAt)
      // What keeps others away is said where they sign in: the host can be judged without them.
      if (portal === 'host') await refuseNoPortal(client, configuration, answer)
    }
    return longestMs
  } finally {
    await client.close()
  }
}

async function refuseNoPortal(client: Client, configuration: Configuration, root: Answer): Promise<void> {
  const why = await whyNoPortal(client, configuration, { portal: 'host', root })
  if (why === undefined) return
  throw new CommandError(exitCodes.broken, `${configuration.target.baseUrl} (target.baseUrl) ${why}`)
}

/** Throws an error of exit code 4 where callers are configured and none of them can act. */
export function refuseWithoutActors({ target, actors, absent = {} }: Configuration): void {
  const reasons = [...new Set(Object.values(absent))]
  const [first] = reasons
  if (first === undefined || Object.keys(actors).length > 0) return
  const others = reasons.length === 1 ? '' : `; so do ${reasons.length - 1} others, which doctor lists`
  throw new CommandError(
    exitCodes.broken,
    `no login or credential works at ${target.baseUrl}, so nothing is judged: ${first}${others}`,
  )
}

/** Undefined where an answer came that is too large to be read. */
async function reach(
  client: Client,
  configuration: Configuration,
  portal: PortalName,
  method: 'GET' | 'POST' = 'GET',
): Promise<Answer | undefined> {
  const url = baseUrlOf(configuration, portal)
  try {
    return await client.send({ portal, path: '', fields: [['f', 'json']], method, once: true })
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
    if (error.fault === 'too-large') return undefined
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
