/** What reading tells of a deployment before anything is made: ids, edition, release, and what cannot be made there. */

import type { ActorName, PortalName } from '../configuration/actors.ts'
import type { Actor, Configuration } from '../configuration/configuration.ts'
import { type FixtureKind, fixtureKinds } from '../fixtures/fixture-kinds.ts'
import { Administrator, type Body, isOfDeployment } from './administrator.ts'
import { hasLogins, loginsConfigured } from './federation.ts'

/** What a release looks like; others that deployments tell count otherwise. */
const release = /^\d{2}\.\d+(?:\.\d+)*$/

/**
 * The configuration with what reads tell. Where a login does not work, what depends on it is lacking, with the reason.
 * Changes nothing.
 */
export async function findDeployment(configuration: Configuration): Promise<Configuration> {
  const { administration } = configuration
  if (administration === undefined || !administration.permitted) return configuration
  let found = configuration
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
  configuration: Configuration,
  name: PortalName,
  administrator: Administrator,
  host: Administrator | undefined,
): Promise<Configuration> {
  const [portal, caller] = await Promise.all([
    administrator.read('/portals/self'),
    administrator.read('/community/self'),
  ])
  const { portals } = configuration
  const known = portals[name]
  const id = known?.id || String(portal.id ?? '')
  const named =
    typeof caller.username === 'string'
      ? withUsername(configuration, name, {
          username: caller.username,
          ...(host === undefined ? {} : await lookedFor(host, caller.username)),
        })
      : configuration
  const found = { ...named, portals: { ...portals, [name]: { ...known, id } } as Configuration['portals'] }
  return name === 'host' ? hostLookedAt(found, administrator, portal, caller) : found
}

async function hostLookedAt(
  configuration: Configuration,
  host: Administrator,
  portal: Body,
  caller: Body,
): Promise<Configuration> {
  const { target } = configuration
  const edition = target.edition ?? (portal.portalName === 'ArcGIS Online' ? 'hosted' : 'self-hosted')
  const version = target.version ?? (edition === 'hosted' ? undefined : await releaseOf(host))
  const lacks: Partial<Record<FixtureKind, string>> = {}
  if (await hasLogins(host)) lacks.federation = loginsConfigured
  const full = caller.role === 'org_admin' && caller.roleId === undefined
  if (!full)
    for (const kind of ['eligibleUser', 'ineligibleUser'] as const)
      lacks[kind] = 'administration.host is no full administrator, and only one can make roles'
  return {
    ...lacking(configuration, lacks),
    target: { ...target, edition, ...(version === undefined ? {} : { version }) },
  }
}

async function releaseOf(host: Administrator): Promise<string | undefined> {
  const { enterpriseVersion, currentVersion } = await host.read('')
  return [enterpriseVersion, currentVersion].map(String).find((text) => release.test(text))
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
  configuration: Configuration,
  name: PortalName,
  user: Pick<Actor, 'username' | 'alsoOfHost'>,
): Configuration {
  const { administration, actors } = configuration
  const login = administration?.logins[name]
  if (administration === undefined || login === undefined) return configuration
  const known: Actor = { ...login, ...user }
  const named = Object.entries(actors).map(([actor, each]) => [actor, each === login ? known : each])
  return {
    ...configuration,
    actors: Object.fromEntries(named),
    administration: { ...administration, logins: { ...administration.logins, [name]: known } },
  }
}

function withoutLogin(configuration: Configuration, name: PortalName, reason: string): Configuration {
  const kinds: readonly FixtureKind[] =
    name === 'host'
      ? fixtureKinds
      : name === 'guest'
        ? ['workspace', 'scheduledSync', 'guestHosted', 'participantElsewhere']
        : ['participantElsewhere']
  const { administration, actors } = configuration
  const left = Object.entries(actors).filter(([, { made }]) => made === undefined || name !== 'host')
  const gone = Object.keys(actors).filter((actor) => !left.some(([other]) => other === actor)) as ActorName[]
  const lacks = Object.fromEntries(kinds.map((kind) => [kind, reason]))
  const logins = Object.entries(administration?.logins ?? {}).filter(
    ([portal]) => portal === 'host' || portal !== name,
  )
  const without = { ...configuration, actors: Object.fromEntries(left) }
  const absent = { ...configuration.absent, ...Object.fromEntries(gone.map((actor) => [actor, reason])) }
  const found = lacking(without, lacks)
  return {
    ...found,
    ...(Object.keys(absent).length === 0 ? {} : { absent }),
    ...(found.administration && {
      administration: {
        ...found.administration,
        logins: Object.fromEntries(logins) as typeof found.administration.logins,
      },
    }),
  }
}

function lacking(configuration: Configuration, lacks: Partial<Record<FixtureKind, string>>): Configuration {
  const { administration } = configuration
  if (administration === undefined) return configuration
  return {
    ...configuration,
    administration: { ...administration, lacks: { ...lacks, ...administration.lacks } },
  }
}
