/** Options that several commands share. */
import type { Command } from 'commander'
import { collected, effectsOf, wholeNumber } from './option-values.ts'

export function withTarget(command: Command): Command {
  return withPortal(
    command
      .option('--config <FILE>', 'the target: a configuration in YAML or JSON')
      .option('--target <NAME>', 'which one, where the configuration has several targets')
      .option('--reference', 'the target: the embedded portal'),
    ' (with --reference)',
  )
    .option('--base-url <URL>', 'over target.baseUrl of the configuration')
    .option('--effects <LIST>', 'over effects: all, or ids of operations that may be performed', effectsOf)
    .option(
      '--seed <N>',
      'over run.seed: the same seed makes the same requests',
      wholeNumber(Number.MIN_SAFE_INTEGER),
    )
    .option('--runs <N>', 'over run.runs: cases of each generated check', wholeNumber(1))
    .option('--concurrency <N>', 'over http.concurrency: requests at the same time', wholeNumber(1))
}

export function withPortal(command: Command, when = ''): Command {
  return command
    .option('--fault <ID>', `give the embedded portal a fault${when}; repeatable`, collected)
    .option('--variant <ID>', `let it keep the contract in another way${when}; repeatable`, collected)
    .option('--latency <MS>', `let it answer so much later${when}`, wholeNumber(0))
}

export function withSelection(command: Command): Command {
  return command
    .option('--operation <ID>', 'only checks of this operation; repeatable', collected)
    .option(
      '--requirement <GLOB>',
      'only checks of these requirements, such as add-workspace/*; repeatable',
      collected,
    )
}

export function withEarlierRuns(command: Command): Command {
  return command.option(
    '--out <DIR>',
    'where earlier runs went: there it is remembered which listed fixtures they used up',
    'portal-conformance-report',
  )
}
