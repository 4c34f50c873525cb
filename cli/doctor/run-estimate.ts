/** How many requests a run sends, and about how long it takes. Pure; an estimate, and called one wherever it is shown. */

import { readFileSync } from 'node:fs'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { PlannedCheck } from '../../runner/plan.ts'

/** What is counted of the fixtures of whole runs: those that are used up. */
export type Counted = 'collaboration' | 'taskRun' | 'items.itemOwner' | 'items.itemOwnerUnprivileged'

/** What `npm run count-requests` counts on the embedded portal. */
export interface Counts {
  /** The settings of `run.runs` that requests, and fixtures of whole runs, are counted with. */
  readonly measuredRuns: readonly number[]
  /** Those that the fixtures of single checks are counted with. */
  readonly countedRuns: readonly number[]
  /** By check: one number where it does not depend on `run.runs`, else one for each of `measuredRuns`. */
  readonly requestsOfChecks: Readonly<Record<string, number | readonly number[]>>
  /** How many fixtures a whole run uses up, one number for each of `measuredRuns`. */
  readonly fixturesOfRuns: Readonly<Record<Counted, readonly number[]>>
  /** By kind, how many each check asks for, one number for each of `countedRuns`; what checks share counts for the first that asks. */
  readonly fixturesOfChecks: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>
}

export const counts = JSON.parse(readFileSync(new URL('counted.json', import.meta.url), 'utf8')) as Counts

const { measuredRuns, requestsOfChecks } = counts

export interface RunEstimate {
  readonly requests: number
  readonly durationMs: number
}

/** The requests of all checks that are planned to be judged; fixtures that run out make them fewer. */
export function requestsOfRun(planned: readonly PlannedCheck[], { run }: Pick<Configuration, 'run'>): number {
  const all = planned
    .filter(({ without }) => without === undefined)
    .reduce((sum, { id }) => sum + requestsOf(id, run.runs), 0)
  return Math.min(Math.round(all), run.maxRequests ?? Number.POSITIVE_INFINITY)
}

/** `40 s`, `3 min` or `2.5 h`: no more precise than an estimate can be. */
export function roughly(durationMs: number): string {
  const seconds = Math.max(1, Math.round(durationMs / 1000))
  if (seconds < 100) return `${seconds} s`
  if (seconds < 100 * 60) return `${Math.round(seconds / 60)} min`
  return `${(seconds / 3600).toFixed(1)} h`
}

function requestsOf(id: PlannedCheck['id'], runs: number): number {
  const measured = requestsOfChecks[id] ?? averageRequests()
  if (typeof measured === 'number') return measured
  return countAt(runs, measuredRuns, measured)
}

/** What was counted at those settings of `run.runs`, for another one: between two of them, and beyond them, straight on. */
export function countAt(runs: number, settings: readonly number[], counts: readonly number[]): number {
  const above = settings.findIndex((known) => known >= runs)
  const to = above === -1 ? settings.length - 1 : Math.max(1, above)
  const [x0, x1] = [settings[to - 1], settings[to]] as [number, number]
  const [y0, y1] = [counts[to - 1], counts[to]] as [number, number]
  return y0 + ((runs - x0) * (y1 - y0)) / (x1 - x0)
}

/** For a check that was not measured yet. */
function averageRequests(): number[] {
  const all = Object.values(requestsOfChecks)
  return measuredRuns.map(
    (_, at) =>
      all.reduce<number>((sum, each) => sum + (typeof each === 'number' ? each : (each[at] as number)), 0) /
      all.length,
  )
}
