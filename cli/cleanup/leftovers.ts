/** Collaborations that a provider handed out to be deleted, and that the checks did not delete. */
import { acceptance, describe } from '../../clauses/acceptance.ts'
import { type Configuration, listedFixtures } from '../../deployment/configuration/configuration.ts'
import { refererOf } from '../../deployment/credentials/ready-actors.ts'
import { Client } from '../../deployment/http/client.ts'
import { type Answer, BodyLimitError, errorCodeOf, TransportError } from '../../deployment/http/exchange.ts'
import { isUsable, type Journal, type Thing } from '../../deployment/journal/journal.ts'
import { outgoing } from '../../runner/context/calls.ts'
import { withoutUndefined } from '../../schemas/values.ts'

/** The leftovers among the things of a journal: what a run makes itself has a name. */
export const leftoversIn = (things: readonly Thing[]): Thing[] =>
  things.filter(({ name }) => name === undefined)

/** A collaboration that is probably still there, and why it could not be deleted. */
export interface Kept {
  readonly thing: Thing
  readonly why: string
}

const operation = 'delete-collaboration'

/**
 * Deletes the leftovers, notes each deletion in the journal at once, and resolves with those that it could not delete.
 * An aborted signal ends the deleting.
 */
export async function deleteLeftovers(
  leftovers: readonly Thing[],
  configuration: Configuration,
  journal: Journal,
  signal?: AbortSignal,
): Promise<Kept[]> {
  const { hostAdministrator } = configuration.actors
  const all = (why: string): Kept[] => leftovers.map((thing) => ({ thing, why }))
  if (!configuration.effects.includes(operation)) return all(`effects does not allow ${operation}`)
  if (hostAdministrator === undefined)
    return all(configuration.absent?.hostAdministrator ?? 'actors.hostAdministrator is missing')
  const { credential, portal } = hostAdministrator
  const actor = 'hostAdministrator'
  const referer = refererOf(hostAdministrator)
  const identity = withoutUndefined({ actor, credential, portal, referer } as const)
  // A copy of http gets a limiter of its own: the limiter of the run may still be busy.
  const own = { ...configuration, http: { ...configuration.http } }
  const client = new Client(own, withoutUndefined({ signal }))
  const isListed = listedFixtures(configuration) !== undefined
  const remove = async (thing: Thing): Promise<Kept | undefined> => {
    const id = String(thing.id)
    if (!isUsable(id)) return { thing, why: 'its id is hidden in the journal' }
    try {
      const at = { collaborationId: id }
      const answer = await client.send(outgoing(configuration, identity, operation, at, {}, {}))
      if (!isGone(answer)) return { thing, why: `${describe(answer)}; the run may have deleted it before` }
      if (isListed) journal.use('collaboration', id)
      journal.gone(thing)
      return undefined
    } catch (error) {
      if (!(error instanceof TransportError || error instanceof BodyLimitError)) throw error
      return { thing, why: error.message }
    }
  }
  try {
    return (await Promise.all(leftovers.map(remove))).filter((kept) => kept !== undefined)
  } finally {
    await client.close()
  }
}

const absent = [404, 410]

/** Deleted by this request, or gone before. */
const isGone = (answer: Answer): boolean =>
  acceptance(answer).accepted || absent.includes(answer.status) || absent.includes(errorCodeOf(answer))
