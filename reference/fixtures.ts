/** The fixture provider: hands out fixtures to checks and removes them after the run. */
import { createWorkspace } from './handlers.ts'
import type { Parts } from './parts.ts'
import {
  type Collaboration,
  clearStore,
  type HandedOut,
  nothingHandedOut,
  type PortalName,
  removeFromStore,
  type Store,
} from './store.ts'
import { startSync, timerSlackMs } from './syncing.ts'
import { type ActorName, actorNames, addUser, receivePrivilege, usernameOf } from './users.ts'

type Options = Readonly<Record<string, unknown>>

type FixtureMaker = (options: Options) => object

/** The header with the id of the run that requests a fixture. */
export const runHeader = 'x-portal-conformance-run'

/** An invalid request to the provider. Its message is one line. */
export class FixtureError extends Error {
  override readonly name = 'FixtureError'
}

/** The owners of groups. */
const administratorOf = {
  host: 'hostAdministrator',
  guest: 'guestAdministrator',
  otherGuest: 'syncNonInitiator',
} as const satisfies Record<PortalName, ActorName>

const isPortal = (name: unknown): name is PortalName => Object.hasOwn(administratorOf, String(name))

/** How much the longest promised sync exceeds the shortest one. On a busy machine syncs end late. */
const syncMarginMs = 100

/** The fixtures that the portal hands out for a run, by kind. `cleanup` removes the fixtures of one run, or all. */
export function createFixtures(
  parts: Parts,
  store: Store,
): (runId: string | undefined) => Readonly<Record<string, FixtureMaker>> {
  const runs = new Map<string, HandedOut>()
  let users = 0
  const count = () => ++users
  return (runId) => fixturesFor(parts, store, { runs, count, given: handedOutFor(runs, runId) })
}

/** What the fixtures of all runs share, and what this run received. */
interface Giving {
  readonly runs: Map<string, HandedOut>
  readonly given: HandedOut
  /** The number of the next user. */
  readonly count: () => number
}

function handedOutFor(runs: Map<string, HandedOut>, runId = ''): HandedOut {
  const known = runs.get(runId)
  if (known !== undefined) return known
  const given = nothingHandedOut()
  runs.set(runId, given)
  return given
}

function fixturesFor(
  parts: Parts,
  store: Store,
  { runs, given, count }: Giving,
): Readonly<Record<string, FixtureMaker>> {
  const newCollaboration = (
    hostPortalId = store.portals.host,
    guests: readonly string[] = [store.portals.guest, store.portals.otherGuest],
  ): Collaboration => {
    const collaboration: Collaboration = {
      id: parts.newId('collaboration'),
      hostPortalId,
      designatedPortalId: guests[0] as string,
      participants: new Map(guests.map((portalId) => [portalId, {}])),
      workspaces: new Map(),
    }
    store.collaborations.set(collaboration.id, collaboration)
    given.collaborations.add(collaboration.id)
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

  const newGroup = (organization: PortalName = 'host') => {
    const id = parts.newId('group')
    const owner = usernameOf(administratorOf[organization])
    store.groups.set(id, { id, title: id, owner, organization, access: 'private', tags: [] })
    given.groups.add(id)
    return id
  }

  const newUser = (part: string, privileges: readonly string[]) => {
    const username = `${part}_${count()}_${parts.newId('group').slice(0, 8)}`
    given.users.add(username)
    return addUser(store, { username, organization: 'host', role: 'user', privileges })
  }

  const newItem = (owner: string, receivers?: ReadonlySet<string>) => {
    const id = parts.newId('item')
    given.items.add(id)
    store.items.set(id, {
      id,
      type: 'Feature Service',
      typeKeywords: ['Feature Service', 'Hosted Service'],
      url: `https://portal.invalid/items/${id}`,
      owner,
      folder: '',
      ...(receivers === undefined ? {} : { receivers }),
    })
    return id
  }

  return {
    collaboration: () => ({ collaborationId: newCollaboration().id }),

    guestHosted: () => {
      const { guest, otherGuest } = store.portals
      return { collaborationId: newCollaboration(guest, [otherGuest]).id }
    },

    workspace(options) {
      const minimumSyncMs = numberOf(options, 'minimumSyncMs', 0, 60_000, 50)
      const { syncsLongerByMs } = parts.timings
      const { id, collaborationId } = newWorkspace(
        givenCollaboration(options),
        minimumSyncMs + syncsLongerByMs,
      )
      const workspace = { collaborationId, workspaceId: id, minimumSyncMs }
      if (syncsLongerByMs > 0) return workspace
      return { ...workspace, maximumSyncMs: minimumSyncMs + timerSlackMs + syncMarginMs }
    },

    scheduledSync(options) {
      const remainingMs = numberOf(options, 'remainingMs', 0, 60_000)
      const workspace = newWorkspace(newCollaboration(), 100)
      startSync({ parts, store }, workspace, remainingMs, true)
      return { collaborationId: workspace.collaborationId, workspaceId: workspace.id, remainingMs }
    },

    participant: (options) => ({
      collaborationId: givenCollaboration(options).id,
      participantPortalId: parts.participantId(store.portals.guest),
    }),

    participantElsewhere() {
      const { host, guest } = store.portals
      const stranger = parts.newId('portal')
      return {
        collaborationId: newCollaboration().id,
        participantPortalId: parts.participantId(guest),
        elsewhereId: newCollaboration(host, [stranger]).id,
        elsewherePortalId: parts.participantId(stranger),
      }
    },

    group({ portal = 'host' }) {
      if (!isPortal(portal)) throw new FixtureError('portal: there is no such portal')
      return { groupId: newGroup(portal), reusable: parts.groupsReusable }
    },

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

    partlyReceivable() {
      const owner = usernameOf('itemOwner')
      const { username } = newUser('receiver', [receivePrivilege])
      const some = (receivers?: ReadonlySet<string>) =>
        Array.from({ length: 3 }, () => newItem(owner, receivers))
      return { owner, username, receivable: some(), notReceivable: some(new Set()) }
    },

    taskRun() {
      const last = store.tasks.get([...given.tasks].at(-1) ?? '')
      const task =
        last !== undefined && last.runs.size < parts.runsOfTask
          ? last
          : { id: parts.newId('task'), owner: usernameOf('taskOwner'), runs: new Map() }
      const run = { id: parts.newId('run'), status: 'scheduled' }
      task.runs.set(run.id, run)
      store.tasks.set(task.id, task)
      given.tasks.add(task.id)
      return { userName: task.owner, taskId: task.id, runId: run.id }
    },

    federation() {
      const id = parts.newId('federation')
      given.federations.add(id)
      store.federations.set(id, { id, portalId: store.portals.host, settings: {} })
      return { federationId: id }
    },

    cleanup({ runId }) {
      if (typeof runId === 'string') {
        removeFromStore(store, handedOutFor(runs, runId), runId)
        runs.delete(runId)
      } else {
        clearStore(store)
        runs.clear()
      }
      return {}
    },
  }
}

function numberOf(options: Options, name: string, least: number, most: number, otherwise?: number): number {
  const value = options[name] ?? otherwise
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
  throw new FixtureError(`${name}: expected an integer from ${least} to ${most}`)
}
