/** Steps on collaborations: adding workspaces, updating participants, deleting, syncing. */

import { acceptance } from '../../clauses/acceptance.ts'
import type { RequestFields } from '../../runner/context/calls.ts'
import { Step, type World } from './step.ts'
import type { ModelCollaboration } from './world.ts'

type HostCaller = 'hostAdministrator' | 'hostMember' | 'guestAdministrator' | 'anonymous'

/** Whether the host lets that caller change its collaborations (§5). */
const mayChange = (by: HostCaller): boolean => by === 'hostAdministrator'

abstract class CollaborationStep extends Step {
  readonly by: HostCaller
  readonly at: number
  readonly request: RequestFields

  constructor(by: HostCaller, at: number, request: RequestFields = {}) {
    super()
    this.by = by
    this.at = at
    this.request = request
  }

  protected collaboration({ model: { collaborations } }: World): ModelCollaboration {
    return collaborations[this.at % collaborations.length] as ModelCollaboration
  }
}

export class AddWorkspace extends CollaborationStep {
  override readonly operation = 'add-workspace'

  override async perform(world: World): Promise<void> {
    const { collaborationId, name, deleted } = this.collaboration(world)
    world.say(`${this.by} adds a workspace to collaboration ${name}`)
    const { given } = world.context
    const request = await given.linked('add-workspace', given.named(this.request))
    const ask = () => world.context.as[this.by]('add-workspace', { collaborationId, portal: 'host' }, request)
    if (!mayChange(this.by)) return world.refused(await ask(), `${this.by} may not`)
    if (deleted) return world.refusedOnceSettled(ask, `collaboration ${name} is deleted`)
    world.accepted(await ask())
  }
}

export class UpdateParticipant extends CollaborationStep {
  override readonly operation = 'update-participant'

  override async perform(world: World): Promise<void> {
    const { collaborationId, participantPortalId, name, deleted } = this.collaboration(world)
    world.say(`${this.by} updates the participant of collaboration ${name}`)
    const at = { collaborationId, participantPortalId, portal: 'host' } as const
    const ask = () => world.context.as[this.by]('update-participant', at, this.request)
    if (!mayChange(this.by)) return world.refused(await ask(), `${this.by} may not`)
    if (deleted) return world.refusedOnceSettled(ask, `collaboration ${name} is deleted`)
    world.accepted(await ask())
  }
}

export class DeleteCollaboration extends CollaborationStep {
  override readonly operation = 'delete-collaboration'

  override async perform(world: World): Promise<void> {
    const collaboration = this.collaboration(world)
    const { collaborationId, name, deleted } = collaboration
    world.say(`${this.by} deletes collaboration ${name}`)
    const answer = await world.context.as[this.by]('delete-collaboration', {
      collaborationId,
      portal: 'host',
    })
    if (!mayChange(this.by)) return world.refused(answer, `${this.by} may not`)
    // Whether a second delete is refused or idempotent is open.
    if (deleted) return world.anything(answer)
    world.accepted(answer)
    collaboration.deleted = true
  }
}

export class SyncWorkspace extends Step {
  override readonly operation = 'sync-workspace'
  readonly by: 'syncInitiator' | 'syncNonInitiator' | 'anonymous'

  constructor(by: SyncWorkspace['by']) {
    super()
    this.by = by
  }

  override async perform(world: World): Promise<void> {
    const collaboration = world.model.collaborations[0] as ModelCollaboration
    const workspace = collaboration.syncable[0]
    if (workspace === undefined) return
    world.say(`${this.by} syncs a workspace of collaboration ${collaboration.name}`)
    const at = { collaborationId: collaboration.collaborationId, workspaceId: workspace.workspaceId }
    const answer = await world.context.as[this.by]('sync-workspace', at)
    if (this.by !== 'syncInitiator') return world.refused(answer, `${this.by} is not designated`)
    // A running sync and a deletion that the guest has not seen yet leave the answer open.
    if (workspace.synced || collaboration.deleted) return world.anything(answer)
    world.accepted(answer)
    workspace.synced = acceptance(answer).accepted
  }
}
