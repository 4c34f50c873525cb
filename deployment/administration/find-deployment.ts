/** Reads a deployment before anything is made: ids, edition, release, and what cannot be made there. */
import { type Fields, withoutUndefined } from '../../schemas/values.ts'
import { isUrl } from '../../specs/paths.ts'
import { ofActors, type PortalName } from '../configuration/actors.ts'
import type { Actor, Administration, Configuration } from '../configuration/configuration.ts'
import type { SignIns } from '../credentials/sign-ins.ts'
import { Administrator, type Body } from './administrator.ts'
import { hasLogins, loginsConfigured } from './federation.ts'
import { needsRole, receiverKinds } from './people.ts'
import { AdministrationError, ifRefused, notSent, refusalOf, UnansweredError } from './refusals.ts'
import { kindsThrough, type MadeActor, madeActors } from './settings.ts'

/**
 * The release in the root page or in the organization. `currentVersion` is an internal number and never a release: 7.1 on
 * release 10.7, 10.1 on 11.0, a year on newer ones.
 */
export const releaseIn = ({ enterpriseVersion }: Fields): string | undefined => releaseText(enterpriseVersion)

/** `currentVersion` if it is a number. It is not the release. */
export function internalNumberIn({ currentVersion }: Fields): string | undefined {
  const text = String(currentVersion)
  return /^\d{1,4}(?:\.\d{1,6}){0,3}$/.test(text) ? text : undefined
}

/** The value if it looks like a release. */
function releaseText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^\d{2}\.\d{1,4}(?:\.\d{1,6}){0,3}$/.test(text) ? text : undefined
}

/** The name that the hosted edition gives itself. */
const hostedName = 'ArcGIS Online'

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] }

/** What is known of the deployment. It changes with each page that is read. */
interface Known {
  readonly target: Mutable<Configuration['target']>
  readonly portals: Mutable<Configuration['portals']>
  readonly actors: Mutable<Configuration['actors']>
  readonly absent: Mutable<NonNullable<Configuration['absent']>>
  readonly logins: Mutable<Administration['logins']>
  readonly lacks: Mutable<Administration['lacks']>
  /** The portals that were read, by their id and address. */
  readonly read: Map<string, PortalName>
  createsUsers: boolean
}

/**
 * Completes the configuration with what the deployment's pages say. If a login does not work, the fixtures that depend on
 * it are lacking, with the reason. Changes nothing.
 */
export async function findDeployment(configuration: Configuration, signIns: SignIns): Promise<Configuration> {
  const { administration } = configuration
  if (administration === undefined || !administration.permitted) return configuration
  const known: Known = {
    target: { ...configuration.target },
    portals: { ...configuration.portals },
    actors: { ...configuration.actors },
    absent: { ...configuration.absent },
    logins: { ...administration.logins },
    lacks: { ...administration.lacks },
    read: new Map(),
    createsUsers: administration.createsUsers,
  }
  const logins = Object.values(administration.logins)
  const administrators = logins.map((login) => new Administrator(configuration, login, signIns))
  /** Absent if the login does not work. */
  let host: Administrator | undefined
  for (const administrator of administrators) {
    const refusal = await refusalOf(readPortal(known, administrator, host))
    if (refusal !== undefined) loseLogin(known, administrator.actor, refusal)
    else if (administrator.portal === 'host') host = administrator
  }
  await Promise.all(administrators.map((each) => each.close()))
  const { target, portals, actors, absent, read: _, ...found } = known
  return {
    ...configuration,
    target,
    portals,
    actors,
    ...(Object.keys(absent).length === 0 ? {} : { absent }),
    administration: { ...administration, ...found },
  }
}

async function readPortal(
  known: Known,
  administrator: Administrator,
  host: Administrator | undefined,
): Promise<void> {
  const { portal: name, siteUrl } = administrator
  const [portal, caller] = await Promise.all([
    administrator.read('/portals/self'),
    administrator.read('/community/self'),
  ])
  leaveOutIfRead(known, name, identitiesOf(portal, siteUrl))
  const before = known.portals[name]
  const id = before?.id || String(portal.id ?? '')
  const ownUrl = name === 'host' ? undefined : ownUrlOf(portal, siteUrl)
  known.portals[name] = withoutUndefined({ ...before, id, ownUrl })
  const { username } = caller
  if (typeof username === 'string') {
    const ofHost = host?.hasUser(username)
    const alsoOfHost = ofHost && (await ifRefused(ofHost, () => undefined))
    setUsername(known, administrator.actor, { username, alsoOfHost })
  }
  if (name === 'host') await readHost(known, administrator, portal, caller)
}

/** What no other portal has: self-hosted portals may have the same id, organizations of the hosted edition the same address. */
function identitiesOf(portal: Body, siteUrl: string): string[] {
  const { id, portalName } = portal
  if (typeof id !== 'string' || id === '') return []
  if (portalName === hostedName) return [id]
  return [siteUrl, ownUrlOf(portal, siteUrl) ?? siteUrl].map((url) => `${id} ${placeOf(new URL(url))}`)
}

