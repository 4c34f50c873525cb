/** Whether a portal answers at a base URL, and where else one may be. Sends a few requests that change nothing. */
import type { PortalName } from '../../deployment/configuration/actors.ts'
import { baseUrlOf, type Configuration } from '../../deployment/configuration/configuration.ts'
import { refererOf } from '../../deployment/credentials/ready-actors.ts'
import { Client } from '../../deployment/http/client.ts'
import { diagnosisOf, inOneLine, isPageForPeople, likelyBaseUrls } from '../../deployment/http/diagnosis.ts'
import { type Answer, bodyFields, errorCodeOf, TransportError } from '../../deployment/http/exchange.ts'
import type { OutgoingRequest } from '../../deployment/http/outgoing-request.ts'
import { nobodysLike } from '../../runner/context/resembling.ts'
import { operationOf } from '../../specs/operations.ts'

const probed = 'add-workspace'
const idLike = '0123456789abcdef0123456789abcdef'

/** The answer of a portal to a GET of its base URL with f=json. */
interface AnswerAtRoot {
  readonly portal: PortalName
  readonly root: Answer
}

/** What answers instead of a portal and what to do, as the end of a line; undefined if a portal may answer. */
export async function whyNoPortal(
  client: Client,
  configuration: Configuration,
  { portal, root }: AnswerAtRoot,
): Promise<string | undefined> {
  const baseUrl = baseUrlOf(configuration, portal)
  const diagnosis = diagnosisOf(root, baseUrl)
  if (diagnosis === undefined) return undefined
  // The contract has only operations: a portal need not have a page at its base URL.
  if (await answersOperations(client, configuration, portal)) return undefined
  const there = diagnosis.elsewhere === true ? await portalBelow(configuration, baseUrl) : undefined
  if (there === undefined) return inOneLine(diagnosis)
  return `answered ${diagnosis.found}; a portal answers at ${there}: set the base URL to it`
}

/** Whether an operation on an unknown collaboration gets another answer than an unknown page. */
async function answersOperations(
  client: Client,
  configuration: Configuration,
  portal: PortalName,
): Promise<boolean> {
  const { actors, portals, effects, run } = configuration
  const named = { portalID: portals[portal]?.id || 'self', collaborationID: nobodysLike(idLike, run.seed) }
  const caller = Object.values(actors).find((actor) => actor.portal === portal && actor.credential !== '')
  const request: OutgoingRequest = {
    portal,
    path: Object.entries(named).reduce(
      (path, [name, id]) => path.replace(`{${name}}`, encodeURIComponent(id)),
      operationOf(probed).path as string,
    ),
    fields: [['f', 'json']],
    credential: effects.includes(probed) ? caller?.credential : undefined,
    referer: caller && refererOf(caller),
  }
  const answer = await answerTo(client, request)
  if (answer === undefined) return true
  const diagnosis = diagnosisOf(answer, baseUrlOf(configuration, portal))
  if (diagnosis === undefined) return true
  if (diagnosis.elsewhere !== true || isPageForPeople(answer)) return false
  const nowhere = await answerTo(client, { ...request, path: '/no-such-operation' })
  return (
    nowhere === undefined || nowhere.status !== answer.status || errorCodeOf(nowhere) !== errorCodeOf(answer)
  )
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
