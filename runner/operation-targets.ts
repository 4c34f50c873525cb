/**
 * For each operation: who may call it, on what, and with which request. All suites that cover several operations use
 * it.
 */
import { isAccepted } from '../clauses/acceptance.ts'
import type { ActorName, PortalName } from '../deployment/configuration/actors.ts'
import type { FixtureKind } from '../deployment/fixtures/fixture-kinds.ts'
import { type OperationId, operationOf } from '../specs/operations.ts'
import { type Needs, usesUp } from './check.ts'
import type { At, RequestFields } from './context/calls.ts'
import type { CheckContext, OperationTarget, Ordinary, Subject } from './context/context.ts'
import { isQuick } from './effort.ts'
import { NotApplicable } from './findings.ts'

/** The portal of the guest that is not designated to sync. Throws `NotApplicable` if that actor belongs to no guest. */
export function otherGuestIn({ configuration }: Pick<CheckContext, 'configuration'>): PortalName {
  const { portal = 'host' } = configuration.actors.syncNonInitiator ?? {}
  if (portal === 'host') throw new NotApplicable('syncNonInitiator is of no guest here')
  return portal
}

/** What is special about an operation. Other operations are called on the one fixture in their path. */
interface Arrangement {
  /** Fixtures beside the one that it is performed on. */
  readonly also: readonly FixtureKind[]
  readonly fixed?: RequestFields
  /** Gets the subject: the one at `place`, or a new one. */
  readonly obtain: (context: CheckContext, place?: Place) => Promise<Subject>
}

type Place = Readonly<Record<string, string>>

const under = (portal?: PortalName) => (portal === undefined ? {} : { portal })

const standIn = 'stand-in'

/** Placeholders for values that only fixtures have. */
export const standIns: RequestFields = { items: [standIn], targetUsername: standIn }

const special: Readonly<Partial<Record<OperationId, Arrangement>>> = {
  'add-workspace': {
    also: ['group'],
    obtain: async ({ given }, place) => {
      const at = (place as At<'add-workspace'> | undefined) ?? (await given.collaboration())
      const { collaborationId } = at
      const sent = new Set<unknown>()
      return {
        at: { collaborationId },
        call: async (caller, request, how, portal) => {
          const named = given.named(request)
          const { portalGroupId } = named
          // A group may take only one workspace, so a second call with the same group gets another one. The parameter
          // keeps its place, so that the order of parameters does not depend on which call was first.
          const other = sent.has(portalGroupId) ? await given.linked('add-workspace', {}) : {}
          const linked = await given.linked('add-workspace', { ...named, ...other })
          if (portalGroupId !== undefined) sent.add(portalGroupId)
          // Under the id of a guest, a target may refuse a group of the host for that alone.
          const own =
            portal === undefined || portal === 'host' ? linked : await given.linkedAt(portal, linked)
          return caller('add-workspace', { collaborationId, ...under(portal) }, own, how)
        },
      }
    },
  },
  'reassign-items': {
    also: ['eligibleUser'],
    fixed: standIns,
    obtain: async ({ given }) => {
      const { owner, itemIds } = await given.items({ owner: 'itemOwner', count: 1 })
      const username = await given.receiver()
      return {
        call: (caller, request, how, portal) => {
          const there: RequestFields = { items: itemIds, targetUsername: username }
          // Only placeholders are replaced: a value that is wrong on purpose stays.
          const real = Object.fromEntries(
            Object.entries(request).map(([name, value]) => [
              name,
              String(value) === standIn ? (there[name] ?? value) : value,
            ]),
          )
          return caller('reassign-items', { userName: owner, ...under(portal) }, real, how)
        },
      }
    },
  },
  'update-federation': {
    also: ['group'],
    obtain: async ({ given, as, callers }, place) => {
      const { federationId } = (place as At<'update-federation'> | undefined) ?? (await given.federation())
      const permitted = [as.organizationAdministrator, ...callers.alsoMay.values()]
      return {
        at: { federationId },
        call: async (caller, request, how, portal) => {
          // A wrong caller repeats the request that was accepted, so that only the caller differs.
          const number = permitted.includes(caller) ? 'next' : 'last'
          const own = await given.settingsFor({ federationId }, request, number)
          return caller('update-federation', { federationId, ...under(portal) }, own, how)
        },
      }
    },
  },
}

