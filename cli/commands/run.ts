/** `run`: judges a target. */

import type { ReporterName } from '../arguments/option-values.ts'
import type { Shard } from '../arguments/shard.ts'
import { openTarget, type TargetOptions, targetOptionsOf } from '../arguments/target-options.ts'
import type { ExitCode, FailOn } from '../exit-codes.ts'
import type { Surroundings } from '../process/surroundings.ts'
import { replayCommand } from '../replay/replay-command.ts'
import { conductRun } from '../run/conduct-run.ts'
import { prepareRun } from '../run/prepare-run.ts'

export interface RunOptions extends TargetOptions {
  readonly out: string
  readonly reporter: readonly ReporterName[]
  readonly verbose?: boolean
  /** In milliseconds. */
  readonly for?: number
  readonly operation?: readonly string[]
  readonly requirement?: readonly string[]
  readonly allowIncomplete?: boolean
  readonly allowInconclusive?: boolean
  readonly failOn?: readonly FailOn[]
  readonly shard?: Shard
  /** A file of failures that are known. */
  readonly waivers?: string
}

/** Resolves with the exit code of the run; rejects where it could not begin. */
export async function run(options: RunOptions, surroundings: Surroundings): Promise<ExitCode> {
  // Loaded beside the suite, since both take their time; the run awaits it where it needs it.
  void import('vitest/node').catch(() => undefined)
  const target = await openTarget(options, surroundings.environment)
  try {
    const prepared = await prepareRun(target, {
      selection: { operations: options.operation ?? [], requirements: options.requirement ?? [] },
      shard: options.shard,
      waivers: options.waivers,
      out: options.out,
    })
    try {
      return await conductRun(
        {
          ...prepared,
          replayCommand: replayCommand(options, prepared.configuration),
          targetOptions: targetOptionsOf(options),
          out: options.out,
          reporters: options.reporter,
          verbose: options.verbose ?? false,
          ...(options.for === undefined ? {} : { forMs: options.for }),
          allowIncomplete: options.allowIncomplete ?? false,
          allowInconclusive: options.allowInconclusive ?? false,
          failOn: options.failOn ?? [],
        },
        surroundings,
      )
    } finally {
      await prepared.fixtures.close()
    }
  } catch (error) {
    throw target.redacted(error)
  } finally {
    await target.close()
  }
}
