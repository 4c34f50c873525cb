/** Roles with exactly the privileges that a part needs, and users who have them. */
import { type Actor, loginOf } from '../configuration/configuration.ts'
import { CredentialError } from '../credentials/log-in.ts'
import { patiently } from '../patiently.ts'
import { AdministrationError, type Body, below, type Fields, ifRefused, refusalOf } from './administrator.ts'
import { type MadeActor, madeActor } from './settings.ts'
import { textIn, type Workshop } from './workshop.ts'

/** Tries of a new user's first login: the fifth failure would lock the account. */
const firstLogins = 4
/** Tries to make a user. */
const creations = 3

const create = 'portal:user:createItem'
const give = 'portal:user:reassignItems'
const receive = 'portal:user:receiveItems'

/** What users are made for. */
type Part = MadeActor | 'eligibleUser' | 'ineligibleUser'

/** Privileges of each part; a default role where none are named. */
const privilegesOf: Partial<Record<Part, readonly string[]>> = {
  itemOwner: [create, give, receive],
  itemOwnerUnprivileged: [create, receive],
  customAdministrator: [
    'portal:admin:reassignItems',
    'portal:admin:viewUsers',
    'portal:admin:viewItems',
    create,
    receive,
  ],
  eligibleUser: [create, receive],
  ineligibleUser: [create],
}

/** Privileges by which a user would be what that part is not. */
const withheldFrom: Partial<Record<Part, readonly string[]>> = {
  itemOwnerUnprivileged: [give, 'portal:admin:reassignItems'],
  ineligibleUser: [receive],
}

/** A role that was made, and the privileges that it shows; undefined where it shows none. */
interface MadeRole {
  readonly id: string
  readonly privileges: readonly unknown[] | undefined
}

export class People {
  readonly #workshop: Workshop
  readonly #roles = new Map<string, Promise<MadeRole>>()
  #number = 0

  constructor(workshop: Workshop) {
    this.#workshop = workshop
  }

  /** A user of that part, who can sign in. */
  async add(part: Part, actor?: Actor): Promise<Actor> {
    this.#number += 1
    const user = actor ?? madeActor(this.#workshop.administration, `u${this.#number}`)
    const { username = '' } = user
    const { host } = this.#workshop
    const role = await this.#roleOf(part)
    await this.#workshop.makeAs('user', username, async () => {
      await this.#create(username, loginOf(user)?.password ?? '')
      return username
    })
    if (role !== undefined)
      await this.#workshop.untilDone(() =>
        host.perform('/portals/self/updateUserRole', { user: username, role }),
      )
    return user
  }

  /** The same actor with a credential. A new user may show a moment later. Rejects with a CredentialError. */
  async signedIn(actor: Actor): Promise<Actor> {
    const { source, portal, username = '' } = actor
    if (source === undefined) return actor
    const { configuration, signIns, host, stamp } = this.#workshop
    if (actor.made !== true) return { ...actor, ...(await signIns.obtain(source, portal, configuration)) }
    try {
      const signIn = () => signIns.obtain(source, portal, configuration, { isNew: true })
      return { ...actor, ...(await this.#onceKnown(signIn)) }
    } catch (error) {
      if (!(error instanceof CredentialError) || (await host.knows(username).catch(() => true))) throw error
      throw new CredentialError(
        `${error.message}; nor is there a user ${username}, though one was made: users whose names begin with ${stamp} may be left`,
      )
    }
  }

  /** A first login, again a few times where it is refused. Rejects with the last error. */
  async #onceKnown<T>(signIn: () => Promise<T>): Promise<T> {
    const { knownWithinMs, signal } = this.#workshop
    return patiently(signIn, {
      times: firstLogins,
      mayPass: (error) => error instanceof CredentialError,
      pauseMs: (attempt) => (3 * knownWithinMs) / 4 ** (firstLogins - attempt),
      signal,
    })
  }

  /** A name is used again: where the answer to a first try was lost, it is this user who exists already. */
  async #create(username: string, password: string): Promise<void> {
    const { configuration } = this.#workshop
    const who = {
      firstname: 'Made',
      lastname: 'For tests',
      email: `${username}@${configuration.contract.domain ?? 'example.com'}`,
      role: 'org_user',
    }
    const make = () =>
      configuration.target.edition === 'hosted'
        ? this.#invite({ username, password, fullname: 'Made for tests', ...who })
        : this.#createBeside({
            ...{ username, password, ...who },
            // Defaults for new members may add groups, and another role or user type than the part needs.
            ...{ provider: 'arcgis', userLicenseTypeId: 'creatorUT', applyDefaults: 'false' },
          })
    const makeOrFind = async (): Promise<void> => {
      const refusal = await refusalOf(make())
      if (refusal === undefined || (await this.#workshop.host.knows(username).catch(() => false))) return
      throw refusal
    }
    await patiently(makeOrFind, {
      times: creations,
      mayPass: (error) => error instanceof AdministrationError && error.code !== 403,
    })
  }

  /** Beside the API: on Kubernetes below another path. */
  #createBeside(user: Fields): Promise<Body> {
    const createAt = (path: string) => this.#workshop.host.perform(path, user, { site: true })
    return ifRefused(createAt('/portaladmin/security/users/createUser'), (error) => {
      if (error.code !== 404) throw error
      const onKubernetes = '/admin/orgs/0123456789ABCDEF/security/users/createUser'
      return createAt(onKubernetes).catch(() => Promise.reject(error))
    })
  }

  /** An account with a password exists at once. */
  async #invite(user: Body): Promise<void> {
    const { host } = this.#workshop
    const invitationList = JSON.stringify({
      invitations: [{ ...user, userLicenseType: 'creatorUT', groups: '' }],
      apps: [],
      appBundles: [],
    })
    const { notInvited } = await host.perform('/portals/self/invite', { invitationList })
    if (Array.isArray(notInvited) && notInvited.length > 0)
      throw new AdministrationError('invite: not invited')
  }

  /** The id of a role for that part, where it needs one. Rejects where the deployment makes of it what the part is not. */
  async #roleOf(part: Part): Promise<string | undefined> {
    if (part === 'taskOwner') return 'org_publisher'
    const wanted = privilegesOf[part]
    if (wanted === undefined) return undefined
    const key = wanted.join(' ')
    const made = this.#roles.get(key) ?? this.#createRole(wanted)
    this.#roles.set(key, made)
    const { id, privileges } = await made
    const too = withheldFrom[part]?.find((privilege) => privileges?.includes(privilege))
    if (too !== undefined) throw new AdministrationError(`a role that is made without ${too} has it here`)
    return id
  }

  async #createRole(wanted: readonly string[]): Promise<MadeRole> {
    const { host, stamp } = this.#workshop
    const id = await this.#workshop.make('role', async (name) => {
      const answer = await host.perform('/portals/self/createRole', { name, description: `Made by ${stamp}` })
      return textIn(answer, 'createRole', 'id')
    })
    const at = below('/portals/self/roles', id)
    await this.#workshop.untilDone(() =>
      host.perform(`${at}/setPrivileges`, { privileges: JSON.stringify({ privileges: wanted }) }),
    )
    const { privileges } = await ifRefused(host.read(`${at}/privileges`), (): Body => ({}))
    return { id, privileges: Array.isArray(privileges) ? privileges : undefined }
  }
}
