/** The choices that a configuration is written from, and how options and answers become choices. */
import { type ActorName, actorNames } from '../../deployment/configuration/actors.ts'
import type { Authentication } from '../../deployment/configuration/configuration.ts'
import type { FixtureKind } from '../../deployment/fixtures/fixture-kinds.ts'
import { targetNeeds } from '../../runner/operation-targets.ts'
import type { Edition } from '../../specs/operation.ts'
import { type OperationId, operationIds } from '../../specs/operations.ts'
import { usageError } from '../command-error.ts'

/** Where a credential comes from; never the credential itself. */
export type CredentialPlace =
  | { readonly variable: string }
  | { readonly file: string }
  | { readonly command: string }
  | { readonly login: LoginChoice }

export interface ActorChoice {
  readonly name: ActorName
  readonly credential: CredentialPlace
  readonly username?: string
}

export type FixtureChoice =
  | { readonly url: string }
  | { readonly module: string }
  | { readonly command: string }
  | { readonly collaborations: readonly string[]; readonly groups: readonly string[] }

export interface Choices {
  readonly baseUrl: string
  readonly hostId: string
  readonly guestId?: string
  readonly profile?: string
  readonly release?: string
  readonly edition?: Edition
  /** Absent: as the profile says, or in the form field token. */
  readonly auth?: Pick<Authentication, 'in' | 'name'> & { readonly prefix?: string }
  readonly actors: readonly ActorChoice[]
  /** Absent: none. */
  readonly fixtures?: FixtureChoice
  /** Absent: what actors and fixtures allow to test, without deleting. */
  readonly effects?: 'all' | readonly OperationId[]
}

export interface LoginChoice {
  readonly username: string
  /** The environment variable that holds the password. */
  readonly variable: string
}

export interface LoginChoices {
  readonly baseUrl: string
  readonly host: LoginChoice
  /** Goes with `guest`. */
  readonly guestUrl?: string
  readonly guest?: LoginChoice
  readonly users: 'create' | 'none'
  /** A file of certificates to trust besides the usual ones. */
  readonly ca?: string
  readonly profile: string
}

/** The logins that the command line names. */
export type KnownLogins = Partial<LoginChoices> & Pick<LoginChoices, 'profile'>

export const places = {
  form: { in: 'form', name: 'token' },
  query: { in: 'query', name: 'token' },
  header: { in: 'header', name: 'Authorization', prefix: 'Bearer ' },
  cookie: { in: 'cookie', name: 'token' },
} as const

/** `NAME=VARIABLE`, `NAME=file:PATH`, `NAME=command:LINE` or `NAME=login:USER:VARIABLE`. An error never repeats the value. */
export function actorChoice(text: string, environment: NodeJS.ProcessEnv): ActorChoice {
  const [name = '', ...rest] = text.split('=')
  const actor = actorNames.find((known) => known === name)
  if (actor === undefined) {
    const shown = looksLikeSecret(name) ? 'of that name' : name
    throw usageError(`--actor: there is no actor ${shown}. Known are ${actorNames.join(', ')}`)
  }
  return { name: actor, credential: credentialPlace(`--actor ${actor}`, rest.join('='), environment) }
}

/** Throws a usage error that begins with `where` and does not repeat the text, which may be a credential. */
export function credentialPlace(
  where: string,
  text: string,
  environment: NodeJS.ProcessEnv,
): CredentialPlace {
  const [, kind, value = ''] = /^(file|command|login):(.*)$/s.exec(text) ?? []
  if (kind === 'file' && value !== '' && !looksLikeSecret(value)) return { file: value }
  if (kind === 'command' && value !== '') {
    if (!looksLikeSecret(value)) return { command: value }
    throw usageError(
      `${where}: the command line seems to hold a secret. Put it into an environment variable: init writes no secrets`,
    )
  }
  const login = kind === 'login' ? loginIn(value, environment) : undefined
  if (login !== undefined) return { login }
  if (kind === undefined && namesVariable(text, environment)) return { variable: text }
  throw usageError(
    `${where}: this names no environment variable, and may be a credential itself, which init does not write. \
Put the credential into a variable and give its name, or give file:PATH, command:LINE or login:USER:PASSWORD_VARIABLE`,
  )
}

