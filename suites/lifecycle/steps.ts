/** The steps of a sequence, and the answers that the model demands. */
import { isAccepted } from '../../clauses/acceptance.ts'
import { ifOffered } from '../../deployment/fixtures/fixture-kinds.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import type { RequestFields } from '../../runner/context/calls.ts'
import type { ModelCollaboration, World } from './world.ts'

/** One request. It does nothing if the world lacks what it needs. */
export type Step = (world: World) => Promise<void>

type HostCaller = 'hostAdministrator' | 'hostMember' | 'guestAdministrator' | 'anonymous'

/** Whether the host lets that caller change its collaborations (§5). */
const mayChange = (by: HostCaller): boolean => by === 'hostAdministrator'

/** Checks the answer to a change in a collaboration. */
async function judgeChange(
  world: World,
  by: HostCaller,
  { name, deleted }: ModelCollaboration,
  ask: () => Promise<Answer>,
): Promise<void> {
  if (!mayChange(by)) return world.refused(await ask(), `${by} may not`)
  if (!deleted) return world.accepted(await ask())
  // The target may need the settle time first.
  const answer = await world.context.wait.retryUntil(ask, (each) => !isAccepted(each))
  world.refused(answer, `collaboration ${name} is deleted`)
}

export const addWorkspace =
  (by: HostCaller, at: number, ordinary: RequestFields): Step =>
  async (world) => {
    const collaboration = world.model.collaborations[at]
    if (!collaboration?.forChanges || !world.model.hasGroup) return
    const { collaborationId, name } = collaboration
    world.say(`${by} adds a workspace to collaboration ${name}`)
    const { as, given } = world.context
    const request = await given.linked('add-workspace', given.named(ordinary))
    const place = { collaborationId, portal: 'host' } as const
    await judgeChange(world, by, collaboration, () => as[by]('add-workspace', place, request))
  }

export const updateParticipant =
  (by: HostCaller, at: number, request: RequestFields): Step =>
  async (world) => {
    const collaboration = world.model.collaborations[at]
    if (collaboration?.participantPortalId === undefined) return
    const { collaborationId, participantPortalId, name } = collaboration
    world.say(`${by} updates the participant of collaboration ${name}`)
    const place = { collaborationId, participantPortalId, portal: 'host' } as const
    const ask = () => world.context.as[by]('update-participant', place, request)
    await judgeChange(world, by, collaboration, ask)
  }

export const deleteCollaboration =
  (by: HostCaller, at: number): Step =>
  async (world) => {
    const collaboration = world.model.collaborations[at]
    if (!collaboration?.forChanges) return
    const { collaborationId, name, deleted } = collaboration
    world.say(`${by} deletes collaboration ${name}`)
    const answer = await world.context.as[by]('delete-collaboration', { collaborationId, portal: 'host' })
    if (!mayChange(by)) return world.refused(answer, `${by} may not`)
    // It is open whether a second delete is refused or idempotent.
    if (deleted) return world.anything(answer)
    world.accepted(answer)
    collaboration.deleted = true
  }

export const syncWorkspace =
  (by: 'syncInitiator' | 'syncNonInitiator' | 'anonymous'): Step =>
  async (world) => {
    const [collaboration] = world.model.collaborations
    if (collaboration?.workspaceId === undefined) return
    const { collaborationId, workspaceId, name } = collaboration
    world.say(`${by} syncs a workspace of collaboration ${name}`)
    const answer = await world.context.as[by]('sync-workspace', { collaborationId, workspaceId })
    if (by !== 'syncInitiator') return world.refused(answer, `${by} is not designated`)
    // The answer is open if a sync is running, or if the guest has not seen a deletion yet.
    if (collaboration.synced || collaboration.deleted) return world.anything(answer)
    world.accepted(answer)
    collaboration.synced = true
  }

type ContentCaller = 'contentAdministrator' | 'outsider' | 'anonymous'

/** `which`: indexes of the items. */
export const reassignItems =
  (by: ContentCaller, from: number, to: number, which: readonly number[]): Step =>
  async (world) => {
    const { users, owners } = world.model
    const [giver, receiver] = [users[from % users.length], users[to % users.length]]
    if (giver === undefined || receiver === undefined || giver === receiver) return
    const items = [...owners.keys()]
    const chosen = [...new Set(which.map((at) => items[at % items.length] as string))]
    const named = chosen.map((id) => `item ${items.indexOf(id) + 1}`).join(', ')
    world.say(`${by} reassigns ${named} from ${giver.name} to ${receiver.name}`)
    const place = { userName: giver.username, portal: 'host' } as const
    const request = { items: chosen, targetUsername: receiver.username }
    const answer = await world.context.as[by]('reassign-items', place, request)
    if (by !== 'contentAdministrator') return world.refused(answer, `${by} may not`)
    const [holder, ...others] = new Set(chosen.map((id) => owners.get(id)))
    const mayMove = holder === giver && receiver.eligible
    // Open: items of several owners, and what a move of a moment ago explains.
    const isOpen = holder === 'unknown' || others.length > 0
    if (isOpen || (isAccepted(answer) !== mayMove && world.isUnsettled(chosen))) {
      world.anything(answer)
      return world.moved(chosen, 'unknown')
    }
    if (holder !== giver) return world.refused(answer, `${giver.name} owns none of them`)
    if (!receiver.eligible) return world.refused(answer, `${receiver.name} may not receive items`)
    world.accepted(answer)
    world.moved(chosen, receiver)
  }

export const updateTaskRun: Step = async (world) => {
  const { as, given } = world.context
  const run = await ifOffered(given.taskRun())
  if (run === undefined) return void world.lacking.add('update-task-run')
  world.say('taskOwner updates a run')
  world.accepted(await as.taskOwner('update-task-run', run, { status: 'executing', result: '' }))
}

type FederationCaller = 'organizationAdministrator' | 'hostMember' | 'anonymous'

export const updateFederation =
  (by: FederationCaller, ordinary: RequestFields): Step =>
  async (world) => {
    const { context, model } = world
    const { federationId, hasGroup } = model
    if (federationId === undefined || !hasGroup) return
    world.say(`${by} updates the federation`)
    const request = await context.given.settingsFor({ federationId }, ordinary)
    const answer = await context.as[by]('update-federation', { federationId, portal: 'host' }, request)
    if (by !== 'organizationAdministrator') return world.refused(answer, `${by} may not`)
    world.accepted(answer)
  }
