/** What can be done in a collaboration, so that its answers show whether the collaboration is there. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ActorName } from '../../deployment/configuration/actors.ts'
import type { FixtureAnswers, FixtureKind } from '../../deployment/fixtures/fixture-kinds.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import type { Needs } from '../../runner/check.ts'
import type { Caller, RequestFields } from '../../runner/context/calls.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { addingTo, oneOrTwoWorkspaces, ownParticipant, type Place } from '../common/collaborations.ts'

/** A use that an event may or must put an end to. */
export interface Use<P extends Place = Place> {
  readonly what: string
  /** What the ids of its checks end with. */
  readonly ending: string
  readonly needs: Needs<ActorName, FixtureKind>
  /** A place that no other check changes. Plain data: one check may hand it to the next. */
  readonly draw: (context: CheckContext) => Promise<P>
  readonly first: (context: CheckContext, place: P) => Promise<Answer>
  /** By another caller where one is named. */
  readonly again: (context: CheckContext, place: P, by?: Caller) => Promise<Answer>
  /** Waits until what that answer began is over, and until guests know of what has happened. */
  readonly rested: (context: CheckContext, place: P, answer: Answer) => Promise<void>
  /** Whether it is known when that is over: otherwise a refusal proves nothing. */
  readonly isCertain: (context: CheckContext, place: P) => boolean
}

const atOnce = { rested: async () => undefined, isCertain: () => true }

/** A collaboration, and nothing else of its fixture: checks hand it on. */
export const drawCollaboration = async ({
  given,
}: Pick<CheckContext<never, 'collaboration'>, 'given'>): Promise<Place> => ({
  collaborationId: (await given.collaboration()).collaborationId,
})

const add = (context: CheckContext, at: Place, by?: Caller) => addingTo(context, at)(by)

export const workspaces: Use = {
  what: 'a new workspace',
  ending: '',
  needs: { also: ['add-workspace'], fixtures: ['group'] },
  draw: drawCollaboration,
  first: add,
  again: add,
  ...atOnce,
}

type Contact = FixtureAnswers['participant'] & { readonly request: RequestFields }

const update = ({ as }: CheckContext, { request, ...at }: Contact, by: Caller = as.hostAdministrator) =>
  by('update-participant', at, request)

export const participants: Use<Contact> = {
  what: 'an update of a participant',
  ending: '-participant',
  needs: { also: ['update-participant'], fixtures: ['participant'] },
  draw: async (context) => ({
    ...(await ownParticipant(context)),
    request: await context.given.request('update-participant'),
  }),
  first: update,
  again: update,
  ...atOnce,
}

type Workspace = FixtureAnswers['workspace']

interface Synced extends Place {
  readonly one: Workspace
  /** The same where guests can sync one workspace of a collaboration only. */
  readonly other: Workspace
  /** When the last sync of an earlier check is over, in ms of `performance.now()`. */
  quietAt: number
}

const sync = ({ as }: CheckContext, at: Workspace, by: Caller = as.syncInitiator) => by('sync-workspace', at)

/** Uses another workspace again, so that a sync that still runs is no reason for a refusal. */
export const syncs: Use<Synced> = {
  what: 'a sync',
  ending: '-sync',
  needs: { also: ['sync-workspace'], actors: ['syncInitiator'], fixtures: ['workspace'] },
  draw: async (context) => {
    const [one, other = one] = await oneOrTwoWorkspaces(context)
    return { collaborationId: one.collaborationId, one, other, quietAt: 0 }
  },
  first: async (context, place) => {
    await sleep(Math.max(0, place.quietAt - performance.now()))
    return sync(context, place.one)
  },
  again: async (context, place, by) => {
    const answer = await sync(context, place.other, by)
    place.quietAt = answer.answeredAt + context.syncs.longestOf(place.other.workspaceId)
    return answer
  },
  rested: async ({ configuration, syncs }, { one }, { answeredAt }) => {
    const { settleMs, guestRefreshMs = 0 } = configuration.run
    const running = answeredAt + syncs.longestOf(one.workspaceId) - performance.now()
    await sleep(Math.max(guestRefreshMs + settleMs, running))
  },
  isCertain: (context, { one }) => context.syncs.knowsLongestOf(one.workspaceId),
}
