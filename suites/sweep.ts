/** Removes what the checks have made: the collaborations that were handed out as disposable, with the workspaces in them. */
import { outgoing } from './context/calls.ts'
import type { Session } from './session.ts'

/** Deletes what is left, as far as the deployment allows it; the fixture provider cleans up the rest. */
export async function sweep(session: Session): Promise<void> {
  const { configuration, client, ledger } = session
  if (
    session.gone ||
    configuration.actors.hostAdministrator === undefined ||
    !configuration.effects.includes('delete-collaboration')
  )
    return
  const remove = async (collaborationId: string) => {
    const identity = await session.identityOf('hostAdministrator')
    const operation = 'delete-collaboration'
    const at = { collaborationId }
    const sent = outgoing(configuration, identity, operation, at, {}, {})
    await ledger.perform({ operation, actor: identity.actor, at, request: {} }, () => client.send(sent))
  }
  // What cannot be deleted is the provider's to clean up: no check hangs on it.
  await Promise.allSettled([...ledger.left].map(remove))
}
