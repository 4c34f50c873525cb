/** A run on one target as a command: what it shows, what it writes, and the exit code. */
import { createRedactor } from '../../deployment/redaction/redaction.ts'
import type { Begun } from '../../reporters/build-results.ts'
import { type ExitCode, exitCodeOf, exitCodes } from '../../reporters/exit-codes.ts'
import { Progress } from '../../reporters/terminal/progress.ts'
import type { CheckResult } from '../../runner/check-result.ts'
import type { Pulse } from '../../runner/run-news.ts'
import { declaredChecks } from '../../suites/declared-checks.ts'
import type { GateOptions, ReportsOptions, SelectionOptions } from '../arguments/option-values.ts'
import { onTarget, type TargetOptions, targetOptionsOf } from '../arguments/target-options.ts'
import { cleanUpRound, cleanUpRun, openRunJournal } from '../cleanup/end-of-run.ts'
import { listenForInterrupt, type Surroundings, say } from '../process/surroundings.ts'
import { staleWaivers } from '../waivers/waiver.ts'
import { deliver, openPartialResults } from './deliver.ts'
import { judgeRounds } from './judge-rounds.ts'
import { type JudgingPlan, judgeTarget } from './judge-target.ts'
import { beginFixtures, newRunId, prepareRun, saidByFixtures } from './prepare-run.ts'
import { networkNotices } from './reach-target.ts'
import { repeatCommand } from './repeat-command.ts'

export interface RunOptions extends TargetOptions, SelectionOptions, ReportsOptions, GateOptions {
  readonly verbose?: boolean
  /** In milliseconds. */
  readonly for?: number
  /** A file of failures that are known. */
  readonly waivers?: string
  /** After how many failures the run ends. */
  readonly bail?: number
}

/** Judges the target that the options name, and resolves with the exit code; rejects where the run could not begin. */
export async function conductRun(options: RunOptions, surroundings: Surroundings): Promise<ExitCode> {
  // Loaded while the portal starts and files are read; the run awaits it where it needs it.
  void declaredChecks().catch(() => undefined)
  return onTarget(options, surroundings.environment, async (target) => {
    const { text } = createRedactor(target.configuration)
    for (const line of networkNotices(target.configuration)) say(surroundings.stderr, text(line))
    const interrupt = listenForInterrupt(surroundings)
    const prepared = await prepareRun(target, {
      signal: interrupt.signal,
      selection: { operations: options.operation ?? [], requirements: options.requirement ?? [] },
      waivers: options.waivers,
      out: options.out,
    }).finally(interrupt.dispose)
    const { latencyMs, ...ready } = prepared
    const plan = {
      ...ready,
      replayCommand: repeatCommand(options, prepared.configuration),
      targetOptions: targetOptionsOf(options),
    }
    try {
      return await judged(plan, { ...options, latencyMs }, surroundings)
    } finally {
      await prepared.fixtures.close()
    }
  })
}

/** Measures, delivers the results and cleans up. Throws a CommandError where the run cannot begin. */
async function judged(
  plan: JudgingPlan,
  options: RunOptions & { readonly latencyMs: number },
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { configuration, fixtures, planned } = plan
  const { out, reporter: reporters, verbose = false, for: forMs, latencyMs, bail } = options
  const progress = new Progress(surroundings.stderr, planned, surroundings.environment)
  const redactor = createRedactor(configuration)
  const warn = (message: string) => progress.note(`Warning: ${redactor.text(message)}`)
  fixtures.hear((line) => warn(saidByFixtures(line)))
  const leave = (code: number) => {
    progress.close()
    surroundings.leave(code)
  }
  const interrupt = listenForInterrupt({ ...surroundings, leave }, () =>
    progress.note('Interrupted: writing what was measured and cleaning up (press Ctrl-C again to quit now)'),
  )
  const { signal } = interrupt
  for (const notice of configuration.notices ?? []) warn(notice)
  try {
    const partial = reporters.includes('json') ? openPartialResults(out, warn) : undefined
    const id = configuration.administration?.runId ?? newRunId()
    const journal = openRunJournal({ ...plan, out }, { id, warn })
    const begun = await beginFixtures(plan, {
      note: (entry) => journal.writer.add(entry),
      signal,
      onProgress: (made, of) => progress.count('Making fixtures:', made, of),
    })
    progress.counted()
    const onlookers = {
      ...{ runId: id, journal: journal.file, signal, latencyMs, bail, ownProcess: true },
      ...followedBy(progress, partial),
    }
    const { results, interrupted } =
      forMs === undefined
        ? await judgeTarget(begun, onlookers)
        : await judgeRounds(begun, forMs, {
            ...onlookers,
            onRound: (rounds) => tellRound(rounds, progress),
            between: () => {
              fixtures.administration?.nextRound()
              return cleanUpRound({ id, fixtures, journal, signal, warn })
            },
          })
    progress.close()
    if (results.run.stopped !== undefined) progress.note(`Stopped: ${results.run.stopped}`)
    const delivered = await deliver(results, { out, reporters, verbose }, surroundings, partial)
    const onProgress = (removed: number, of: number) => progress.count('Removing', removed, of)
    await cleanUpRun({ id, configuration, fixtures, journal, signal, warn, onProgress })
    progress.close()
    const stale = staleWaivers(plan.waivers, results)
    for (const line of stale) progress.note(line)
    if (!delivered) return exitCodes.broken
    return exitCodeOf(results, { ...options, interrupted, staleWaivers: stale.length > 0 })
  } finally {
    progress.close()
    interrupt.dispose()
  }
}

/** What is shown of a run while it goes on, and kept of it should it be killed. */
function followedBy(progress: Progress, partial: ReturnType<typeof openPartialResults> | undefined) {
  return {
    onBegin: (known: Begun, before: readonly CheckResult[] = []) => partial?.begin(known, before),
    onCheck: (result: CheckResult) => {
      partial?.add(result)
      progress.checkDone(result)
    },
    ...(progress.live ? { onPulse: (pulse: Pulse) => progress.heard(pulse) } : {}),
  }
}

/** Ever more rarely: a long run must not fill a log. */
function tellRound({ count, requests }: { count: number; requests: number }, progress: Progress): void {
  if (Math.log2(count) % 1 === 0) progress.note(`Round ${count} is over: ${requests} requests so far`)
}
