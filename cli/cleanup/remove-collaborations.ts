/** Deletes collaborations that a run was given to be deleted, as the host administrator and nobody else. */

import { acceptance, describe } from '../../clauses/acceptance.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { refererOf } from '../../deployment/credentials/ready-actors.ts'
import { BodyLimitError, bodyJson } from '../../deployment/http/answer.ts'
import { Client } from '../../deployment/http/client.ts'
import { type Answer, TransportError } from '../../deployment/http/exchange.ts'
import { isUsable, type LeftCollaboration } from '../../deployment/journal/left-over.ts'
import { outgoing } from '../../runner/context/calls.ts'

/** A collaboration that is still there, as far as is known, and what kept it from being deleted. */
export interface Kept {
  readonly collaboration: LeftCollaboration
  readonly why: string
}

interface Removal {
  /** Told of each that is gone, as soon as it is. */
  onRemoved(collaborationId: string): void
  /** Aborted: what was not deleted by now stays. */
  readonly signal?: AbortSignal
}

const operation = 'delete-collaboration'

/** Resolves with those that could not be deleted. */
export async function removeCollaborations(
  left: readonly LeftCollaboration[],
  configuration: Configuration,
  { onRemoved, signal }: Removal,
): Promise<Kept[]> {
  const { hostAdministrator } = configuration.actors
  const all = (why: string): Kept[] => left.map((collaboration) => ({ collaboration, why }))
  if (!configuration.effects.includes(operation)) return all(`effects does not allow ${operation}`)
  if (hostAdministrator === undefined)
    return all(configuration.absent?.hostAdministrator ?? 'actors.hostAdministrator is missing')
  const { credential, portal } = hostAdministrator
  const referer = refererOf(hostAdministrator)
  const identity = { credential, portal, ...(referer === undefined ? {} : { referer }) }
  // A limiter of its own: what the worker sent last is not known to the one that is there.
  const own = { ...configuration, http: { ...configuration.http } }
  const client = new Client(own, signal === undefined ? {} : { signal })
  const remove = async (collaboration: LeftCollaboration): Promise<Kept | undefined> => {
    const { id, perhapsGone } = collaboration
    if (!isUsable(id)) return { collaboration, why: 'its id is hidden in the journal' }
    try {
      const at = { collaborationId: id }
      const answer = await client.send(outgoing(configuration, identity, operation, at, {}, {}))
      if (isGone(answer)) return void onRemoved(id)
      const perhaps = perhapsGone ? '; a delete was under way when the run ended, so it may be gone' : ''
      return { collaboration, why: `${describe(answer)}${perhaps}` }
    } catch (error) {
      if (!(error instanceof TransportError || error instanceof BodyLimitError)) throw error
      return { collaboration, why: error.message }
    }
  }
  try {
    return (await Promise.all(left.map(remove))).filter((kept) => kept !== undefined)
  } finally {
    await client.close()
  }
}

const absent = [404, 410]

/** Deleted now, or not there any more. */
function isGone(answer: Answer): boolean {
  if (acceptance(answer).accepted || absent.includes(answer.status)) return true
  try {
    const { error } = bodyJson(answer) as { error?: { code?: unknown } | null }
    return absent.includes(error?.code as number)
  } catch {
    return false
  }
}
