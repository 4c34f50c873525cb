/** `init`: writes a commented configuration, from flags or from answers on a terminal. */
import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Option } from 'commander'
import { SignIns } from '../../deployment/credentials/sign-ins.ts'
import { withMessage } from '../../deployment/redaction/redaction.ts'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import { withoutUndefined } from '../../schemas/without-undefined.ts'
import type { Edition } from '../../specs/operation.ts'
import { collected, type Declaring, effectsOf } from '../arguments/option-values.ts'
import { usualFile } from '../arguments/target-options.ts'
import { unwritable, usageError, writeNamed } from '../command-error.ts'
import { askForLogins, type KnownLogins, type LoginAnswers } from '../init/ask-for-logins.ts'
import { refuseWrong, variablesIn } from '../init/check-text.ts'
import {
  type ActorChoice,
  actorChoice,
  addressOf,
  type Choices,
  effectChoice,
  fixtureChoice,
  places,
} from '../init/choices.ts'
import { configurationText } from '../init/configuration-text.ts'
import { type Dialogue, openDialogue } from '../init/dialogue.ts'
import {
  answeringAddress,
  type LoginChoices,
  loginChoice,
  loginNamed,
  loginsText,
  notesOn,
  tryLogins,
} from '../init/logins.ts'
import { Passwords } from '../init/passwords.ts'
import { askForChoices } from '../init/questions.ts'
import { schemaComment } from '../init/schema-comment.ts'
import { alsoHide } from '../process/run-errors.ts'
import { type Surroundings, say } from '../process/surroundings.ts'
import { forShell } from '../run/repeat-command.ts'

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
  command(help)
    .option('--base-url <URL>', 'where the paths of the contract begin')
    .option('--host-id <ID>', 'id of the host portal')
    .option('--guest-id <ID>', 'id of a guest portal that takes part in the collaborations')
    .option('--profile <NAME>', 'what settles open points: none, arcgis, or a file')
    .addOption(
      new Option('--auth <PLACE>', 'where a request carries the credential').choices([
        'form',
        'query',
        'header',
        'cookie',
      ]),
    )
    .option('--host-login <USER:VARIABLE>', 'an administrator of the host; a run then makes all it needs')
    .option('--guest-login <USER:VARIABLE>', 'an administrator of a guest portal')
    .option('--guest-url <URL>', 'base URL of that guest portal')
    .addOption(
      new Option('--users <WHAT>', 'with --host-login: whether a run may make users').choices([
        'create',
        'none',
      ]),
    )
    .option('--ca <FILE>', 'with --host-login: certificates that are trusted besides')
    .option('--actor <NAME=VARIABLE>', 'a caller and where its credential is; repeatable', collected)
    .option('--username <NAME=USER>', 'the user name of a caller; repeatable', collected)
    .option('--fixtures <SOURCE>', 'static, url=URL, module=PATH, command=LINE or none')
    .option('--collaboration <ID>', 'a collaboration that a run may add to; repeatable', collected)
    .option('--group <ID>', 'a group of the host that workspaces may be linked to; repeatable', collected)
    .addOption(
      new Option('--edition <EDITION>', 'edition of the deployment').choices(['self-hosted', 'hosted']),
    )
    .option('--release <RELEASE>', 'release of the deployment, such as 11.0')
    .option('--effects <LIST>', 'what a run may do there: all, or ids of operations', effectsOf)
    .option('--out <FILE>', 'the file to write', usualFile)
    .option('--force', 'write over a file that is there')
    .action(does(init))
}

interface InitOptions {
  readonly baseUrl?: string
  readonly hostId?: string
  readonly guestId?: string
  readonly profile?: string
  readonly auth?: keyof typeof places
  /** `USER:VARIABLE`, as guestLogin. */
  readonly hostLogin?: string
  readonly guestLogin?: string
  readonly guestUrl?: string
  readonly users?: 'create' | 'none'
  readonly ca?: string
  readonly actor?: readonly string[]
  readonly username?: readonly string[]
  readonly fixtures?: string
  readonly collaboration?: readonly string[]
  readonly group?: readonly string[]
  readonly edition?: Edition
  /** Named so since `--version` of the program is another. */
  readonly release?: string
  readonly effects?: 'all' | readonly string[]
  readonly out: string
  readonly force?: boolean
}

