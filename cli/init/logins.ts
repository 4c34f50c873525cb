/** Logins of administrators: asks for them, signs in with each at once, and reads the deployment. */
import { findDeployment } from '../../deployment/administration/find-deployment.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { loadConfiguration } from '../../deployment/configuration/load-configuration.ts'
import type { SignIns } from '../../deployment/credentials/sign-ins.ts'
import { Client } from '../../deployment/http/client.ts'
import { TransportError } from '../../deployment/http/exchange.ts'
import { hidden, secretHider } from '../../deployment/redaction/hiding.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import { usageError } from '../command-error.ts'
import { whyNoPortal } from '../run/reach-target.ts'
import {
  addressOf,
  type KnownLogins,
  type LoginChoice,
  type LoginChoices,
  looksLikeSecret,
} from './choices.ts'
import { loginsValue } from './configuration-text.ts'
import type { Dialogue } from './dialogue.ts'

export interface LoginAnswers {
  readonly choices: LoginChoices
  /** The configuration with what was read from the deployment. */
  readonly found: Configuration
}

/** The address, if a portal answers there. Throws a usage error that says what answers instead. */
export async function answeringAddress(
  where: string,
  text: string,
  { profile, ca }: Pick<LoginChoices, 'profile' | 'ca'>,
): Promise<string> {
  const baseUrl = addressOf(where, text)
  const value = withoutUndefined({
    target: { baseUrl, profile },
    portals: { host: { id: 'self' } },
    effects: [],
    http: ca === undefined ? undefined : { ca },
  })
  const portal = loadConfiguration({ value, name: 'the answers' }, {}, {})
  const client = new Client(portal)
  try {
    const root = await client.send({ portal: 'host', path: '', fields: [['f', 'json']], method: 'GET' })
    const why = await whyNoPortal(client, portal, { portal: 'host', root })
    if (why === undefined) return baseUrl
    throw usageError(`${where}: ${baseUrl} ${why}`)
  } catch (error) {
    throw error instanceof TransportError ? usageError(`${where}: ${error.message}`) : error
  } finally {
    await client.close()
  }
}

/** Reads the deployment with these logins. Throws a usage error that says which login does not work, and why. */
export async function tryLogins(
  choices: LoginChoices,
  environment: NodeJS.ProcessEnv,
  signIns: SignIns,
): Promise<LoginAnswers> {
  const source = { value: loginsValue(choices), name: 'the answers' }
  const found = await findDeployment(loadConfiguration(source, {}, environment), signIns)
  const { administration } = found
  const refused = administration?.lacks.group
  if (refused !== undefined) throw usageError(refused)
  if (choices.guest !== undefined && administration?.logins.guest === undefined)
    throw usageError(administration?.lacks.workspace ?? 'administration.guest: the login does not work')
  return { choices, found }
}

/** Notes on the deployment although the logins work, one line each. */
export function notesOn({ choices, found: { administration } }: LoginAnswers): string[] {
  const unmade = choices.users === 'create' && administration?.createsUsers === false
  const reason = unmade ? administration.lacks.eligibleUser : undefined
  return reason === undefined ? [] : [reason]
}

/** The passwords of one `init`, from environment variables or typed, in memory only. */
export class Passwords {
  readonly #environment: NodeJS.ProcessEnv
  readonly #typed = new Map<string, string>()
  readonly #secrets = new Set<string>()
  #hider = secretHider([], hidden)

  constructor(environment: NodeJS.ProcessEnv) {
    this.#environment = environment
  }

  /** Whether the environment has the variable. If so, its value replaces a typed password. */
  take(variable: string): boolean {
    const value = this.#environment[variable]
    if (value === undefined) return false
    this.#typed.delete(variable)
    this.#hide(value)
    return true
  }

  type(variable: string, password: string): void {
    this.#typed.set(variable, password)
    this.#hide(password)
  }

