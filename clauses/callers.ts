/** Who is refused (§5), and what exists: judged on every answer of which the caller and the ids are known. */

import type { ActorName } from '../deployment/configuration/actors.ts'
import { show } from '../schemas/wording.ts'
import { type OperationId, operationOf } from '../specs/operations.ts'
import { type RequirementId, requirements } from '../specs/requirements.ts'
import { came, type Judge, type Judgement, type Look } from './clause.ts'
import { distinctItems, type Exchange, isRefused, type Part } from './exchange.ts'
import type { Facts } from './facts.ts'
import { sameText } from './texts.ts'

/** What is expected of a request that must be refused. */
export const anyRefusal = 'any complete answer that is not HTTP 2xx with success: true and no error'

export const inRuns = (look: Look): Judge => ({ begin: () => look, runsOnly: true })

/** Whatever the path names is there: a request with two faults does not show for which of them it was refused. */
export const isThere = (exchange: Exchange, facts: Facts): boolean =>
  facts.deletionOf(exchange) === undefined &&
  !Object.entries(exchange.path).some(([name, id]) => facts.isMadeUp(id, name))

/** The caller is one who may, so that what is refused is not refused for him. */
export const mayCall = ({ caller, operation }: Exchange): boolean =>
  caller === operationOf(operation).calledBy

/** The run of the path is not known to be one of another task or of another user. */
const isOfItsTask = (
  { path: { userName = '', taskID = '', runID = '' } }: Exchange,
  facts: Facts,
): boolean => {
  const task = facts.taskOf(runID)
  return task === undefined || (sameText(task.userName, userName) && sameText(task.taskId, taskID))
}

/** The workspace of the path is not known to be in another collaboration. */
const isInItsCollaboration = ({ path }: Exchange, facts: Facts): boolean => {
  const place = facts.placeOf(path.workspaceID as string)
  return place === undefined || sameText(place, path.collaborationID as string)
}

/** The participant of the path is not known to take part in other collaborations only. */
const mayTakePart = ({ path }: Exchange, facts: Facts): boolean =>
  !facts.isElsewhereOnly(path.collaborationID ?? '', path.participantPortalID ?? '')

/** Who may, beside the one by whom an operation is called as a rule (§5). */
export const alsoMay: Readonly<Partial<Record<OperationId, readonly ActorName[]>>> = {
  'reassign-items': ['customAdministrator', 'itemOwner'],
}

interface WrongCaller {
  readonly id: RequirementId
  readonly refused: Part
  /** Whether that caller is refused depends on whose things are asked for. */
  readonly dependsOnOwner: boolean
}

/** Who is refused by that operation, each with the requirement that says so (§5). */
export const wrongCallersOf = (operation: OperationId): WrongCaller[] =>
  requirements.flatMap(({ id, operation: subject, refuses: [refused] = [], dependsOnOwner = false }) =>
    subject === operation && refused !== undefined ? [{ id, refused: refused as Part, dependsOnOwner }] : [],
  )

/** Whatever the path names is there, and is not known to belong elsewhere: accepted, it would be blamed for that. */
export const belongsThere = (exchange: Exchange, facts: Facts): boolean =>
  isThere(exchange, facts) &&
  [isOfItsTask, isInItsCollaboration, mayTakePart].every((holds) => holds(exchange, facts))

/** Nothing is known to be wrong with the caller and the path: what else is wrong is why it should have been refused. */
export const asksRightly = (exchange: Exchange, facts: Facts): boolean =>
  (exchange.caller === undefined ||
    mayCall(exchange) ||
    (alsoMay[exchange.operation] ?? []).some((name) => name === exchange.caller)) &&
  belongsThere(exchange, facts)

/** A caller of that part is refused, whatever is asked for; `when` says in which requests it is so. */
export function refuses(part: Part, when: (exchange: Exchange, facts: Facts) => boolean = () => true): Judge {
  const judge = inRuns((exchange, facts) => {
    if (exchange.caller !== part || !when(exchange, facts) || !belongsThere(exchange, facts)) return undefined
    return refusedOr(exchange, facts, `${part} was let in${onPath(exchange)}`)
  })
  return { ...judge, callerOnly: part }
}

