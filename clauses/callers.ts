/** Judges of who must be refused (§5) and which ids must exist. They need to know the caller and the ids. */

import type { ActorName } from '../deployment/configuration/actors.ts'
import { show } from '../schemas/wording.ts'
import { type OperationId, operationOf } from '../specs/operations.ts'
import { type RequirementId, requirements } from '../specs/requirements.ts'
import { answerInWords, type Judge, type Judgement, type Look } from './clause.ts'
import { distinctItems, type Exchange, isRefused, type Part } from './exchange.ts'
import type { Facts } from './facts.ts'
import { sameText } from './texts.ts'

/** The expectation for a request that must be refused. */
export const anyRefusal = 'a refusal'

export const onlyInRuns = (look: Look): Judge => ({ begin: () => look, runsOnly: true })

/** Whether everything in the path exists. A request with two mistakes does not show which one it was refused for. */
export const pathExists = (exchange: Exchange, facts: Facts): boolean =>
  facts.deletionOf(exchange) === undefined &&
  !Object.entries(exchange.path).some(([name, id]) => facts.isMadeUp(id, name))

/** Whether the caller is the permitted one, so that a refusal is not about the caller. */
export const mayCall = ({ caller, operation }: Exchange): boolean =>
  caller === operationOf(operation).calledBy

/** Whether the run in the path may belong to the task and the user in the path. */
const isOfItsTask = (
  { path: { userName = '', taskID = '', runID = '' } }: Exchange,
  facts: Facts,
): boolean => {
  const task = facts.taskOf(runID)
  return task === undefined || (sameText(task.userName, userName) && sameText(task.taskId, taskID))
}

/** Whether the workspace in the path may belong to the collaboration in the path. */
const isInItsCollaboration = ({ path }: Exchange, facts: Facts): boolean => {
  const place = facts.placeOf(path.workspaceID as string)
  return place === undefined || sameText(place, path.collaborationID as string)
}

/** Whether the participant in the path may take part in the collaboration in the path. */
const mayTakePart = ({ path }: Exchange, facts: Facts): boolean =>
  !facts.isElsewhereOnly(path.collaborationID ?? '', path.participantPortalID ?? '')

/** Permitted callers beside `calledBy` of each operation (§5). */
export const alsoMay: Readonly<Partial<Record<OperationId, readonly ActorName[]>>> = {
  'reassign-items': ['customAdministrator', 'itemOwner'],
}

interface WrongCaller {
  readonly id: RequirementId
  readonly refused: Part
  /** Whether this caller is refused only for things that somebody else owns. */
  readonly dependsOnOwner: boolean
}

/** The callers that the operation must refuse, each with the requirement that says so (§5). */
export const wrongCallersOf = (operation: OperationId): WrongCaller[] =>
  requirements.flatMap(({ id, operation: subject, refuses: [refused] = [], dependsOnOwner = false }) =>
    subject === operation && refused !== undefined ? [{ id, refused: refused as Part, dependsOnOwner }] : [],
  )

/**
 * Whether everything in the path exists and belongs together. If not, an acceptance would break another requirement.
 */
export const pathBelongsTogether = (exchange: Exchange, facts: Facts): boolean =>
  pathExists(exchange, facts) &&
  [isOfItsTask, isInItsCollaboration, mayTakePart].every((holds) => holds(exchange, facts))

/** Whether caller and path are right, so that any other mistake must be the reason for a refusal. */
export const isOtherwiseRight = (exchange: Exchange, facts: Facts): boolean =>
  (exchange.caller === undefined ||
    mayCall(exchange) ||
    (alsoMay[exchange.operation] ?? []).some((name) => name === exchange.caller)) &&
  pathBelongsTogether(exchange, facts)

/** Callers of that part are refused, whatever they send. `when` limits this to some requests. */
export const refuses = (
  part: Part,
  when: (exchange: Exchange, facts: Facts) => boolean = () => true,
): Judge =>
  onlyInRuns((exchange, facts) => {
    if (exchange.caller !== part || !when(exchange, facts) || !pathBelongsTogether(exchange, facts))
      return undefined
    return judgeRefusal(exchange, facts, `${part} was accepted${onPath(exchange)}`)
  })

