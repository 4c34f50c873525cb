/** Which requirements are truly broken by what some hostile targets answer. */
import type { RequirementId } from '../../../specs/requirements.ts'

export const afterAccepting: readonly RequirementId[] = []
export const afterText: readonly RequirementId[] = []
export const afterAnswerOfAnother = {
  fails: [] as readonly RequirementId[],
  mayPass: [] as readonly RequirementId[],
}
