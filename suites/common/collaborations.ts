/** Uses collaborations in order to see which of them exist, and lets wrong callers try to delete them. */
import { acceptance, isAccepted } from '../../clauses/acceptance.ts'
import { wrongCallersOf } from '../../clauses/callers.ts'
import type { Stranger } from '../../clauses/exchange.ts'
import type { ActorName } from '../../deployment/configuration/actors.ts'
import { type FixtureAnswers, type FixtureKind, ifOffered } from '../../deployment/fixtures/fixture-kinds.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import type { Needs } from '../../runner/check.ts'
import type { Caller, How, RequestFields } from '../../runner/context/calls.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { Unproven } from '../../runner/findings.ts'
import { valueAt } from '../../schemas/values.ts'
import type { RequirementId } from '../../specs/requirements.ts'

export interface Place {
  readonly collaborationId: string
}

/** What checks need that add workspaces to collaborations, or sync those. */
export const alsoAdds = { also: ['add-workspace'], fixtures: ['group'] } as const
export const alsoSyncs = {
  also: ['sync-workspace'],
  actors: ['syncInitiator'],
  fixtures: ['workspace'],
} as const

/** Adds ordinary workspaces to a collaboration, by default as the host administrator. */
export const addingTo =
  ({ as, given }: Pick<CheckContext<'hostAdministrator', never>, 'as' | 'given'>, at: Place) =>
  async (by: Caller = as.hostAdministrator, how: How = {}): Promise<Answer> =>
    by('add-workspace', at, await given.request('add-workspace'), how)

/** The id of an added workspace. Undefined if the answer is a refusal or has none. */
export function idIn(added: Answer): string | undefined {
  const read = acceptance(added)
  const id = read.accepted ? valueAt(read.body, 'workspace.id') : undefined
  return typeof id === 'string' ? id : undefined
}

/** The id of an added workspace. Throws `Unproven` if there is none, because then nothing can be synced. */
export function idOfAdded({ control }: Pick<CheckContext, 'control'>, added: Answer): string {
  control(added)
  const id = idIn(added)
  if (id !== undefined) return id
  throw new Unproven('workspace.id is no string, so there is nothing to sync', [added])
}

/** Deletes the collaboration. The delete must be accepted, or nothing follows. */
export async function deleted(
  { as, control }: Pick<CheckContext<'hostAdministrator', never>, 'as' | 'control'>,
  at: Place,
  how: How = {},
): Promise<Answer> {
  // Urgent, so that the state that was seen before the delete is still current.
  const gone = await as.hostAdministrator('delete-collaboration', at, {}, { ...how, urgent: true })
  control(gone, 'the delete')
  return gone
}

type Workspace = FixtureAnswers['workspace']

/** Two workspaces of one collaboration, or one: guests may be able to sync only the first of a collaboration. */
export async function oneOrTwoWorkspaces({
  given,
}: Pick<CheckContext<never, 'collaboration' | 'workspace'>, 'given'>): Promise<
  [Workspace] | [Workspace, Workspace]
> {
  const { collaborationId } = await given.collaboration({ with: 'workspace' })
  const first = await given.workspace({ collaborationId })
  const second = await ifOffered(given.workspace({ collaborationId }))
  return second === undefined ? [first] : [first, second]
}

/** A participant of its own collaboration, which no other check changes. */
export async function ownParticipant({
  given,
}: Pick<CheckContext<never, 'collaboration' | 'participant'>, 'given'>): Promise<
  FixtureAnswers['participant']
> {
  const { collaborationId } = await given.collaboration({ with: 'participant' })
  return given.participant({ collaborationId })
}

/** A use that an event may or must end. */
export interface Use<P extends Place = Place> {
  readonly what: string
  /** The end of the check ids. */
  readonly ending: string
  readonly needs: Needs<ActorName, FixtureKind>
  /** Draws a place that no other check changes. Plain data, so that one check can pass it to the next. */
  readonly draw: (context: CheckContext) => Promise<P>
  /** Draws another place that shares with the first what places of this use can share. Default: `draw`. */
  readonly beside?: (context: CheckContext, place: P) => Promise<P>
  readonly first: (context: CheckContext, place: P) => Promise<Answer>
  /** The use again, by another caller if given. */
  readonly again: (context: CheckContext, place: P, by?: Caller, how?: How) => Promise<Answer>
  /**
   * Waits until whatever the answer began is over, and until guests know of the event, if there was one. Absent: both
   * at once.
   */
  readonly rested?: (context: CheckContext, place: P, answer: Answer, event?: Answer) => Promise<void>
  /** Whether the end is known. If not, a refusal proves nothing. Default: yes. */
  readonly isCertain?: (context: CheckContext, place: P) => boolean
}

/** Only the id of a collaboration, because checks pass it on. */
const drawCollaboration = async ({
  given,
}: Pick<CheckContext<never, 'collaboration'>, 'given'>): Promise<Place> => ({
  collaborationId: (await given.collaboration()).collaborationId,
})

const add = (context: CheckContext, at: Place, by?: Caller, how?: How) => addingTo(context, at)(by, how)

