/** `fleet`: judges many targets, a few at a time, and compares them. */
import { randomInt } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Option } from 'commander'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import { resultsFile } from '../../reporters/results-json.ts'
import { verdictWords } from '../../reporters/verdict.ts'
import { Lanes } from '../../runner/lanes.ts'
import {
  anyWholeNumber,
  type Declaring,
  type GateOptions,
  type Share,
  shareOf,
  wholeNumber,
} from '../arguments/option-values.ts'
import { usageError } from '../command-error.ts'
import {
  collectedRun,
  type FleetTarget,
  fleetTargets,
  matrixColumns,
  runOfTarget,
  type TargetRun,
} from '../fleet/fleet-targets.ts'
import { type CommandContext, listenForInterrupt, say } from '../process/command-context.ts'
import { optionWords } from '../run/repeat-command.ts'
import { showComparison } from './compare.ts'

const help = `
Each configuration is a target; a configuration with "targets:" is several. The reports of a target go to DIR/NAME, the
compatibility matrix to the terminal, DIR/matrix.html and DIR/matrix.md.

On a CI, --list prints the targets as JSON for a matrix of jobs: each entry has the options of "run" that select its
target. The last job collects the results of all jobs in DIR/NAME/results.json; --collected makes the matrix and the exit
code from them. The matrix names a target without results, too.

Examples:
  portal-conformance fleet deployments/ --jobs 3
  portal-conformance fleet fleet.yaml --list
  portal-conformance fleet deployments/ --out collected --collected

Several machines share the work with --shard I/N. With --index K each judges one target, such as the pods of an indexed
job of Kubernetes. --collected puts their results together.

Exit codes, the first that applies:
  4    no target could be judged
  130  interrupted
  2    a configuration was refused
  1    a target is non-conformant
  5    a target could not be judged
  3    a target is incomplete
  0    all targets are conformant`

export function declare({ command, does }: Declaring): void {
  command(help)
    .argument('<CONFIG...>', 'configurations, and folders of them')
    .option('--out <DIR>', 'folder for the reports', 'portal-conformance-fleet')
    .option('--jobs <N>', 'runs at the same time', wholeNumber(1, 64), 2)
    .option('--shard <I/N>', 'judge only the I-th of N shares of the targets', shareOf)
    .addOption(
      new Option('--index <K>', 'judge only target number K, counted from 0')
        .argParser(wholeNumber(0))
        .conflicts('shard'),
    )
    .option('--list', 'print the targets as JSON, and end')
    .option('--collected', 'run nothing; compare results that other jobs wrote')
    .option('--reporter <LIST>', 'reports of each run, separated by commas (default: json,html,junit)')
    .option('--seed <N>', 'override run.seed; the default is one random seed for all targets', anyWholeNumber)
    .option('--runs <N>', 'override run.runs', wholeNumber(1))
    .option('--allow-incomplete', 'count a run as 0 if nothing failed, even if something was not tested')
    .option('--allow-inconclusive', 'count a run as 0 if nothing failed, even if something was inconclusive')
    .action(does(fleet))
}

interface FleetOptions extends Pick<GateOptions, 'allowIncomplete' | 'allowInconclusive'> {
  readonly out: string
  readonly jobs: number
  readonly list?: boolean
  /** Run nothing: the results are in their places already. */
  readonly collected?: boolean
  /** Reports of each run, as `run --reporter` takes them. */
  readonly reporter?: string
  readonly seed?: number
  readonly runs?: number
  /** The I-th of N shares of the targets. */
  readonly shard?: Share
  /** One target, counted from 0. */
  readonly index?: number
}

/** Some targets were judged and others not: no verdict on all, and no broken suite. */
const partlyJudged = 5

/** The fleet ends with the first of these codes that a run has; 4: the target was not judged. */
const worstFirst = [130, 2, 1, 4, 3, 0] as const

/** The worst code of all runs. 4 if no target could be judged, 5 if some could not. */
export function fleetCode(codes: readonly number[]): number {
  if (codes.every((code) => code === exitCodes.broken)) return exitCodes.broken
  const worst = worstFirst.find((code) => codes.includes(code)) ?? exitCodes.broken
  return worst === exitCodes.broken ? partlyJudged : worst
}

