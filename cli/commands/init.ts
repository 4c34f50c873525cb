/** `init`: writes a commented configuration, from flags or from answers on a terminal. */
import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Option } from 'commander'
import { SignIns } from '../../deployment/credentials/sign-ins.ts'
import { withMessage } from '../../deployment/redaction/redaction.ts'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import { collected, type Declaring, effectsOf } from '../arguments/option-values.ts'
import { usualFile } from '../arguments/target-options.ts'
import { unwritable, usageError, writeNamed } from '../command-error.ts'
import type { Choices, KnownLogins, LoginChoices } from '../init/choices.ts'
import {
  configurationText,
  loginsText,
  refuseWrong,
  schemaComment,
  variablesIn,
} from '../init/configuration-text.ts'
import { type Dialogue, openDialogue } from '../init/dialogue.ts'
import {
  choicesGiven,
  completeChoices,
  completeLogins,
  type InitOptions,
  knownLogins,
} from '../init/init-options.ts'
import {
  answeringAddress,
  askForLogins,
  type LoginAnswers,
  notesOn,
  Passwords,
  tryLogins,
} from '../init/logins.ts'
import { askForChoices } from '../init/questions.ts'
import { targetSettings } from '../init/settings.ts'
import { type CommandContext, say } from '../process/command-context.ts'
import { forShell, optionWords } from '../run/repeat-command.ts'

const help = `
On a terminal, init asks for what the command line does not say, and shows in brackets what Enter stands for. It asks for
passwords too. They do not show and stay in memory: the file names an environment variable in their place. With the login
of an administrator, init reads ids, release and edition from the deployment, and a run makes all it needs.

Without a terminal, give --base-url with --host-login or --host-id. A credential is the name of an environment variable,
or file:PATH, command:LINE or login:USER:PASSWORD_VARIABLE; init writes no secrets.

Examples:
  portal-conformance init
  portal-conformance init --base-url https://staging.example.com/sharing/rest --host-login admin:HOST_PASSWORD \\
    --guest-url https://guest.example.com/sharing/rest --guest-login admin:GUEST_PASSWORD --users create
  portal-conformance init --base-url https://staging.example.com/sharing/rest --host-id 0123456789ABCDEF \\
    --actor hostAdministrator=HOST_ADMINISTRATOR_TOKEN --collaboration 5f3d...`

export function declare({ command, does }: Declaring): void {
  const declared = command(help)
  for (const { option } of Object.values(targetSettings)) declared.addOption(option)
  declared
    .option('--host-login <USER:VARIABLE>', 'an administrator of the host; a run then makes all it needs')
    .option('--guest-login <USER:VARIABLE>', 'an administrator of a guest portal')
    .option('--guest-url <URL>', 'base URL of that guest portal')
    .addOption(
      new Option('--users <WHAT>', 'with --host-login: whether a run may make users').choices([
        'create',
        'none',
      ]),
    )
    .option('--ca <FILE>', 'with --host-login: certificates to trust besides the usual ones')
    .option('--actor <NAME=VARIABLE>', 'a caller and where its credential is; repeatable', collected)
    .option('--username <NAME=USER>', 'the user name of a caller; repeatable', collected)
    .option('--fixtures <SOURCE>', 'static, url=URL, module=PATH, command=LINE or none')
    .option('--collaboration <ID>', 'a collaboration that a run may add to; repeatable', collected)
    .option('--group <ID>', 'a group of the host that workspaces may be linked to; repeatable', collected)
    .option('--effects <LIST>', 'what a run may do there: all, or ids of operations', effectsOf)
    .option('--out <FILE>', 'the file to write', usualFile)
    .option('--force', 'overwrite an existing file')
    .action(does(init))
}

/** Throws a usage error, and writes nothing, if an option is missing or wrong. */
async function init(options: InitOptions, commandContext: CommandContext): Promise<ExitCode> {
  const { stdin, environment } = commandContext
  const { out, force = false } = options
  if (existsSync(out) && !force) {
    throw usageError(`${out}: the file exists; --force overwrites it, --out FILE writes another`)
  }
  refuseUnwritable(out)
  const given = choicesGiven(options, environment)
  const known = knownLogins(options, environment)
  const passwords = new Passwords(environment)
  if (stdin?.isTTY === true) return initByDialogue(options, { given, known, passwords }, commandContext)
  const logins = completeLogins(known, environment)
  const configuration =
    logins === undefined
      ? { text: configurationText(completeChoices(given)) }
      : fromLogins(await signedIn(logins, environment))
  return write(configuration, options, passwords, commandContext)
}

