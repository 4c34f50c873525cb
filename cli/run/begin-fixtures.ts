/** Has the run make its own fixtures and actors before it begins, where it is configured so. */
import type { Note } from '../../deployment/administration/workshop.ts'
import { needsOfRun } from '../doctor/run-needs.ts'
import type { JudgingPlan } from './judge-target.ts'

interface Beginning {
  /** Absent: nothing is written down. */
  readonly note?: Note
  readonly signal: AbortSignal
  readonly onProgress?: (made: number, of: number) => void
}

/** The plan with the actors who were made. Where the signal is aborted, the plan as it was. */
export async function beginFixtures<Plan extends Pick<JudgingPlan, 'configuration' | 'fixtures' | 'planned'>>(
  plan: Plan,
  beginning: Beginning,
): Promise<Plan> {
  const { administration } = plan.fixtures
  if (administration === undefined) return plan
  try {
    const needs = await needsOfRun(plan.planned, plan.configuration)
    return { ...plan, configuration: await administration.begin({ needs, ...beginning }) }
  } catch (error) {
    if (beginning.signal.aborted) return plan
    throw error
  }
}