/** Resolves with the exit code of all runs together. Throws a CommandError if no run can begin. */
async function fleet(
  paths: readonly string[],
  options: FleetOptions,
  commandContext: CommandContext,
): Promise<ExitCode> {
  const targets = partOf(await fleetTargets(paths), options)
  if (options.list === true) {
    commandContext.stdout.write(`${JSON.stringify(targets)}\n`)
    return exitCodes.conformant
  }
  const runs = await runsOn(targets, options, commandContext)
  // Machines that share a fleet would overwrite each other's matrix.
  const whole = options.shard === undefined && options.index === undefined
  const columns = whole ? matrixColumns(runs) : []
  if (columns.length > 0) {
    const documents = { html: join(options.out, 'matrix.html'), markdown: join(options.out, 'matrix.md') }
    await showComparison(columns, { matrix: true, ...documents }, commandContext)
  }
  return fleetCode(runs.map(({ code }) => code)) as ExitCode
}

/** The targets that this machine judges. */
function partOf(targets: readonly FleetTarget[], { shard, index }: FleetOptions): readonly FleetTarget[] {
  if (shard !== undefined) {
    if (shard.count > targets.length)
      throw usageError(`--shard ${shard.index}/${shard.count}: there are only ${targets.length} targets`)
    return targets.filter((_, at) => at % shard.count === shard.index - 1)
  }
  if (index === undefined) return targets
  const target = targets[index]
  if (target === undefined)
    throw usageError(`--index ${index}: there are ${targets.length} targets, counted from 0`)
  return [target]
}

/** The runs of all targets, or their results that other jobs wrote. Prints a line for each target as it ends. */
async function runsOn(
  targets: readonly FleetTarget[],
  options: FleetOptions,
  commandContext: CommandContext,
): Promise<TargetRun[]> {
  const { stderr, environment } = commandContext
  const { out, collected, reporter = 'json,html,junit', runs, allowIncomplete, allowInconclusive } = options
  const interrupt = listenForInterrupt(commandContext, () => stderr.write('Interrupted: ending the runs\n'))
  const folder = { folder: out, environment, signal: interrupt.signal }
  // All targets get the same requests, so that differences come from the targets.
  const { seed = randomInt(2 ** 31) } = options
  const words = optionWords({ reporter, seed, runs, allowIncomplete, allowInconclusive })
  // Results of an earlier fleet must not pass for those of this one.
  if (!collected) for (const { name } of targets) rmSync(resultsFile(join(out, name)), { force: true })
  const lanes = new Lanes(options.jobs)
  const runOn = async (target: FleetTarget): Promise<TargetRun> => {
    const run = await (collected ? collectedRun(target, out, options) : runOfTarget(target, words, folder))
    say(stderr, lineOf(run))
    return run
  }
  try {
    return await Promise.all(targets.map((target) => lanes.run(() => runOn(target))))
  } finally {
    interrupt.dispose()
  }
}

/** What exit codes say of a target. Those of a verdict stand for results that cannot be read. */
const meanings: Readonly<Record<number, string>> = {
  0: 'conformant',
  1: 'non-conformant',
  2: 'usage or configuration',
  3: 'incomplete',
  4: 'could not be judged',
  130: 'interrupted',
}

/** The verdict with the operations that it covers, or the meaning of the exit code. The line of a run that broke repeats its error. */
function lineOf({ target, code, out, said, results }: TargetRun): string {
  const isBroken = code === exitCodes.usage || code === exitCodes.broken
  const hasVerdict = !isBroken && code !== exitCodes.interrupted && results !== undefined
  const words = hasVerdict ? verdictWords(results) : (meanings[code] ?? 'broke')
  const where = results === undefined ? '' : `, reports in ${out}`
  const line = `${target.name}: ${words} (exit ${code})${where}`
  return isBroken && said !== '' ? `${line}\n${said.trim().replace(/^/gm, '  ')}` : line
}
