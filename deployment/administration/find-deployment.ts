/** What reading tells of a deployment before anything is made: ids, edition, release, and what cannot be made there. */

import type { PortalName } from '../configuration/actors.ts'
import type { Actor, Administration, Configuration } from '../configuration/configuration.ts'
import { Administrator, type Body, isOfDeployment } from './administrator.ts'
import { hasLogins, loginsConfigured } from './federation.ts'
import { releaseIn, releaseText } from './release.ts'
import { kindsThrough } from './settings.ts'

type Administered = Configuration & { readonly administration: Administration }

/**
 * The configuration with what reads tell. Where a login does not work, what depends on it is lacking, with the reason.
 * Changes nothing.
 */
export async function findDeployment(configuration: Configuration): Promise<Configuration> {
  const { administration } = configuration
  if (administration === undefined || !administration.permitted) return configuration
  let found: Administered = { ...configuration, administration }
  /** The first of them; absent where its login does not work. */
  let host: Administrator | undefined
  try {
    for (const [name, login] of Object.entries(administration.logins) as [PortalName, Actor][]) {
      const administrator = new Administrator(configuration, login)
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
  const found = { ...named, portals: { ...portals, [name]: { ...known, id } } as Configuration['portals'] }
  return name === 'host' ? hostLookedAt(found, administrator, portal, caller) : found
}

async function hostLookedAt(
  configuration: Administered,
  host: Administrator,
  portal: Body,
  caller: Body,
): Promise<Administered> {
  const { target } = configuration
  const edition = target.edition ?? (portal.portalName === 'ArcGIS Online' ? 'hosted' : 'self-hosted')
  const version = target.version ?? (edition === 'hosted' ? undefined : await releaseOf(host, portal))
  const full = caller.role === 'org_admin' && caller.roleId === undefined
  const noRoles = 'administration.host is no full administrator, and only one can make roles'
  const lacks = {
    ...((await hasLogins(host)) && { federation: loginsConfigured }),
    ...(!full && { eligibleUser: noRoles, ineligibleUser: noRoles }),
  }
  return {
    ...lacking(configuration, lacks),
    target: { ...target, edition, ...(version === undefined ? {} : { version }) },
  }
}

/** The release that the deployment says it is: its root, its organization, or its site; undefined where none says it. */
async function releaseOf(host: Administrator, portal: Body): Promise<string | undefined> {
  const found = releaseIn(await host.read('')) ?? releaseIn(portal)
  if (found !== undefined) return found
  try {
    // It is beside the API, and may be closed to the outside.
    const { version } = await host.readSite('/portaladmin')
    return releaseText(version)
  } catch (error) {
    if (isOfDeployment(error)) return undefined
    throw error
  }
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
  const named = Object.entries(actors).map(([actor, each]) => [actor, each === login ? known : each])
  return {
    ...configuration,
    actors: Object.fromEntries(named),
    administration: { ...administration, logins: { ...administration.logins, [login.portal]: known } },
  }
}

function withoutLogin(configuration: Administered, name: PortalName, reason: string): Administered {
  const found = lacking(configuration, Object.fromEntries(kindsThrough[name].map((kind) => [kind, reason])))
  if (name !== 'host') {
    const { [name]: _, ...logins } = found.administration.logins
    return { ...found, administration: { ...found.administration, logins } }
  }
  // Only the host's administrator makes users.
  const actors = Object.entries(found.actors)
  const absent = actors.flatMap(([actor, { made }]) => (made === undefined ? [] : [[actor, reason]]))
  return {
    ...found,
    actors: Object.fromEntries(actors.filter(([, { made }]) => made === undefined)),
    ...(absent.length === 0 ? {} : { absent: { ...found.absent, ...Object.fromEntries(absent) } }),
  }
}

function lacking(configuration: Administered, lacks: Administration['lacks']): Administered {
  const { administration } = configuration
  return {
    ...configuration,
    administration: { ...administration, lacks: { ...lacks, ...administration.lacks } },
  }
}
