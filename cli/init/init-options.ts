/** What the options of `init` say, before any question. */
import { withoutUndefined } from '../../schemas/values.ts'
import { usageError } from '../command-error.ts'
import {
  type ActorChoice,
  actorChoice,
  addressOf,
  type Choices,
  effectChoice,
  fixtureChoice,
  type KnownLogins,
  type LoginChoice,
  type LoginChoices,
  loginChoice,
} from './choices.ts'
import { type Target, targetKeys, targetSettings } from './settings.ts'

export interface InitOptions extends Partial<Record<keyof Target, string>> {
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
  readonly effects?: 'all' | readonly string[]
  readonly out: string
  readonly force?: boolean
}

/** The logins that the command line names. Their variables need not be set: `init` asks for passwords. */
export function knownLogins(options: InitOptions, environment: NodeJS.ProcessEnv): KnownLogins {
  const { baseUrl, hostLogin, guestLogin, guestUrl, users, ca, profile = 'arcgis' } = options
  return withoutUndefined({
    profile,
    ca,
    users,
    baseUrl: baseUrl && addressOf('--base-url', baseUrl),
    host: hostLogin === undefined ? undefined : loginChoice('--host-login', hostLogin, environment),
    guestUrl: guestUrl && addressOf('--guest-url', guestUrl),
    guest: guestLogin === undefined ? undefined : loginChoice('--guest-login', guestLogin, environment),
  })
}

/** The logins, if `init` cannot ask; undefined if the command line names none. Throws a usage error if something is missing. */
export function completeLogins(known: KnownLogins, environment: NodeJS.ProcessEnv): LoginChoices | undefined {
  const { baseUrl, host, guest, guestUrl, users = 'none' } = known
  if (host === undefined) return undefined
  if (baseUrl === undefined) throw usageError('--host-login: needs --base-url URL, where the host is')
  if ((guest === undefined) !== (guestUrl === undefined))
    throw usageError('--guest-login and --guest-url belong together: who signs in, and where')
  refuseUnset('--host-login', host, environment)
  if (guest !== undefined) refuseUnset('--guest-login', guest, environment)
  return { ...known, baseUrl, host, users }
}

function refuseUnset(where: string, { variable }: LoginChoice, environment: NodeJS.ProcessEnv): void {
  if (environment[variable] !== undefined) return
  throw usageError(
    `${where}: the environment variable ${variable} is not set: set it to the password, then try again`,
  )
}

/** All choices but logins. */
export function choicesGiven(options: InitOptions, environment: NodeJS.ProcessEnv): Partial<Choices> {
  const { effects, fixtures, collaboration = [], group = [] } = options
  const listed = collaboration.length + group.length > 0
  if (listed && fixtures !== undefined && fixtures !== 'static') {
    throw usageError('--collaboration and --group list fixtures: they go with --fixtures static')
  }
  const source = fixtures ?? (listed ? 'static' : undefined)
  const lists = { collaborations: collaboration, groups: group }
  const namesActors = options.actor !== undefined || options.username !== undefined
  const target = targetKeys.map((key) => {
    const { option, read } = targetSettings[key]
    const text = options[key]
    return [key, text === undefined ? undefined : read(text, option.long)]
  })
  return withoutUndefined({
    ...(Object.fromEntries(target) as Partial<Target>),
    fixtures: source === undefined ? undefined : fixtureChoice(source, lists),
    actors: namesActors ? actorsGiven(options, environment) : undefined,
    effects: effects && effectChoice(effects),
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

/** The choices, if `init` cannot ask. */
export function completeChoices(given: Partial<Choices>): Choices {
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
