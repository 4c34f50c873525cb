/** From the first request of a run to its results: no terminal, no files, no exit code. */
import { mostAdded } from '../../deployment/administration/announcement.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { uncheckedHosts } from '../../deployment/configuration/tls-settings.ts'
import type { SignIns } from '../../deployment/credentials/sign-ins.ts'
import type { OpenFixtures } from '../../deployment/fixtures/fixture-sources.ts'
import { createRedactor, type Redactor, withTexts } from '../../deployment/redaction/redaction.ts'
import { type Begun, buildResults } from '../../reporters/build-results.ts'
import type { Results } from '../../reporters/results.ts'
import { countOf } from '../../reporters/wording.ts'
import type { CheckResult } from '../../runner/check-result.ts'
import type { PlannedCheck } from '../../runner/plan.ts'
import type { RunInput, Selection } from '../../runner/run-input.ts'
import type { Pulse, RunNews } from '../../runner/run-news.ts'
import { withoutUndefined } from '../../schemas/without-undefined.ts'
import { declaredChecks } from '../../suites/declared-checks.ts'
import type { TargetOptions } from '../arguments/target-options.ts'
import { requestsOfRun, workspacesOfRun } from '../doctor/run-estimate.ts'
import { applyWaivers, type WaiverInUse } from '../waivers/waiver.ts'
import { Bail } from './bail.ts'
import { measure } from './measure.ts'
import { TimeLimit } from './time-limit.ts'

export interface JudgingPlan {
  readonly configuration: Configuration
  /** Those of the command. */
  readonly signIns: SignIns
  readonly fixtures: OpenFixtures
  readonly selection: Selection
  readonly planned: readonly PlannedCheck[]
  /** For this target; they change what counts, never what is judged. */
  readonly waivers: readonly WaiverInUse[]
  readonly replayCommand: string
  /** The options that name the target, for `run --failed`. */
  readonly targetOptions: TargetOptions
}

export interface Onlookers {
  /** The run's id, which marks what it makes. */
  readonly runId: string
  /** The file in which the run notes what it is given and does; absent: nowhere. */
  readonly journal?: string
  /** Aborted where the run is to end early. */
  readonly signal: AbortSignal
  /** How long an answer of the target took before the run, in milliseconds. */
  readonly latencyMs: number
  /** After how many failures the run ends; absent: it goes on to its end. */
  readonly bail?: number | undefined
  /** The process is there for this run alone; false where it belongs to a program that called us. */
  readonly ownProcess: boolean
  /** Called before the first request with what is known of the results by then. */
  readonly onBegin?: (begun: Begun) => void
  /** Called with the result of each check as it ends. */
  readonly onCheck: (result: CheckResult) => void
  /** Called with what checks under way tell of themselves; absent: nobody asks them. */
  readonly onPulse?: (pulse: Pulse) => void
}

export interface Judged {
  readonly results: Results
  /** It was ended from outside; the results lack `complete`. */
  readonly interrupted: boolean
}

/** Sends, judges and puts the results together. What breaks in the suite stands among their errors. */
export async function judgeTarget(
  plan: JudgingPlan,
  { runId: id, journal, signal, latencyMs, bail, ownProcess, onBegin, onCheck, onPulse }: Onlookers,
): Promise<Judged> {
  const { configuration, planned } = plan
  const redactor = createRedactor(configuration)
  const startedAt = new Date()
  const began = performance.now()
  const requests = requestsOfRun(planned, configuration)
  const limit = new TimeLimit(configuration, { requests, latencyMs })
  const failures = new Bail(bail ?? Number.POSITIVE_INFINITY, plan.waivers)
  let last: RunNews | undefined
  const begun = beginningOf(plan, id, startedAt)
  onBegin?.(begun)
  const { checks, looks, errors, exchanges, stopped } = await measure({
    declared: await declaredChecks(),
    input: inputOf(plan, { runId: id, journal, began: startedAt.getTime(), requests }),
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
  const ended = limit.signal.aborted ? limit.reason : bailedOut(failures, planned, checks)
  const results = buildResults(
    withoutUndefined({
      checks: applyWaivers(
        checks,
        plan.waivers.map((waiver) => redactedWaiver(waiver, redactor)),
      ),
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
      ended,
      exchanges,
    }),
  )
  return { results, interrupted }
}

function inputOf(
  { configuration, signIns, fixtures, planned, selection, replayCommand }: JudgingPlan,
  begun: Pick<RunInput, 'runId' | 'began' | 'requests'> & { readonly journal: string | undefined },
): RunInput {
  return withoutUndefined({
    ...{ configuration, signIns, selection, replayCommand, ...begun },
    fixturesUrl: fixtures.url,
    mostWorkspaces: mostAdded(workspacesOfRun(planned, configuration.run.runs)),
  })
}

/** Undefined where every check was run all the same: the last failure was the end anyway. */
function bailedOut(
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

/** Undefined where the target put off nothing. */
function putOffIn({ putOff }: RunNews): RunNews['putOff'] | undefined {
  return putOff.throttled + putOff.unavailable + (putOff.busy ?? 0) === 0 ? undefined : putOff
}

/** What is known of the results before the first request. */
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

// What names the checks stays as it is.
function redactedWaiver(waiver: WaiverInUse, { text }: Redactor): WaiverInUse {
  const { reason, owner, link } = waiver
  return withoutUndefined({ ...waiver, reason: text(reason), owner: text(owner), link: link && text(link) })
}

function targetOf(configuration: Configuration): Results['target'] {
  const { baseUrl, version, edition, profile } = configuration.target
  const insecure = uncheckedHosts(configuration).length > 0 || undefined
  return withoutUndefined({ baseUrl, version, edition, profile, insecure })
}
