/** The steps of a sequence, and the answers that the model demands. */
import type fc from 'fast-check'
import { isAccepted } from '../../clauses/acceptance.ts'
import { type FixtureAnswers, ifOffered } from '../../deployment/fixtures/fixture-kinds.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import type { RequestFields } from '../../runner/context/calls.ts'
import type { OperationId } from '../../specs/operations.ts'
import type { Model, ModelCollaboration, World } from './world.ts'

/** One request, or a wait. */
export type Step = fc.AsyncCommand<Model, World>

/** Steps of unavailable operations are skipped. */
const step = (operation: OperationId, perform: (world: World) => Promise<void>): Step => ({
  check: ({ can }) => can.has(operation),
  run: (_, world) => perform(world),
  toString: () => operation,
})

type HostCaller = 'hostAdministrator' | 'hostMember' | 'guestAdministrator' | 'anonymous'

/** Whether the host lets that caller change its collaborations (§5). */
const mayChange = (by: HostCaller): boolean => by === 'hostAdministrator'

const collaborationAt = ({ model: { collaborations } }: World, at: number): ModelCollaboration =>
  collaborations[at % collaborations.length] as ModelCollaboration

/** Checks the answer to a change in a collaboration. */
async function judgeChange(
  world: World,
  by: HostCaller,
  { name, deleted }: ModelCollaboration,
  ask: () => Promise<Answer>,
): Promise<void> {
  if (!mayChange(by)) return world.refused(await ask(), `${by} may not`)
  if (deleted) return world.refusedOnceSettled(ask, `collaboration ${name} is deleted`)
  world.accepted(await ask())
}

export const addWorkspace = (by: HostCaller, at: number, ordinary: RequestFields): Step =>
  step('add-workspace', async (world) => {
    const collaboration = collaborationAt(world, at)
    const { collaborationId, name, forChanges } = collaboration
    if (!forChanges) return
    world.say(`${by} adds a workspace to collaboration ${name}`)
    const { as, given } = world.context
    const request = await given.linked('add-workspace', given.named(ordinary))
    await judgeChange(world, by, collaboration, () =>
      as[by]('add-workspace', { collaborationId, portal: 'host' }, request),
    )
  })

export const updateParticipant = (by: HostCaller, at: number, request: RequestFields): Step =>
  step('update-participant', async (world) => {
    const collaboration = collaborationAt(world, at)
    const { collaborationId, participantPortalId, name } = collaboration
    if (participantPortalId === undefined) return
    world.say(`${by} updates the participant of collaboration ${name}`)
    const place = { collaborationId, participantPortalId, portal: 'host' } as const
    await judgeChange(world, by, collaboration, () =>
      world.context.as[by]('update-participant', place, request),
    )
  })

export const deleteCollaboration = (by: HostCaller, at: number): Step =>
  step('delete-collaboration', async (world) => {
    const collaboration = collaborationAt(world, at)
    const { collaborationId, name, deleted, forChanges } = collaboration
    if (!forChanges) return
    world.say(`${by} deletes collaboration ${name}`)
    const answer = await world.context.as[by]('delete-collaboration', { collaborationId, portal: 'host' })
    if (!mayChange(by)) return world.refused(answer, `${by} may not`)
    // It is open whether a second delete is refused or idempotent.
    if (deleted) return world.anything(answer)
    world.accepted(answer)
    collaboration.deleted = true
  })

export const syncWorkspace = (by: 'syncInitiator' | 'syncNonInitiator' | 'anonymous'): Step =>
  step('sync-workspace', async (world) => {
    const collaboration = collaborationAt(world, 0)
    const { collaborationId, name, syncable, deleted } = collaboration
    if (syncable === undefined) return
    world.say(`${by} syncs a workspace of collaboration ${name}`)
    const { workspaceId, synced } = syncable
    const answer = await world.context.as[by]('sync-workspace', { collaborationId, workspaceId })
    if (by !== 'syncInitiator') return world.refused(answer, `${by} is not designated`)
    // The answer is open if a sync is running, or if the guest has not seen a deletion yet.
    if (synced || deleted) return world.anything(answer)
    world.accepted(answer)
    syncable.synced = true
  })

