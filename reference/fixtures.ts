/** The fixture provider: hands out what checks act on, and takes all of it back. */
import { createWorkspace } from './handlers/collaborations.ts'
import type { Parts } from './parts.ts'
import { type Collaboration, clearStore, type Store } from './store.ts'
import { startSync, timerSlackMs } from './syncing.ts'
import { type ActorName, actorNames, addUser, receivePrivilege, usernameOf } from './users.ts'

type Options = Readonly<Record<string, unknown>>

type FixtureMaker = (options: Options) => object

/** What a request to the provider got wrong, in one line. */
export class FixtureError extends Error {
  override readonly name = 'FixtureError'
}

/** Longest sync that may take after its least duration, on a busy machine. */
const syncMarginMs = 250

/** The fixtures that the portal hands out, by kind; `cleanup` stands among them. */
export function createFixtures(parts: Parts, store: Store): Readonly<Record<string, FixtureMaker>> {
  let users = 0

  const newCollaboration = (): Collaboration => {
    const { host, guest, otherGuest } = store.portals
    const collaboration: Collaboration = {
      id: parts.newId('collaboration'),
      hostPortalId: host,
      designatedPortalId: guest,
      participants: new Map([
        [guest, {}],
        [otherGuest, {}],
      ]),
      workspaces: new Map(),
    }
    store.collaborations.set(collaboration.id, collaboration)
    return collaboration
  }

  const givenCollaboration = ({ collaborationId }: Options): Collaboration => {
    if (collaborationId === undefined) return newCollaboration()
    const collaboration = store.collaborations.get(String(collaborationId))
    if (collaboration === undefined) throw new FixtureError('collaborationId: there is no such collaboration')
    return collaboration
  }

  const newWorkspace = (collaboration: Collaboration, syncMs: number) =>
    createWorkspace(parts, collaboration, {
      name: 'Workspace of a fixture',
      description: '',
      portalGroupId: newGroup(),
      syncMs,
    })

  const newGroup = () => {
    const id = parts.newId('group')
    store.groups.add(id)
    return id
  }

  const newUser = (part: string, privileges: readonly string[]) => {
    const username = `${part}_${++users}_${parts.newId('group').slice(0, 8)}`
    return addUser(store, { username, organization: 'host', role: 'user', privileges })
  }

  const newItem = (owner: string) => {
    const id = parts.newId('item')
    store.items.set(id, {
      id,
      type: 'Feature Service',
      typeKeywords: ['Feature Service', 'Hosted Service'],
      url: `https://portal.invalid/items/${id}`,
      owner,
      folder: '',
    })
    return id
  }

  return {
    collaboration: () => ({ collaborationId: newCollaboration().id }),

    workspace(options) {
      const minimumSyncMs = numberOf(options, 'minimumSyncMs', 0, 60_000, 300)
      const { id, collaborationId } = newWorkspace(givenCollaboration(options), minimumSyncMs)
      const maximumSyncMs = minimumSyncMs + timerSlackMs + syncMarginMs
      return { collaborationId, workspaceId: id, minimumSyncMs, maximumSyncMs }
    },

    scheduledSync(options) {
      const remainingMs = numberOf(options, 'remainingMs', 0, 60_000)
      const workspace = newWorkspace(newCollaboration(), 100)
      startSync(parts, workspace, remainingMs)
      return { collaborationId: workspace.collaborationId, workspaceId: workspace.id, remainingMs }
    },

    participant: (options) => ({
      collaborationId: givenCollaboration(options).id,
      participantPortalId: store.portals.guest,
    }),

    group: () => ({ groupId: newGroup(), reusable: parts.groupsReusable }),

    items(options) {
      if (!actorNames.includes(options.owner as ActorName)) {
        throw new FixtureError(`owner: expected one of ${actorNames.join(', ')}`)
      }
      const owner = usernameOf(options.owner as ActorName)
      const count = numberOf(options, 'count', 1, 10_000)
      return { owner, itemIds: Array.from({ length: count }, () => newItem(owner)) }
    },

    eligibleUser: () => ({ username: newUser('receiver', [receivePrivilege]).username }),

    ineligibleUser: () => ({ username: newUser('bystander', []).username }),

    taskRun() {
      const task = { id: parts.newId('task'), owner: usernameOf('taskOwner'), runs: new Map() }
      const run = { id: parts.newId('run'), status: 'scheduled' }
      task.runs.set(run.id, run)
      store.tasks.set(task.id, task)
      return { userName: task.owner, taskId: task.id, runId: run.id }
    },

    federation() {
      const id = parts.newId('federation')
      store.federations.set(id, { id, portalId: store.portals.host, settings: {} })
      return { federationId: id }
    },

    cleanup() {
      clearStore(store)
      return {}
    },
  }
}

function numberOf(options: Options, name: string, least: number, most: number, otherwise?: number): number {
  const value = options[name] ?? otherwise
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
  throw new FixtureError(`${name}: expected an integer from ${least} to ${most}`)
}
