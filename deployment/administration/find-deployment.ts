/** What reading tells of a deployment before anything is made: ids, edition, release, and what cannot be made there. */

import { withoutUndefined } from '../../schemas/without-undefined.ts'
import type { PortalName } from '../configuration/actors.ts'
import type { Actor, Administration, Configuration } from '../configuration/configuration.ts'
import { spellingNotice } from '../credentials/ready-actors.ts'
import type { SignIns } from '../credentials/sign-ins.ts'
import { Administrator, type Body, ifRefused, isOfDeployment } from './administrator.ts'
import { hasLogins, loginsConfigured } from './federation.ts'
import { releaseIn, releaseText } from './release.ts'
import { kindsThrough } from './settings.ts'

/** What the hosted edition calls itself. */
const hostedName = 'ArcGIS Online'

type Administered = Configuration & { readonly administration: Administration }

/**
 * The configuration with what reads tell. Where a login does not work, what depends on it is lacking, with the reason.
 * Changes nothing.
 */
export async function findDeployment(configuration: Configuration, signIns: SignIns): Promise<Configuration> {
  const { administration } = configuration
  if (administration === undefined || !administration.permitted) return configuration
  let found: Administered = { ...configuration, administration }
  /** The first of them; absent where its login does not work. */
  let host: Administrator | undefined
  try {
    for (const [name, login] of Object.entries(administration.logins) as [PortalName, Actor][]) {
      const administrator = new Administrator(configuration, login, signIns)
      try {
        found = await lookedAt(found, name, administrator, host)
        if (name === 'host') host = administrator
      } catch (error) {
        if (!isOfDeployment(error)) throw error
        found = withoutLogin(found, name, `administration.${name}: ${error.message}`)
      } finally {
        if (administrator !== host) await administrator.close()
      }
    }
  } finally {
    await host?.close()
  }
  return found
}

async function lookedAt(
  configuration: Administered,
  name: PortalName,
  administrator: Administrator,
  host: Administrator | undefined,
): Promise<Administered> {
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
          ...(host === undefined ? {} : await lookedFor(host, caller.username)),
        })
      : configuration
  const ownUrl = name === 'host' ? undefined : ownUrlOf(portal, administrator.siteUrl)
  const here = withoutUndefined({ ...known, id, ownUrl })
  const found = { ...named, portals: { ...portals, [name]: here } as Configuration['portals'] }
  return name === 'host' ? hostLookedAt(found, administrator, portal, caller) : found
}

/** Where a guest is found by what it says of itself; undefined where that is the address in use, or not said. */
function ownUrlOf({ portalHostname, portalName }: Body, siteUrl: string): string | undefined {
  // All organizations of the hosted edition name one host.
  if (typeof portalHostname !== 'string' || portalName === hostedName) return undefined
  const used = new URL(siteUrl)
  const said = (scheme: string) =>
    /^[^\s\\@?#]+$/.test(portalHostname) && URL.canParse(`${scheme}//${portalHostname}`)
      ? new URL(`${scheme}//${portalHostname.replace(/\/+$/, '')}`)
      : undefined
  const own = said(used.protocol)
  if (own === undefined) return undefined
  // Some name the machine alone.
  const path = own.pathname === '/' ? used.pathname : own.pathname
  const plain = (host: string, below: string) => `${host}${below.replace(/\/+$/, '')}`.toLowerCase()
  if (plain(own.host, path) === plain(used.host, used.pathname)) return undefined
  return `https://${plain(said('https:')?.host ?? own.host, '')}${path.replace(/\/+$/, '')}`
}

async function hostLookedAt(
  configuration: Administered,
  host: Administrator,
  portal: Body,
  caller: Body,
): Promise<Administered> {
  const { target } = configuration
  let asked: Promise<Body> | undefined
  /** What is beside the API, and may be closed to the outside: asked for once, where it is needed at all. */
  const site = (): Promise<Body> => {
    asked ??= host.readBeside('/portaladmin')
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
    ...lacking(await usersLookedAt(configuration, host, edition, site), lacks),
    target: { ...target, edition, ...(version === undefined ? {} : { version }) },
  }
}

/** The release that the deployment says it is: its root, its organization, or its site; undefined where none says it. */
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

/** Self-hosted deployments make users beside the API, where administrative access may be closed. */
async function usersLookedAt(
  configuration: Administered,
  host: Administrator,
  edition: Configuration['target']['edition'],
  site: () => Promise<Body>,
): Promise<Administered> {
  if (!configuration.administration.createsUsers || edition === 'hosted') return configuration
  const why = await whyNoUsers(host, site)
  if (why === undefined) return configuration
  const reason = `no users can be made: ${why}; open ${host.siteUrl}/portaladmin to the suite, or set administration.users to none and name such actors`
  const found = lacking(withoutMade(configuration, reason), { eligibleUser: reason, ineligibleUser: reason })
  const { administration, actors } = found
  return {
    ...found,
    administration: { ...administration, createsUsers: false },
    actors: { taskOwner: administration.logins.host, ...actors },
  }
}

/** Undefined where the page that makes users can be reached, also on Kubernetes, where it has another path. */
function whyNoUsers(host: Administrator, site: () => Promise<Body>): Promise<string | undefined> {
  const reached = (page: Promise<Body>) => page.then(() => undefined)
  return ifRefused(reached(site()), ({ code, message }) =>
    code === 404 ? ifRefused(reached(host.readBeside('/admin')), () => message) : message,
  )
}

/** Whether the host has a user of that name; nothing where its administrator cannot tell. */
async function lookedFor(host: Administrator, username: string): Promise<Pick<Actor, 'alsoOfHost'>> {
  try {
    return { alsoOfHost: await host.knows(username) }
  } catch (error) {
    if (isOfDeployment(error)) return {}
    throw error
  }
}

/** Items and tasks are made in the name of the user who signed in. */
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
  const found = lacking(configuration, Object.fromEntries(kindsThrough[name].map((kind) => [kind, reason])))
  if (name !== 'host') {
    const { [name]: _, ...logins } = found.administration.logins
    return { ...found, administration: { ...found.administration, logins } }
  }
  // Only the host's administrator makes users.
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

function lacking(configuration: Administered, lacks: Administration['lacks']): Administered {
  const { administration } = configuration
  return {
    ...configuration,
    administration: { ...administration, lacks: { ...lacks, ...administration.lacks } },
  }
}