/** Throws a usage error if no portal answers, before a password goes there, and if a login does not work. */
async function signedIn(choices: LoginChoices, environment: NodeJS.ProcessEnv): Promise<LoginAnswers> {
  await answeringAddress('--base-url', choices.baseUrl, choices)
  if (choices.guestUrl !== undefined) await answeringAddress('--guest-url', choices.guestUrl, choices)
  return tryLogins(choices, environment, new SignIns())
}

interface Written {
  /** The file. */
  readonly text: string
  /** Notes on the deployment, one line each. */
  readonly notes?: readonly string[]
}

const fromLogins = (answers: LoginAnswers): Written => ({
  text: loginsText(answers.choices, answers.found),
  notes: notesOn(answers),
})

/** Throws a usage error before the questions rather than after them. */
function refuseUnwritable(out: string): void {
  try {
    accessSync(dirname(resolve(out)), constants.W_OK)
  } catch (error) {
    throw unwritable(`--out ${out}`, error)
  }
}

/** What init knows before the first question. */
interface Begun {
  readonly given: Partial<Choices>
  readonly known: KnownLogins
  readonly passwords: Passwords
}

/** Asks for what the command line does not say. If it gives up, it shows the command that goes on with the answers. */
async function initByDialogue(
  options: InitOptions,
  begun: Begun,
  commandContext: CommandContext,
): Promise<ExitCode> {
  const { environment, stdout, echo = stdout, lastWords } = commandContext
  const { passwords } = begun
  const forget = lastWords?.hide(passwords.hide)
  const dialogue = openDialogue(commandContext, passwords.hide)
  try {
    const configuration = await fromAnswers(dialogue, begun, environment)
    return await write(configuration, options, passwords, commandContext)
  } catch (error) {
    if (dialogue.noted.length > 0) {
      const words = [...wordsOf(options), ...dialogue.noted].map(forShell).join(' ')
      echo.write(passwords.hide(`\nTo go on with your answers:\n  portal-conformance init ${words}\n\n`))
    }
    throw withMessage(error, passwords.hide)
  } finally {
    dialogue.close()
    forget?.()
  }
}

async function fromAnswers(
  dialogue: Dialogue,
  { given, known, passwords }: Begun,
  environment: NodeJS.ProcessEnv,
): Promise<Written> {
  dialogue.say('Enter takes the answer in brackets. You can change everything in the file later.')
  const hasLogin =
    known.host !== undefined ||
    (given.hostId === undefined && given.actors === undefined && (await asksForLogins(dialogue)))
  if (!hasLogin) return { text: configurationText(await askForChoices(dialogue, given, environment)) }
  return fromLogins(await askForLogins({ dialogue, known, passwords, signIns: new SignIns() }))
}

function asksForLogins({ ask }: Dialogue): Promise<boolean> {
  return ask({
    about:
      'An administrator can create what a run needs: collaborations, groups, items, users. With such a login, a run creates all of that and removes it at its end. Without one, you name what a run may use.',
    text: 'Can you sign in as an administrator of the host portal?',
    choices: ['yes', 'no'],
    standard: 'yes',
    read: (answer) => answer === 'yes',
  })
}

/** The options as the user gave them, without the default of --out. */
function wordsOf({ effects, out, ...options }: InitOptions): string[] {
  return optionWords({ ...options, effects: effects?.toString(), out: out === usualFile ? undefined : out })
}

async function write(
  { text: configuration, notes = [] }: Written,
  { out, force = false }: InitOptions,
  passwords: Passwords,
  { stdout, environment }: CommandContext,
): Promise<ExitCode> {
  const text = `${schemaComment(out)}\n${configuration}`
  refuseWrong(text, out, environment)
  await writeNamed('--out', out, text, force ? 'w' : 'wx')
  for (const note of notes) say(stdout, passwords.hide(`Note: ${note}`))
  stdout.write(nextSteps(out, passwords.unset(variablesIn(text))))
  return exitCodes.conformant
}

function nextSteps(out: string, unset: readonly string[]): string {
  const config = resolve(out) === resolve(usualFile) ? '' : ` --config ${forShell(out)}`
  const steps = [
    [`doctor${config}`, 'check the setup; change nothing'],
    [`run --dry-run${config}`, 'preview a run; send nothing'],
    [`run${config}`, 'test the deployment'],
  ] as const
  const width = Math.max(...steps.map(([step]) => step.length))
  const lines = [
    `Wrote ${out}.`,
    ...(unset.length === 0 ? [] : ['Set the variables that the file names:']),
    ...unset.map((name) => `  export ${name}=...`),
    'Next:',
    ...steps.map(([step, does]) => `  portal-conformance ${step.padEnd(width)}  ${does}`),
  ]
  return `${lines.join('\n')}\n`
}