/** Throws if that portal was read before: its callers would be no strangers there. */
function leaveOutIfRead(known: Known, name: PortalName, identities: readonly string[]): void {
  const same = identities.map((each) => known.read.get(each)).find((each) => each !== undefined)
  for (const each of identities) known.read.set(each, name)
  if (same === undefined) return
  const reason = `portals.${name} is the ${same} itself, with the same id and address; name another portal, or leave the ${name} out`
  delete known.portals[name]
  for (const [actor, { portal }] of ofActors(known.actors)) {
    if (portal !== name) continue
    delete known.actors[actor]
    known.absent[actor] = reason
  }
  throw new AdministrationError(reason)
}

/** Sets the user name of a login as the deployment spells it: items and tasks are made in this name. */
function setUsername(
  { actors, logins }: Known,
  login: Actor,
  user: { readonly username: string; readonly alsoOfHost: boolean | undefined },
): void {
  const named: Actor = withoutUndefined({ ...login, ...user })
  logins[login.portal] = named
  for (const [actor, each] of ofActors(actors)) if (each === login) actors[actor] = named
}

/** The address that a guest gives itself. Undefined: it is the address in use, or the guest gives none. */
function ownUrlOf({ portalHostname, portalName }: Body, siteUrl: string): string | undefined {
  // All organizations of the hosted edition give the same host.
  if (typeof portalHostname !== 'string' || portalName === hostedName) return undefined
  const said = `https://${portalHostname.replace(/\/+$/, '')}`
  if (/[\s\\@?#]/.test(portalHostname) || !isUrl(said)) return undefined
  const [own, used] = [new URL(said), new URL(siteUrl)]
  // Some give only the machine.
  if (own.pathname === '/') own.pathname = used.pathname
  return placeOf(own) === placeOf(used) ? undefined : own.href.replace(/\/+$/, '')
}

const placeOf = ({ host, pathname }: URL) => `${host}${pathname}`.toLowerCase()

async function readHost(known: Known, host: Administrator, portal: Body, caller: Body): Promise<void> {
  const { target, lacks } = known
  target.edition ??= portal.portalName === hostedName ? 'hosted' : 'self-hosted'
  const isFull = caller.role === 'org_admin' && caller.roleId === undefined
  if (target.edition === 'self-hosted') await readSite(known, host, portal, isFull)
  if (await hasLogins(host)) lacks.federation ??= loginsConfigured
  const noRoles = 'administration.host is no full administrator, and only one can make roles'
  if (!isFull) loseUsers(known, noRoles, needsRole)
}

/** Reads the release, and whether users can be created: beside the API, on Kubernetes at another path. */
async function readSite(known: Known, host: Administrator, portal: Body, isFull: boolean): Promise<void> {
  const { target, actors, logins } = known
  // The administration page beside the API may be closed to the outside.
  const site = await ifRefused(host.read('/portaladmin', {}, { site: true }), (error) => error)
  const isClosed = site instanceof AdministrationError
  const version =
    target.version ??
    releaseIn(await ifRefused(host.read(''), () => ({}))) ??
    releaseIn(portal) ??
    (isClosed ? undefined : releaseText(site.version))
  if (version !== undefined) target.version = version
  if (!isClosed || !known.createsUsers) return
  const elsewhere = site.code === 404 ? await refusalOf(host.read('/admin', {}, { site: true })) : site
  if (elsewhere === undefined) return
  const refusal = elsewhere.code === 404 ? site : elsewhere
  const isOfLogin = !isFull && !(refusal instanceof UnansweredError) && refusal.code !== 404
  const advice = isOfLogin
    ? 'use the login of a full administrator in administration.host'
    : `open ${host.siteUrl}/portaladmin to the suite, or set administration.users to none and configure the actors yourself`
  const reason = `${refusal.message}, so a run cannot make users; ${advice}`
  known.createsUsers = false
  loseUsers(known, reason)
  actors.taskOwner ??= logins.host
}

function loseLogin(known: Known, login: Actor, { message, code }: AdministrationError): void {
  const name = login.portal
  const reason = `administration.${name}: ${message}`
  for (const [actor, each] of ofActors(known.actors)) {
    if (each !== login || code !== notSent) continue
    delete known.actors[actor]
    known.absent[actor] = reason
  }
  for (const kind of kindsThrough[name]) known.lacks[kind] ??= reason
  // Only the host's administrator creates users.
  if (name === 'host') loseUsers(known, reason)
  else delete known.logins[name]
}

/** Leaves out the receivers, and those actors that the run would make. Default: all. */
function loseUsers(
  { actors, absent, lacks }: Known,
  reason: string,
  those: (name: MadeActor) => boolean = () => true,
): void {
  for (const kind of receiverKinds) lacks[kind] ??= reason
  for (const name of madeActors) {
    if (actors[name]?.made === undefined || !those(name)) continue
    delete actors[name]
    absent[name] = reason
  }
}
