/** A configuration from nothing but the logins of administrators: each is tried at once, and what they can read is found out. */
import { stringify } from 'yaml'
import { findDeployment } from '../../deployment/administration/find-deployment.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { loadConfiguration } from '../../deployment/configuration/load-configuration.ts'
import { Client } from '../../deployment/http/client.ts'
import { bodyFields, TransportError } from '../../deployment/http/exchange.ts'
import { withoutUndefined } from '../../schemas/without-undefined.ts'
import { operations } from '../../specs/operations.ts'
import { usageError } from '../command-error.ts'
import { addressOf, looksLikeSecret, namesVariable } from './choices.ts'
import { fromEnvironment } from './configuration-text.ts'

interface LoginChoice {
  readonly username: string
  /** The environment variable that its password is in. */
  readonly variable: string
}

export interface LoginChoices {
  readonly baseUrl: string
  readonly host: LoginChoice
  readonly guest?: LoginChoice & { readonly baseUrl: string }
  readonly users: 'create' | 'none'
  /** A file of certificates that are trusted besides. */
  readonly ca?: string
  readonly profile: string
}

/** `USER:VARIABLE`. Throws a usage error that begins with `where` and does not repeat the text: it may be a password. */
export function loginChoice(where: string, text: string, environment: NodeJS.ProcessEnv): LoginChoice {
  const [username = '', variable = ''] = text.split(/:(?=[^:]*$)/)
  if (username === '' || looksLikeSecret(username) || !namesVariable(variable, environment))
    throw usageError(
      `${where}: USER:VARIABLE is expected, a user name and the environment variable that its password is in`,
    )
  if (environment[variable] === undefined)
    throw usageError(
      `${where}: the environment variable ${variable} is not set: set it to the password, then try again`,
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

/** The address of a portal, which must answer there. Throws a usage error that says what came instead. */
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
    const answer = await client.send({ portal: 'host', path: '', fields: [['f', 'json']], method: 'GET' })
    const body = bodyFields(answer)
    if (Object.keys(body).length > 0 && (body.error ?? null) === null) return baseUrl
    throw usageError(
      `${where}: ${baseUrl} answers HTTP ${answer.status}, and not as a portal does; it ends in /sharing/rest`,
    )
  } catch (error) {
    throw error instanceof TransportError ? usageError(`${where}: ${error.message}`) : error
  } finally {
    await client.close()
  }
}

/** The options that say what was answered so far, for a command line. */
export function asOptions({ baseUrl, host, guest, ca, profile }: Partial<LoginChoices>): string {
  const login = ({ username, variable }: LoginChoice) => `${username}:${variable}`
  return [
    ...(baseUrl === undefined ? [] : ['--base-url', baseUrl]),
    ...(host === undefined ? [] : ['--host-login', login(host)]),
    ...(guest === undefined ? [] : ['--guest-url', guest.baseUrl, '--guest-login', login(guest)]),
    ...(ca === undefined ? [] : ['--ca', ca]),
    ...(profile === undefined || profile === 'arcgis' ? [] : ['--profile', profile]),
  ].join(' ')
}

/** What the deployment is, read with these logins. Throws a usage error that says which of them does not work, and why. */
export async function tryLogins(
  choices: LoginChoices,
  environment: NodeJS.ProcessEnv,
): Promise<Configuration> {
  const value = written(choices)
  const found = await findDeployment(loadConfiguration({ value, name: 'the answers' }, {}, environment))
  const { administration } = found
  const refused = administration?.lacks.group
  if (refused !== undefined) throw usageError(refused)
  if (choices.guest !== undefined && administration?.logins.guest === undefined)
    throw usageError(administration?.lacks.workspace ?? 'administration.guest: the login does not work')
  return found
}

/** What the file owes to the deployment. A release that it does not say is not guessed. */
const readFrom = (version: string | undefined): string =>
  version === undefined
    ? 'Edition and ids were read from the deployment. Release unknown: every operation is judged. target.version sets it.'
    : 'Release, edition and ids were read from the deployment.'

/** The whole file. It holds no secret, only where those are. */
export function loginsText(choices: LoginChoices, { target, portals }: Configuration): string {
  const { effects: _, target: __, portals: ___, ...rest } = written(choices)
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
  return `# A configuration of portal-conformance. ${fromEnvironment('NAME')} is taken from the environment; secrets never stand in this file.
# ${readFrom(version)}
${stringify(found)}
# Who makes fixtures and further callers for each run, and removes them at its end.
# users: whether users and roles are made; with none, what needs them is not tested.
${stringify(rest)}
# What a run may do on this deployment. Everything else is not tested.
effects:
  - ${'administration'.padEnd(22)} # makes what the run acts on, and removes it
${effects.join('\n')}

# How much is tried, and how patiently. guestRefresh: the longest time until a guest loses a deleted collaboration.
# run: { runs: 25, settle: 2s, guestRefresh: 30s }
`
}
