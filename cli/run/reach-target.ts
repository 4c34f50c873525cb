/** The preflight: a few requests before the run makes anything, so that a wrong address or login shows at once. */
import { type PortalName, portalNames } from '../../deployment/configuration/actors.ts'
import { baseUrlOf, type Configuration } from '../../deployment/configuration/configuration.ts'
import {
  addressesOf,
  proxyAddress,
  proxyFor,
  uncheckedHosts,
} from '../../deployment/configuration/connection-settings.ts'
import { refererOf } from '../../deployment/credentials/ready-actors.ts'
import { Client } from '../../deployment/http/client.ts'
import { diagnosisOf, inOneLine, isOfGateway, likelyBaseUrls } from '../../deployment/http/diagnosis.ts'
import { type Answer, bodyFields, errorCodeOf, TransportError } from '../../deployment/http/exchange.ts'
import type { OutgoingRequest } from '../../deployment/http/outgoing-request.ts'
import { createRedactor } from '../../deployment/redaction/redaction.ts'
import { exitCodes } from '../../reporters/exit-codes.ts'
import { nobodysLike } from '../../runner/cases/likenesses.ts'
import { byKey } from '../../schemas/values.ts'
import { pathTo } from '../../specs/paths.ts'
import { CommandError } from '../command-error.ts'
import { type CommandContext, say } from '../process/command-context.ts'

/**
 * Asks each address, and resolves with the longest time of an answer, in milliseconds. Throws an error of exit code 4
 * that names the first address without an answer, or the base URL of the target if no portal answers there.
 */
export async function reachTarget(configuration: Configuration, signal: AbortSignal): Promise<number> {
  const client = new Client(configuration, { signal })
  try {
    let longestMs = 0
    for (const portal of portalsToReach(configuration)) {
      let answer = await reach(client, configuration, portal)
      if (portal === 'host' && answer !== undefined && (await isAway(client, configuration, answer)))
        answer = await reach(client, configuration, portal, false)
      if (answer === undefined) continue
      longestMs = Math.max(longestMs, answer.answeredAt - answer.sentAt)
      // The host can be judged without a guest: what is wrong there shows when the guest's callers sign in.
      if (portal !== 'host') continue
      const why = await whyNoPortal(client, configuration, answer)
      if (why !== undefined)
        throw new CommandError(exitCodes.broken, `${configuration.target.baseUrl} (target.baseUrl) ${why}`)
    }
    return longestMs
  } finally {
    await client.close()
  }
}

/** Throws an error of exit code 4 if no configured caller can act, or if the login does not work that makes all fixtures. */
export function refuseWithoutActors(configuration: Configuration): void {
  const { target, actors, administration, fixtures, absent = {} } = configuration
  const isNobody = Object.keys(actors).length === 0
  const makesAll = fixtures === undefined && administration?.lacks.group !== undefined
  const reason = isNobody ? Object.values(absent)[0] : makesAll ? absent.hostAdministrator : undefined
  if (reason === undefined) return
  const what = isNobody ? 'no login or credential works' : 'no fixtures can be made'
  throw new CommandError(exitCodes.broken, `${what} at ${target.baseUrl}, so nothing is judged: ${reason}`)
}

/** Whether a gateway answers in place of the portal, for its base URL and for an operation. */
async function isAway(client: Client, configuration: Configuration, root: Answer): Promise<boolean> {
  if (!isOfGateway(root)) return false
  const answer = await answerTo(client, probeOf(configuration))
  return answer !== undefined && isOfGateway(answer)
}

/** `once` false: waits for a portal that is away. Undefined if the answer is too large. */
async function reach(
  client: Client,
  configuration: Configuration,
  portal: PortalName,
  once = true,
): Promise<Answer | undefined> {
  const url = baseUrlOf(configuration, portal)
  try {
    return await client.send({ portal, path: '', fields: [['f', 'json']], method: 'GET', once })
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
    if (error.fault === 'too-large') return undefined
    if (error.fault === 'interrupted') throw new CommandError(exitCodes.interrupted, 'interrupted')
    const what = error.message.replace(/^\S+ \S+: /, '')
    const key = configuration.portals[portal]?.baseUrl === undefined ? 'target' : `portals.${portal}`
    const how = error.answer === undefined ? 'cannot be reached' : `answered only HTTP ${error.answer.status}`
    throw new CommandError(exitCodes.broken, `the target at ${url} (${key}.baseUrl) ${how}: ${what}`)
  }
}

/** One portal for each address. */
function portalsToReach(configuration: Configuration): PortalName[] {
  const { portals } = configuration
  const named = portalNames.filter((name) => name === 'host' || portals[name]?.baseUrl !== undefined)
  const groups = byKey(named, (name) => baseUrlOf(configuration, name))
  return [...groups.values()].map(([first]) => first as PortalName)
}