type ContentCaller = 'contentAdministrator' | 'outsider' | 'anonymous'

/** `which`: indexes of the items. */
export const reassignItems = (by: ContentCaller, from: number, to: number, which: readonly number[]): Step =>
  step('reassign-items', async (world) => {
    const { users, items, owners } = world.model
    const [fromAt, toAt] = [from % users.length, to % users.length]
    const [giver, receiver] = [users[fromAt], users[toAt]]
    if (giver === undefined || receiver === undefined || fromAt === toAt) return
    const chosen = [...new Set(which.map((at) => items[at % items.length] as string))]
    const named = chosen.map((id) => `item ${items.indexOf(id) + 1}`).join(', ')
    world.say(`${by} reassigns ${named} from ${giver.name} to ${receiver.name}`)
    const request = { items: chosen, targetUsername: receiver.username }
    const at = { userName: giver.username, portal: 'host' } as const
    const ask = () => world.context.as[by]('reassign-items', at, request)
    if (by !== 'contentAdministrator') return world.refused(await ask(), `${by} may not`)
    /** The answer proves nothing, and the owners of the items are unknown from now on. */
    const giveUp = (answer: Answer): void => {
      world.anything(answer)
      for (const id of chosen) owners.set(id, 'unknown')
    }
    const theirs = chosen.filter((id) => owners.get(id) === fromAt)
    const known = chosen.every((id) => owners.get(id) !== 'unknown')
    const unsettled = () => chosen.some((id) => world.isUnsettled(id))
    // The contract leaves open what happens if a request names items of several owners.
    if (!known || (theirs.length > 0 && theirs.length < chosen.length)) return giveUp(await ask())
    if (theirs.length === 0) {
      const answer = await ask()
      // A move may need the settle time to show. Until then the former owner may seem to have the items.
      if (isAccepted(answer) && unsettled()) return giveUp(answer)
      return world.refused(answer, `${giver.name} owns none of them`)
    }
    if (!receiver.eligible) return world.refused(await ask(), `${receiver.name} may not receive items`)
    if (unsettled()) await world.acceptedOnceSettled(ask)
    else world.accepted(await ask())
    for (const id of chosen) world.moved(id, toAt)
  })

type TaskRun = FixtureAnswers['taskRun']

/** `known`: whether the run exists. */
export const updateTaskRun = (known: boolean): Step =>
  step('update-task-run', async (world) => {
    const { context, model } = world
    if (!known) model.untouchedRun ??= context.given.taskRun()
    const run = await ifOffered(known ? context.given.taskRun() : (model.untouchedRun as Promise<TaskRun>))
    if (run === undefined) return void model.can.delete('update-task-run')
    world.say(`taskOwner updates ${known ? 'a run' : 'a run that does not exist'}`)
    const at = known ? run : { ...run, runId: context.given.ids.unknownLike(run.runId) }
    const answer = await context.as.taskOwner('update-task-run', at, { status: 'executing', result: '' })
    if (!known) return world.refused(answer, 'the run does not exist')
    world.accepted(answer)
  })

type FederationCaller = 'organizationAdministrator' | 'hostMember' | 'anonymous'

export const updateFederation = (by: FederationCaller, ordinary: RequestFields): Step =>
  step('update-federation', async (world) => {
    const { context, model } = world
    const { federationId } = model
    if (federationId === undefined) return
    world.say(`${by} updates the federation`)
    const request = await context.given.settingsFor({ federationId }, ordinary)
    const answer = await context.as[by]('update-federation', { federationId, portal: 'host' }, request)
    if (by !== 'organizationAdministrator') return world.refused(answer, `${by} may not`)
    world.accepted(answer)
  })
