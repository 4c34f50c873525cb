/** The middle of every run: its fixtures are made, the checks are judged, and the run cleans up. */
import { randomBytes } from 'node:crypto'
import type { Beginning } from '../../deployment/administration/provider.ts'
import type { OnRemoved } from '../../deployment/administration/removal.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import { cleanUpRun, type FixturesInUse } from '../cleanup/end-of-run.ts'
import { type JournalPlace, openRunJournal } from '../cleanup/run-journal.ts'
import { needsOfRun } from '../doctor/fixtures-to-make.ts'
import { hearFixtures } from '../process/warnings.ts'
import type { JudgingPlan, RunMarks } from './judge-target.ts'

interface Course {
  /** Aborted when the run must end early. */
  readonly signal: AbortSignal
  readonly warn: (message: string) => void
  /** Absent: the run keeps no journal. */
  readonly journal?: JournalPlace
  /** Receives how much of what the run makes is there. */
  readonly onMade?: (made: number, of: number) => void
  readonly onRemoved?: OnRemoved
}

/** `judge` receives the plan with the actors that the run made. Cleans up at the end, whatever happens. */
export async function withFixtures<Result>(
  plan: JudgingPlan,
  { journal: place, onMade, onRemoved, ...course }: Course,
  judge: (begun: JudgingPlan, marks: RunMarks, inUse: FixturesInUse) => Promise<Result>,
): Promise<Result> {
  const { configuration, fixtures } = plan
  const { signal, warn } = course
  hearFixtures(fixtures, warn)
  const runId = configuration.administration?.runId ?? newRunId()
  const journal = place && openRunJournal(plan, place, { runId, warn })
  const inUse = withoutUndefined({ runId, configuration, fixtures, journal, ...course, onRemoved })
  try {
    const begun = await beginFixtures(plan, withoutUndefined({ things: journal, signal, onProgress: onMade }))
    return await judge(begun, withoutUndefined({ runId, journal, signal }), inUse)
  } finally {
    await cleanUpRun(inUse)
  }
}

/** The plan with the actors that the run made; unchanged if the run makes nothing itself, or is interrupted. */
async function beginFixtures(plan: JudgingPlan, beginning: Omit<Beginning, 'needs'>): Promise<JudgingPlan> {
  const { administration } = plan.fixtures
  if (administration === undefined) return plan
  try {
    const needs = needsOfRun(plan.planned, plan.configuration)
    return { ...plan, configuration: await administration.begin({ needs, ...beginning }) }
  } catch (error) {
    if (beginning.signal.aborted) return plan
    throw error
  }
}

export function newRunId(): string {
  return `pc-${randomBytes(4).toString('hex')}`
}
