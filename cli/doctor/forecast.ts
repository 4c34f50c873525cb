/** What a planned run takes: fixtures, requests and time, for `doctor` and `run --dry-run`. An estimate; sends nothing. */
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { PlannedCheck } from '../../runner/plan.ts'
import { durationOfRun } from '../../runner/run-time.ts'
import { type Step, whatToAdd } from '../../runner/what-to-add.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import { deletionOfListed, type FixtureNeed, fixtureNeeds, untestedFor } from './fixture-needs.ts'
import { makingMs, needsOfRun, whatIsMade } from './fixtures-to-make.ts'
import { addedToListed, judgedOf, requestsOfRun } from './run-estimate.ts'

export interface Forecast {
  /** How many fixtures the run needs of each kind, and which checks it lacks them for. */
  readonly needs: readonly FixtureNeed[]
  /** What the run makes itself, in words; absent: no login of an administrator is configured. */
  readonly made?: readonly string[]
  /** How many workspaces the run adds to listed collaborations, in words. */
  readonly added?: string
  /** A warning that the run deletes listed collaborations. */
  readonly deletion?: string
  /** Checks that the run makes, without those that it lacks fixtures for. */
  readonly judged: number
  readonly requests: number
  /** How long the run takes if an answer takes this long. Both in milliseconds. */
  readonly durationMs: (latencyMs: number) => number
  /** What to add to the configuration so that the run tests more, most useful first. */
  readonly add: readonly Step[]
}

/** `planned`: all checks of the target. */
export function forecastOf(planned: readonly PlannedCheck[], configuration: Configuration): Forecast {
  const needs = fixtureNeeds(planned, configuration)
  const short = untestedFor(needs)
  const judged = judgedOf(planned).filter(({ id }) => !short.has(id))
  const requests = requestsOfRun(judged, configuration)
  const made = needsOfRun(planned, configuration)
  return withoutUndefined({
    needs,
    made: configuration.administration && whatIsMade(made, configuration),
    added: addedToListed(planned, configuration),
    deletion: deletionOfListed(configuration),
    judged: judged.length,
    requests,
    durationMs: (latencyMs: number) =>
      durationOfRun(requests, latencyMs, configuration) + makingMs(made, latencyMs, configuration),
    add: whatToAdd(planned.map(({ requirement, without }) => ({ requirement, add: without?.add }))),
  })
}
