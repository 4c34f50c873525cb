/** A run on one target as a command, once or in rounds: what it shows, what it writes, and the exit code. */
import { join } from 'node:path'
import { createRedactor } from '../../deployment/redaction/redaction.ts'
import {
  assembleResults,
  type Begun,
  judgedChecks,
  looksTogether,
  putOffTogether,
} from '../../reporters/build-results.ts'
import { type ExitCode, endingOf } from '../../reporters/exit-codes.ts'
import type { Results } from '../../reporters/results.ts'
import { Progress } from '../../reporters/terminal/progress.ts'
import type { CheckResult } from '../../runner/check-result.ts'
import type { Pulse } from '../../runner/run-all.ts'
import { type Outcome, outcomes } from '../../specs/outcomes.ts'
import type { GateOptions, ReportsOptions, SelectionOptions } from '../arguments/option-values.ts'
import { type OpenTarget, type TargetOptions, targetOptionsOf } from '../arguments/target-options.ts'
import { cleanUpRound } from '../cleanup/end-of-run.ts'
import { cleanUpCommand } from '../cleanup/run-journal.ts'
import { type CommandContext, listenForInterrupt } from '../process/command-context.ts'
import { settleWaivers } from '../waivers/unused-waivers.ts'
import { deliver, openPartialResults, type PartialResults } from './deliver.ts'
import { type Judged, judgeTarget } from './judge-target.ts'
import { type BegunRun, onRun } from './prepare-run.ts'
import { printNetworkNotices } from './reach-target.ts'

export interface RunOptions extends TargetOptions, SelectionOptions, ReportsOptions, GateOptions {
  readonly verbose?: boolean
  /** In milliseconds. */
  readonly for?: number
  /** A file of known failures. */
  readonly waivers?: string
  /** After how many failures the run ends. */
  readonly bail?: number
}

/** Judges the target, and resolves with the exit code; rejects if the run cannot begin. */
export async function conductRun(
  target: OpenTarget,
  options: RunOptions,
  commandContext: CommandContext,
): Promise<ExitCode> {
  printNetworkNotices(target.configuration, commandContext)
  // Silent until the plan of the run is known.
  let progress = new Progress({ write: () => undefined }, [])
  let partial: PartialResults | undefined
  // A second Ctrl-C leaves at once, with the terminal in order.
  const journal = join(options.out, 'journal.ndjson')
  const leave = (code: number): void => {
    progress.close()
    const cleanUp = cleanUpCommand(journal)
    if (cleanUp !== undefined) progress.note(`Fixtures may be left over; to clean up: ${cleanUp}`)
    commandContext.leave(code)
  }
  const interrupt = listenForInterrupt({ ...commandContext, leave }, () =>
    progress.note('Interrupted: writing what was measured and cleaning up (press Ctrl-C again to quit now)'),
  )
  const listen = ({ configuration, planned }: Pick<BegunRun, 'configuration' | 'planned'>) => {
    progress = new Progress(commandContext.stderr, planned, commandContext.environment)
    const { text } = createRedactor(configuration)
    const warn = (message: string) => progress.note(`Warning: ${text(message)}`)
    partial = options.reporter.includes('json') ? openPartialResults(options.out, warn) : undefined
    return {
      warn,
      // Checks may already take what was made, so that more than the stock is made.
      onMade: (made: number, of: number) => progress.count('Making fixtures:', made, Math.max(made, of)),
      onRemoved: (removed: number, of: number) => progress.count('Removing', removed, of),
      onBegin: (begun: Begun) => partial?.begin(begun),
      onCheck: (result: CheckResult) => {
        partial?.add(result)
        progress.checkDone(result)
      },
      ...(progress.live ? { onPulse: (pulse: Pulse) => progress.heard(pulse) } : {}),
    }
  }
  const wishes = {
    signal: interrupt.signal,
    selection: { operations: options.operation ?? [], requirements: options.requirement ?? [] },
    targetOptions: targetOptionsOf(options),
    waivers: options.waivers,
    bail: options.bail,
    journal,
    ownProcess: true,
  }
  try {
    return await onRun(target, wishes, listen, (run) =>
      judged(run, progress, partial, options, commandContext),
    )
  } finally {
    progress.close()
    interrupt.dispose()
  }
}

