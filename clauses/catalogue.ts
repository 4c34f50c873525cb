/**
 * The one judge of each requirement, used by checks, by the watch of a run and for recorded traffic, and the watch that
 * shows exchanges to all judges.
 */
import { type OperationId, operationIds, operations } from '../specs/operations.ts'
import { type Requirement, type RequirementId, requirementOf, requirements } from '../specs/requirements.ts'
import { addWorkspaceJudges } from './add-workspace.ts'
import { allows, mustBelong, mustExist, refuses } from './callers.ts'
import { acceptedWhere, allOf, type Judge, type Judgement, type Look } from './clause.ts'
import { deleteCollaborationJudges } from './delete-collaboration.ts'
import { type Exchange, isMissing, type Part } from './exchange.ts'
import type { Knowledge } from './facts.ts'
import { echoes, required, shaped } from './fields.ts'
import { lifecycleJudges, profileJudges, protocolJudges } from './protocol.ts'
import { reassignItemsJudges } from './reassign-items.ts'
import { syncWorkspaceJudges } from './sync-workspace.ts'
import { updateFederationJudges, updateParticipantJudges, updateTaskRunJudges } from './updates.ts'

/** The requirements of the contract. Recordings are not judged by profiles. */
export type ContractRequirementId = Exclude<RequirementId, `profile/${string}`>

type Judges = Readonly<Partial<Record<RequirementId, Judge>>>

/** The judges that are written for their requirement. */
const writtenJudges: Judges = {
  ...profileJudges,
  ...protocolJudges,
  ...lifecycleJudges,
  ...addWorkspaceJudges,
  ...updateTaskRunJudges,
  ...reassignItemsJudges,
  ...syncWorkspaceJudges,
  ...updateParticipantJudges,
  ...deleteCollaborationJudges,
  ...updateFederationJudges,
}

/** The judges that follow from what the specs say of a requirement: callers, ids and parameters. */
function judgesOf(clause: Requirement): Judge[] {
  const {
    echoes: pairs,
    mustExist: known,
    belongs,
    requires,
    doesWithout,
    refuses: [refused] = [],
    allows: [allowed] = [],
  } = clause
  return [
    ...(pairs === undefined ? [] : [echoes(...pairs)]),
    ...(known === undefined ? [] : [mustExist(known)]),
    ...(belongs === undefined ? [] : [mustBelong(belongs)]),
    ...(requires === undefined ? [] : [required(requires)]),
    ...(doesWithout === undefined ? [] : [acceptedWhere((exchange) => isMissing(exchange, doesWithout))]),
    // Whose things are asked for decides the other callers of requirements that depend on the owner.
    ...(refused === undefined || clause.dependsOnOwner ? [] : [refuses(refused as Part)]),
    ...(allowed === undefined || clause.dependsOnOwner ? [] : [allows(allowed as Part)]),
  ]
}

/** The first requirement of an operation, unless a judge is written for it, is about the shape of the answers. */
const shapeJudges: Judges = Object.fromEntries(
  operations.map(({ id, requirements: [first] }) => [first.id, shaped(id)]),
)

/** The judge of each requirement: what the specs say and what is written for it, together. */
export const judges: Judges = Object.fromEntries(
  requirements.flatMap((requirement) => {
    const written = writtenJudges[requirement.id] ?? shapeJudges[requirement.id]
    const all = [...judgesOf(requirement), ...(written === undefined ? [] : [written])]
    return all.length === 0 ? [] : [[requirement.id, all.length === 1 ? all[0] : allOf(...all)]]
  }),
)

/** The requirements of the contract, in its order. */
export const contractRequirements = requirements
  .filter(({ level }) => level !== 'must (profile)')
  .map(({ id }) => id as ContractRequirementId)

const inCollaborations = [
  'delete-collaboration/gone-after-delete',
  'delete-collaboration/refused-delete-has-no-effect',
  'delete-collaboration/others-unaffected',
] as const

/** Requirements of one operation that later requests for another operation can show. */
const consequences: Readonly<Partial<Record<OperationId, readonly ContractRequirementId[]>>> = {
  'add-workspace': inCollaborations,
  'update-participant': inCollaborations,
  'sync-workspace': [...inCollaborations, 'delete-collaboration/sharing-stops', 'add-workspace/id-works'],
}

/** Whether exchanges of the operation can show the requirement. */
export function concerns(requirement: ContractRequirementId, operation: OperationId): boolean {
  const subject = requirementOf(requirement).operation
  return (
    subject === 'protocol' ||
    subject === 'lifecycle' ||
    subject === operation ||
    (consequences[operation] ?? []).includes(requirement)
  )
}

/** What an exchange shows of one requirement. */
export interface Judged {
  readonly requirement: ContractRequirementId
  readonly judgement: NonNullable<Judgement>
}

interface ActiveJudge {
  readonly requirement: ContractRequirementId
  readonly look: Look
}

/** All judges of one run or one recording. Shows them exchanges in the order of their answers. */
export class Watch {
  readonly #knowledge: Knowledge
  /** The judges that exchanges of each operation concern. */
  readonly #judges: ReadonlyMap<OperationId, readonly ActiveJudge[]>

  constructor(knowledge: Knowledge) {
    this.#knowledge = knowledge
    const begun = contractRequirements.flatMap((requirement) => {
      const judge = judges[requirement]
      return judge === undefined ? [] : [{ requirement, look: judge.begin() }]
    })
    this.#judges = new Map(
      operationIds.map((operation) => [
        operation,
        begun.filter(({ requirement }) => concerns(requirement, operation)),
      ]),
    )
  }

  /** Returns what the exchange shows of each requirement. Then the exchange becomes a fact. */
  see(exchange: Exchange): Judged[] {
    const seen: Judged[] = []
    for (const { requirement, look } of this.#judges.get(exchange.operation) ?? []) {
      const judgement = look(exchange, this.#knowledge)
      if (judgement !== undefined) seen.push({ requirement, judgement })
    }
    this.#knowledge.came(exchange)
    return seen
  }
}
