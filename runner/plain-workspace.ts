/** Adds a workspace that has nothing special about it, to see whether a collaboration takes any. */
import { isAccepted } from '../clauses/acceptance.ts'
import type { Answer } from '../deployment/http/exchange.ts'
import { validRequestsFor } from './context/valid-requests.ts'
import { isOfTheTarget } from './findings.ts'
import type { TwoAtOnce } from './patience/edits.ts'
import { perform } from './perform.ts'
import type { Session } from './session.ts'

const operation = 'add-workspace'

/** Whether a collaboration takes a plain workspace, beside no other edit of it; false where it could not be asked. */
export function takesPlainWorkspace(session: Session, collaborationId: string): Promise<boolean> {
  return addPlainWorkspace(session, collaborationId, (ask) =>
    session.edits.of(operation, collaborationId, ask, () => twoAtOnce(session)),
  )
}

/** `send`: how it is asked. */
async function addPlainWorkspace(
  session: Session,
  collaborationId: string,
  send: (ask: () => Promise<Answer>) => Promise<Answer> = (ask) => ask(),
): Promise<boolean> {
  try {
    const { request: valid } = validRequestsFor(session, 'plain')
    const request = await valid(operation, { collaborationWorkspaceName: 'Plain workspace' })
    const identity = await session.identityOf('hostAdministrator')
    const ask = () => perform(session, identity, { operation, at: { collaborationId }, request })
    return isAccepted(await send(ask))
  } catch (error) {
    if (isOfTheTarget(error)) return false
    throw error
  }
}

/** Adds two plain workspaces to one collaboration at the same moment, and one after them. */
export async function twoAtOnce(session: Session): Promise<TwoAtOnce> {
  const { collaborationId } = await session.pool.ownCollaboration()
  const add = () => addPlainWorkspace(session, collaborationId)
  const together = await Promise.all([add(), add()])
  return { together, alone: await add() }
}