/** What the path names in that place must exist: an id that was made up is refused. */
export function unknownInPath(...names: readonly string[]): Judge {
  return inRuns((exchange, facts) => {
    const made = names.find((name) => facts.isMadeUp(exchange.path[name] as string, name))
    if (made === undefined || !mayCall(exchange)) return undefined
    return refusedOr(exchange, facts, `a ${made} that nothing has was accepted in the path`)
  })
}

/** What a parameter names must exist. */
export function unknownInForm(parameter: string): Judge {
  return inRuns((exchange, facts) => {
    const value = parameter === 'items' ? undefined : exchange.value(parameter)
    const named = value === undefined ? distinctItems(exchange, parameter) : [value]
    if (!named.some((id) => facts.isMadeUp(id)) || !mayCall(exchange)) return undefined
    return refusedOr(
      exchange,
      facts,
      `the request was accepted, and ${parameter} names what does not exist`,
      [parameter],
    )
  })
}

/** The workspace of the path must be in the collaboration of the path. */
export const inItsCollaboration: Judge = inRuns((exchange, facts) => {
  if (
    isInItsCollaboration(exchange, facts) ||
    facts.isMadeUp(exchange.path.collaborationID as string, 'collaborationID')
  )
    return undefined
  if (!mayCall(exchange)) return undefined
  return refusedOr(exchange, facts, 'a workspace of another collaboration was accepted in the path')
})

/** The participant of the path must take part in the collaboration of the path. */
export const takesPart: Judge = inRuns((exchange, facts) => {
  if (mayTakePart(exchange, facts) || !mayCall(exchange) || !isThere(exchange, facts)) return undefined
  return refusedOr(exchange, facts, 'a participant of another collaboration was updated')
})

/** Callers of that part are let in; a refusal may have any reason. */
export const allows = (part: Part, when: (exchange: Exchange, facts: Facts) => boolean = () => true): Judge =>
  inRuns((exchange, facts) =>
    exchange.accepted !== undefined && exchange.caller === part && when(exchange, facts) ? 'kept' : undefined,
  )

/** Who gets the items must be a user of the organization. */
export const inOrganization: Judge = inRuns((exchange, facts) => {
  const target = exchange.value('targetUsername')
  if (target === undefined || !facts.isElsewhere(target) || !mayCall(exchange)) return undefined
  return refusedOr(exchange, facts, `items were given to ${target}, a user of another organization`, [
    'targetUsername',
  ])
})

/** Where the values of status are settled each is taken; where they are all there are, no other is. */
export const listedStatus: Judge = inRuns((exchange, facts) => {
  const { statuses = [], closed = false } = facts.runStatuses ?? {}
  const status = exchange.value('status')
  if (statuses.length === 0 || status === undefined || !mayCall(exchange) || !isThere(exchange, facts))
    return undefined
  if (statuses.includes(status)) return exchange.accepted && 'kept'
  if (!closed) return undefined
  return refusedOr(exchange, facts, `the status ${show(status)}, which is not listed, was accepted`, [
    'status',
  ])
})

/** The run of the path must be one of the task and of the user of the path. */
export const runOfTask: Judge = inRuns((exchange, facts) => {
  if (isOfItsTask(exchange, facts) || !mayCall(exchange) || !isThere(exchange, facts)) return undefined
  return refusedOr(exchange, facts, 'a run of another task was updated')
})

/** Several judges of one clause: the first that has something against it counts. */
export function all(...judges: readonly Judge[]): Judge {
  return {
    ...(judges.every(({ runsOnly }) => runsOnly) ? { runsOnly: true } : {}),
    begin: () => {
      const looks = judges.map(({ begin }) => begin())
      return (exchange, facts) => {
        const seen = looks.map((look) => look(exchange, facts))
        return (
          seen.find((judgement) => typeof judgement === 'object') ??
          (seen.includes('kept') ? 'kept' : undefined)
        )
      }
    },
  }
}

function refusedOr(
  exchange: Exchange,
  facts: Facts,
  message: string,
  request: readonly string[] = [],
): Judgement {
  if (isRefused(exchange)) return facts.works(exchange) ? 'kept' : undefined
  if (exchange.accepted === undefined) return undefined
  return {
    message,
    expected: anyRefusal,
    actual: came(exchange),
    ...(request.length === 0 ? {} : { marks: { request } }),
  }
}

const onPath = ({ portal }: Exchange): string =>
  portal === undefined ? '' : `, on the path of the ${portal} portal`