/** Made-up ids in the path are refused. */
export function unknownInPath(...names: readonly string[]): Judge {
  return onlyInRuns((exchange, facts) => {
    const made = names.find((name) => facts.isMadeUp(exchange.path[name] as string, name))
    if (made === undefined || !mayCall(exchange)) return undefined
    return judgeRefusal(exchange, facts, `an unknown ${made} was accepted in the path`)
  })
}

/** Made-up ids in a parameter are refused. */
export function unknownInForm(parameter: string): Judge {
  return onlyInRuns((exchange, facts) => {
    const value = parameter === 'items' ? undefined : exchange.value(parameter)
    const named = value === undefined ? distinctItems(exchange, parameter) : [value]
    if (!named.some((id) => facts.isMadeUp(id)) || !mayCall(exchange)) return undefined
    return judgeRefusal(
      exchange,
      facts,
      `the request was accepted, and ${parameter} names something that does not exist`,
      [parameter],
    )
  })
}

/** A workspace under another collaboration's path is refused. */
export const inItsCollaboration: Judge = onlyInRuns((exchange, facts) => {
  if (
    isInItsCollaboration(exchange, facts) ||
    facts.isMadeUp(exchange.path.collaborationID as string, 'collaborationID')
  )
    return undefined
  if (!mayCall(exchange)) return undefined
  return judgeRefusal(exchange, facts, 'a workspace of another collaboration was accepted in the path')
})

/** A participant under the path of a collaboration that it does not take part in is refused. */
export const takesPart: Judge = onlyInRuns((exchange, facts) => {
  if (mayTakePart(exchange, facts) || !mayCall(exchange) || !pathExists(exchange, facts)) return undefined
  return judgeRefusal(exchange, facts, 'a participant of another collaboration was updated')
})

/** Callers of that part are accepted. A refusal shows nothing, because it may have other reasons. */
export const allows = (part: Part, when: (exchange: Exchange, facts: Facts) => boolean = () => true): Judge =>
  onlyInRuns((exchange, facts) =>
    exchange.accepted !== undefined && exchange.caller === part && when(exchange, facts) ? 'kept' : undefined,
  )

/** Items cannot be given to a user of another organization. */
export const inOrganization: Judge = onlyInRuns((exchange, facts) => {
  const target = exchange.value('targetUsername')
  if (target === undefined || !facts.isOfAnotherOrganization(target) || !mayCall(exchange)) return undefined
  return judgeRefusal(exchange, facts, `items were given to ${target}, a user of another organization`, [
    'targetUsername',
  ])
})

/** If the profile lists the values of `status`, each is accepted. If the list is closed, all others are refused. */
export const listedStatus: Judge = onlyInRuns((exchange, facts) => {
  const { statuses = [], closed = false } = facts.runStatuses ?? {}
  const status = exchange.value('status')
  if (statuses.length === 0 || status === undefined || !mayCall(exchange) || !pathExists(exchange, facts))
    return undefined
  if (statuses.includes(status)) return exchange.accepted && 'kept'
  if (!closed) return undefined
  return judgeRefusal(exchange, facts, `the status ${show(status)}, which is not listed, was accepted`, [
    'status',
  ])
})

/** A run under another task's or user's path is refused. */
export const runOfTask: Judge = onlyInRuns((exchange, facts) => {
  if (isOfItsTask(exchange, facts) || !mayCall(exchange) || !pathExists(exchange, facts)) return undefined
  return judgeRefusal(exchange, facts, 'a run of another task was updated')
})

/** Combines several judges of one requirement. The first breach counts. */
export function allOf(...judges: readonly Judge[]): Judge {
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

function judgeRefusal(
  exchange: Exchange,
  facts: Facts,
  message: string,
  request: readonly string[] = [],
): Judgement {
  if (isRefused(exchange)) return facts.worksForPermitted(exchange) ? 'kept' : undefined
  if (exchange.accepted === undefined) return undefined
  return {
    message,
    expected: anyRefusal,
    actual: answerInWords(exchange),
    ...(request.length === 0 ? {} : { marks: { request } }),
  }
}

const onPath = ({ portal }: Exchange): string =>
  portal === undefined ? '' : `, on the path of the ${portal} portal`
