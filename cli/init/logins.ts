/** Logins of administrators: each is tried at once, on the deployment that the configuration names. */
import { findDeployment } from '../../deployment/administration/find-deployment.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { loadConfiguration } from '../../deployment/configuration/load-configuration.ts'
import { readyActors } from '../../deployment/credentials/ready-actors.ts'
import type { SignIns } from '../../deployment/credentials/sign-ins.ts'
import { Client } from '../../deployment/http/client.ts'
import { TransportError } from '../../deployment/http/exchange.ts'
import { hidden, secretHider } from '../../deployment/redaction/hiding.ts'
import { unknownLike } from '../../runner/cases/likenesses.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import { usageError } from '../command-error.ts'
import { rightsShown } from '../doctor/ask-target.ts'
import { whyNoPortal } from '../run/reach-target.ts'
import { type Draft, fromEnvironment, type Login } from './configuration-text.ts'
import type { Dialogue, Question } from './dialogue.ts'
import { addressOf, loginIn } from './secret-texts.ts'

export interface LoginOptions {
  readonly baseUrl?: string
  readonly profile?: string
  /** `USER:VARIABLE`, as guestLogin. */
  readonly hostLogin?: string
  readonly guestLogin?: string
  readonly guestUrl?: string
  readonly users?: string
  /** A file of certificates to trust besides the usual ones. */
  readonly ca?: string
}

export interface LoginAnswers {
  readonly draft: Draft
  /** Notes on the deployment although the logins work, one line each. */
  readonly notes: readonly string[]
}

/** The passwords of one `init`, from environment variables or typed, in memory only. */
export class Passwords {
  readonly #given: NodeJS.ProcessEnv
  readonly #typed = new Map<string, string>()
  readonly #used = new Set<string>()

  constructor(environment: NodeJS.ProcessEnv) {
    this.#given = environment
  }

  /** Whether the environment has the variable. */
  has(variable: string): boolean {
    const value = this.#given[variable]
    if (value !== undefined) this.#used.add(value)
    return value !== undefined
  }

  type(variable: string, password: string): void {
    this.#typed.set(variable, password)
    this.#used.add(password)
  }