export const workspaces: Use = {
  what: 'a new workspace',
  ending: '',
  needs: alsoAdds,
  draw: drawCollaboration,
  first: add,
  again: add,
}

interface SameName extends Place {
  /** The request that all of them send first. */
  readonly request: RequestFields
}

const addAs = async ({ as, given }: CheckContext, { collaborationId }: Place, request: RequestFields) =>
  as.hostAdministrator('add-workspace', { collaborationId }, await given.linked('add-workspace', request))

/**
 * Workspaces of different collaborations with the same name, and with the same group if a group takes several. Another
 * name if the second workspace of a name is refused.
 */
export const workspacesOfOneName: Use<SameName> = {
  what: 'a new workspace like one of the other',
  ending: '',
  needs: alsoAdds,
  draw: async (context) => {
    const { portalGroupId, ...request } = await context.given.request('add-workspace')
    const { groupId, reusable = true } = await context.given.group()
    return {
      ...(await drawCollaboration(context)),
      request: reusable ? { ...request, portalGroupId: groupId } : request,
    }
  },
  beside: async (context, { request }) => ({ ...(await drawCollaboration(context)), request }),
  first: async (context, place) => {
    const sameName = await addAs(context, place, place.request)
    return isAccepted(sameName) ? sameName : addingTo(context, place)()
  },
  again: async (context, place) => addAs(context, place, context.given.named(place.request)),
}

interface Contact extends Place {
  readonly participantPortalId: string
  readonly request: RequestFields
  /** How often permitted callers updated it. */
  updates: number
}

/** Two in turn, because a target may refuse an update that changes nothing. */
const firstNames = ['Anna', 'Eva'] as const

/** A wrong caller repeats the last update, so that only the caller differs. */
function update({ as }: CheckContext, contact: Contact, by?: Caller, how: How = {}): Promise<Answer> {
  const { collaborationId, participantPortalId, request } = contact
  const caller = by ?? as.hostAdministrator
  if (caller === as.hostAdministrator) contact.updates += 1
  const contactFirstname = firstNames[contact.updates % firstNames.length]
  return caller(
    'update-participant',
    { collaborationId, participantPortalId },
    { ...request, contactFirstname },
    how,
  )
}

export const participants: Use<Contact> = {
  what: 'an update of a participant',
  ending: '-participant',
  needs: { also: ['update-participant'], fixtures: ['participant'] },
  draw: async (context) => ({
    ...(await ownParticipant(context)),
    request: await context.given.request('update-participant'),
    updates: 0,
  }),
  first: update,
  again: update,
}

interface Synced extends Place {
  readonly one: Workspace
  /** The same if guests can sync only one workspace of a collaboration. */
  readonly other: Workspace
  /** When the last sync of an earlier check was answered, in ms of `performance.now()`. */
  syncedAt?: number
}

const sync = ({ as }: CheckContext, at: Workspace, by: Caller = as.syncInitiator, how: How = {}) =>
  by('sync-workspace', at, {}, how)

/** Uses another workspace, so that a running sync is no reason for a refusal. */
export const syncs: Use<Synced> = {
  what: 'a sync',
  ending: '-sync',
  needs: alsoSyncs,
  draw: async (context) => {
    const [one, other = one] = await oneOrTwoWorkspaces(context)
    return { collaborationId: one.collaborationId, one, other }
  },
  first: async (context, place) => {
    if (place.syncedAt !== undefined) await context.syncs.untilOver(place.other.workspaceId, place.syncedAt)
    return sync(context, place.one)
  },
  again: async (context, place, by, how) => {
    const answer = await sync(context, place.other, by, how)
    place.syncedAt = answer.answeredAt
    return answer
  },
  rested: async ({ configuration, syncs, wait }, { one }, answer, event) => {
    const { settleMs, guestRefreshMs = 0 } = configuration.run
    if (event !== undefined) await wait.until(event.answeredAt + guestRefreshMs + settleMs)
    await syncs.untilOver(one.workspaceId, answer.answeredAt)
  },
  isCertain: (context, { one }) => context.syncs.knowsLongestOf(one.workspaceId),
}

export type WrongCaller = Extract<ActorName, 'guestAdministrator' | 'hostMember'> | Stranger

/** The callers that requirements name. A made-up credential is judged by the consequences of its refused delete. */
export const wrongCallers: readonly (readonly [RequirementId, WrongCaller])[] = wrongCallersOf(
  'delete-collaboration',
)
  .filter(({ refused }) => refused !== 'impostor')
  .map(({ id, refused }) => [id, refused as WrongCaller])

/** Waits for late effects run in parallel if fixtures cost nothing. Undefined: everything in one place. */
const triesAtOnce = ({ configuration }: Pick<CheckContext, 'configuration'>): number | undefined =>
  configuration.run.plentiful ? 4 : undefined

/** A place of that use whose collaboration wrong callers try to delete. After a refusal the next caller gets the same one. */
export const triedInUse = <P extends Place>(
  context: CheckContext,
  use: Use<P>,
  judge: (place: P) => Promise<void>,
): Promise<void> =>
  context.given.inTurn(`tried delete-collaboration with ${use.what}`, () => use.draw(context), judge, {
    most: triesAtOnce(context),
  })