/** Throws a usage error where something is missing or wrong; then nothing is written. */
async function init(options: InitOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { stdin, environment } = surroundings
  const { out, force = false } = options
  if (existsSync(out) && !force) {
    throw usageError(
      `${out}: there is such a file already; --force writes over it, --out FILE writes another`,
    )
  }
  refuseUnwritable(out)
  const given = choicesGiven(options, environment)
  const passwords = new Passwords(environment)
  if (stdin?.isTTY === true) return initByDialogue(options, given, passwords, surroundings)
  const logins = loginsGiven(options, given, environment)
  const configuration =
    logins === undefined
      ? { text: configurationText(complete(given)) }
      : fromLogins(await signedIn(logins, environment))
  return write(configuration, options, passwords, surroundings)
}

/** Throws a usage error where no portal answers, before a password goes there, and where a login does not work. */
async function signedIn(choices: LoginChoices, environment: NodeJS.ProcessEnv): Promise<LoginAnswers> {
  await answeringAddress('--base-url', choices.baseUrl, choices)
  if (choices.guest !== undefined) await answeringAddress('--guest-url', choices.guest.baseUrl, choices)
  return { choices, found: await tryLogins(choices, environment, new SignIns()) }
}

interface Written {
  /** The file. */
  readonly text: string
  /** What the user should know of the deployment, one line each. */
  readonly notes?: readonly string[]
}

const fromLogins = ({ choices, found }: LoginAnswers): Written => ({
  text: loginsText(choices, found),
  notes: notesOn(choices, found),
})

/** Better before the questions than after them. */
function refuseUnwritable(out: string): void {
  try {
    accessSync(dirname(resolve(out)), constants.W_OK)
  } catch (error) {
    throw unwritable(`--out ${out}`, error)
  }
}

/** Asks for what is not given. Where it has to give up, it shows the command line that goes on from there. */
async function initByDialogue(
  options: InitOptions,
  given: Partial<Choices>,
  passwords: Passwords,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { environment, stdout, echo = stdout } = surroundings
  const known = knownLogins(options, given, environment)
  const forget = alsoHide(passwords.hide)
  const dialogue = openDialogue(surroundings, passwords.hide)
  try {
    const configuration = await fromAnswers(dialogue, given, known, passwords, environment)
    return await write(configuration, options, passwords, surroundings)
  } catch (error) {
    if (dialogue.noted.length > 0) {
      const words = [...wordsOf(options), ...dialogue.noted].map(forShell).join(' ')
      echo.write(passwords.hide(`\nTo go on with your answers:\n  portal-conformance init ${words}\n\n`))
    }
    throw withMessage(error, passwords.hide)
  } finally {
    dialogue.close()
    forget()
  }
}

