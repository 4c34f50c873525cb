/** Whether a workspace was refused because the collaboration or the portal is full. Such limits are an open point. */
import type { Answer } from '../../deployment/http/exchange.ts'
import { effectOf, succeeded } from '../log/exchange.ts'
import { remembered } from '../remembered.ts'
import type { Session } from '../session.ts'
import { acceptsPlainWorkspace } from './plain-requests.ts'

const fullCollaboration = 'the collaboration is full, so a refusal proves nothing: offer more collaborations'

const noOther =
  'the collaboration refuses every workspace, and there is no other one: offer more collaborations'

const fullPortal =
  'every collaboration refuses workspaces now, so a refusal proves nothing: make room for more workspaces'

/** With fewer workspaces the portal is not full. */
export const leastInFullPortal = 10

/** If a collaboration took fewer, a fresh one must show the same limit. */
const leastInFullCollaboration = 3

/** Why the collaboration may be full. Undefined if the answer refuses no workspace, or plain ones are accepted. */
export async function whyFull(session: Session, answer: Answer): Promise<string | undefined> {
  const effect = effectOf(answer)
  if (effect?.operation !== 'add-workspace' || succeeded(answer)) return undefined
  const id = String(effect.at.collaborationId)
  const { full } = session.sideQuestions
  const why = await remembered(full, id, () => findWhyFull(session, id))
  // Not remembered: it may be full later.
  if (why === undefined) full.delete(id)
  return why
}

async function findWhyFull(session: Session, collaborationId: string): Promise<string | undefined> {
  const takesNone = async (id: string): Promise<boolean> => !(await acceptsOneOf(session, id, 2))
  if (!(await takesNone(collaborationId))) return undefined
  const { acceptances } = session.ledger
  // It may have had a workspace from the start.
  const added = Math.max(1, acceptances.addedTo(collaborationId))
  if (added >= leastInFullCollaboration) return fullCollaboration
  const fresh = await session.pool.ownCollaboration().catch(() => undefined)
  if (fresh === undefined) return noOther
  if (!(await acceptsOneOf(session, fresh.collaborationId, 1)))
    return acceptances.added >= leastInFullPortal ? fullPortal : undefined
  for (let more = 1; more < added; more += 1)
    if (!(await acceptsOneOf(session, fresh.collaborationId, 1))) return undefined
  // The full one may have had a workspace from the start, so the fresh one may take one more.
  const takesNoMore = async (): Promise<boolean> => takesNone(fresh.collaborationId)
  return (await takesNoMore()) || (await takesNoMore()) ? fullCollaboration : undefined
}

/** Whether the collaboration accepts one of that many plain workspaces. */
async function acceptsOneOf(session: Session, collaborationId: string, tries: number): Promise<boolean> {
  for (let time = 0; time < tries; time += 1)
    if (await acceptsPlainWorkspace(session, collaborationId)) return true
  return false
}
