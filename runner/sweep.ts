/** Removes what the checks have made: the collaborations that were handed out as disposable, with the workspaces in them. */
import { perform } from './perform.ts'
import type { Session } from './session.ts'

/** Deletes what is left, as far as the deployment allows it; the fixture provider cleans up the rest. */
export async function sweep(session: Session): Promise<void> {
  const { configuration, ledger } = session
  if (
    session.channel.gone ||
    configuration.actors.hostAdministrator === undefined ||
    !configuration.effects.includes('delete-collaboration')
  )
    return
  const remove = async (collaborationId: string) => {
    const identity = await session.identities.of('hostAdministrator')
    await perform(session, identity, { operation: 'delete-collaboration', at: { collaborationId } })
  }
  // What cannot be deleted is the provider's to clean up: no check hangs on it.
  await Promise.allSettled([...ledger.left].map(remove))
}
