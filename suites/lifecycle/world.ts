/** The model of the portal's life, written for reading: what there is, who holds what, and what is over. */
import type { ActorName } from '../../deployment/configuration/actors.ts'
import type { FixtureKind } from '../../deployment/fixtures/fixture-kinds.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { anyOtherReceiver, oneReceiver } from '../../runner/receivers.ts'

/** What a sequence works with: everything but a sync that it did not ask for. */
export type LifecycleContext = CheckContext<ActorName, Exclude<FixtureKind, 'scheduledSync'>>

export interface ModelWorkspace {
  readonly workspaceId: string
  /** Whether a sync was asked for: a second one may find it running, and the contract leaves open what it then gets. */
  synced: boolean
}

export interface ModelCollaboration {
  readonly name: string
  readonly collaborationId: string
  readonly participantPortalId: string
  deleted: boolean
  readonly syncable: ModelWorkspace[]
}

export interface ModelUser {
  readonly name: string
  readonly username: string
  readonly eligible: boolean
}

/** What the answers must agree with. */
export interface Model {
  readonly collaborations: readonly ModelCollaboration[]
  readonly users: readonly ModelUser[]
  /** Item id to the index of its owner among the users; unknown: an answer left it open, and nothing is expected of it. */
  readonly owners: Map<string, number | 'unknown'>
  /** When items were moved, by their ids, in milliseconds of `performance.now()`. */
  readonly movedAt: Map<string, number>
  readonly items: readonly string[]
  readonly federationId: string | undefined
  /** What was done so far, for a person to follow. */
  readonly steps: string[]
}

/** Builds a small world of its own for one sequence: two collaborations, three users, four items. */
export async function newWorld({ given, offers }: LifecycleContext): Promise<Model> {
  const collaborations: ModelCollaboration[] = []
  for (const name of ['A', 'B']) {
    // What is added to or deleted must have been handed out for that.
    const changed = offers('add-workspace') || offers('delete-collaboration')
    const place = changed ? await given.collaboration({ with: 'participant' }) : {}
    const { collaborationId, participantPortalId } = await given.participant(place)
    const syncable: ModelWorkspace[] = []
    if (offers('sync-workspace') && name === 'A') {
      const { workspaceId } = await given.workspace({ collaborationId })
      syncable.push({ workspaceId, synced: false })
    }
    collaborations.push({ name, collaborationId, participantPortalId, deleted: false, syncable })
  }
  const users: ModelUser[] = []
  const owners: Model['owners'] = new Map()
  if (offers('reassign-items')) {
    const { owner, itemIds } = await given.items({ owner: 'itemOwner', count: 4 })
    users.push({ name: 'the first owner', username: owner, eligible: true })
    const [one, two] = [await oneReceiver({ given }), await anyOtherReceiver({ given })]
    users.push({ name: 'user one', username: one, eligible: true })
    if (two !== one) users.push({ name: 'user two', username: two, eligible: true })
    users.push({
      name: 'an ineligible user',
      username: (await given.ineligibleUser()).username,
      eligible: false,
    })
    for (const id of itemIds) owners.set(id, 0)
  }
  const federationId = offers('update-federation') ? (await given.federation()).federationId : undefined
  return {
    collaborations,
    users,
    owners,
    movedAt: new Map(),
    items: [...owners.keys()],
    federationId,
    steps: [],
  }
}
