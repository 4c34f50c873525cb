/** Judges of what must be refused: callers (§5), ids that do not exist or belong elsewhere, wrong parameters. */
import type { ActorName } from '../deployment/configuration/actors.ts'
import { type OperationId, operationIds, operationOf } from '../specs/operations.ts'
import { type RequirementId, requirements } from '../specs/requirements.ts'
import { type Breach, each, type Judge, type Judgement, type Look, mustBeRefused } from './clause.ts'
import { distinctItems, type Exchange, type Part } from './exchange.ts'
import type { Facts } from './facts.ts'
import { sameText } from './texts.ts'

export const onlyInRuns = (look: Look): Judge => ({ begin: () => look, runsOnly: true })

/** Whether everything in the path exists. A request with two mistakes does not show which one it was refused for. */
export const pathExists = (exchange: Exchange, facts: Facts): boolean =>
  facts.deletionOf(exchange) === undefined &&
  !Object.entries(exchange.path).some(([name, id]) => facts.isMadeUp(id, name))

/** Whether the caller is the permitted one, so that a refusal is not about the caller. */
export const mayCall = ({ caller, operation }: Exchange): boolean =>
  caller === operationOf(operation).calledBy

/** Permitted callers beside `calledBy` of each operation (§5). */
export const alsoMay: Readonly<Partial<Record<OperationId, readonly ActorName[]>>> = Object.fromEntries(
  operationIds.map((id) => [
    id,
    requirements
      .flatMap(({ operation, allows = [] }) => (operation === id ? allows : []))
      .filter((name) => name !== operationOf(id).calledBy),
  ]),
)

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

interface Belonging {
  /** Whether the id may belong to the other ids of the path. */
  readonly holds: (path: Exchange['path'], facts: Facts) => boolean
  /** What happened, if the id belongs to something else and the request was accepted. */
  readonly message: string
}

/** What must belong together in a path, by the parameter that has the id of the part. */
const belongings = {
  runID: {
    holds: ({ userName = '', taskID = '', runID = '' }, facts) => {
      const task = facts.taskOf(runID)
      return task === undefined || (sameText(task.userName, userName) && sameText(task.taskId, taskID))
    },
    message: 'a run of another task was updated',
  },
  workspaceID: {
    holds: ({ workspaceID = '', collaborationID }, facts) => {
      const place = facts.placeOf(workspaceID)
      return place === undefined || sameText(place, collaborationID)
    },
    message: 'a workspace of another collaboration was accepted in the path',
  },
  participantPortalID: {
    holds: ({ participantPortalID = '', collaborationID = '' }, facts) =>
      !facts.isElsewhereOnly(collaborationID, participantPortalID),
    message: 'a participant of another collaboration was updated',
  },
} as const satisfies Readonly<Record<string, Belonging>>

/** What is wrong with the path, if the run knows. Then an acceptance may show nothing of other requirements. */
export function wrongInPath(exchange: Exchange, facts: Facts): string | undefined {
  if (facts.deletionOf(exchange) !== undefined) return 'its collaboration had been deleted before'
  if (!pathExists(exchange, facts)) return 'its path holds an id that was made up'
  const elsewhere = belongingElsewhere(exchange, facts)
  return elsewhere && `its ${elsewhere} is known to belong to something else than its path says`
}

/** The parameter of the path whose thing belongs to something else than the path says, if one is known. */
const belongingElsewhere = ({ path }: Exchange, facts: Facts): string | undefined =>
  Object.entries(belongings).find(([, { holds }]) => !holds(path, facts))?.[0]

/**
 * Whether everything in the path exists and belongs together. If not, an acceptance would break another requirement.
 */
export const pathBelongsTogether = (exchange: Exchange, facts: Facts): boolean =>
  pathExists(exchange, facts) && belongingElsewhere(exchange, facts) === undefined

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
    return judgeRefusal(exchange, facts, { message: `${part} was accepted${onPath(exchange)}` })
  })

/** Callers of that part are accepted. A refusal shows nothing, because it may have other reasons. */
export const allows = (part: Part, when: (exchange: Exchange, facts: Facts) => boolean = () => true): Judge =>
  onlyInRuns((exchange, facts) =>
    exchange.accepted !== undefined && exchange.caller === part && when(exchange, facts) ? 'kept' : undefined,
  )

/** A mistake for which a request must be refused, and what it means if the request was accepted. */
export interface Mistake extends Pick<Breach, 'message'>, Partial<Pick<Breach, 'expected' | 'actual'>> {
  /** The parameter of the form that is wrong. */
  readonly parameter?: string
}

/** The permitted caller is refused for that mistake in the path or the form. */
export const refusesMistake = (mistakeOf: (exchange: Exchange, facts: Facts) => Mistake | undefined): Judge =>
  onlyInRuns((exchange, facts) => {
    const mistake = mayCall(exchange) ? mistakeOf(exchange, facts) : undefined
    return mistake && judgeRefusal(exchange, facts, mistake)
  })

/**
 * A wrong parameter is refused. A refusal shows that if an equal request without the mistake was accepted. An acceptance
 * breaks the requirement if nothing else is wrong with the request.
 */
export const refusesParameter = (
  mistakeOf: (exchange: Exchange) => (Mistake & { readonly parameter: string }) | undefined,
): Judge =>
  each((exchange, facts) => {
    const mistake = mistakeOf(exchange)
    if (mistake === undefined) return undefined
    if (exchange.accepted !== undefined && !isOtherwiseRight(exchange, facts)) return undefined
    return mustBeRefused(exchange, () => facts.controlFor(exchange, mistake.parameter), breachOf(mistake))
  })

/** Made-up ids in those parameters, of the path or of the form, are refused. */
export const mustExist = (names: readonly string[]): Judge =>
  refusesMistake((exchange, facts) => {
    const unknown = names.find((name) => idsIn(exchange, name).some((id) => facts.isMadeUp(id, name)))
    if (unknown === undefined) return undefined
    return unknown in exchange.path
      ? { message: `an unknown ${unknown} was accepted in the path` }
      : {
          message: `the request was accepted, and ${unknown} names something that does not exist`,
          parameter: unknown,
        }
  })

function idsIn(exchange: Exchange, name: string): readonly string[] {
  const id = exchange.path[name] ?? (name === 'items' ? undefined : exchange.value(name))
  return id === undefined ? distinctItems(exchange, name) : [id]
}

/** An id in the path that belongs to something else is refused. */
export const mustBelong = (name: keyof typeof belongings): Judge => {
  const { holds, message } = belongings[name]
  return refusesMistake((exchange, facts) =>
    holds(exchange.path, facts) || !pathExists(exchange, facts) ? undefined : { message },
  )
}

/** A refusal shows nothing if the operation was not accepted for a permitted caller before. */
export const judgeRefusal = (exchange: Exchange, facts: Facts, mistake: Mistake): Judgement =>
  mustBeRefused(exchange, () => facts.worksForPermitted(exchange), breachOf(mistake))

const breachOf = ({ parameter, ...breach }: Mistake) => ({
  ...breach,
  ...(parameter === undefined ? {} : { marks: { request: [parameter] } }),
})

const onPath = ({ portal }: Exchange): string =>
  portal === undefined ? '' : `, on the path of the ${portal} portal`
