/** `run`: judges a target. */
import { declaredChecks } from '../../suites/declared-checks.ts'
import { planChecks } from '../../suites/plan.ts'
import { FixtureFailure } from '../../target/fixture-errors.ts'
import { openFixtures } from '../../target/fixture-sources.ts'
import { usageError } from '../command-error.ts'
import { conductRun } from '../conduct-run.ts'
import type { ExitCode, FailOn } from '../exit-codes.ts'
import type { ReporterName } from '../option-values.ts'
import { replayCommand } from '../replay-command.ts'
import { refuseEmptySelection } from '../selection.ts'
import { filesOfShard, planOfShard, type Shard } from '../shard.ts'
import type { Surroundings } from '../surroundings.ts'
import { openTarget, type TargetOptions, targetOptionsOf } from '../target-options.ts'
import { loadWaivers } from '../waivers/load-waivers.ts'
import { dateOf } from '../waivers/waiver.ts'

export interface RunOptions extends TargetOptions {
  readonly out: string
  readonly reporter: readonly ReporterName[]
  readonly operation?: readonly string[]
  readonly requirement?: readonly string[]
  readonly allowIncomplete?: boolean
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
    const selection = { operations: options.operation ?? [], requirements: options.requirement ?? [] }
    const checks = (await declaredChecks()).map(({ definition }) => definition)
    refuseEmptySelection(selection, checks)
    const waivers =
      options.waivers === undefined
        ? []
        : loadWaivers(options.waivers, {
            checks: checks.map(({ id }) => id),
            baseUrl: target.configuration.target.baseUrl,
            today: dateOf(new Date()),
          })
    const configuration = await target.ready()
    const files = filesOfShard(options.shard)
    const planned = planOfShard(await planChecks(configuration, selection), files)
    const fixtures = await openFixtures(configuration.fixtures, configuration.actors).catch((error) => {
      throw error instanceof FixtureFailure ? usageError(error.message) : error
    })
    try {
      return await conductRun(
        {
          configuration,
          fixtures,
          selection,
          planned,
          files,
          waivers,
          ...(options.shard === undefined ? {} : { shard: options.shard }),
          replayCommand: replayCommand(options, configuration),
          targetOptions: targetOptionsOf(options),
          out: options.out,
          reporters: options.reporter,
          allowIncomplete: options.allowIncomplete ?? false,
          failOn: options.failOn ?? [],
        },
        surroundings,
      )
    } finally {
      await fixtures.close()
    }
  } catch (error) {
    throw target.redacted(error)
  } finally {
    await target.close()
  }
}
