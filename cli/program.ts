/** The command line: which commands there are, what they are given, and what their errors look like. */
import { Command, CommanderError, Option } from 'commander'
import { safeLines } from '../reporters/terminal/safe-text.ts'
import { ConfigurationError } from '../target/configuration-error.ts'
import { suiteVersion } from '../target/suite-version.ts'
import { CommandError } from './command-error.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import {
  planHelp,
  programHelp,
  replayHelp,
  requirementsHelp,
  runHelp,
  selftestHelp,
  serveHelp,
} from './help-texts.ts'
import { collected, effectsOf, reportersOf, shardOf, wholeNumber } from './option-values.ts'
import { firstLine } from './run-errors.ts'
import type { Surroundings } from './surroundings.ts'

/** Runs a command line (without node and script) and resolves with its exit code; never rejects. */
export async function runProgram(words: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { stdout, stderr } = surroundings
  let code: ExitCode = exitCodes.conformant
  const program = new Command('portal-conformance')
    .description('Tells whether a deployment of a portal-style web API keeps its contract.')
    .version(suiteVersion, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', programHelp)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
    })
  const command = (name: string, description: string, help: string): Command =>
    program
      .command(name)
      .description(description)
      .helpOption('-h, --help', 'print this help')
      .addHelpText('after', help)

  withSelection(withTarget(command('run', 'judge a target and report', runHelp)))
    .option('--out <DIR>', 'where results.json goes', 'portal-conformance-report')
    .option('--reporter <LIST>', 'how to report: terminal, json', reportersOf, ['terminal', 'json'])
    .option('--allow-incomplete', 'exit 0 where nothing failed although not everything could be told')
    .addOption(new Option('--fail-on <LEVEL>', 'exit 1 also where advice is not kept').choices(['advice']))
    .option('--shard <I/N>', 'run only the I-th of N shares of the suite', shardOf)
    .action(async (options) => {
      const { run } = await import('./commands/run.ts')
      code = await run(options, surroundings)
    })

  withPortal(command('serve', 'serve the embedded portal until interrupted', serveHelp))
    .option('--port <N>', 'its port on 127.0.0.1; 0: a free one', wholeNumber(0, 65_535), 0)
    .option('--write <FILE>', 'write the configuration into a file instead of printing it')
    .option('--list', 'list the faults and variants, and end')
    .action(async (options) => {
      const { serve } = await import('./commands/serve.ts')
      code = await serve(options, surroundings)
    })

  withSelection(
    withTarget(command('plan', 'show what would be judged on a target, and what not', planHelp)),
  ).action(async (options) => {
    const { plan } = await import('./commands/plan.ts')
    code = await plan(options, surroundings)
  })

  command('replay', 'send what a check of earlier results sent again', replayHelp)
    .argument('<RESULTS>', 'results.json of a run')
    .argument('<CHECK>', 'id of the check, as the results name it')
    .option('--config <FILE>', 'the target, in place of the one that the results name')
    .option('--times <N>', 'how often', wholeNumber(1, 1000), 3)
    .action(async (file: string, check: string, options) => {
      const { replay } = await import('./commands/replay.ts')
      code = await replay(file, check, options, surroundings)
    })

  command('requirements', 'list the requirements of the contract', requirementsHelp)
    .addOption(
      new Option('--format <FORMAT>', 'how to print them')
        .choices(['table', 'json', 'markdown'])
        .default('table'),
    )
    .option(
      '--operation <ID>',
      'only those of this operation, of protocol or lifecycle; repeatable',
      collected,
    )
    .addOption(
      new Option('--level <LEVEL>', 'only those of this level').choices(['must', 'implied', 'advice']),
    )
    .action(async (options) => {
      const { requirements } = await import('./commands/requirements.ts')
      code = await requirements(options, surroundings)
    })

  command('selftest', 'show that the suite finds what it should find, and nothing else', selftestHelp)
    .addOption(new Option('--only <PART>', 'only this part').choices(['faults', 'variants', 'hostile']))
    .option('--seed <N>', 'the same seed makes the same requests', wholeNumber(Number.MIN_SAFE_INTEGER), 1)
    .option('--runs <N>', 'cases of each generated check', wholeNumber(1), 30)
    .option(
      '--jobs <N>',
      'how much is tried at once (default: as many as there are cores)',
      wholeNumber(1, 64),
    )
    .option('--out <DIR>', 'where selftest.json and selftest.md go', 'portal-conformance-selftest')
    .action(async (options) => {
      const { selftest } = await import('./commands/selftest.ts')
      code = await selftest(options, surroundings)
    })

  try {
    await program.parseAsync(words, { from: 'user' })
    return code
  } catch (error) {
    return explain(error, surroundings)
  }
}

function withTarget(command: Command): Command {
  return withPortal(
    command
      .option('--config <FILE>', 'the target: a configuration in YAML or JSON')
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

function withPortal(command: Command, when = ''): Command {
  return command
    .option('--fault <ID>', `give the embedded portal a fault${when}; repeatable`, collected)
    .option('--variant <ID>', `let it keep the contract in another way${when}; repeatable`, collected)
    .option('--latency <MS>', `let it answer so much later${when}`, wholeNumber(0))
}

function withSelection(command: Command): Command {
  return command
    .option('--operation <ID>', 'only checks of this operation; repeatable', collected)
    .option(
      '--requirement <GLOB>',
      'only checks of these requirements, such as add-workspace/*; repeatable',
      collected,
    )
}

/** Tells the user what went wrong, and returns the exit code for it. */
function explain(error: unknown, { stderr, environment }: Surroundings): ExitCode {
  const say = (text: string) => void stderr.write(`${safeLines(text).join('\n')}\n`)
  // Commander has said its own already; the help that was asked for is no error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.conformant : exitCodes.usage
  if (error instanceof CommandError) {
    say(error.message)
    return error.exitCode
  }
  if (error instanceof ConfigurationError) {
    for (const problem of error.problems) say(problem)
    return exitCodes.usage
  }
  say(`portal-conformance broke: ${firstLine(error)}; please report`)
  if (environment.PORTAL_CONFORMANCE_DEBUG === '1' && error instanceof Error) say(error.stack ?? '')
  return exitCodes.broken
}
