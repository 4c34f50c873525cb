/** What a configuration says of administration, and the actors that follow from it before anything is sent. */
import { randomBytes } from 'node:crypto'
import { withoutUndefined } from '../../schemas/without-undefined.ts'
import type { ActorName, PortalName } from '../configuration/actors.ts'
import { type Actor, type Administration, type Login, loginOf } from '../configuration/configuration.ts'
import { type CredentialSettings, readCredential } from '../credentials/ready-actors.ts'
import { type FixtureKind, fixtureKinds } from '../fixtures/fixture-kinds.ts'

interface AdministratorSettings extends Partial<Pick<Login, 'username' | 'password'>> {
  readonly credential?: CredentialSettings
}

/** The section administration with the defaults of its schema. */
export interface AdministrationSettings
  extends Pick<Administration, 'prefix' | 'runsWithinMs'>,
    Readonly<Partial<Record<PortalName, AdministratorSettings>>> {
  readonly host: AdministratorSettings
  readonly users: 'none' | 'create'
}

/** What of a configuration it depends on. */
interface Administered {
  readonly target: { readonly baseUrl: string }
  readonly administration?: AdministrationSettings
  readonly effects?: 'all' | readonly string[]
}

const tokenMs = 60 * 60_000

/** Undefined where the configuration has none. Commands run in the folder. */
export function completeAdministration(
  { target, administration: settings, effects = 'all' }: Administered,
  folder: string,
): Administration | undefined {
  if (settings === undefined) return undefined
  // Any will do as long as every request says the same.
  const referer = new URL(target.baseUrl).origin
  const login = (
    portal: PortalName,
    { username, password = '', credential }: AdministratorSettings,
  ): Actor => {
    const source = { login: { username: username ?? '', password, referer, expirationMs: tokenMs } }
    const proof = credential === undefined ? { credential: '', source } : readCredential(credential, folder)
    return withoutUndefined({ portal, username, ...proof })
  }
  const { host, guest, otherGuest, users, prefix, runsWithinMs } = settings
  const administration: Administration = {
    logins: withoutUndefined({
      host: login('host', host),
      guest: guest && login('guest', guest),
      otherGuest: otherGuest && login('otherGuest', otherGuest),
    }),
    createsUsers: users === 'create',
    prefix,
    runsWithinMs,
    runId: `pc-${randomBytes(4).toString('hex')}`,
    permitted: effects === 'all' || effects.includes('administration'),
    lacks: {},
  }
  return { ...administration, lacks: lacksOf(administration) }
}

/** Why no such items are made. */
export const partlyReceivable =
  'which items a user who receives others cannot have is known to a provider alone'

/** Kinds of fixtures that only that portal's administrator makes, alone or with others. */
export const kindsThrough: Readonly<Record<PortalName, readonly FixtureKind[]>> = {
  host: fixtureKinds,
  guest: ['workspace', 'scheduledSync', 'guestHosted', 'participantElsewhere'],
  otherGuest: ['participantElsewhere'],
}

/** What cannot be made whatever the deployment says. */
function lacksOf({ logins, createsUsers }: Administration): Administration['lacks'] {
  const lacks: Partial<Record<FixtureKind, string>> = {}
  if (logins.guest === undefined)
    for (const kind of kindsThrough.guest) lacks[kind] = 'no guest takes part: add administration.guest'
  if (logins.guest === undefined || logins.otherGuest === undefined)
    lacks.participantElsewhere =
      'no two guests take part: add administration.guest and administration.otherGuest'
  lacks.partlyReceivable = partlyReceivable
  if (!createsUsers)
    for (const kind of ['eligibleUser', 'ineligibleUser'] as const)
      lacks[kind] = 'administration.users is none: no users are made'
  return lacks
}

/** Parts that users play who are made for the run. */
export const madeActors = [
  'hostMember',
  'itemOwner',
  'itemOwnerUnprivileged',
  'outsider',
  'customAdministrator',
  'taskOwner',
] as const satisfies readonly ActorName[]

/** What to add to an administration so that it gives that actor; undefined: nothing does. */
export function adds(actor: ActorName): string | undefined {
  if (madeActors.some((name) => name === actor)) return 'administration.users: create'
  return actor === 'guestAdministrator' || actor === 'syncInitiator' ? 'administration.guest' : undefined
}

export type MadeActor = (typeof madeActors)[number]

/** Begins the user name of everybody who is made; user names take no hyphen everywhere. */
export function stampOf({ prefix, runId }: Pick<Administration, 'prefix' | 'runId'>): string {
  return `${prefix}_${runId.replace(/^pc-/, '')}`
}

/** The actors that administrators play themselves, and those who will be made. */
export function actorsOf(administration: Administration): Partial<Record<ActorName, Actor>> {
  const { logins, createsUsers, permitted } = administration
  const { host, guest, otherGuest } = logins
  const administrators: Partial<Record<ActorName, Actor>> = {
    hostAdministrator: host,
    organizationAdministrator: host,
    contentAdministrator: host,
    ...(guest === undefined ? {} : { guestAdministrator: guest, syncInitiator: guest }),
    // The host is not the one that initiates syncs where a guest takes part.
    syncNonInitiator: otherGuest ?? host,
  }
  if (!createsUsers || !permitted) return { ...administrators, taskOwner: host }
  const made = madeActors.map((name, at): [ActorName, Actor] => [
    name,
    madeActor(administration, `a${at + 1}`),
  ])
  return { ...administrators, ...Object.fromEntries(made) }
}

/** A user of the host who will be made, with a password that nobody knows. */
export function madeActor(administration: Administration, name: string): Actor {
  const referer = loginOf(administration.logins.host)?.referer
  const username = `${stampOf(administration)}_${name}`
  // With letters of both cases, a digit and another character, whatever comes out.
  const password = `Pc1-${randomBytes(18).toString('base64url')}`
  const login = withoutUndefined({ username, password, referer, expirationMs: tokenMs })
  return { credential: '', username, portal: 'host', made: true, source: { login } }
}