/** The subject of an operation without special treatment. */
async function plainSubject(
  { given }: CheckContext,
  operation: OperationId,
  obtain: () => Promise<unknown> = given[operationOf(operation).on],
): Promise<Subject> {
  // The call fails for a path with gaps, so no check is needed here.
  const place = (await obtain()) as At<OperationId>
  return {
    at: place,
    call: (caller, request, how, portal) => caller(operation, { ...place, ...under(portal) }, request, how),
  }
}

/** The operation's subject at that place, which need not exist. */
const subjectAt = async (context: CheckContext, operation: OperationId, place: Place): Promise<Subject> =>
  special[operation]?.obtain(context, place) ?? plainSubject(context, operation, async () => place)

/** The subject of an operation. One that is not used up is obtained once for all calls of a check. */
function subjectOf(context: CheckContext, operation: OperationId): Promise<Subject> {
  const obtain = () => special[operation]?.obtain(context) ?? plainSubject(context, operation)
  return usesUp(operation) ? obtain() : context.given.once(`subject of ${operation}`, obtain)
}

/** What a check of that operation needs. */
export function targetNeeds(
  operation: OperationId,
): Needs<ActorName, FixtureKind> & { readonly operation: OperationId } {
  const { calledBy, on } = operationOf(operation)
  return { operation, actors: [calledBy], fixtures: [on, ...(special[operation]?.also ?? [])] }
}

/** The operation, ready to be performed. The check must declare `targetNeeds` of it. */
export function operationTarget(context: CheckContext, operation: OperationId): OperationTarget {
  const { given } = context
  const permitted = context.as[operationOf(operation).calledBy]
  const fixed = special[operation]?.fixed ?? {}
  const fresh = () => subjectOf(context, operation)
  /** A workspace is given back right after its sync, so that no check waits for one that is waiting itself. */
  const onFresh = <R>(use: (subject: Subject) => Promise<R>): Promise<R> =>
    operation === 'sync-workspace'
      ? given.withWorkspace(async (workspace) =>
          use(await plainSubject(context, operation, async () => workspace)),
        )
      : fresh().then(use)
  const send: OperationTarget['send'] = (request, how) => onFresh(({ call }) => call(permitted, request, how))
  const accepted: OperationTarget['accepted'] = (without) =>
    given.accepted(`${operation} without ${without}`, async () => {
      const whole = await given.ordinary(operation, fixed)
      const request = without === undefined ? whole : { ...whole, [without]: undefined }
      return onFresh(async (subject) => ({
        request,
        subject,
        answer: await subject.call(permitted, request),
      }))
    })
  const asControl = <O extends Ordinary>(ordinary: O): O => {
    context.control(ordinary.answer)
    return ordinary
  }
  const controlled: OperationTarget['controlled'] = async (without) => asControl(await accepted(without))
  return {
    fixed,
    permitted,
    fresh,
    on: (place) => subjectAt(context, operation, place),
    send,
    accepted,
    controlled,
    controlledHere: async () => {
      if (usesUp(operation) || isQuick(context.configuration.run)) return controlled()
      const request = await given.request(operation, fixed)
      return asControl({ request, answer: await send(request) })
    },
    tried: (judge) =>
      usesUp(operation) ? triedInTurn(context, operation, judge) : fresh().then(({ call }) => judge(call)),
  }
}

/** Tries a subject that an acceptance uses up. As long as nothing was accepted, the next check gets it. */
async function triedInTurn<R>(
  context: CheckContext,
  operation: OperationId,
  judge: (call: Subject['call']) => Promise<R>,
): Promise<R> {
  const own = () =>
    operation === 'sync-workspace'
      ? plainSubject(context, operation, () => context.given.ownWorkspace())
      : subjectOf(context, operation)
  const { result } = await context.given.inTurn(
    `tried ${operation}`,
    own,
    async ({ call }) => {
      let letIn = false
      const result = await judge(async (...one) => {
        const answer = await call(...one)
        letIn ||= isAccepted(answer)
        return answer
      })
      return { result, letIn }
    },
    { isSpent: ({ letIn }) => letIn },
  )
  return result
}
