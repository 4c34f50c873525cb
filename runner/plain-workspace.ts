/** Adds a workspace that has nothing special about it, to see whether a collaboration takes any. */
import { isAccepted } from '../clauses/acceptance.ts'
import { validRequestsFor } from './context/valid-requests.ts'
import { isOfTheTarget } from './findings.ts'
import { perform } from './perform.ts'
import type { Session } from './session.ts'

const operation = 'add-workspace'

/** Whether a collaboration takes a plain workspace, beside no other edit of it; false where it could not be asked. */
export async function takesPlainWorkspace(session: Session, collaborationId: string): Promise<boolean> {
  try {
    const { request: valid } = validRequestsFor(session, 'plain')
    const request = await valid(operation, { collaborationWorkspaceName: 'Plain workspace' })
    const identity = await session.identityOf('hostAdministrator')
    const ask = () => perform(session, identity, { operation, at: { collaborationId }, request })
    return isAccepted(await session.edits.run(collaborationId, ask))
  } catch (error) {
    if (isOfTheTarget(error)) return false
    throw error
  }
}
