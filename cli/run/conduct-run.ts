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
import { cleanUpRound, type FixturesInUse } from '../cleanup/end-of-run.ts'
import { type CommandContext, listenForInterrupt } from '../process/command-context.ts'
import { settleWaivers } from '../waivers/unused-waivers.ts'
import { deliver, openPartialResults } from './deliver.ts'
import { judgeRounds } from './judge-rounds.ts'
import { type Judged, type JudgingPlan, judgeTarget, type Observers } from './judge-target.ts'
import { onPreparedRun } from './prepare-run.ts'
import { printNetworkNotices } from './reach-target.ts'
import { withFixtures } from './with-fixtures.ts'

export interface RunOptions extends TargetOptions, SelectionOptions, ReportsOptions, GateOptions {
  readonly verbose?: boolean
  /** In milliseconds. */
  readonly for?: number
  /** A file of known failures. */
  readonly waivers?: string
  /** After how many failures the run ends. */
  readonly bail?: number
}

/** Judges the target that the options name, and resolves with the exit code; rejects if the run cannot begin. */
export async function conductRun(options: RunOptions, commandContext: CommandContext): Promise<ExitCode> {
  // Loads while the portal starts and files are read; the run awaits it later.
  void declaredChecks().catch(() => undefined)
  return onTarget(options, commandContext, async (target) => {
    printNetworkNotices(target.configuration, commandContext)
    const interrupt = listenForInterrupt(commandContext)
    const wishes = {
      signal: interrupt.signal,
      selection: { operations: options.operation ?? [], requirements: options.requirement ?? [] },
      targetOptions: targetOptionsOf(options),
      waivers: options.waivers,
      out: options.out,
    }
    return onPreparedRun(target, wishes, (plan) => {
      interrupt.dispose()
      return judged(plan, options, commandContext)
    }).finally(interrupt.dispose)
  })
}

/** Judges, delivers the results and cleans up. Throws a CommandError if the run cannot begin. */
async function judged(
  plan: JudgingPlan,
  options: RunOptions,
  commandContext: CommandContext,
): Promise<ExitCode> {
  const { configuration, planned } = plan
  const { out, reporter: reporters, verbose = false, bail } = options
  const progress = new Progress(commandContext.stderr, planned, commandContext.environment)
  const redactor = createRedactor(configuration)
  const warn = (message: string) => progress.note(`Warning: ${redactor.text(message)}`)
  const interrupt = listenForInterrupt({ ...commandContext, leave: leaving(progress, commandContext) }, () =>
    progress.note('Interrupted: writing what was measured and cleaning up (press Ctrl-C again to quit now)'),
  )
  const { signal } = interrupt
  const course = {
    ...{ signal, warn, journal: { out } },
    // Checks may already take what was made, so that more than the stock is made.
    onMade: (made: number, of: number) => progress.count('Making fixtures:', made, Math.max(made, of)),
    onRemoved: (removed: number, of: number) => progress.count('Removing', removed, of),
  }
  try {
    for (const notice of configuration.notices ?? []) warn(notice)
    const partial = reporters.includes('json') ? openPartialResults(out, warn) : undefined
    const { code, waiverNotes } = await withFixtures(plan, course, async (begun, marks, inUse) => {
      progress.counted()
      if (signal.aborted)
        progress.note('The run was interrupted while fixtures were made: nothing was judged.')
      const observers = { ...marks, bail, ownProcess: true, ...followedBy(progress, partial) }
      const once = await judgeOnceOrInRounds(begun, options, { observers, progress, inUse })
      const { results, interrupted, stale, unproved } = await settleWaivers(begun, once, observers)
      progress.close()
      if (results.run.stopped !== undefined) progress.note(`Stopped: ${results.run.stopped}`)
      const delivered = await deliver(results, { out, reporters, verbose }, commandContext, partial)
      const gate = { ...options, interrupted, staleWaivers: stale.length > 0 }
      return {
        code: delivered ? exitCodeOf(results, gate) : exitCodes.broken,
        waiverNotes: [...stale, ...unproved],
      }
    })
    progress.close()
    for (const line of waiverNotes) progress.note(line)
    return code
  } finally {
    progress.close()
    interrupt.dispose()
  }
}

/** A second Ctrl-C leaves at once, with the terminal in order. */
const leaving =
  (progress: Progress, { leave }: CommandContext) =>
  (code: number) => {
    progress.close()
    leave(code)
  }

interface Followed extends Observers {
  /** `before`: the results of earlier rounds. */
  readonly onBegin: (begun: Begun, before?: readonly CheckResult[]) => void
}

function judgeOnceOrInRounds(
  begun: JudgingPlan,
  { for: forMs }: RunOptions,
  { observers, progress, inUse }: { observers: Followed; progress: Progress; inUse: FixturesInUse },
): Promise<Judged> {
  if (forMs === undefined) return judgeTarget(begun, observers)
  return judgeRounds(begun, forMs, {
    ...observers,
    onRound: (rounds) => noteRound(rounds, progress),
    between: () => {
      begun.fixtures.administration?.nextRound()
      return cleanUpRound(inUse)
    },
  })
}

/** Shows how far the run is, and keeps results of single checks in case it is killed. */
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

/** After 1, 2, 4, 8, ... rounds, so that a long run does not fill a log. */
function noteRound({ count, requests }: { count: number; requests: number }, progress: Progress): void {
  if (Math.log2(count) % 1 === 0) progress.note(`Round ${count} is over: ${requests} requests so far`)
}
