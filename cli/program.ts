/** The command line: the commands, and how their errors are reported. */
import { Command, CommanderError } from 'commander'
import { ConfigurationError } from '../deployment/configuration/configuration-error.ts'
import { suiteVersion } from '../deployment/suite-version.ts'
import { DocumentError } from '../reporters/document.ts'
import { type Ending, type ExitCode, exitCodes } from '../reporters/exit-codes.ts'
import { type Declaration, type Declaring, helpProse } from './arguments/option-values.ts'
import { CommandError, firstLine, usageError } from './command-error.ts'
import { type CommandContext, guarded, say } from './process/command-context.ts'

type Described = readonly [string, string, () => Promise<Declaration>]

/** Arguments, description and file, in the order of the help. Only the command that is called is loaded. */
const commands: Readonly<Record<string, Described>> = {
  run: ['', 'judge a target and report', () => import('./commands/run.ts')],
  serve: ['', 'serve the embedded portal until interrupted', () => import('./commands/serve.ts')],
  init: ['', 'write a configuration for your deployment', () => import('./commands/init.ts')],
  doctor: ['', 'check a target before a run', () => import('./commands/doctor.ts')],
  validate: ['<HAR...>', 'judge recorded traffic; sends nothing', () => import('./commands/validate.ts')],
  report: ['<RESULTS>', 'render earlier results in other formats', () => import('./commands/report.ts')],
  compare: ['<RESULTS...>', 'compare results, or show their history', () => import('./commands/compare.ts')],
  fleet: ['<CONFIG...>', 'judge many targets and compare them', () => import('./commands/fleet.ts')],
  cleanup: ['<JOURNAL>', 'remove what a killed run left behind', () => import('./commands/cleanup.ts')],
  requirements: ['', 'list the requirements of the contract', () => import('./commands/requirements.ts')],
  completion: [
    '<SHELL>',
    'print a script for completion in a shell',
    () => import('./commands/completion.ts'),
  ],
  selftest: ['', 'show that the suite finds what it should', () => import('./commands/selftest.ts')],
}

const help = `
Begin here:
  portal-conformance run --reference  try it on the embedded portal
  portal-conformance serve            start that portal, see a configuration
  portal-conformance init             write portal-conformance.yaml
  portal-conformance doctor           check logins, fixtures and effects
  portal-conformance run --dry-run    list what a run would judge; sends nothing
  portal-conformance run              judge your deployment
doctor and run use portal-conformance.yaml in the current folder; --config FILE names another file.

Exit codes of run:
  0    conformant: every must and implied requirement that applies passed
  1    non-conformant: at least one of them failed
  2    wrong usage or configuration, or a waiver that is no longer needed
  3    incomplete: something was inconclusive or not tested
  4    no portal answers there, no login works, or the suite itself broke
  130  interrupted; the results up to then are written`

/** The command line. A command reports its exit code to `ended`. A command that is not loaded has a name and a description only. */
export async function commandLine(
  commandContext: CommandContext,
  ended: (code: ExitCode) => void,
  isLoaded: (name: string) => boolean = () => true,
): Promise<Command> {
  const { stdout, stderr } = commandContext
  const program = new Command('portal-conformance')
    .description('Checks whether a deployment keeps the contract of a portal-style web API.')
    .version(suiteVersion, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', helpProse(help))
    .showHelpAfterError('What there is: portal-conformance --help')
    .exitOverride()
    .hook('preAction', (_, called) => refuseEmptyValues(called))
    // Wraps descriptions in narrow windows too.
    .configureHelp({ minWidthToWrap: 24, subcommandTerm: (command) => termOf(command.name()) })
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
    })
  const does: Declaring['does'] =
    (act) =>
    // Commander adds the command itself at the end.
    async (...values) =>
      ended(await act(...(values.slice(0, -1) as typeof values), commandContext))
  for (const [name, [, description, load]] of Object.entries(commands)) {
    const command = program.command(name).description(description).helpOption('-h, --help', 'print this help')
    if (!isLoaded(name)) continue
    const withHelp = (after: string) =>
      command
        .addHelpText('after', helpProse(after))
        .showHelpAfterError(`What is expected: portal-conformance ${name} --help`)
    ;(await load()).declare({ command: withHelp, does })
  }
  return program
}

/** Throws a usage error for a value without text, such as a CI variable that is not set. */
function refuseEmptyValues(called: Command): void {
  const empty = called.options.find((option) =>
    [called.getOptionValue(option.attributeName())].flat().includes(''),
  )
  if (called.args.includes('')) throw usageError('an argument is empty: a file or another value is expected')
  if (empty !== undefined) throw usageError(`${empty.long}: a value is expected; the given one is empty`)
}

/** A command with its arguments, for the list of all commands. */
function termOf(name: string): string {
  const [takes] = commands[name] ?? []
  return takes === undefined ? `${name} [command]` : `${name} [options] ${takes}`.trimEnd()
}

/** Runs a command line (without node and script) and resolves with its exit code; never rejects. */
export async function runProgram(words: readonly string[], unguarded: CommandContext): Promise<ExitCode> {
  const commandContext = guarded(unguarded, Object.keys(commands))
  let code: ExitCode = exitCodes.conformant
  const [first = '', topic = ''] = words
  const called = first === 'help' ? topic : first
  try {
    const program = await commandLine(
      commandContext,
      (ended) => {
        code = ended
      },
      (name) => name === called,
    )
    await program.parseAsync(words, { from: 'user' })
    return code
  } catch (error) {
    return report(error, commandContext)
  }
}

/** Prints the error, on GitHub also as an annotation, and resolves with its exit code. */
async function report(error: unknown, { stderr, environment }: CommandContext): Promise<ExitCode> {
  // Commander has printed its own error already; help and version are no errors.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.conformant : exitCodes.usage
  const ending = endingOf(error)
  say(stderr, ending.why)
  if (environment.PORTAL_CONFORMANCE_DEBUG === '1' && error instanceof Error) say(stderr, error.stack ?? '')
  if (environment.GITHUB_ACTIONS === 'true') {
    const { endingAnnotation } = await import('./ci/github.ts')
    stderr.write(`${endingAnnotation(ending)}\n`)
  }
  return ending.code
}

function endingOf(error: unknown): Required<Ending> {
  if (error instanceof CommandError) return { code: error.exitCode, why: error.message }
  if (error instanceof DocumentError) return { code: exitCodes.broken, why: error.message }
  if (error instanceof ConfigurationError) return { code: exitCodes.usage, why: error.problems.join('\n') }
  return { code: exitCodes.broken, why: `portal-conformance broke: ${firstLine(error)}; please report` }
}
