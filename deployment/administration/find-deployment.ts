/** Reads a deployment before anything is made: ids, edition, release, and what cannot be made there. */
import { type Fields, withoutUndefined } from '../../schemas/values.ts'
import type { PortalName } from '../configuration/actors.ts'
import type { Actor, Administration, Configuration } from '../configuration/configuration.ts'
import { spellingNotice } from '../credentials/ready-actors.ts'
import type { SignIns } from '../credentials/sign-ins.ts'
import { Administrator, type Body, ifRefused, refusalOf } from './administrator.ts'
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
      const asked = withPortal(found, administrator, host)
      const refusal = await refusalOf(asked)
      if (refusal === undefined) {
        found = await asked
        if (portal === 'host') host = administrator
      } else found = withoutLogin(found, portal, `administration.${portal}: ${refusal.message}`)
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
  const named =
    typeof caller.username === 'string'
      ? withUsername(configuration, administrator.actor, {
          username: caller.username,
          ...(host && (await whetherAlsoOfHost(host, caller.username))),
        })
      : configuration
  const ownUrl = name === 'host' ? undefined : ownUrlOf(portal, administrator.siteUrl)
  const here = withoutUndefined({ ...known, id, ownUrl })
  const found = { ...named, portals: { ...portals, [name]: here } as Configuration['portals'] }
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
  let asked: Promise<Body> | undefined
  /** The administration page beside the API, read once if needed. It may be closed to the outside. */
  const site = (): Promise<Body> => {
    asked ??= host.read('/portaladmin', {}, { site: true })
    return asked
  }
  const edition = target.edition ?? (portal.portalName === hostedName ? 'hosted' : 'self-hosted')
  const version = target.version ?? (edition === 'hosted' ? undefined : await releaseOf(host, portal, site))
  const full = caller.role === 'org_admin' && caller.roleId === undefined
  const noRoles = 'administration.host is no full administrator, and only one can make roles'
  const lacks = {
    ...((await hasLogins(host)) && { federation: loginsConfigured }),
    ...(!full && { eligibleUser: noRoles, ineligibleUser: noRoles }),
  }
  return {
    ...withLacks(await withUserCreation(configuration, host, edition, site), lacks),
    target: { ...target, edition, ...(version === undefined ? {} : { version }) },
  }
}

/** The release by the root page, the organization or the site. Undefined: none of them says it. */
async function releaseOf(
  host: Administrator,
  portal: Body,
  site: () => Promise<Body>,
): Promise<string | undefined> {
  const found = releaseIn(await host.read('')) ?? releaseIn(portal)
  if (found !== undefined) return found
  const { version } = await ifRefused(site(), (): Body => ({}))
  return releaseText(version)
}

/** Self-hosted deployments create users beside the API, and that address may be closed. */
async function withUserCreation(
  configuration: Administered,
  host: Administrator,
  edition: Configuration['target']['edition'],
  site: () => Promise<Body>,
): Promise<Administered> {
  if (!configuration.administration.createsUsers || edition === 'hosted') return configuration
  const why = await whyNoUsers(host, site)
  if (why === undefined) return configuration
  const reason = `no users can be made: ${why}; open ${host.siteUrl}/portaladmin to the suite, or set administration.users to none and name such actors`
  const found = withLacks(withoutMade(configuration, reason), {
    eligibleUser: reason,
    ineligibleUser: reason,
  })
  const { administration, actors } = found
  return {
    ...found,
    administration: { ...administration, createsUsers: false },
    actors: { taskOwner: administration.logins.host, ...actors },
  }
}

/** Why no users can be created. Undefined: the page for it can be reached, which has another path on Kubernetes. */
function whyNoUsers(host: Administrator, site: () => Promise<Body>): Promise<string | undefined> {
  const reached = (page: Promise<Body>) => page.then(() => undefined)
  return ifRefused(reached(site()), ({ code, message }) =>
    code === 404 ? ifRefused(reached(host.read('/admin', {}, { site: true })), () => message) : message,
  )
}

/** Whether the host has a user of that name, if its administrator can see that. */
async function whetherAlsoOfHost(host: Administrator, username: string): Promise<Pick<Actor, 'alsoOfHost'>> {
  const alsoOfHost = await ifRefused(host.knows(username), () => undefined)
  return alsoOfHost === undefined ? {} : { alsoOfHost }
}

/** Sets the user name of a login: items and tasks are made in this name. */
function withUsername(
  configuration: Administered,
  login: Actor,
  user: Pick<Actor, 'username' | 'alsoOfHost'>,
): Administered {
  const { administration, actors } = configuration
  const known: Actor = { ...login, ...user }
  const notice = spellingNotice(
    `administration.${login.portal}.username`,
    login.username ?? '',
    user.username ?? '',
  )
  const named = Object.entries(actors).map(([actor, each]) => [actor, each === login ? known : each])
  return {
    ...configuration,
    actors: Object.fromEntries(named),
    administration: { ...administration, logins: { ...administration.logins, [login.portal]: known } },
    ...(notice === undefined ? {} : { notices: [...(configuration.notices ?? []), notice] }),
  }
}

function withoutLogin(configuration: Administered, name: PortalName, reason: string): Administered {
  const found = withLacks(configuration, Object.fromEntries(kindsThrough[name].map((kind) => [kind, reason])))
  if (name !== 'host') {
    const { [name]: _, ...logins } = found.administration.logins
    return { ...found, administration: { ...found.administration, logins } }
  }
  // Only the host's administrator creates users.
  return withoutMade(found, reason)
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
