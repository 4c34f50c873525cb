/** What of a run was waived. */
import type { RequirementResult, Results } from './results.ts'

/** The requirements of which a check was waived, whatever their outcome. */
export function waivedRequirements({ requirements }: Pick<Results, 'requirements'>): RequirementResult[] {
  return requirements.filter(({ checks }) => checks.some(({ outcome }) => outcome === 'waived'))
}