  /** The environment, with the typed passwords in their variables. */
  get environment(): NodeJS.ProcessEnv {
    return { ...this.#given, ...Object.fromEntries(this.#typed) }
  }

  /** Those of the variables that the user must set. */
  unset(variables: readonly string[]): string[] {
    return variables.filter((name) => this.#typed.has(name) || this.#given[name] === undefined)
  }

  /** The text without the passwords. */
  readonly hide = (text: string): string => secretHider([...this.#used], hidden).text(text)
}

/** What the questions about logins share. */
interface Asking {
  readonly options: LoginOptions
  readonly environment: NodeJS.ProcessEnv
  readonly passwords: Passwords
  /** Shared by all attempts, so that each login is sent once. */
  readonly signIns: SignIns
  /** Absent: the command line says everything. */
  readonly dialogue?: Dialogue | undefined
}

interface SignedIn {
  readonly draft: Draft
  /** The configuration with what was read from the deployment. */
  readonly found: Configuration
}

/** The logins of the command line or of the user, and what was read with them. Rejects with a CommandError if something does not work, or the answers end early. */
export async function askForLogins(asking: Asking): Promise<LoginAnswers> {
  const { options, dialogue } = asking
  const { profile = 'arcgis', ca, users = dialogue === undefined ? 'none' : undefined } = options
  const http = ca === undefined ? undefined : { ca }
  const baseUrl = await answer(asking, options.baseUrl, hostQuestion, (text) =>
    answeringAddress('--base-url', text, { target: { profile }, http }),
  )
  const draft = withoutUndefined({ target: { baseUrl, profile }, portals: {}, http })
  const host = await askForLogin(asking, 'host', (login) =>
    signIn(asking, { ...draft, administration: { host: login, users: users ?? 'create' } }),
  )
  const { draft: whole, found } = await withGuest(asking, host)
  const may = await answer(asking, users, usersQuestion, (text) =>
    text === 'yes' ? 'create' : text === 'no' ? 'none' : text,
  )
  const { host: login, guest } = logins(whole)
  return {
    draft: asRead({ ...whole, administration: withoutUndefined({ host: login, guest, users: may }) }, found),
    notes: [...notesOn(may, found), ...(await lackingRights(found, asking.signIns))],
  }
}

/** The answer of the command line, or of the user. */
async function answer<Value>(
  { dialogue }: Asking,
  given: string | undefined,
  question: Omit<Question<Value>, 'read'>,
  read: (text: string) => Value | Promise<Value>,
): Promise<Value> {
  if (given !== undefined || dialogue === undefined) return read(given ?? '')
  return dialogue.ask({ ...question, read })
}

const hostQuestion = {
  about: 'A base URL ends in /sharing/rest, such as https://machine.example.com/portal/sharing/rest.',
  text: 'Base URL of the host',
  form: /^https?:\/\//i,
}

const guestQuestion = {
  about:
    'A guest is a second portal, which the host invites to collaborations. Without a guest, a run does not test what needs one.',
  text: 'Base URL of a guest whose administrator you are, too',
  standard: '',
}

const usersQuestion = {
  about:
    'Some checks need callers with few rights. A run can create users and roles for them, and remove them at its end.',
  text: 'May a run create users?',
  choices: ['yes', 'no'],
  standard: 'yes',
}

const logins = ({ administration }: Draft) => administration as NonNullable<Draft['administration']>

/** With a guest if there is one. */
async function withGuest(asking: Asking, host: SignedIn): Promise<SignedIn> {
  const { draft } = host
  const baseUrl = await answer(asking, asking.options.guestUrl, guestQuestion, (text) =>
    text === '' || text === 'none' ? undefined : answeringAddress('--guest-url', text, draft),
  )
  if (baseUrl === undefined) return host
  const signInAsGuest = (guest: Login) => {
    const administration = { ...logins(draft), guest }
    return signIn(asking, { ...draft, portals: { guest: { baseUrl } }, administration })
  }
  return askForLogin(asking, 'guest', signInAsGuest, host)
}

/** The address, if a portal answers there. Throws a usage error that says what answers instead. */
async function answeringAddress(
  where: string,
  text: string,
  { target, http }: { readonly target: object; readonly http?: object | undefined },
): Promise<string> {
  const baseUrl = addressOf(where, text)
  const value = { target: { ...target, baseUrl }, portals: { host: { id: 'self' } }, effects: [], http }
  const portal = loadConfiguration({ value: withoutUndefined(value), name: 'the answers' }, {}, {})
  const client = new Client(portal)
  try {
    const root = await client.send({ portal: 'host', path: '', fields: [['f', 'json']], method: 'GET' })
    const why = await whyNoPortal(client, portal, root)
    if (why === undefined) return baseUrl
    throw usageError(`${where}: ${baseUrl} ${why}`)
  } catch (error) {
    throw error instanceof TransportError ? usageError(`${where}: ${error.message}`) : error
  } finally {
    await client.close()
  }
}

/** A login that works. On a terminal, asks until one does, or until the user leaves the guest out. */
function askForLogin(
  asking: Asking,
  name: 'host' | 'guest',
  signInWith: (login: Login) => Promise<SignedIn>,
  without?: SignedIn,
): Promise<SignedIn> {
  const { passwords, dialogue, environment, options } = asking
  let tries = 0
  const read = async (text: string): Promise<SignedIn> => {
    if (text === 'none' && without !== undefined) return without
    const login = loginIn(text, `${name.toUpperCase()}_PASSWORD`, environment)
    if (login === undefined)
      throw usageError(
        `--${name}-login: USER:VARIABLE is expected, a user name and the environment variable that its password is in`,
      )
    const [username, variable] = login
    tries += 1
    if (tries === 1 && passwords.has(variable))
      dialogue?.say(`${variable} is set: init signs in with its value.`)
    else if (dialogue !== undefined)
      passwords.type(variable, await dialogue.askHidden(`Password of ${username} (does not show)`))
    else
      throw usageError(
        `--${name}-login: the environment variable ${variable} is not set: set it to the password, then try again`,
      )
    return signInWith({ username, password: fromEnvironment(variable) })
  }
  const text = `User name of an administrator of the ${name}${without === undefined ? '' : ', or none'}`
  return answer(asking, options[`${name}Login`], { text }, read)
}

/** Reads the deployment with the logins of the draft. Throws a usage error that says which login does not work, and why. */
async function signIn({ passwords, signIns, dialogue }: Asking, draft: Draft): Promise<SignedIn> {
  dialogue?.say('Signing in …')
  const source = { value: { ...draft, effects: 'all' }, name: 'the answers' }
  const found = await findDeployment(loadConfiguration(source, {}, passwords.environment), signIns)
  const { target, portals, administration } = found
  const isHost = draft.administration?.guest === undefined
  const refused = administration?.lacks.group
  if (refused !== undefined) throw usageError(refused)
  if (!isHost && administration?.logins.guest === undefined)
    throw usageError(administration?.lacks.workspace ?? 'administration.guest: the login does not work')
  const facts = isHost
    ? [`portal ${portals.host.id}`, target.version && `release ${target.version}`, target.edition]
    : [`portal ${portals.guest?.id}`]
  dialogue?.say(`Signed in: ${facts.filter((fact) => fact !== undefined).join(', ')}.`)
  return { draft, found }
}

/** The draft with what was read from the deployment: ids, release and edition. */
function asRead(draft: Draft, { target: { version, edition }, portals }: Configuration): Draft {
  const { baseUrl, profile } = draft.target
  return {
    ...draft,
    target: withoutUndefined({ baseUrl, version, edition, profile }),
    portals: withoutUndefined({
      host: { id: portals.host.id },
      guest: draft.portals.guest && { id: portals.guest?.id ?? '', ...draft.portals.guest },
    }),
  }
}

function notesOn(users: string, { target, administration }: Configuration): string[] {
  const unknown = 'Release unknown: every operation is judged. target.version sets it.'
  const unmade = users === 'create' && administration?.createsUsers === false
  const reason = unmade ? administration.lacks.eligibleUser : undefined
  return [...(target.version === undefined ? [unknown] : []), ...(reason ? [reason] : [])]
}

/** A note if a user who makes fixtures is shown to lack the rights for them. */
async function lackingRights(found: Configuration, signIns: SignIns): Promise<string[]> {
  const rights = await rightsShown(await readyActors(found, unknownLike('x'.repeat(40), 1), signIns))
  const lacking = (['hostAdministrator', 'guestAdministrator'] as const).filter(
    (name) => rights[name] === false,
  )
  const note = `${lacking.join(' and ')}: signed in, but the deployment shows other rights than the role needs: use the login of an administrator`
  return lacking.length === 0 ? [] : [note]
}
