/** The configuration of a run against the portal, in the format of a configuration file. */
import type { Parts } from './parts.ts'
import type { PortalName, Store } from './store.ts'
import { type ActorName, actorNames, organizationOf, usernameOf } from './users.ts'

export interface ConfigurationFile {
  target: { baseUrl: string; version: string; edition: string; profile: string }
  authentication: { in: 'form' | 'query' | 'header' | 'cookie'; name: string; prefix?: string }
  portals: Record<PortalName, { id: string; baseUrl?: string }>
  actors: Record<ActorName, { credential: string; expired: string; username: string; portal: PortalName }>
  fixtures: { url: string }
  contract: {
    domain?: string
    sync: { parameter: string; synchronous: string; asynchronous: string }
    run: { statuses: string[]; closed: boolean }
    federation: { roleId: string; userLicenseType: string }
    newWorkspacesSync: boolean
  }
  effects: 'all'
  run: { settle: string; guestRefresh: string; plentiful: boolean }
}

/** An administrator who signs in with a password. */
export interface AdministratorLogin {
  /** The base URL of the administrator's portal. */
  readonly baseUrl: string
  readonly username: string
  readonly password: string
}

/** The addresses and tokens of a running portal. */
interface Place {
  /** Scheme, host and port. */
  readonly origin: string
  /** The origins of portals with a port of their own. */
  readonly origins: Readonly<Partial<Record<PortalName, string>>>
  readonly tokens: Readonly<Record<ActorName, string>>
  /** Expired tokens. */
  readonly ended: Readonly<Record<ActorName, string>>
}

/** The complete configuration for a new portal. */
export function configurationOf(parts: Parts, store: Store, place: Place): ConfigurationFile {
  const portal = (name: PortalName) => {
    const origin = place.origins[name]
    return { id: store.portals[name], ...(origin === undefined ? {} : { baseUrl: origin + parts.basePath }) }
  }
  const actors = actorNames.map((actor) => [
    actor,
    {
      credential: place.tokens[actor],
      expired: place.ended[actor],
      username: usernameOf(actor),
      portal: organizationOf(actor),
    },
  ])
  return {
    target: {
      baseUrl: place.origin + parts.basePath,
      version: parts.administration.release,
      edition: 'self-hosted',
      profile: 'none',
    },
    authentication: { in: 'form', name: 'token' },
    portals: { host: portal('host'), guest: portal('guest'), otherGuest: portal('otherGuest') },
    actors: Object.fromEntries(actors),
    fixtures: { url: `${place.origin}/fixtures` },
    contract: {
      sync: { ...parts.sync },
      run: { statuses: [...parts.runStatuses], closed: true },
      federation: { roleId: 'org_user', userLicenseType: 'creatorUT' },
      newWorkspacesSync: true,
    },
    effects: 'all',
    run: { settle: '300ms', guestRefresh: '400ms', plentiful: true },
  }
}

/** The configuration of a user who has only the logins of the host and of a guest. */
export function loginsConfiguration({ host, guest }: Readonly<Record<'host' | 'guest', AdministratorLogin>>) {
  return {
    target: { baseUrl: host.baseUrl, profile: 'arcgis' },
    portals: { guest: { baseUrl: guest.baseUrl } },
    administration: {
      host: { username: host.username, password: host.password },
      guest: { username: guest.username, password: guest.password },
      users: 'create',
    },
    effects: 'all',
  }
}
