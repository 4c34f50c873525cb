/** `merge`: puts the results of the shards of a run together. */
import { realpath } from 'node:fs/promises'
import { type ExitCode, exitCodeOf, exitCodes, wasInterrupted } from '../../reporters/exit-codes.ts'
import { MergeError, mergeShards, shardName } from '../../reporters/merge/merge-shards.ts'
import { type ResultsOfFile, resultsFile } from '../../reporters/results-json.ts'
import { safeText } from '../../reporters/safe-text.ts'
import {
  type Declaring,
  type GateOptions,
  type ReportsOptions,
  withGate,
  withReports,
} from '../arguments/option-values.ts'
import { usageError } from '../command-error.ts'
import type { Surroundings } from '../process/surroundings.ts'
import { readAll, resultsFilesBelow } from '../results/results-files.ts'
import { deliver } from '../run/deliver.ts'

const help = `
Reads every results.json in the folders and below. They must be the shards of one run: the same release of the suite,
target, seed, number of cases and selection, each shard once and none missing. The verdict is computed anew. Where a
shard was cut short, so is the merged run, and a warning says which.

Examples, on as many machines as there are shards, then on one:
  portal-conformance run --config staging.yaml --seed 42 --shard 1/3 --out shards/1
  portal-conformance merge shards

Exit codes: as one run of the whole suite would have had; 2 where the files are not the shards of one run.`

export function declare({ command, does }: Declaring): void {
  withGate(
    withReports(
      command(help).argument('<PATHS...>', 'folders that hold results.json of shards, or such files'),
    ),
  ).action(does(merge))
}

/** Resolves with the exit code that one run of the whole suite would have had. Throws a CommandError where shards do not fit. */
async function merge(
  paths: readonly string[],
  { out, reporter, ...gate }: ReportsOptions & GateOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const shards = await shardsIn(paths, out)
  const results = merged(shards)
  for (const { file, results: shard } of shards.filter((each) => each.results.complete !== true)) {
    const warning = `Warning: ${file}: ${shardName(shard)} was cut short: the merged results are not complete`
    surroundings.stderr.write(`${safeText(warning)}\n`)
  }
  const delivered = await deliver(results, { out, reporters: reporter }, surroundings)
  if (!delivered) return exitCodes.broken
  return exitCodeOf(results, { ...gate, interrupted: shards.some((shard) => wasInterrupted(shard.results)) })
}

async function shardsIn(paths: readonly string[], out: string): Promise<ResultsOfFile[]> {
  const files = await resultsFilesBelow(paths)
  const target = await realpath(resultsFile(out)).catch(() => undefined)
  const reals = await Promise.all(files.map((file) => realpath(file).catch(() => file)))
  const read = await readAll(files)
  const overwritten = read.find((_, at) => reals[at] === target)
  if (overwritten === undefined) return read
  if (overwritten.results.run.shard !== undefined) {
    throw usageError(
      `${overwritten.file}: is a shard that the merged results would replace: name another folder with --out`,
    )
  }
  const others = read.filter((each) => each !== overwritten)
  // What stands there is an earlier merge into the same folder.
  if (others.length === 0)
    throw usageError(`${overwritten.file}: is of a whole run, and nothing else was found`)
  return others
}

function merged(shards: readonly ResultsOfFile[]) {
  try {
    return mergeShards(shards)
  } catch (error) {
    throw error instanceof MergeError ? usageError(error.message) : error
  }
}