/** Judges, and delivers the results. */
async function judged(
  run: BegunRun,
  progress: Progress,
  partial: PartialResults | undefined,
  options: RunOptions,
  commandContext: CommandContext,
): Promise<ExitCode> {
  const { out, reporter: reporters, verbose = false } = options
  progress.counted()
  if (run.signal.aborted)
    progress.note('The run was interrupted while fixtures were made: nothing was judged.')
  const judged = await (options.for === undefined
    ? judgeTarget(run)
    : judgeRounds(run, options.for, (line) => progress.note(line)))
  const { results, interrupted, stale } = await settleWaivers(run, judged)
  progress.close()
  if (results.run.stopped !== undefined) progress.note(`Stopped: ${results.run.stopped}`)
  const ending = endingOf(results, { ...options, interrupted, staleWaivers: stale })
  return deliver(results, { out, reporters, verbose, ending }, commandContext, partial)
}

/** The worse outcome of two rounds counts. What a round cannot test any more, an earlier one may have tested. */
const rank = (outcome: Outcome): number =>
  outcome === 'not-tested' ? outcomes.length : outcomes.indexOf(outcome)

/**
 * `run --for`: round after round with new seeds, combined into one set of results, which hold each check once with its
 * worst outcome. `forMs`: how long rounds may begin, in milliseconds.
 */
async function judgeRounds(run: BegunRun, forMs: number, note: (line: string) => void): Promise<Judged> {
  const began = performance.now()
  const { seed } = run.configuration.run
  let whole: Results | undefined
  for (let count = 1; ; count += 1) {
    const roundBegan = performance.now()
    const { results, interrupted } = await judgeTarget(ofRound(run, seed + count - 1))
    whole = whole === undefined ? results : together(whole, results)
    const requests = (whole.run.rounds?.requests ?? 0) + results.run.requests
    const durationMs = Math.round(performance.now() - began)
    const rounds = { count, requests, lastSeed: seed + count - 1 }
    whole = { ...whole, run: { ...whole.run, seed, requests, durationMs, rounds } }
    // After 1, 2, 4, 8, ... rounds, so that a long run does not fill a log.
    if (Math.log2(count) % 1 === 0) note(`Round ${count} is over: ${requests} requests so far`)
    const left = forMs - durationMs
    const over = left < (performance.now() - roundBegan) / 2
    const broken = results.errors !== undefined || results.run.stopped !== undefined
    if (interrupted || over || broken || results.verdict === 'non-conformant')
      return { results: whole, interrupted }
    run.fixtures.administration?.nextRound()
    await cleanUpRound(run)
    if (run.signal.aborted) {
      const { complete: _, ...cutShort } = whole
      return { results: cutShort, interrupted: true }
    }
  }
}

/** The run with another seed. */
function ofRound(run: BegunRun, seed: number): BegunRun {
  const { configuration } = run
  return { ...run, configuration: { ...configuration, run: { ...configuration.run, seed } } }
}

/** The later results, where each check has its worst outcome, with the evidence of that round. */
function together(before: Results, after: Results): Results {
  const known = new Map(judgedChecks(before).map((check) => [check.id, check]))
  const checks = judgedChecks(after).map((check) => {
    const earlier = known.get(check.id)
    const worse = earlier !== undefined && rank(earlier.outcome) < rank(check.outcome)
    return worse ? earlier : check
  })
  // The watch of a run reports a check only if it saw something.
  const seen = new Set(checks.map(({ id }) => id))
  const seenBefore = [...known.values()].filter(({ id }) => !seen.has(id))
  const { exchanges: _, ...parts } = after
  return {
    ...assembleResults({
      ...parts,
      requirements: after.requirements.map((requirement) => ({
        ...requirement,
        ...looksTogether(requirement.id, [before, after]),
      })),
      checks: [...checks, ...seenBefore],
      observations: [...before.observations, ...after.observations],
      roles: [...(before.roles ?? []), ...(after.roles ?? [])],
      errors: [...(before.errors ?? []), ...(after.errors ?? [])],
      complete: before.complete === true && after.complete === true,
    }),
    run: {
      ...after.run,
      startedAt: before.run.startedAt,
      ...(before.run.rounds && { rounds: before.run.rounds }),
      ...putOffTogether([before, after]),
    },
  }
}
