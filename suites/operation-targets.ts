/** For each operation: who may call it here, on what, and with which request. What all suites that go over the operations share. */
import type { OperationId } from '../specs/operations.ts'
import type { ActorName, PortalName } from '../target/configuration/configuration.ts'
import type { FixtureKind } from '../target/fixtures/fixture-kinds.ts'
import type { Answer } from '../target/http/exchange.ts'
import type { Needs } from './check.ts'
import type { Caller, How, Request } from './context/calls.ts'
import type { CheckContext } from './context/context.ts'
import { oneReceiver } from './receivers.ts'
import { WorkspacePlaces } from './workspace-places.ts'

/** One thing that an operation can be performed on, once or more often. */
export interface Subject {
  /** The call by anybody, under the portal of its caller unless another is named. */
  readonly call: (caller: Caller, request: Request, how?: How, portal?: PortalName) => Promise<Answer>
}

/** An operation, ready to be performed by those who may. */
export interface OperationTarget {
  /** Stand-ins for what `call` puts into the request itself. */
  readonly fixed: Request
  /** A subject of its own: an operation that uses up its subject never meets it twice. */
  readonly fresh: () => Promise<Subject>
  readonly permitted: Caller
  /** A call by the permitted actor on a fresh subject. */
  readonly send: (request: Request, how?: How) => Promise<Answer>
}

interface Arrangement {
  readonly actor: ActorName
  readonly fixtures: readonly FixtureKind[]
  readonly fixed?: Request
  readonly fresh: (context: CheckContext) => Promise<Subject>
}

const on = (portal?: PortalName) => (portal === undefined ? {} : { portal })

/** A subject that outlives its calls is obtained once for all of them. */
function lasting(obtain: (context: CheckContext) => Promise<Subject>): Arrangement['fresh'] {
  const known = new WeakMap<CheckContext, Promise<Subject>>()
  return (context) => {
    const subject = known.get(context) ?? obtain(context)
    known.set(context, subject)
    return subject
  }
}

const arrangements: Readonly<Record<OperationId, Arrangement>> = {
  'add-workspace': {
    actor: 'hostAdministrator',
    fixtures: ['collaboration', 'group'],
    fresh: lasting(async ({ given }) => {
      const places = new WorkspacePlaces(() => given.collaboration())
      const sent = new Set<unknown>()
      return {
        call: async (caller, request, how, portal) => {
          const collaborationId = await places.for(request.collaborationWorkspaceName)
          const { portalGroupId, ...unlinked } = request
          // A group may take one workspace only: then a second call with it would be refused for that.
          const linked = await given.linked('add-workspace', sent.has(portalGroupId) ? unlinked : request)
          if (portalGroupId !== undefined) sent.add(portalGroupId)
          return caller('add-workspace', { collaborationId, ...on(portal) }, linked, how)
        },
      }
    }),
  },
  'update-task-run': {
    actor: 'taskOwner',
    fixtures: ['taskRun'],
    fresh: async ({ given }) => {
      const run = await given.taskRun()
      return {
        call: (caller, request, how, portal) =>
          caller('update-task-run', { ...run, ...on(portal) }, request, how),
      }
    },
  },
  'reassign-items': {
    actor: 'contentAdministrator',
    fixtures: ['items', 'eligibleUser'],
    fixed: { items: ['stand-in'], targetUsername: 'stand-in' },
    fresh: async ({ given }) => {
      const { owner, itemIds } = await given.items({ owner: 'itemOwner', count: 1 })
      const username = await oneReceiver({ given })
      return {
        call: (caller, request, how, portal) => {
          const real = { ...request, items: itemIds, targetUsername: username }
          return caller('reassign-items', { userName: owner, ...on(portal) }, real, how)
        },
      }
    },
  },
  'sync-workspace': {
    actor: 'syncInitiator',
    fixtures: ['workspace'],
    fresh: async ({ given }) => {
      const { collaborationId, workspaceId } = await given.workspace()
      return {
        call: (caller, request, how, portal) =>
          caller('sync-workspace', { collaborationId, workspaceId, ...on(portal) }, request, how),
      }
    },
  },
  'update-participant': {
    actor: 'hostAdministrator',
    fixtures: ['participant'],
    fresh: lasting(async ({ given }) => {
      const { collaborationId, participantPortalId } = await given.participant()
      return {
        call: (caller, request, how, portal) =>
          caller('update-participant', { collaborationId, participantPortalId, ...on(portal) }, request, how),
      }
    }),
  },
  'delete-collaboration': {
    actor: 'hostAdministrator',
    fixtures: ['collaboration'],
    fresh: async ({ given }) => {
      const { collaborationId } = await given.collaboration()
      return {
        call: (caller, request, how, portal) =>
          caller('delete-collaboration', { collaborationId, ...on(portal) }, request, how),
      }
    },
  },
  'update-federation': {
    actor: 'organizationAdministrator',
    fixtures: ['federation', 'group'],
    fresh: lasting(async ({ given }) => {
      const { federationId } = await given.federation()
      return {
        call: async (caller, request, how, portal) =>
          caller(
            'update-federation',
            { federationId, ...on(portal) },
            await given.linked('update-federation', request),
            how,
          ),
      }
    }),
  },
}

/** What a check of that operation needs. */
export function targetNeeds(
  operation: OperationId,
): Needs<ActorName, FixtureKind> & { readonly operation: OperationId } {
  const { actor, fixtures } = arrangements[operation]
  return { operation, actors: [actor], fixtures }
}

/** The operation, ready to be performed in that check. */
export function operationTarget(context: CheckContext, operation: OperationId): OperationTarget {
  const { actor, fixed = {}, fresh } = arrangements[operation]
  const permitted = context.as[actor]
  return {
    fixed,
    permitted,
    fresh: () => fresh(context),
    send: async (request, how) => (await fresh(context)).call(permitted, request, how),
  }
}
