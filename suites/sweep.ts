/** Removes what the checks have made: the collaborations that they were handed, with the workspaces in them. */
import { outgoing } from './context/calls.ts'
import type { Session } from './session.ts'

/** Deletes what is left, as far as the deployment allows it; the fixture provider cleans up the rest. */
export async function sweep(session: Session): Promise<void> {
  const { configuration, client, collaborations } = session
  const left = [...collaborations]
  collaborations.clear()
  if (
    session.gone ||
    configuration.actors.hostAdministrator === undefined ||
    !configuration.effects.includes('delete-collaboration')
  )
    return
  const remove = async (collaborationId: string) => {
    const identity = await session.identityOf('hostAdministrator')
    return client.send(outgoing(configuration, identity, 'delete-collaboration', { collaborationId }, {}, {}))
  }
  // What cannot be deleted is the provider's to clean up: no check hangs on it.
  await Promise.allSettled(left.map(remove))
}
