/** Deletes the disposable collaborations that are left at the end, with their workspaces. */
import { perform } from './perform.ts'
import type { Session } from './session.ts'

/** Deletes what `effects` allows. The fixture provider cleans up the rest. */
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
  // No check depends on this. The provider cleans up what remains.
  await Promise.allSettled([...ledger.left].map(remove))
}
