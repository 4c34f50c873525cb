/** Whether the fixture of a refused request exists, and whether it is full. Limits on workspaces are an open point. */
import { listedFixtures } from '../../deployment/configuration/configuration.ts'
import type { FixtureKind } from '../../deployment/fixtures/fixture-kinds.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { operationIds, operationOf } from '../../specs/operations.ts'
import { isOfTheTarget } from '../findings.ts'
import type { Acceptances } from '../log/acceptances.ts'
import { fixtureOf } from '../log/acceptances.ts'
import { effectOf, succeeded } from '../log/run-log.ts'
import { remembered } from '../remembered.ts'
import type { Session } from '../session.ts'
import { acceptsPlainRequest, acceptsPlainWorkspace, sendPlainRequest } from './plain-requests.ts'
import { type Refusal, refusedEffect } from './refusal.ts'

/**
 * Why the fixture of a refused valid request may not exist. It exists if anything was accepted on it. If the provider
 * makes fixtures, an acceptance on another fixture of its kind, or refusals on two fresh ones, suffice. A list may be
 * used up by earlier runs, so then a plain request on the same fixture must be accepted.
 */
export async function whyFixtureUnproved(refusal: Refusal): Promise<string | undefined> {
  const { session } = refusal
  const { acceptances } = session.ledger
  const effect = refusedEffect(refusal)
  if (effect === undefined) return undefined
  if (acceptances.onReassignedItems(effect))
    return 'the provider handed out items that had been given away before'
  if (acceptances.onFixtureOf(effect)) return undefined
  const { on } = operationOf(effect.operation)
  // The run made the fixture itself, so it exists.
  if (isMadeByRun(session)) return undefined
  const listed = isListed(session)
  if (!listed && (acceptances.onKind(on) || (await freshFixturesAreKnown(session, on)))) return undefined
  if (listed && (await acceptsPlainRequest(session, effect))) return undefined
  const why =
    fixtureDoubt(refusal) ?? `nothing was ever accepted on this ${words[on]}: ${remedy(session, on)}`
  return `this refusal proves nothing, since ${why}`
}

/**
 * Why the fixture is doubtful: nothing was ever accepted on its kind, although other requests are. Undefined if it is
 * not.
 */
export function fixtureDoubt(refusal: Refusal): string | undefined {
  const { session } = refusal
  const { acceptances } = session.ledger
  const effect = effectOf(refusal.answer)
  if (effect === undefined) return undefined
  const { on } = operationOf(effect.operation)
  if (isMadeByRun(session) || acceptances.onKind(on) || !acceptances.since(0)) return undefined
  return `no ${words[on]} has been accepted so far, while other requests are: ${remedy(session, on)}`
}

const remedy = (session: Session, kind: FixtureKind): string =>
  isListed(session)
    ? `an earlier run may have used up fixtures.static.${kind}, or it names something that the target does not have`
    : 'the provider may hand out something that the target does not have'

export const isMadeByRun = ({ configuration: { fixtures, administration } }: Session): boolean =>
  fixtures === undefined && administration?.permitted === true

const isListed = ({ configuration }: Session): boolean => listedFixtures(configuration) !== undefined

const words: Readonly<Partial<Record<FixtureKind, string>>> = {
  collaboration: 'collaboration',
  participant: 'participant',
  workspace: 'workspace',
  taskRun: 'task run',
  items: 'item',
  federation: 'federation',
}

/** Whether valid requests are refused on two fresh fixtures of that kind, or one is accepted. */
function freshFixturesAreKnown(session: Session, kind: FixtureKind): Promise<boolean> {
  return remembered(session.sideQuestions.freshFixtures, kind, () => tryTwoFresh(session, kind))
}

async function tryTwoFresh(session: Session, kind: FixtureKind): Promise<boolean> {
  const { acceptances } = session.ledger
  const refused = new Set<string>()
  for (const operation of operationIds.filter((id) => operationOf(id).on === kind)) {
    for (let time = 0; time < 2; time += 1) {
      const answer = await sendPlainRequest(session, operation)
      if (acceptances.onKind(kind)) return true
      const effect = effectOf(answer)
      if (effect !== undefined) refused.add(fixtureOf(effect).join())
    }
  }
  return refused.size > 1
}

/**
 * The delete of another collaboration that removed this one as well: nothing is accepted in this one any more, while
 * everything is in a fresh one. Undefined if nothing suggests that.
 */
export async function removedWithAnother(
  session: Session,
  answer: Answer,
): Promise<ReturnType<Acceptances['deleteOfAnother']>> {
  const { acceptances } = session.ledger
  const { collaborationId } = effectOf(answer)?.at ?? {}
  const guest = session.configuration.portals.guest?.id
  if (collaborationId === undefined || guest === undefined || succeeded(answer)) return undefined
  if (!session.ledger.mayAddTo(collaborationId)) return undefined
  const suspect = acceptances.deleteOfAnother(collaborationId)
  if (suspect === undefined) return undefined
  const { gone } = session.sideQuestions
  const went = await remembered(gone, collaborationId, () => isGone(session, collaborationId, guest))
  return went ? suspect : undefined
}

async function isGone(session: Session, collaborationId: string, guest: string): Promise<boolean> {
  const adds = (id: string) => acceptsPlainWorkspace(session, id)
  const updates = (id: string) =>
    acceptsPlainRequest(session, {
      operation: 'update-participant',
      at: { collaborationId: id, participantPortalId: guest },
      request: {},
    })
  const isThere = async (id: string): Promise<boolean> => (await adds(id)) || (await updates(id))
  try {
    if (await isThere(collaborationId)) return false
    const { collaborationId: fresh } = await session.pool.ownCollaboration()
    const alive = (await adds(fresh)) && (await updates(fresh))
    return alive && !(await isThere(collaborationId))
  } catch (error) {
    if (isOfTheTarget(error)) return false
    throw error
  }
}

const fullCollaboration =
  'the collaboration is full, so a refusal proves nothing: raise the limit of workspaces in a collaboration, or hand out collaborations with more room'

const noOther = (why: string): string =>
  `the collaboration refuses every workspace, and there is no other one: ${why}`

const offerMore = 'offer more collaborations, with more room'

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
  if ((await roomIn(session, collaborationId, 1)) > 0) return undefined
  const { acceptances } = session.ledger
  // It may have had a workspace from the start.
  const added = Math.max(1, acceptances.addedTo(collaborationId))
  if (added >= leastInFullCollaboration) return fullCollaboration
  const fresh = await session.pool.ownCollaboration().catch((error: Error) => error)
  // A run that makes them itself cannot be offered more.
  if (fresh instanceof Error) return noOther(isMadeByRun(session) ? fresh.message : offerMore)
  const room = await roomIn(session, fresh.collaborationId, added + 2)
  if (room === 0) return acceptances.added >= leastInFullPortal ? fullPortal : undefined
  // The full one may have had a workspace from the start, so the fresh one may take one more.
  return room === added || room === added + 1 ? fullCollaboration : undefined
}

/** How many plain workspaces the collaboration accepts before it refuses two in a row, at most that many. */
async function roomIn(session: Session, collaborationId: string, most: number): Promise<number> {
  let [room, refused] = [0, 0]
  while (room < most && refused < 2)
    if (await acceptsPlainWorkspace(session, collaborationId)) [room, refused] = [room + 1, 0]
    else refused += 1
  return room
}
