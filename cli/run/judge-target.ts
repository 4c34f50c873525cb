/** From the first request of a run to its results: no terminal, no files, no exit code. */
import { mostAdded } from '../../deployment/administration/announcement.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { uncheckedHosts } from '../../deployment/configuration/connection-settings.ts'
import { formatDuration } from '../../deployment/configuration/duration.ts'
import { createRedactor, withTexts } from '../../deployment/redaction/redaction.ts'
import { type Begun, buildResults } from '../../reporters/build-results.ts'
import type { Results } from '../../reporters/results.ts'
import { countOf } from '../../reporters/wording.ts'
import type { CheckResult } from '../../runner/check-result.ts'
import type { PlannedCheck } from '../../runner/plan.ts'
import type { RunNews } from '../../runner/run-all.ts'
import { defaultTimeLimit, type RunFacts, whenOver } from '../../runner/run-time.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import { declaredChecks } from '../../suites/declared-checks.ts'
import { judgedOf, requestsOfRun, workspacesOfRun } from '../doctor/run-estimate.ts'
import { applyWaivers } from '../waivers/waiver.ts'
import { measure } from './measure.ts'
import type { BegunRun } from './prepare-run.ts'

export interface Judged {
  readonly results: Results
  /** The user ended the run; the results lack `complete`. */
  readonly interrupted: boolean
}

/** Sends, judges and assembles the results. Their `errors` name what broke in the suite. */
export async function judgeTarget(run: BegunRun): Promise<Judged> {
  const { configuration, planned, waivers, signal, bail = Number.POSITIVE_INFINITY } = run
  const startedAt = new Date()
  const began = performance.now()
  const requests = requestsOfRun(planned, configuration)
  const limit = startTimeLimit(configuration, { requests, latencyMs: run.latencyMs })
  const bailed = new AbortController()
  let failures = 0
  let last: RunNews | undefined
  const wasAborted = signal.aborted && run.fixtures.administration !== undefined
  const begun = beginningOf(run, startedAt)
  run.onBegin?.(begun)
  const { checks, looks, errors, exchanges, stopped } = await measure(run, {
    declared: await declaredChecks(),
    further: {
      began: startedAt.getTime(),
      requests,
      mostWorkspaces: mostAdded(workspacesOfRun(planned, configuration.run.runs)),
    },
    signal: AbortSignal.any([signal, limit.signal, bailed.signal]),
    onCheck: (result) => {
      const [judged = result] = applyWaivers([result], waivers)
      run.onCheck?.(judged)
      if (judged.outcome === 'failed') failures += 1
      if (failures >= bail) bailed.abort()
    },
    onNews: (news) => {
      last = news
      limit.learn(news.facts)
    },
    ...withoutUndefined({ onPulse: run.onPulse }),
  })
  limit.stop()
  const interrupted = signal.aborted
  const unbegun = wasAborted ? 'interrupted while fixtures were made' : undefined
  const cutShort = bailed.signal.aborted ? bailReason(bail, planned, checks) : undefined
  const ended = limit.signal.aborted ? limit.reason() : cutShort
  const results = buildResults(
    withoutUndefined({
      checks: applyWaivers(checks, waivers),
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

/** How long a run may take: as configured, or as long as its target turns out to need. */
interface TimeLimit {
  /** Aborted when the time is over. */
  readonly signal: AbortSignal
  /** Without a configured limit, a target that throttles gets more time. */
  learn(facts: RunFacts): void
  /** Why the run ended, in one line. */
  reason(): string
  /** Stops counting. */
  stop(): void
}

/** Begins to count how long a run takes. `before`: what is known before the run. */
export function startTimeLimit(configuration: Configuration, before: RunFacts): TimeLimit {
  const { timeLimitMs } = configuration.run
  let limitMs = timeLimitMs ?? defaultTimeLimit(before, configuration)
  const over = new AbortController()
  const stop = whenOver(
    () => limitMs,
    () => over.abort(),
  )
  return {
    signal: over.signal,
    learn: (facts) => {
      if (timeLimitMs === undefined) limitMs = Math.max(limitMs, defaultTimeLimit(facts, configuration))
    },
    reason: () => {
      const allowed = formatDuration(Math.ceil(limitMs / 1000) * 1000)
      return timeLimitMs === undefined
        ? `the run took longer than ${allowed}, ten times its estimate (run.timeLimit allows more)`
        : `the time limit of the run was over: ${formatDuration(timeLimitMs)} (run.timeLimit, --time-limit)`
    },
    stop,
  }
}

/** Undefined if every check was run: then the last failure cut nothing short. */
function bailReason(
  most: number,
  planned: readonly PlannedCheck[],
  checks: readonly CheckResult[],
): string | undefined {
  const run = new Set(checks.map(({ id }) => id))
  const missing = judgedOf(planned).filter(({ id }) => !run.has(id)).length
  const notRun = countOf(missing, 'check was', 'checks were')
  return missing === 0 ? undefined : `the run ended after --bail ${most}: ${notRun} not run`
}

/** Undefined if the target throttled nothing. */
function putOffIn({ putOff }: RunNews): RunNews['putOff'] | undefined {
  return putOff.throttled + putOff.unavailable + (putOff.busy ?? 0) === 0 ? undefined : putOff
}

/** The head of the results, which is known before the first request. */
function beginningOf(
  { configuration, planned, selection, targetOptions, runId: id }: BegunRun,
  startedAt: Date,
): Begun {
  const { text } = createRedactor(configuration)
  const { seed, runs } = configuration.run
  const isWhole = selection.operations.length + selection.requirements.length === 0
  return {
    planned,
    run: {
      id,
      startedAt: startedAt.toISOString(),
      seed,
      runs,
      options: withTexts({ ...targetOptions }, text),
      ...(isWhole ? {} : { selection }),
    },
    target: withTexts(targetOf(configuration), text),
  }
}

function targetOf(configuration: Configuration): Results['target'] {
  const { baseUrl, version, edition, profile } = configuration.target
  const insecure = uncheckedHosts(configuration).length > 0 || undefined
  const settled = Object.entries(configuration.contract)
  const contract = settled.length === 0 ? undefined : Object.fromEntries(settled)
  return withoutUndefined({ baseUrl, version, edition, profile, contract, insecure })
}
