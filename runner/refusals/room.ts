/** Whether a workspace was refused for want of room: a limit on workspaces, in a collaboration or in the portal, is open. */
import type { Answer } from '../../deployment/http/exchange.ts'
import { effectOf, took } from '../log/exchange.ts'
import { remembered } from '../remembered.ts'
import type { Session } from '../session.ts'
import { takesPlainWorkspace } from './plain-requests.ts'

const full =
  'its collaboration takes no more workspaces, so a refusal proves nothing: offer more collaborations'

const noOther =
  'its collaboration takes no workspace, not even a plain one, and there is no other to try: offer more collaborations'

const fullPortal =
  'no collaboration takes a workspace any more, not even a plain one, so a refusal proves nothing: make room for more workspaces'

/** Fewer workspaces than that are no limit of a portal. */
const leastOfPortal = 10

/** A collaboration that took fewer may have another reason to refuse: a fresh one must take just as few. */
const leastTaken = 3

/** Why that refusal may be for want of room; undefined where the answer refuses no workspace, or plain ones are taken. */
export async function whyNoRoom(session: Session, answer: Answer): Promise<string | undefined> {
  const effect = effectOf(answer)
  if (effect?.operation !== 'add-workspace' || took(answer)) return undefined
  const id = String(effect.at.collaborationId)
  const { room } = session.asked
  const why = await remembered(room, id, () => findRoom(session, id))
  // Where there is room now, there need not be any later.
  if (why === undefined) room.delete(id)
  return why
}

async function findRoom(session: Session, collaborationId: string): Promise<string | undefined> {
  const takesNone = async (id: string): Promise<boolean> => !(await takes(session, id, 2))
  if (!(await takesNone(collaborationId))) return undefined
  const { acceptances } = session.ledger
  // It may have come with one.
  const added = Math.max(1, acceptances.addedTo(collaborationId))
  if (added >= leastTaken) return full
  const fresh = await session.pool.ownCollaboration().catch(() => undefined)
  if (fresh === undefined) return noOther
  if (!(await takes(session, fresh.collaborationId, 1)))
    return acceptances.added >= leastOfPortal ? fullPortal : undefined
  for (let more = 1; more < added; more += 1)
    if (!(await takes(session, fresh.collaborationId, 1))) return undefined
  return (await takesNone(fresh.collaborationId)) ? full : undefined
}

/** Whether the collaboration takes one of so many plain workspaces. */
async function takes(session: Session, collaborationId: string, tries: number): Promise<boolean> {
  for (let time = 0; time < tries; time += 1)
    if (await takesPlainWorkspace(session, collaborationId)) return true
  return false
}
