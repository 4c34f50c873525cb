/** `init`: writes a commented configuration, from flags or from answers on a terminal. */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Option } from 'commander'
import { loadProfile } from '../../deployment/configuration/load-profile.ts'
import { SignIns } from '../../deployment/credentials/sign-ins.ts'
import { withMessage } from '../../deployment/redaction/redaction.ts'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import type { Declaring } from '../arguments/option-values.ts'
import { usualFile } from '../arguments/target-options.ts'
import { usageError, writeNamed } from '../command-error.ts'
import { configurationText, fromEnvironment, schemaComment, variablesIn } from '../init/configuration-text.ts'
import { type Dialogue, openDialogue } from '../init/dialogue.ts'
import { askForLogins, type LoginAnswers, type LoginOptions, Passwords } from '../init/logins.ts'
import { addressOf } from '../init/secret-texts.ts'
import { type CommandContext, say } from '../process/command-context.ts'
import { forShell } from '../run/repeat-command.ts'

const help = `
On a terminal, init asks for the addresses and logins of administrators that the command line does not name, and shows in
brackets what Enter stands for. Passwords do not show and stay in memory: the file names an environment variable in their
place. With such logins, init reads ids, release and edition from the deployment, and a run makes all it needs. Without a
login, init writes a file in which you name callers and fixtures; its comments say how.

Examples:
  portal-conformance init
  portal-conformance init --base-url https://staging.example.com/sharing/rest --host-login admin:HOST_PASSWORD \\
    --guest-url https://guest.example.com/sharing/rest --guest-login admin:GUEST_PASSWORD --users create`

export function declare({ command, does }: Declaring): void {
  command(help)
    .option('--base-url <URL>', 'base URL of the deployment')
    .option('--host-login <USER:VARIABLE>', 'an administrator of the host; a run then makes all it needs')
    .option('--guest-url <URL>', 'base URL of a guest portal')
    .option('--guest-login <USER:VARIABLE>', 'an administrator of that guest portal')
    .addOption(new Option('--users <WHAT>', 'whether a run may make users').choices(['create', 'none']))
    .option('--ca <FILE>', 'certificates to trust besides the usual ones')
    .option(
      '--profile <NAME>',
      'what settles open points: none, arcgis, or a file (default: arcgis with a login, else none)',
    )
    .option('--out <FILE>', 'the file to write', usualFile)
    .option('--force', 'overwrite an existing file')
    .action(does(init))
}

interface InitOptions extends LoginOptions {
  readonly out: string
  readonly force?: boolean
}

/** Throws a usage error, and writes nothing, if an option is missing or wrong. */
async function init(options: InitOptions, commandContext: CommandContext): Promise<ExitCode> {
  const { stdin, environment, stdout, lastWords } = commandContext
  const { out, force = false } = options
  if (existsSync(out) && !force) {
    throw usageError(`${out}: the file exists; --force overwrites it, --out FILE writes another`)
  }
  const passwords = new Passwords(environment)
  const forget = lastWords?.hide(passwords.hide)
  const dialogue = stdin?.isTTY === true ? openDialogue(commandContext, passwords.hide) : undefined
  if (dialogue === undefined) refuseIncomplete(options)
  try {
    const { draft, notes } = await drafted(options, passwords, environment, dialogue)
    const text = `${schemaComment(out)}\n${configurationText(draft)}`
    await writeNamed('--out', out, text, force ? 'w' : 'wx')
    for (const note of notes) say(stdout, passwords.hide(`Note: ${note}`))
    stdout.write(nextSteps(out, passwords.unset(variablesIn(draft))))
    return exitCodes.conformant
  } catch (error) {
    throw withMessage(error, passwords.hide)
  } finally {
    dialogue?.close()
    forget?.()
  }
}

/** Throws a usage error if logins lack an address, and `init` cannot ask. */
function refuseIncomplete({ baseUrl, hostLogin, guestLogin, guestUrl }: InitOptions): void {
  if (hostLogin !== undefined && baseUrl === undefined)
    throw usageError('--host-login: needs --base-url URL, where the host is')
  if ((guestLogin === undefined) !== (guestUrl === undefined))
    throw usageError('--guest-login and --guest-url belong together: who signs in, and where')
}

async function drafted(
  options: InitOptions,
  passwords: Passwords,
  environment: NodeJS.ProcessEnv,
  dialogue: Dialogue | undefined,
): Promise<LoginAnswers> {
  dialogue?.say('Enter takes the answer in brackets. You can change everything in the file later.')
  const hasLogin =
    options.hostLogin !== undefined || (dialogue !== undefined && (await asksForLogins(dialogue)))
  if (hasLogin) return askForLogins({ options, environment, passwords, dialogue, signIns: new SignIns() })
  const { baseUrl = fromEnvironment('PORTAL_BASE_URL'), profile = 'none', out } = options
  loadProfile(profile, dirname(resolve(out)))
  const draft = {
    target: { baseUrl: addressOf('--base-url', baseUrl), profile },
    portals: { host: { id: fromEnvironment('HOST_PORTAL_ID') } },
    actors: { hostAdministrator: { credential: fromEnvironment('HOST_ADMINISTRATOR_TOKEN') } },
  }
  return { draft, notes: [] }
}

function asksForLogins({ ask }: Dialogue): Promise<boolean> {
  return ask({
    about:
      'An administrator can create what a run needs: collaborations, groups, items, users. With such a login, a run creates all of that and removes it at its end. Without one, init writes a file in which you name what a run may use.',
    text: 'Can you sign in as an administrator of the host portal?',
    choices: ['yes', 'no'],
    standard: 'yes',
    read: (answer) => answer === 'yes',
  })
}

function nextSteps(out: string, unset: readonly string[]): string {
  const config = resolve(out) === resolve(usualFile) ? '' : ` --config ${forShell(out)}`
  const lines = [
    `Wrote ${out}.`,
    ...(unset.length === 0 ? [] : ['Set the variables that the file names:']),
    ...unset.map((name) => `  export ${name}=...`),
    'Next, check the setup, preview a run, and test the deployment:',
    ...['doctor', 'run --dry-run', 'run'].map((step) => `  portal-conformance ${step}${config}`),
  ]
  return `${lines.join('\n')}\n`
}
