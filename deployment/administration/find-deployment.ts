/** Reads a deployment before anything is made: ids, edition, release, and what cannot be made there. */
import { type Fields, withoutUndefined } from '../../schemas/values.ts'
import type { PortalName } from '../configuration/actors.ts'
import type { Actor, Administration, Configuration } from '../configuration/configuration.ts'
import type { SignIns } from '../credentials/sign-ins.ts'
import {
  AdministrationError,
  Administrator,
  type Body,
  below,
  ifRefused,
  refusalOf,
} from './administrator.ts'
import { hasLogins, loginsConfigured } from './federation.ts'
import { kindsThrough } from './settings.ts'

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

type Administered = Configuration & { readonly administration: Administration }

/**
 * Completes the configuration with what the deployment's pages say. If a login does not work, the fixtures that depend on
 * it are lacking, with the reason. Changes nothing.
 */
export async function findDeployment(configuration: Configuration, signIns: SignIns): Promise<Configuration> {
  const { administration } = configuration
  if (administration === undefined || !administration.permitted) return configuration
  const all = Object.values(administration.logins).map(
    (login) => new Administrator(configuration, login, signIns),
  )
  let found: Administered = { ...configuration, administration }
  /** Absent if the login does not work. */
  let host: Administrator | undefined
  try {
    for (const administrator of all) {
      const { portal } = administrator
      found = await ifRefused(withPortal(found, administrator, host), ({ message }) =>
        withoutLogin(found, portal, `administration.${portal}: ${message}`),
      )
      if (portal === 'host' && found.administration.lacks.group === undefined) host = administrator
    }
  } finally {
    await Promise.all(all.map((administrator) => administrator.close()))
  }
  return found
}

async function withPortal(
  configuration: Administered,
  administrator: Administrator,
  host: Administrator | undefined,
): Promise<Administered> {
  const name = administrator.portal
  const [portal, caller] = await Promise.all([
    administrator.read('/portals/self'),
    administrator.read('/community/self'),
  ])
  const { portals } = configuration
  const known = portals[name]
  const id = known?.id || String(portal.id ?? '')
  const ownUrl = name === 'host' ? undefined : ownUrlOf(portal, administrator.siteUrl)
  const here = withoutUndefined({ ...known, id, ownUrl })
  const found = {
    ...(await withUsername(configuration, administrator.actor, caller.username, host)),
    portals: { ...portals, [name]: here } as Configuration['portals'],
  }
  return name === 'host' ? withHost(found, administrator, portal, caller) : found
}

/** The address that a guest gives itself. Undefined: it is the address in use, or the guest gives none. */
function ownUrlOf({ portalHostname, portalName }: Body, siteUrl: string): string | undefined {
  // All organizations of the hosted edition give the same host.
  if (typeof portalHostname !== 'string' || portalName === hostedName) return undefined
  const said = `https://${portalHostname.replace(/\/+$/, '')}`
  if (/[\s\\@?#]/.test(portalHostname) || !URL.canParse(said)) return undefined
  const [own, used] = [new URL(said), new URL(siteUrl)]
  // Some give only the machine.
  if (own.pathname === '/') own.pathname = used.pathname
  const place = ({ host, pathname }: URL) => `${host}${pathname}`.toLowerCase()
  return place(own) === place(used) ? undefined : own.href.replace(/\/+$/, '')
}

async function withHost(
  configuration: Administered,
  host: Administrator,
  portal: Body,
  caller: Body,
): Promise<Administered> {
  const { target } = configuration
  const edition = target.edition ?? (portal.portalName === hostedName ? 'hosted' : 'self-hosted')
  const full = caller.role === 'org_admin' && caller.roleId === undefined
  const noRoles = 'administration.host is no full administrator, and only one can make roles'
  const lacks = {
    ...((await hasLogins(host)) && { federation: loginsConfigured }),
    ...(!full && { eligibleUser: noRoles, ineligibleUser: noRoles }),
  }
  if (edition === 'hosted') return { ...withLacks(configuration, lacks), target: { ...target, edition } }
  // The administration page beside the API may be closed to the outside.
  const site = await ifRefused(host.read('/portaladmin', {}, { site: true }), (error) => error)
  const version =
    target.version ??
    releaseIn(await host.read('')) ??
    releaseIn(portal) ??
    ('version' in site ? releaseText(site.version) : undefined)
  const isClosed = site instanceof AdministrationError
  return {
    ...withLacks(isClosed ? await withUserCreation(configuration, host, site) : configuration, lacks),
    target: { ...target, edition, ...(version === undefined ? {} : { version }) },
  }
}

/** Self-hosted deployments create users beside the API, on Kubernetes at another path. That address may be closed. */
async function withUserCreation(
  configuration: Administered,
  host: Administrator,
  { code, message }: AdministrationError,
): Promise<Administered> {
  if (!configuration.administration.createsUsers) return configuration
  const onKubernetes = code === 404 ? await refusalOf(host.read('/admin', {}, { site: true })) : { message }
  if (onKubernetes === undefined) return configuration
  const reason = `no users can be made: ${onKubernetes.message}; open ${host.siteUrl}/portaladmin to the suite, or set administration.users to none and name such actors`
  const lacks = { eligibleUser: reason, ineligibleUser: reason }
  const { administration, actors, ...found } = withLacks(withoutMade(configuration, reason), lacks)
  return {
    ...found,
    administration: { ...administration, createsUsers: false },
    actors: { taskOwner: administration.logins.host, ...actors },
  }
}

/** Sets the user name of a login as the deployment spells it: items and tasks are made in this name. */
async function withUsername(
  configuration: Administered,
  login: Actor,
  username: unknown,
  host: Administrator | undefined,
): Promise<Administered> {
  if (typeof username !== 'string') return configuration
  const { administration, actors } = configuration
  const ofHost = host?.shows(below('/community/users', username))
  const alsoOfHost = ofHost && (await ifRefused(ofHost, () => undefined))
  const known: Actor = withoutUndefined({ ...login, username, alsoOfHost })
  const named = Object.entries(actors).map(([actor, each]) => [actor, each === login ? known : each])
  return {
    ...configuration,
    actors: Object.fromEntries(named),
    administration: { ...administration, logins: { ...administration.logins, [login.portal]: known } },
  }
}

function withoutLogin(configuration: Administered, name: PortalName, reason: string): Administered {
  const found = withLacks(configuration, Object.fromEntries(kindsThrough[name].map((kind) => [kind, reason])))
  // Only the host's administrator creates users.
  if (name === 'host') return withoutMade(found, reason)
  const { [name]: _, ...logins } = found.administration.logins
  return { ...found, administration: { ...found.administration, logins } }
}

/** Without the actors that the run would make. */
function withoutMade(configuration: Administered, reason: string): Administered {
  const actors = Object.entries(configuration.actors)
  const absent = actors.flatMap(([actor, { made }]) => (made === undefined ? [] : [[actor, reason]]))
  return {
    ...configuration,
    actors: Object.fromEntries(actors.filter(([, { made }]) => made === undefined)),
    ...(absent.length === 0 ? {} : { absent: { ...configuration.absent, ...Object.fromEntries(absent) } }),
  }
}

function withLacks(configuration: Administered, lacks: Administration['lacks']): Administered {
  const { administration } = configuration
  return {
    ...configuration,
    administration: { ...administration, lacks: { ...lacks, ...administration.lacks } },
  }
}