async function fromAnswers(
  dialogue: Dialogue,
  given: Partial<Choices>,
  known: KnownLogins,
  passwords: Passwords,
  environment: NodeJS.ProcessEnv,
): Promise<Written> {
  dialogue.say('Enter takes the answer in brackets. You can change everything in the file later.')
  const hasLogin =
    known.host !== undefined ||
    (given.hostId === undefined && given.actors === undefined && (await asksForLogins(dialogue)))
  if (!hasLogin) return { text: configurationText(await askForChoices(dialogue, given, environment)) }
  return fromLogins(await askForLogins(dialogue, known, passwords, new SignIns()))
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

/** The options as they were given; the default of --out is none of them. */
function wordsOf({ effects, out, ...options }: InitOptions): string[] {
  const given = { ...options, effects: effects?.toString(), out: out === usualFile ? undefined : out }
  return Object.entries(given).flatMap(([key, value]: [string, unknown]) => {
    const option = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    if (value === true) return [option]
    return [value ?? []].flat().flatMap((each) => [option, String(each)])
  })
}

async function write(
  { text: configuration, notes = [] }: Written,
  { out, force = false }: InitOptions,
  passwords: Passwords,
  { stdout, environment }: Surroundings,
): Promise<ExitCode> {
  const text = `${schemaComment(out)}\n${configuration}`
  refuseWrong(text, out, environment)
  await writeNamed('--out', out, text, force ? 'w' : 'wx')
  for (const note of notes) say(stdout, passwords.hide(`Note: ${note}`))
  stdout.write(nextSteps(out, passwords.unset(variablesIn(text))))
  return exitCodes.conformant
}

/** What the command line says of logins, for the questions: their variables need not be set. */
function knownLogins(
  { hostLogin, guestLogin, guestUrl, users, ca, profile = 'arcgis' }: InitOptions,
  { baseUrl }: Partial<Choices>,
  environment: NodeJS.ProcessEnv,
): KnownLogins {
  return withoutUndefined({
    profile,
    ca,
    baseUrl,
    host: hostLogin === undefined ? undefined : loginNamed('--host-login', hostLogin, environment),
    guestUrl: guestUrl === undefined ? undefined : addressOf('--guest-url', guestUrl),
    guest: guestLogin === undefined ? undefined : loginNamed('--guest-login', guestLogin, environment),
    users,
  })
}

/** The logins of the command line; undefined where it names none. */
function loginsGiven(
  { hostLogin, guestLogin, guestUrl, users = 'none', ca, profile = 'arcgis' }: InitOptions,
  { baseUrl }: Partial<Choices>,
  environment: NodeJS.ProcessEnv,
): LoginChoices | undefined {
  if (hostLogin === undefined) return undefined
  if (baseUrl === undefined) throw usageError('--host-login: needs --base-url URL, where the host is')
  if ((guestLogin === undefined) !== (guestUrl === undefined))
    throw usageError('--guest-login and --guest-url belong together: who signs in, and where')
  const guest =
    guestLogin === undefined
      ? undefined
      : {
          ...loginChoice('--guest-login', guestLogin, environment),
          baseUrl: addressOf('--guest-url', guestUrl ?? ''),
        }
  const host = loginChoice('--host-login', hostLogin, environment)
  return withoutUndefined({ baseUrl, host, guest, users, profile, ca })
}

function choicesGiven(options: InitOptions, environment: NodeJS.ProcessEnv): Partial<Choices> {
  const { baseUrl, hostId, guestId, profile, auth, edition, release, effects } = options
  const { fixtures, collaboration = [], group = [] } = options
  const listed = collaboration.length + group.length > 0
  if (listed && fixtures !== undefined && fixtures !== 'static') {
    throw usageError('--collaboration and --group list fixtures: they go with --fixtures static')
  }
  const source = fixtures ?? (listed ? 'static' : undefined)
  const lists = { collaborations: collaboration, groups: group }
  const namesActors = options.actor !== undefined || options.username !== undefined
  const chosen = source === undefined ? undefined : fixtureChoice(source, lists)
  return withoutUndefined({
    baseUrl: baseUrl === undefined ? undefined : addressOf('--base-url', baseUrl),
    hostId,
    guestId,
    profile,
    authentication: auth === undefined ? undefined : places[auth],
    edition,
    version: release,
    fixtures: chosen,
    actors: namesActors ? actorsGiven(options, environment) : undefined,
    effects: effects === undefined ? undefined : effectChoice(effects),
  })
}

function actorsGiven(
  { actor = [], username = [] }: InitOptions,
  environment: NodeJS.ProcessEnv,
): ActorChoice[] {
  const actors = actor.map((each) => actorChoice(each, environment))
  const names = new Map(
    username.map((each) => {
      const [name = '', ...rest] = each.split('=')
      if (rest.length > 0 && actors.some((known) => known.name === name)) return [name, rest.join('=')]
      throw usageError('--username: ACTOR=USER is expected, for an actor that --actor names')
    }),
  )
  return actors.map((each) => withoutUndefined({ ...each, username: names.get(each.name) }))
}

/** Without a terminal, nobody can be asked. */
function complete(given: Partial<Choices>): Choices {
  const { baseUrl, hostId } = given
  const missing = [
    ...(baseUrl === undefined ? ['--base-url URL'] : []),
    ...(hostId === undefined ? ['--host-login USER:VARIABLE (or --host-id ID)'] : []),
  ]
  if (baseUrl === undefined || hostId === undefined) {
    throw usageError(
      `init asks questions on a terminal only. Without one, give ${missing.join(' and ')}; see init --help`,
    )
  }
  return { actors: [], ...given, baseUrl, hostId }
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