/** `USER:VARIABLE`. Throws a usage error that begins with `where` and does not repeat the text, which may be a password. */
export function loginChoice(where: string, text: string, environment: NodeJS.ProcessEnv): LoginChoice {
  const login = loginIn(text, environment)
  if (login !== undefined && !looksLikeSecret(login.username)) return login
  throw usageError(
    `${where}: USER:VARIABLE is expected, a user name and the environment variable that its password is in`,
  )
}

function loginIn(text: string, environment: NodeJS.ProcessEnv): LoginChoice | undefined {
  const [username = '', variable = ''] = text.split(/:(?=[^:]*$)/)
  return username !== '' && namesVariable(variable, environment) ? { username, variable } : undefined
}

/** `url=URL`, `module=PATH`, `command=LINE`, `static` or `none`. */
export function fixtureChoice(
  text: string,
  listed: { readonly collaborations: readonly string[]; readonly groups: readonly string[] },
): FixtureChoice | undefined {
  const [kind, ...rest] = text.split('=')
  const value = rest.join('=')
  if (kind === 'none' && value === '') return undefined
  if (kind === 'static' && value === '') return listed
  if (value !== '' && kind === 'url') return { url: value }
  if (value !== '' && kind === 'module') return { module: value }
  if (value !== '' && kind === 'command') {
    if (!looksLikeSecret(value)) return { command: value }
    throw usageError(
      '--fixtures command: it seems to hold a secret; a provider reads those from its environment',
    )
  }
  throw usageError('--fixtures: url=URL, module=PATH, command=LINE, static or none is expected')
}

/** Throws a usage error for an unknown operation. */
export function effectChoice(effects: 'all' | readonly string[]): 'all' | readonly OperationId[] {
  if (effects === 'all') return effects
  const unknown = effects.find((id) => !operationIds.some((known) => known === id))
  if (unknown === undefined) return effects as readonly OperationId[]
  throw usageError(
    `--effects: there is no operation ${unknown}. Known are all, or some of ${operationIds.join(', ')}`,
  )
}

/** The usual name of the variable for the credential of an actor. */
export function usualVariable(name: ActorName): string {
  return `${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}_TOKEN`
}

/** Throws a usage error if the address holds a name or a password. */
export function addressOf(where: string, text: string): string {
  if (/^https?:\/\/[^/]*@|[?#]/i.test(text)) {
    throw usageError(
      `${where}: an address without user name, password, ? and # is expected; credentials belong to actors`,
    )
  }
  return text
}

/** The kinds that the lists hold; undefined: a provider may have any kind. */
function listedKinds({ fixtures, guestId }: Choices): FixtureKind[] | undefined {
  if (fixtures === undefined) return []
  if (!('collaborations' in fixtures)) return undefined
  const there = fixtures.collaborations.length > 0
  return [
    ...(there ? (['collaboration'] as const) : []),
    ...(there && guestId !== undefined ? (['participant'] as const) : []),
    ...(fixtures.groups.length > 0 ? (['group'] as const) : []),
  ]
}

/** The operations that can be tested so. Without delete-collaboration if the user lists collaborations and may want to keep them. */
export function usualEffects(choices: Choices): OperationId[] {
  const kinds = listedKinds(choices)
  return operationIds.filter((id) => {
    const { actors = [], fixtures = [] } = targetNeeds(id)
    if (kinds !== undefined && id === 'delete-collaboration') return false
    return (
      actors.every((actor) => choices.actors.some(({ name }) => name === actor)) &&
      fixtures.every((kind) => kinds?.includes(kind) ?? true)
    )
  })
}

const shortestSecret = 16

/** Whether letters and digits are mixed as in a token, unlike in names of variables and words. */
export function looksLikeSecret(text: string): boolean {
  return text.split(/[\s"'=,;:/]+/).some(isSecretWord)
}

function isSecretWord(word: string): boolean {
  if (word.length < shortestSecret || word.startsWith('$')) return false
  const digits = word.replace(/\D/g, '').length
  const letters = word.replace(/[^A-Za-z]/g, '').length
  const plainName = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(word) && digits * 4 <= letters
  const words = /^[A-Za-z]+([._-][A-Za-z]+)*[._-]?\d{0,4}$/.test(word)
  return digits > 0 && letters > 0 && !plainName && !words
}

/** Whether the text can name an environment variable and does not look like a secret. */
export function namesVariable(text: string, environment: NodeJS.ProcessEnv): boolean {
  if (!/^[A-Za-z_]\w*$/.test(text)) return false
  return environment[text] !== undefined || !looksLikeSecret(text)
}