  /** The environment, with the typed passwords in their variables. */
  get environment(): NodeJS.ProcessEnv {
    return { ...this.#environment, ...Object.fromEntries(this.#typed) }
  }

  /** Those of the variables that the user must set. */
  unset(variables: readonly string[]): string[] {
    return variables.filter((name) => this.#typed.has(name) || this.#environment[name] === undefined)
  }

  /** The text without the passwords. */
  readonly hide = (text: string): string => this.#hider.text(text)

  #hide(password: string): void {
    if (password === '') return
    this.#secrets.add(password)
    this.#hider = secretHider([...this.#secrets], hidden)
  }
}

/** What the questions about logins share. */
interface Asking {
  readonly dialogue: Dialogue
  readonly known: KnownLogins
  readonly passwords: Passwords
  readonly signIns: SignIns
}

/** Rejects with a CommandError if the answers end early. */
export async function askForLogins(asking: Asking): Promise<LoginAnswers> {
  const { dialogue, known } = asking
  const { profile, ca } = known
  const baseUrl = await dialogue.ask({
    about: 'A base URL ends in /sharing/rest, such as https://machine.example.com/portal/sharing/rest.',
    text: 'Base URL of the host',
    given: known.baseUrl,
    read: (answer) => portalAt(answer, known),
    options: (answer) => ['--base-url', answer],
  })
  const base = withoutUndefined({ baseUrl, profile, ca, users: known.users ?? 'create' })
  const host = await askForLogin(asking, hostPart, (host) => signedIn(asking, { ...base, host }))
  const both = await askForGuest(asking, host)
  const users = await dialogue.ask({
    about:
      'Some checks need callers with few rights. A run can create users and roles for them, and remove them at its end.',
    text: 'May a run create users?',
    choices: ['yes', 'no'],
    standard: 'yes',
    given: known.users && (known.users === 'create' ? 'yes' : 'no'),
    read: (answer): LoginChoices['users'] => (answer === 'yes' ? 'create' : 'none'),
    options: (answer) => ['--users', answer === 'yes' ? 'create' : 'none'],
  })
  return { choices: { ...both.choices, users }, found: both.found }
}

function portalAt(answer: string, known: KnownLogins): Promise<string> {
  if (!/^https?:\/\//i.test(answer))
    throw usageError('A URL that begins with https:// or http:// is expected.')
  return answeringAddress('the base URL', answer, known)
}

interface Part {
  readonly name: 'host' | 'guest'
  readonly option: string
  readonly variable: string
}

const hostPart: Part = { name: 'host', option: '--host-login', variable: 'HOST_PASSWORD' }
const guestPart: Part = { name: 'guest', option: '--guest-login', variable: 'GUEST_PASSWORD' }

/** The answers for the host, with a guest if there is one. */
async function askForGuest(asking: Asking, host: LoginAnswers): Promise<LoginAnswers> {
  const { dialogue, known } = asking
  const isNone = (answer: string): boolean => answer === '' || answer === 'none'
  const baseUrl = await dialogue.ask({
    about:
      'A guest is a second portal, which the host invites to collaborations. Without a guest, a run does not test what needs one.',
    text: 'Base URL of a guest whose administrator you are, too',
    standard: '',
    given: known.guestUrl,
    read: (answer) => (isNone(answer) ? undefined : portalAt(answer, known)),
    options: (answer) => (isNone(answer) ? [] : ['--guest-url', answer]),
  })
  if (baseUrl === undefined) return host
  const signIn = (login: LoginChoice) =>
    signedIn(asking, { ...host.choices, guestUrl: baseUrl, guest: login })
  return askForLogin(asking, guestPart, signIn, host)
}

/** Asks for a user name and a password until they work, or until the user leaves the guest out. */
async function askForLogin(
  { dialogue, known: all, passwords }: Asking,
  { name, option, variable: usual }: Part,
  signIn: (login: LoginChoice) => Promise<LoginAnswers>,
  without?: LoginAnswers,
): Promise<LoginAnswers> {
  const known = all[name]
  const variable = known?.variable ?? usual
  let refused: string | undefined
  const login = async (username: string): Promise<LoginAnswers> => {
    if (username === 'none' && without !== undefined) return without
    if (looksLikeSecret(username)) throw usageError('A user name is expected; this may be a password.')
    if (username !== refused && passwords.take(variable)) {
      dialogue.say(`  ${variable} is set: init signs in with its value.`)
    } else passwords.type(variable, await dialogue.askHidden(`Password of ${username} (does not show)`))
    refused = username
    return signIn({ username, variable })
  }
  return dialogue.ask({
    text: `User name of an administrator of the ${name}${without === undefined ? '' : ', or none'}`,
    given: known?.username,
    read: login,
    options: (username) => (username === 'none' ? [] : [option, `${username}:${variable}`]),
  })
}

async function signedIn(
  { dialogue, passwords, signIns }: Asking,
  choices: LoginChoices,
): Promise<LoginAnswers> {
  dialogue.say('  Signing in …')
  const answers = await tryLogins(choices, passwords.environment, signIns)
  const { target, portals } = answers.found
  const isHost = choices.guest === undefined
  const known = [`portal ${(isHost ? portals.host : portals.guest)?.id}`]
  if (isHost && target.version !== undefined) known.push(`release ${target.version}`)
  if (isHost && target.edition !== undefined) known.push(target.edition)
  dialogue.say(`  Signed in: ${known.join(', ')}.`)
  return answers
}
