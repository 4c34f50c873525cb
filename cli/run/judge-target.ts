/** From the first request of a run to its results: no terminal, no files, no exit code. */
import { mostAdded } from '../../deployment/administration/announcement.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { uncheckedHosts } from '../../deployment/configuration/connection-settings.ts'
import type { SignIns } from '../../deployment/credentials/sign-ins.ts'
import type { OpenFixtures } from '../../deployment/fixtures/fixture-sources.ts'
import type { Journal } from '../../deployment/journal/journal.ts'
import { createRedactor, withTexts } from '../../deployment/redaction/redaction.ts'
import { type Begun, buildResults } from '../../reporters/build-results.ts'
import type { Results } from '../../reporters/results.ts'
import { countOf } from '../../reporters/wording.ts'
import type { CheckResult } from '../../runner/check-result.ts'
import type { PlannedCheck } from '../../runner/plan.ts'
import type { RunInput, Selection } from '../../runner/run-input.ts'
import type { Pulse, RunNews } from '../../runner/run-news.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import { declaredChecks } from '../../suites/declared-checks.ts'
import type { TargetOptions } from '../arguments/target-options.ts'
import { requestsOfRun, workspacesOfRun } from '../doctor/run-estimate.ts'
import { applyWaivers, type WaiverInUse } from '../waivers/waiver.ts'
import { Bail } from './bail.ts'
import { measure } from './measure.ts'
import { repeatCommand } from './repeat-command.ts'
import { TimeLimit } from './time-limit.ts'

export interface JudgingPlan {
  readonly configuration: Configuration
  /** Shared by all callers that sign in during the command. */
  readonly signIns: SignIns
  readonly fixtures: OpenFixtures
  readonly selection: Selection
  readonly planned: readonly PlannedCheck[]
  /** For this target, without secrets. They change what counts, never what is judged. */
  readonly waivers: readonly WaiverInUse[]
  /** The options that name the target, for `run --failed` and for commands that show a finding again. */
  readonly targetOptions: TargetOptions
  /** The longest that an answer took before the run, in milliseconds. */
  readonly latencyMs: number
}

/** What marks the requests of a run and what it makes. */
export interface RunMarks {
  /** In the names of everything that the run makes. */
  readonly runId: string
  readonly journal?: Journal
  readonly signal: AbortSignal
}

export interface Observers extends RunMarks {
  /** After how many failures the run ends; absent: at its end. */
  readonly bail?: number | undefined
  /** The process serves this run alone; false if it belongs to a program that calls us. */
  readonly ownProcess: boolean
  /** Called before the first request with the head of the results. */
  readonly onBegin?: (begun: Begun) => void
  /** Called with the result of each check as it ends. */
  readonly onCheck: (result: CheckResult) => void
  /** Called while checks are under way. */
  readonly onPulse?: (pulse: Pulse) => void
}

export interface Judged {
  readonly results: Results
  /** The user ended the run; the results lack `complete`. */
  readonly interrupted: boolean
}

/** Sends, judges and assembles the results. Their `errors` name what broke in the suite. */
export async function judgeTarget(
  plan: JudgingPlan,
  { runId, journal, signal, bail, ownProcess, onBegin, onCheck, onPulse }: Observers,
): Promise<Judged> {
  const { configuration, planned, latencyMs } = plan
  const startedAt = new Date()
  const began = performance.now()
  const requests = requestsOfRun(planned, configuration)
  const limit = new TimeLimit(configuration, { requests, latencyMs })
  const failures = new Bail(bail ?? Number.POSITIVE_INFINITY, plan.waivers)
  let last: RunNews | undefined
  const wasAborted = signal.aborted && plan.fixtures.administration !== undefined
  const begun = beginningOf(plan, runId, startedAt)
  onBegin?.(begun)
  const { checks, looks, errors, exchanges, stopped } = await measure({
    declared: await declaredChecks(),
    input: inputOf(plan, { runId, journal, began: startedAt.getTime(), requests }),
    signal: AbortSignal.any([signal, limit.signal, failures.signal]),
    ownProcess,
    onCheck: (result) => {
      onCheck(result)
      failures.count(result)
    },
    onNews: (news) => {
      last = news
      limit.learn(news.facts)
    },
    ...(onPulse === undefined ? {} : { onPulse }),
  })
  limit.stop()
  const interrupted = signal.aborted
  const unbegun = wasAborted ? 'interrupted while fixtures were made' : undefined
  const ended = limit.signal.aborted ? limit.reason : bailReason(failures, planned, checks)
  const results = buildResults(
    withoutUndefined({
      checks: applyWaivers(checks, plan.waivers),
      ...begun,
      looks,
      run: withoutUndefined({
        ...begun.run,
        durationMs: Math.round(performance.now() - began),
        stopped: ended ?? stopped,
        putOff: last && putOffIn(last),
      }),
      errors,
      interrupted,
      ended: ended ?? unbegun,
      exchanges,
    }),
  )
  return { results, interrupted }
}

function inputOf(
  { configuration, signIns, fixtures, planned, selection, targetOptions }: JudgingPlan,
  begun: Pick<RunInput, 'runId' | 'began' | 'requests'> & {
    readonly journal: RunMarks['journal'] | undefined
  },
): RunInput {
  return withoutUndefined({
    ...{ configuration, signIns, selection, ...begun },
    repeatCommand: repeatCommand(targetOptions, configuration),
    fixturesUrl: fixtures.url,
    mostWorkspaces: mostAdded(workspacesOfRun(planned, configuration.run.runs)),
  })
}

/** Undefined if every check was run: then the last failure cut nothing short. */
function bailReason(
  { signal, reason }: Bail,
  planned: readonly PlannedCheck[],
  checks: readonly CheckResult[],
): string | undefined {
  const run = new Set(checks.map(({ id }) => id))
  const wanted = planned.filter(({ without }) => without === undefined)
  const missing = wanted.filter(({ id }) => !run.has(id)).length
  if (!signal.aborted || missing === 0) return undefined
  return `${reason}: ${missing} of ${countOf(wanted.length, 'check')} ${missing === 1 ? 'was' : 'were'} not run`
}

/** Undefined if the target throttled nothing. */
function putOffIn({ putOff }: RunNews): RunNews['putOff'] | undefined {
  return putOff.throttled + putOff.unavailable + (putOff.busy ?? 0) === 0 ? undefined : putOff
}

/** The head of the results, which is known before the first request. */
function beginningOf(
  { configuration, planned, selection, targetOptions }: JudgingPlan,
  id: string,
  startedAt: Date,
): Begun {
  const redactor = createRedactor(configuration)
  const { seed, runs } = configuration.run
  const isWhole = selection.operations.length + selection.requirements.length === 0
  return {
    planned,
    run: {
      ...{ id, startedAt: startedAt.toISOString(), seed, runs },
      options: withTexts({ ...targetOptions }, redactor.text),
      ...(isWhole ? {} : { selection }),
    },
    target: withTexts(targetOf(configuration), redactor.text),
  }
}

function targetOf(configuration: Configuration): Results['target'] {
  const { baseUrl, version, edition, profile } = configuration.target
  const insecure = uncheckedHosts(configuration).length > 0 || undefined
  return withoutUndefined({ baseUrl, version, edition, profile, insecure })
}
