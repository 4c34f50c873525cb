/** `init`: writes a commented configuration, from flags or from answers on a terminal. */
import { existsSync } from 'node:fs'
import { Option } from 'commander'
import { parse, parseDocument, visit } from 'yaml'
import { ConfigurationError } from '../../deployment/configuration/configuration-error.ts'
import { loadConfiguration } from '../../deployment/configuration/load-configuration.ts'
import { SignIns } from '../../deployment/credentials/sign-ins.ts'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import { withoutUndefined } from '../../schemas/without-undefined.ts'
import type { Edition } from '../../specs/operation.ts'
import { collected, type Declaring, effectsOf } from '../arguments/option-values.ts'
import { usageError, writeNamed } from '../command-error.ts'
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
import {
  answeringAddress,
  type LoginChoices,
  loginChoice,
  loginsText,
  notesOn,
  tryLogins,
} from '../init/logins.ts'
import { askForChoices } from '../init/questions.ts'
import { type Surroundings, say } from '../process/surroundings.ts'

const help = `
On a terminal it asks for what the command line does not say; Enter skips a question. Elsewhere at least --base-url and
--host-id are needed. The file has comments on every part, and what leaving it out means. Secrets are never written:
a credential is named by its environment variable, or by file:PATH, command:LINE or login:USER:PASSWORD_VARIABLE.
With the login of an administrator ids, release and edition are read from the deployment, and nothing else is needed.

Example:
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
    .option('--host-login <USER:VARIABLE>', 'an administrator of the host; the run then makes all it needs')
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
    .option('--out <FILE>', 'the file to write', 'portal-conformance.yaml')
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
  const { stdout, stdin, environment } = surroundings
  const { out, force = false } = options
  if (existsSync(out) && !force) {
    throw usageError(
      `${out}: there is such a file already; --force writes over it, --out FILE writes another`,
    )
  }
  const given = choicesGiven(options, environment)
  const { profile = 'arcgis', ca } = options
  const signIns = new SignIns()
  const known = withoutUndefined({ profile, baseUrl: given.baseUrl, ca })
  const logins = loginsGiven(options, given, environment)
  if (logins !== undefined) await refuseWrongAddresses(logins)
  const choices =
    logins ??
    (stdin?.isTTY === true ? await askForChoices(given, surroundings, known, signIns) : complete(given))
  const { text, notes } =
    'host' in choices
      ? await fromLogins(choices, environment, signIns)
      : { text: configurationText(choices), notes: [] }
  const variables = variablesIn(text)
  refuseWrong(text, out, variables, environment)
  await writeNamed('--out', out, text, force ? 'w' : 'wx')
  for (const note of notes) say(stdout, `Note: ${note}`)
  stdout.write(nextSteps(out, variables, environment))
  return exitCodes.conformant
}

/** The file, and what the user should know of the deployment. Throws a usage error where a login does not work. */
async function fromLogins(choices: LoginChoices, environment: NodeJS.ProcessEnv, signIns: SignIns) {
  const found = await tryLogins(choices, environment, signIns)
  return { text: loginsText(choices, found), notes: notesOn(choices, found) }
}

/** Before a password goes there. Throws a usage error that says what answers instead of a portal. */
async function refuseWrongAddresses(logins: LoginChoices): Promise<void> {
  await answeringAddress('--base-url', logins.baseUrl, logins)
  if (logins.guest !== undefined) await answeringAddress('--guest-url', logins.guest.baseUrl, logins)
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
    ...(hostId === undefined ? ['--host-id ID'] : []),
  ]
  if (baseUrl === undefined || hostId === undefined) {
    throw usageError(
      `init asks on a terminal, and this is none: give ${missing.join(' and ')}; of use are also --actor, --guest-id and --fixtures`,
    )
  }
  return { actors: [], ...given, baseUrl, hostId }
}

/** What is written must load once its variables are set: files and credentials may still come. */
function refuseWrong(
  text: string,
  name: string,
  variables: readonly string[],
  environment: NodeJS.ProcessEnv,
): void {
  const standIns = Object.fromEntries(variables.map((each) => [each, standIn(each)]))
  try {
    loadConfiguration({ value: parse(text), name }, {}, { ...standIns, ...environment })
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    const problems = error.problems.filter((problem) => !problem.endsWith('cannot be read'))
    if (problems.length > 0) throw new ConfigurationError(problems)
  }
}

const standIn = (variable: string): string =>
  variable === 'PORTAL_BASE_URL' ? 'https://portal.example.com/rest' : 'stand-in'

function nextSteps(out: string, variables: readonly string[], environment: NodeJS.ProcessEnv): string {
  const unset = variables.filter((name) => environment[name] === undefined)
  const lines = [
    `Wrote ${out}.`,
    ...(unset.length === 0 ? [] : [`Set these environment variables first: ${unset.join(', ')}`]),
    'Next:',
    `  portal-conformance doctor --config ${out}   whether all that works, and what is missing; changes nothing`,
    `  portal-conformance plan --config ${out}     what would be judged; sends nothing`,
    `  portal-conformance run --config ${out}      judge it`,
  ]
  return `${lines.join('\n')}\n`
}

/** Their names, each once, in the order of the file; what stands in comments does not count. */
function variablesIn(text: string): string[] {
  const names = new Set<string>()
  visit(parseDocument(text), {
    Scalar: (_, { value }) => {
      if (typeof value !== 'string') return
      for (const [, name] of value.matchAll(/(?<!\$)\$\{([A-Za-z_]\w*)\}/g)) names.add(name as string)
    },
  })
  return [...names]
}
