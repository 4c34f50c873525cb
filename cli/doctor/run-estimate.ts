/** How many requests a run sends and how many workspaces it adds. An estimate, from counts on the embedded portal. Pure. */
import { readFileSync } from 'node:fs'
import { mostAdded } from '../../deployment/administration/announcement.ts'
import {
  type Configuration,
  listedFixtures,
  type RunSettings,
} from '../../deployment/configuration/configuration.ts'
import { countOf, numeral } from '../../reporters/wording.ts'
import type { PlannedCheck } from '../../runner/plan.ts'

/** One number for each setting of `run.runs` that was counted; a single number if the setting changes nothing. */
export type CountsByRuns = number | readonly number[]

/** What `npm run count-requests` counts on the embedded portal. */
export interface Counts {
  /** The settings of `run.runs`, ascending. */
  readonly runs: readonly number[]
  readonly workspacesOfWholeRun: CountsByRuns
  readonly requestsOfChecks: Readonly<Record<string, CountsByRuns>>
  /** Fixtures that a check uses up, by kind and check. Checks that share one: it counts for the first that asks. */
  readonly fixturesOfChecks: Readonly<Record<string, Readonly<Record<string, CountsByRuns>>>>
}

export const counts = JSON.parse(readFileSync(new URL('counted.json', import.meta.url), 'utf8')) as Counts

/** The count at this setting of `run.runs`, on straight lines through the settings that were counted. */
export function countAt(runs: number, counted: CountsByRuns): number {
  if (typeof counted === 'number') return counted
  const settings = counts.runs
  const above = settings.findIndex((known) => known >= runs)
  const to = above === -1 ? settings.length - 1 : Math.max(1, above)
  const [x0, x1] = [settings[to - 1], settings[to]] as [number, number]
  const [y0, y1] = [counted[to - 1], counted[to]] as [number, number]
  return Math.max(0, y0 + ((runs - x0) * (y1 - y0)) / (x1 - x0))
}

/** The checks that a run makes. */
export const judgedOf = <Plan extends Pick<PlannedCheck, 'without'>>(planned: readonly Plan[]): Plan[] =>
  planned.filter(({ without }) => without === undefined)

/** A check that was not counted yet takes the average. */
function requestsOf(checks: readonly Pick<PlannedCheck, 'id'>[], runs: number): number {
  const all = Object.values(counts.requestsOfChecks).map((counted) => countAt(runs, counted))
  const average = all.reduce((sum, count) => sum + count, 0) / all.length
  return checks.reduce((sum, { id }) => {
    const counted = counts.requestsOfChecks[id]
    return sum + (counted === undefined ? average : countAt(runs, counted))
  }, 0)
}

/** The requests of all checks that the run makes. A run that lacks fixtures sends fewer. */
export function requestsOfRun(
  planned: readonly PlannedCheck[],
  { run }: { readonly run: Pick<RunSettings, 'runs' | 'maxRequests'> },
): number {
  const requests = requestsOf(judgedOf(planned), run.runs)
  return Math.min(Math.round(requests), run.maxRequests ?? Number.POSITIVE_INFINITY)
}

/** The workspaces that a run adds: its share of those of a whole run, by requests. `planned`: all checks of the target. */
export function workspacesOfRun(
  planned: readonly Pick<PlannedCheck, 'id' | 'operations' | 'without'>[],
  runs: number,
): number {
  const adding = planned.filter(({ operations }) => operations.includes('add-workspace'))
  const judged = judgedOf(adding)
  if (judged.length === 0) return 0
  const share = requestsOf(judged, runs) / requestsOf(adding, runs)
  return Math.ceil(share * countAt(runs, counts.workspacesOfWholeRun))
}

/** How many workspaces a run adds to the collaborations that the configuration lists; undefined if none. */
export function addedToListed(
  planned: readonly PlannedCheck[],
  configuration: Configuration,
): string | undefined {
  const { effects, administration } = configuration
  const { collaboration: listed = [], group = [] } = listedFixtures(configuration) ?? {}
  const mayAdd = effects.includes('add-workspace') && (group.length > 0 || administration !== undefined)
  const likely = mayAdd ? workspacesOfRun(planned, configuration.run.runs) : 0
  if (listed.length === 0 || likely === 0) return undefined
  const to = countOf(listed.length, 'listed collaboration')
  return `at most ${numeral(mostAdded(likely))} workspaces are added to ${to}: about ${numeral(likely)}, and more if findings are repeated`
}

/** `40 s`, `3 min` or `2.5 h`: no more precise than an estimate can be. */
export function roughly(durationMs: number): string {
  const seconds = Math.max(1, Math.round(durationMs / 1000))
  if (seconds < 100) return `${seconds} s`
  if (seconds < 100 * 60) return `${Math.round(seconds / 60)} min`
  return `${(seconds / 3600).toFixed(1)} h`
}
