/** Makes actors ready before a run: gets their credentials, tries each once, and leaves out actors whose credential does not work. */
import type { Credential } from '../../schemas/types/configuration.ts'
import { type ActorName, ofActors } from '../configuration/actors.ts'
import { type Actor, baseUrlOf, type Configuration, loginOf } from '../configuration/configuration.ts'
import { credentialIn } from '../configuration/configuration-rules.ts'
import { Client } from '../http/client.ts'
import { diagnosisOf, inOneLine } from '../http/diagnosis.ts'
import { type Answer, bodyFields, errorCode, TransportError } from '../http/exchange.ts'
import { CredentialError, type SignIns, whoIs } from './sign-ins.ts'

/** The credential, or its source if it is obtained later. Commands run in the folder. */
export function readCredential(given: Credential, folder: string): Pick<Actor, 'credential' | 'source'> {
  if (typeof given === 'string') return { credential: given }
  if ('file' in given) return { credential: credentialIn(given.file) }
  return { credential: '', source: 'command' in given ? { ...given, folder } : given }
}

/** An actor that is ready, or the reason why it is absent. */
type Ready = { readonly actor: Actor; readonly notice?: string | undefined } | { readonly reason: string }

/**
 * The configuration with all credentials. An actor without a working one is absent, with the reason. If
 * `authentication.check` refuses `madeUp`, an invalid credential, it shows which credentials work.
 */
export async function readyActors(
  configuration: Configuration,
  madeUp: string,
  signIns: SignIns,
): Promise<Configuration> {
  const entries = ofActors(configuration.actors)
  const complete = entries.every(([, { source }]) => source === undefined)
  if (complete && configuration.authentication.check === undefined) return configuration
  const client = new Client(configuration)
  try {
    const tellsApart = await checkTellsApart(client, configuration, madeUp)
    const all = await Promise.all(
      entries.map(async ([name, actor]): Promise<[ActorName, Ready]> => {
        if (actor.made) return [name, { actor }]
        const ready = await obtained(actor, configuration, signIns)
        if ('reason' in ready || !tellsApart) return [name, ready]
        return [name, await tried(client, configuration, { name, actor: ready.actor })]
      }),
    )
    const actors: Partial<Record<ActorName, Actor>> = {}
    const absent: Partial<Record<ActorName, string>> = { ...configuration.absent }
    const notices = [...(configuration.notices ?? [])]
    for (const [name, ready] of all) {
      if ('actor' in ready) {
        actors[name] = ready.actor
        if (ready.notice !== undefined) notices.push(ready.notice)
      } else absent[name] = ready.reason
    }
    return {
      ...configuration,
      actors,
      ...(Object.keys(absent).length === 0 ? {} : { absent }),
      ...(notices.length === 0 ? {} : { notices }),
    }
  } finally {
    await client.close()
  }
}

async function obtained(actor: Actor, configuration: Configuration, signIns: SignIns): Promise<Ready> {
  if (actor.source === undefined) return { actor }
  try {
    return { actor: { ...actor, ...(await signIns.obtain(actor.source, actor.portal, configuration)) } }
  } catch (error) {
    if (error instanceof CredentialError) return { reason: error.message }
    throw error
  }
}

async function tried(
  client: Client,
  configuration: Configuration,
  { name, actor }: { readonly name: ActorName; readonly actor: Actor },
): Promise<Ready> {
  try {
    const answer = await whoIs(client, bearerOf(actor), configuration)
    if (letIn(answer)) return spelled(name, actor, bodyFields(answer).username)
    if (isElsewhere(answer)) return { actor }
    const { check } = configuration.authentication
    const baseUrl = baseUrlOf(configuration, actor.portal)
    const diagnosis = diagnosisOf(answer, baseUrl, { quotes: false })
    const what = diagnosis === undefined ? refusal(answer) : inOneLine(diagnosis)
    return { reason: `its credential does not work: ${check} ${what}` }
  } catch (error) {
    // Another step finds out whether the target answers at all.
    if (error instanceof TransportError) return { actor }
    throw error
  }
}

/** Paths hold user names, and their letter case counts: use the deployment's spelling. */
function spelled(name: ActorName, actor: Actor, username: unknown): Ready {
  if (actor.username === undefined || typeof username !== 'string') return { actor }
  const notice = spellingNotice(`actors.${name}.username`, actor.username, username)
  return notice === undefined ? { actor } : { actor: { ...actor, username }, notice }
}

/** A notice if the letter case of a user name differs between the deployment and the configuration. */
export function spellingNotice(key: string, configured: string, username: string): string | undefined {
  if (configured === username || configured.toLowerCase() !== username.toLowerCase()) return undefined
  return `${key} is "${configured}", and the deployment spells it "${username}": use the deployment's spelling`
}

/** Whether `authentication.check` is set and refuses an invalid credential. Sends a request. */
export async function tellsCredentialsApart(configuration: Configuration, madeUp: string): Promise<boolean> {
  const client = new Client(configuration)
  try {
    return await checkTellsApart(client, configuration, madeUp)
  } finally {
    await client.close()
  }
}

/** A page that accepts an invalid credential says nothing about others. */
async function checkTellsApart(
  client: Client,
  configuration: Configuration,
  madeUp: string,
): Promise<boolean> {
  const [first] = Object.values(configuration.actors)
  if (configuration.authentication.check === undefined || first === undefined) return false
  try {
    const answer = await whoIs(client, { ...bearerOf(first), credential: madeUp }, configuration)
    return !letIn(answer) && !isElsewhere(answer)
  } catch (error) {
    if (error instanceof TransportError) return false
    throw error
  }
}

const bearerOf = (actor: Actor) => ({
  credential: actor.credential,
  portal: actor.portal,
  referer: refererOf(actor),
})

/** The referer that the credential of an actor is bound to. */
export const refererOf = (actor: Actor): string | undefined => loginOf(actor)?.referer

function letIn(answer: Answer): boolean {
  return answer.status >= 200 && answer.status <= 299 && (bodyFields(answer).error ?? null) === null
}

/** Whether there is no such page, which says nothing about the credential. */
const isElsewhere = (answer: Answer): boolean =>
  [404, 405, 410, 501].some((status) => status === answer.status || status === errorCode(answer))

function refusal(answer: Answer): string {
  const code = errorCode(answer)
  return `answered HTTP ${answer.status}${code !== undefined ? ` with error code ${code}` : ''}`
}
