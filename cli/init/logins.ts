/** A configuration from logins of administrators: signs in with each, and reads the deployment. */
import { stringify } from 'yaml'
import { findDeployment } from '../../deployment/administration/find-deployment.ts'
import type { Actor, Configuration } from '../../deployment/configuration/configuration.ts'
import { loadConfiguration } from '../../deployment/configuration/load-configuration.ts'
import type { SignIns } from '../../deployment/credentials/sign-ins.ts'
import { Client } from '../../deployment/http/client.ts'
import { TransportError } from '../../deployment/http/exchange.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import { operations } from '../../specs/operations.ts'
import { usageError } from '../command-error.ts'
import { whyNoPortal } from '../run/no-portal.ts'
import { addressOf, looksLikeSecret, namesVariable } from './choices.ts'
import { firstComment, fromEnvironment } from './configuration-text.ts'

export interface LoginChoice {
  readonly username: string
  /** The environment variable that holds the password. */
  readonly variable: string
}

export interface LoginChoices {
  readonly baseUrl: string
  readonly host: LoginChoice
  readonly guest?: LoginChoice & { readonly baseUrl: string }
  readonly users: 'create' | 'none'
  /** A file of certificates to trust besides the usual ones. */
  readonly ca?: string
  readonly profile: string
}

/** `USER:VARIABLE`. Throws a usage error that begins with `where` and does not repeat the text, which may be a password. */
export function loginChoice(where: string, text: string, environment: NodeJS.ProcessEnv): LoginChoice {
  const [username = '', variable = ''] = text.split(/:(?=[^:]*$)/)
  if (username === '' || looksLikeSecret(username) || !namesVariable(variable, environment))
    throw usageError(
      `${where}: USER:VARIABLE is expected, a user name and the environment variable that its password is in`,
    )
  return { username, variable }
}

const login = ({ username, variable }: LoginChoice) => ({ username, password: fromEnvironment(variable) })

function written({ baseUrl, host, guest, users, ca, profile }: LoginChoices) {
  return withoutUndefined({
    target: { baseUrl, profile },
    portals: guest && { guest: { baseUrl: guest.baseUrl } },
    administration: withoutUndefined({ host: login(host), guest: guest && login(guest), users }),
    effects: 'all',
    http: ca === undefined ? undefined : { ca },
  })
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
): Promise<Configuration> {
  const value = written(choices)
  const found = await findDeployment(
    loadConfiguration({ value, name: 'the answers' }, {}, environment),
    signIns,
  )
  const { administration } = found
  const refused = administration?.lacks.group
  if (refused !== undefined) throw usageError(refused)
  if (choices.guest !== undefined && administration?.logins.guest === undefined)
    throw usageError(administration?.lacks.workspace ?? 'administration.guest: the login does not work')
  return found
}

/** What init read from the deployment. It does not guess the release. */
const readFrom = (version: string | undefined): string =>
  version === undefined
    ? 'Edition and ids were read from the deployment. Release unknown: every operation is judged. target.version sets it.'
    : 'Release, edition and ids were read from the deployment.'

/** Notes on the deployment although the logins work, one line each. */
export function notesOn({ users }: LoginChoices, { notices = [], administration }: Configuration): string[] {
  const unmade = users === 'create' && administration?.createsUsers === false
  const reason = unmade ? administration.lacks.eligibleUser : undefined
  return reason === undefined ? [...notices] : [...notices, reason]
}

/** The whole file. It holds no secret, only where secrets are. */
export function loginsText(
  choices: LoginChoices,
  { target, portals, administration }: Configuration,
): string {
  const { logins } = administration ?? {}
  const spelled = <Choice extends LoginChoice>(choice: Choice, login: Actor | undefined): Choice => ({
    ...choice,
    username: login?.username ?? choice.username,
  })
  const as = withoutUndefined({
    ...choices,
    host: spelled(choices.host, logins?.host),
    guest: choices.guest && spelled(choices.guest, logins?.guest),
  })
  const { effects: _, target: __, portals: ___, ...rest } = written(as)
  const effects = operations.map(({ id, effect }) => `  - ${id.padEnd(22)} # ${effect}`)
  const { baseUrl, profile, guest } = choices
  const { version, edition } = target
  const found = {
    target: withoutUndefined({ baseUrl, version, edition, profile }),
    portals: withoutUndefined({
      host: { id: portals.host.id },
      guest: guest && { id: portals.guest?.id ?? '', baseUrl: guest.baseUrl },
    }),
  }
  return `${firstComment}
# ${readFrom(version)}
${stringify(found)}
# Logins of administrators: with them, a run creates what it needs, and removes it at its end.
# users: create lets a run create users and roles, too. With none, checks that need them are not tested.
${stringify(rest)}
# What a run may do on this deployment. Everything else is not tested.
effects:
  - ${'administration'.padEnd(22)} # creates the fixtures of a run, and removes them
${effects.join('\n')}

# How many cases a run tries, and how long it waits. guestRefresh: the longest time until a guest loses a deleted collaboration.
# run: { runs: 25, settle: 2s, guestRefresh: 30s }
`
}
