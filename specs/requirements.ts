/** The catalogue of requirements: those of the contract in its order, then what a profile can add. */
import { type KnownOperation, operations } from './operations.ts'
import type { Requirement } from './requirement.ts'
import { lifecycleRequirements } from './requirements/lifecycle.ts'
import { profileRequirements } from './requirements/profile.ts'
import { protocolRequirements } from './requirements/protocol.ts'

const ofOperations = operations.flatMap(({ id, requirements }) =>
  requirements.map((clause) => ({ ...clause, operation: id })),
)

const common = [...protocolRequirements, ...lifecycleRequirements, ...profileRequirements] as const

/** The id of a requirement: a check that names another does not compile. */
export type RequirementId = KnownOperation['requirements'][number]['id'] | (typeof common)[number]['id']

export const requirements: readonly (Requirement & { readonly id: RequirementId })[] = [
  ...protocolRequirements,
  ...ofOperations,
  ...lifecycleRequirements,
  ...profileRequirements,
]

const byId = new Map(requirements.map((requirement) => [requirement.id, requirement]))

/** The requirement of that id. */
export function requirementOf(id: RequirementId): Requirement {
  return byId.get(id) as Requirement
}

/** What is judged on a target of that profile: without one, only what the contract says. */
export function requirementsFor(profile: string): typeof requirements {
  return profile === 'none' ? requirements.filter(({ level }) => level !== 'must (profile)') : requirements
}
