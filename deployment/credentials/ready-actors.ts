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
    const tellsApart = await tellsCredentialsApart(configuration, madeUp)
    const all = await Promise.allSettled(
      entries.map(async ([, actor]) => {
        if (actor.made) return actor
        const there = await withCredential(actor, configuration, signIns)
        return tellsApart ? tried(client, configuration, there) : there
      }),
    )
    const actors: Partial<Record<ActorName, Actor>> = {}
    const absent: Partial<Record<ActorName, string>> = { ...configuration.absent }
    for (const [at, [name]] of entries.entries()) {
      const outcome = all[at] as PromiseSettledResult<Actor>
      if (outcome.status === 'fulfilled') actors[name] = outcome.value
      else if (outcome.reason instanceof CredentialError) absent[name] = outcome.reason.message
      else throw outcome.reason
    }
    return { ...configuration, actors, ...(Object.keys(absent).length === 0 ? {} : { absent }) }
  } finally {
    await client.close()
  }
}

/** The actor with a credential. Rejects with a CredentialError. */
export async function withCredential(
  actor: Actor,
  configuration: Configuration,
  signIns: SignIns,
): Promise<Actor> {
  if (actor.source === undefined) return actor
  return { ...actor, ...(await signIns.obtain(actor.source, actor.portal, configuration)) }
}

/**
 * The actor if its credential works, with its name as the deployment spells it: paths hold user names, and their letter
 * case counts. Rejects with a CredentialError if the credential does not work.
 */
async function tried(client: Client, configuration: Configuration, actor: Actor): Promise<Actor> {
  let answer: Answer
  try {
    answer = await whoIs(client, bearerOf(actor), configuration)
  } catch (error) {
    // Another step finds out whether the target answers at all.
    if (error instanceof TransportError) return actor
    throw error
  }
  const { username } = bodyFields(answer)
  if (letIn(answer)) {
    const isSpelling =
      typeof username === 'string' && username.toLowerCase() === actor.username?.toLowerCase()
    return isSpelling ? { ...actor, username } : actor
  }
  if (isElsewhere(answer)) return actor
  const { check } = configuration.authentication
  const diagnosis = diagnosisOf(answer, baseUrlOf(configuration, actor.portal), { quotes: false })
  const what = diagnosis === undefined ? refusal(answer) : inOneLine(diagnosis)
  throw new CredentialError(`its credential does not work: ${check} ${what}`)
}

/**
 * Whether `authentication.check` is set and refuses an invalid credential: a page that accepts one says nothing about
 * others. Sends a request.
 */
export async function tellsCredentialsApart(configuration: Configuration, madeUp: string): Promise<boolean> {
  const [first] = Object.values(configuration.actors)
  if (configuration.authentication.check === undefined || first === undefined) return false
  const client = new Client(configuration)
  try {
    const answer = await whoIs(client, { ...bearerOf(first), credential: madeUp }, configuration)
    return !letIn(answer) && !isElsewhere(answer)
  } catch (error) {
    if (error instanceof TransportError) return false
    throw error
  } finally {
    await client.close()
  }
}

/** The credential of an actor, as a request needs it. */
export const bearerOf = (actor: Actor) => ({
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
