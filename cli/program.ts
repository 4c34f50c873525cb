/** The command line: which commands there are, and what their errors look like. */
import { Command, CommanderError } from 'commander'
import { ConfigurationError } from '../deployment/configuration/configuration-error.ts'
import { suiteVersion } from '../deployment/suite-version.ts'
import { safeLines } from '../reporters/safe-text.ts'
import type { Declaring } from './arguments/declaring.ts'
import { helpProse } from './arguments/help-prose.ts'
import { CommandError } from './command-error.ts'
import { declareBadge } from './declarations/badge.ts'
import { declareCleanup } from './declarations/cleanup.ts'
import { declareCompare } from './declarations/compare.ts'
import { declareDoctor } from './declarations/doctor.ts'
import { declareFleet } from './declarations/fleet.ts'
import { declareHistory } from './declarations/history.ts'
import { declareInit } from './declarations/init.ts'
import { declareMerge } from './declarations/merge.ts'
import { declareOpenapi } from './declarations/openapi.ts'
import { declarePlan } from './declarations/plan.ts'
import { declareReplay } from './declarations/replay.ts'
import { declareReport } from './declarations/report.ts'
import { declareRequirements } from './declarations/requirements.ts'
import { declareRun } from './declarations/run.ts'
import { declareSelftest } from './declarations/selftest.ts'
import { declareServe } from './declarations/serve.ts'
import { declareStatement } from './declarations/statement.ts'
import { declareValidate } from './declarations/validate.ts'
import { declareWaive } from './declarations/waive.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { guarded } from './process/guarded-surroundings.ts'
import { firstLine } from './process/run-errors.ts'
import type { Surroundings } from './process/surroundings.ts'

/** In the order in which the help lists them. */
const declarations: readonly ((declaring: Declaring) => void)[] = [
  declareRun,
  declareServe,
  declareInit,
  declareDoctor,
  declarePlan,
  declareValidate,
  declareReport,
  declareCompare,
  declareHistory,
  declareMerge,
  declareFleet,
  declareWaive,
  declareStatement,
  declareBadge,
  declareReplay,
  declareCleanup,
  declareRequirements,
  declareOpenapi,
  declareSelftest,
]

const help = `
Begin here:
  portal-conformance run --reference           try it on the embedded portal, no deployment needed
  portal-conformance serve                     start that portal and see what a configuration looks like
  portal-conformance init                      write a configuration for your deployment
  portal-conformance doctor --config FILE      whether it can be judged like that; changes nothing
  portal-conformance plan --config FILE        what would be judged on your deployment; sends nothing
  portal-conformance run --config FILE         judge it

Exit codes of run:
  0    conformant: every must and implied requirement that applies was passed
  1    non-conformant: at least one failed
  2    usage or configuration error, nothing was sent; or a waiver covers what passes now
  3    incomplete: nothing failed, but something was inconclusive or not tested (--allow-incomplete makes what was
       not tested 0, and that alone)
  4    the target could not be reached, or the suite itself broke
  130  interrupted; what was measured is written all the same`

/** The whole command line; a command tells what it exits with. */
export function commandLine(surroundings: Surroundings, ended: (code: ExitCode) => void): Command {
  const { stdout, stderr } = surroundings
  const program = new Command('portal-conformance')
    .description('Tells whether a deployment of a portal-style web API keeps its contract.')
    .version(suiteVersion, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', helpProse(help))
    .showHelpAfterError('What there is: portal-conformance --help')
    .exitOverride()
    // Descriptions are wrapped in narrow windows too.
    .configureHelp({ minWidthToWrap: 24 })
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      // Who names a file without its option is told which one it is.
      outputError: (text, write) =>
        write(
          /too many arguments for '(run|plan|doctor)'/.test(text)
            ? text.replace('\n', ' A configuration is named with --config FILE.\n')
            : text,
        ),
    })
  const declaring: Declaring = {
    surroundings,
    command: (name, description, after) =>
      program
        .command(name)
        .description(description)
        .helpOption('-h, --help', 'print this help')
        .addHelpText('after', helpProse(after))
        .showHelpAfterError(`What is expected: portal-conformance ${name} --help`),
    does:
      (act) =>
      async (...values) =>
        ended(await act(...values)),
  }
  for (const declare of declarations) declare(declaring)
  return program
}

/** Runs a command line (without node and script) and resolves with its exit code; never rejects. */
export async function runProgram(words: readonly string[], unguarded: Surroundings): Promise<ExitCode> {
  const surroundings = guarded(unguarded)
  let code: ExitCode = exitCodes.conformant
  const program = commandLine(surroundings, (ended) => {
    code = ended
  })
  try {
    // Commander shows the help of everything where it does not know the command that help is asked for.
    const [first, asked = ''] = words
    const strange =
      first === 'help' && asked !== '' && !program.commands.some((each) => each.name() === asked)
    await program.parseAsync(strange ? [asked] : words, { from: 'user' })
    return code
  } catch (error) {
    return explain(error, surroundings)
  }
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
