/** The section administration of a configuration, and the actors that follow from it. Sends nothing. */
import { randomBytes } from 'node:crypto'
import type { Administrator, Configuration as Settings } from '../../schemas/types/configuration.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import type { ActorName, PortalName } from '../configuration/actors.ts'
import { type Actor, type Administration, loginOf } from '../configuration/configuration.ts'
import { readCredential } from '../credentials/ready-actors.ts'
import { type FixtureKind, fixtureKinds } from '../fixtures/fixture-kinds.ts'

/** The parts of a configuration that the section depends on. */
type Administered = Pick<Settings, 'target' | 'administration' | 'effects'>

const tokenMs = 60 * 60_000

/** Completes the section. Undefined: there is none. Commands run in the folder. */
export function completeAdministration(
  { target, administration: settings, effects = 'all' }: Administered,
  folder: string,
): Administration | undefined {
  if (settings === undefined) return undefined
  // Any referer works if every request has the same one.
  const referer = new URL(target.baseUrl).origin
  const login = (portal: PortalName, { username, password = '', credential }: Administrator): Actor => {
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

/** Kinds of fixtures that need the administrator of that portal. */
export const kindsThrough: Readonly<Record<PortalName, readonly FixtureKind[]>> = {
  host: fixtureKinds,
  guest: ['workspace', 'scheduledSync', 'guestHosted', 'participantElsewhere'],
  otherGuest: ['participantElsewhere'],
}

const noGuest = 'no guest takes part: add administration.guest'
const noUsers = 'administration.users is none: no users are made'

/** The setting to add or to correct where this is why something is lacking. Undefined: there is none. */
export function settingFor(reason = ''): string | undefined {
  if (reason === noUsers) return 'administration.users: create'
  if (reason === noGuest) return 'administration.guest'
  return /^administration\.\w+(?=: )/.exec(reason)?.[0]
}

/** Fixtures that cannot be made with these logins, and why. */
function lacksOf({ logins, createsUsers }: Administration): Administration['lacks'] {
  const lacks = (kinds: readonly FixtureKind[], why: string) => kinds.map((kind) => [kind, why] as const)
  const noGuests = 'no two guests take part: add administration.guest and administration.otherGuest'
  return Object.fromEntries([
    ...lacks(['partlyReceivable'], 'only a fixture provider knows which items a user cannot receive'),
    ...(logins.otherGuest === undefined ? lacks(kindsThrough.otherGuest, noGuests) : []),
    ...(logins.guest === undefined ? lacks(kindsThrough.guest, noGuest) : []),
    ...(createsUsers ? [] : lacks(['eligibleUser', 'ineligibleUser'], noUsers)),
  ])
}

/** Actors that the run creates as users. */
export const madeActors = [
  'hostMember',
  'itemOwner',
  'itemOwnerUnprivileged',
  'outsider',
  'customAdministrator',
  'taskOwner',
] as const satisfies readonly ActorName[]

/** The setting that provides that actor. Undefined: there is none. */
export function adds(actor: ActorName): string | undefined {
  if (madeActors.some((name) => name === actor)) return 'administration.users: create'
  return actor === 'guestAdministrator' || actor === 'syncInitiator' ? 'administration.guest' : undefined
}

export type MadeActor = (typeof madeActors)[number]

/** The start of every created user name. Some deployments allow no hyphen there. */
export function stampOf({ prefix, runId }: Pick<Administration, 'prefix' | 'runId'>): string {
  return `${prefix}_${runId.replace(/^pc-/, '')}`
}

/** The actors that administrators play, and those that will be created. */
export function actorsOf(administration: Administration): Partial<Record<ActorName, Actor>> {
  const { logins, createsUsers, permitted } = administration
  const { host, guest, otherGuest } = logins
  const administrators: Partial<Record<ActorName, Actor>> = {
    hostAdministrator: host,
    organizationAdministrator: host,
    contentAdministrator: host,
    ...(guest === undefined ? {} : { guestAdministrator: guest, syncInitiator: guest }),
    // With a guest, the host is not the one who starts syncs.
    syncNonInitiator: otherGuest ?? host,
  }
  if (!createsUsers || !permitted) return { ...administrators, taskOwner: host }
  const made = madeActors.map((name, at): [ActorName, Actor] => [
    name,
    madeActor(administration, `a${at + 1}`),
  ])
  return { ...administrators, ...Object.fromEntries(made) }
}

/** A user of the host to create, with a random password. */
export function madeActor(administration: Administration, name: string): Actor {
  const referer = loginOf(administration.logins.host)?.referer
  const username = `${stampOf(administration)}_${name}`
  // The prefix has letters of both cases, a digit and another character, as password rules demand.
  const password = `Pc1-${randomBytes(18).toString('base64url')}`
  const login = withoutUndefined({ username, password, referer, expirationMs: tokenMs })
  return { credential: '', username, portal: 'host', made: true, source: { login } }
}