/** Prints a line for each proxy of the environment, without its password, and for certificates that are not checked. */
export function printNetworkNotices(
  configuration: Configuration,
  { stderr }: Pick<CommandContext, 'stderr'>,
): void {
  const { text } = createRedactor(configuration)
  for (const line of proxyNotices(configuration)) say(stderr, text(line))
  const unchecked = uncheckedHosts(configuration).join(', ')
  if (unchecked !== '')
    say(
      stderr,
      text(
        `Warning: TLS certificates of ${unchecked} are not checked (http.insecure): another server may answer in their place`,
      ),
    )
}

function proxyNotices(configuration: Configuration): string[] {
  const { http } = configuration
  // The user knows a proxy of the configuration. A proxy of the environment is never used on loopback.
  if (http.proxy === undefined || http.proxy.loopback) return []
  const addressesByProxy = byKey([...addressesOf(configuration)], (address) => {
    const proxy = proxyFor(http.proxy, address)
    return proxy && `${proxyAddress(proxy)} (${proxy.from} in the environment`
  })
  return [...addressesByProxy].flatMap(([proxy, addresses]) => {
    if (proxy === undefined) return []
    const hosts = [...new Set(addresses.map((address) => new URL(address).host))].join(', ')
    return `${hosts}: requested through the proxy ${proxy}; http.noProxy: ["*"] avoids it)`
  })
}

/**
 * What answers instead of the host and what to do, as the end of a line; undefined if a portal may answer. `root`: the
 * answer to a GET of its base URL with f=json.
 */
export async function whyNoPortal(
  client: Client,
  configuration: Configuration,
  root: Answer,
): Promise<string | undefined> {
  const { baseUrl } = configuration.target
  const diagnosis = diagnosisOf(root, baseUrl)
  const there = diagnosis?.elsewhere === true ? await portalBelow(configuration, baseUrl) : undefined
  if (there !== undefined)
    return `answered ${diagnosis?.found}; set the base URL to ${there}, where a portal answers`
  // The contract has only operations: a portal need not have a page at its base URL.
  if (diagnosis === undefined || (await answersOperations(client, configuration))) return undefined
  return inOneLine(diagnosis)
}

const probed = 'add-workspace'

/**
 * Whether an operation on an unknown collaboration gets another answer than an unknown page: with a credential, without
 * one, or to a GET. A portal may refuse without a word, by HTTP 404 alone.
 */
async function answersOperations(client: Client, configuration: Configuration): Promise<boolean> {
  const request = probeOf(configuration)
  const answer = await answerTo(client, request)
  if (answer === undefined) return true
  const diagnosis = diagnosisOf(answer, configuration.target.baseUrl)
  if (diagnosis === undefined) return true
  if (diagnosis.elsewhere !== true) return false
  const anonymous = { ...request, credential: undefined }
  for (const asked of [request, anonymous, { ...anonymous, method: 'GET' as const }]) {
    const there = asked === request ? answer : await answerTo(client, asked)
    const nowhere = await answerTo(client, { ...asked, path: '/no-such-operation' })
    if (there === undefined || nowhere === undefined || kindOf(there) !== kindOf(nowhere)) return true
  }
  return false
}

/** A request for an operation on an unknown collaboration. */
function probeOf({ actors, portals, effects, run }: Configuration): OutgoingRequest {
  const caller = Object.values(actors).find((actor) => actor.portal === 'host' && actor.credential !== '')
  return {
    portal: 'host',
    path: pathTo(probed, {
      portalId: portals.host.id || 'self',
      collaborationId: nobodysLike('0123456789abcdef0123456789abcdef', run.seed),
    }),
    fields: [['f', 'pjson']],
    credential: effects.includes(probed) ? caller?.credential : undefined,
    referer: caller && refererOf(caller),
  }
}

/** The status, and the error as portals write it, without paths, which servers of any kind repeat. */
function kindOf(answer: Answer): string {
  const { error } = bodyFields(answer) as { error?: { message?: unknown } | null }
  if (typeof error !== 'object' || error === null) return String(answer.status)
  return [answer.status, errorCodeOf(answer), String(error.message).replace(/\/\S*/g, '')].join(' ')
}

/** The first likely address on the same host where a portal answers. */
async function portalBelow(configuration: Configuration, baseUrl: string): Promise<string | undefined> {
  for (const likely of likelyBaseUrls(baseUrl)) {
    const client = new Client({
      ...configuration,
      target: { ...configuration.target, baseUrl: likely },
      portals: { host: { id: '' } },
    })
    try {
      const answer = await answerTo(client, {
        portal: 'host',
        path: '',
        fields: [['f', 'json']],
        method: 'GET',
      })
      const isPortals = answer !== undefined && diagnosisOf(answer, likely) === undefined
      if (isPortals && answer.status <= 299 && Object.keys(bodyFields(answer)).length > 0) return likely
    } finally {
      await client.close()
    }
  }
  return undefined
}

/** Undefined if no answer came. */
async function answerTo(client: Client, request: OutgoingRequest): Promise<Answer | undefined> {
  try {
    return await client.send({ ...request, once: true })
  } catch (error) {
    if (error instanceof TransportError) return undefined
    throw error
  }
}
