/** Creates users with roles that have exactly the privileges of their part, among them users who can receive items. */
import { type Actor, loginOf } from '../configuration/configuration.ts'
import type { FixtureAnswers, NotOffered } from '../fixtures/fixture-kinds.ts'
import { type Administrator, type Body, below, type Fields } from './administrator.ts'
import { receivers } from './announcement.ts'
import type { Maker } from './maker.ts'
import { AdministrationError, ifRefused, refusalOf } from './refusals.ts'
import { type MadeActor, madeActor } from './settings.ts'

const create = 'portal:user:createItem'
/** The privilege to give one's own items to others. */
export const give = 'portal:user:reassignItems'
const receive = 'portal:user:receiveItems'
/** The privilege to give items of others to others. */
export const giveOfOthers = 'portal:admin:reassignItems'

/** A user who can receive items, or cannot. */
type Receiver = keyof typeof receivers

export const receiverKinds = Object.keys(receivers) as Receiver[]

/** The part that a user plays. */
type Part = MadeActor | Receiver

/** Privileges of each part. Other parts have a default role. */
const privilegesOf: Partial<Record<Part, readonly string[]>> = {
  itemOwner: [create, give, receive],
  itemOwnerUnprivileged: [create, receive],
  customAdministrator: [
    giveOfOthers,
    'portal:admin:viewUsers',
    'portal:admin:viewItems',
    create,
    give,
    receive,
  ],
  eligibleUser: [create, give, receive],
  ineligibleUser: [create],
}

/** Whether a user of that part needs a role that the run makes. */
export const needsRole = (part: Part): boolean => privilegesOf[part] !== undefined

export class People {
  readonly #maker: Maker
  /** Ids of roles by their privileges. */
  readonly #roles = new Map<string, Promise<string>>()
  readonly #receivers: Record<Receiver, string[]> = { eligibleUser: [], ineligibleUser: [] }
  #number = 0

  constructor(maker: Maker) {
    this.#maker = maker
  }

  /** A user who can play that part. */
  async add(part: Part, actor?: Actor): Promise<Actor> {
    this.#number += 1
    const user = actor ?? madeActor(this.#maker.administration, `u${this.#number}`)
    const { username = '' } = user
    const { host } = this.#maker
    const role = await this.#roleOf(part)
    await this.#maker.makeAs('user', username, async () => {
      await this.#create(username, loginOf(user)?.password ?? '')
      return username
    })
    if (role !== undefined)
      await this.#maker.insist(() => host.perform('/portals/self/updateUserRole', { user: username, role }))
    return user
  }

  /** One receiver of a kind, or all others. */
  async addReceivers(kind: Receiver, which: 'first' | 'others'): Promise<void> {
    const made = this.#receivers[kind]
    const addOne = async () => {
      const { username = '' } = await this.add(kind)
      made.push(username)
    }
    const count = which === 'first' ? 1 : made.length === 0 ? 0 : receivers[kind] - 1
    const refusals = await Promise.all(Array.from({ length: count }, () => refusalOf(addOne())))
    if (made.length === 0) this.#maker.lacking[kind] ??= refusals[0]?.message ?? 'no user was made'
  }

  /** Receivers of a kind take turns. */
  nextReceiver(kind: Receiver): { username: string } | NotOffered {
    const usernames = this.#receivers[kind]
    const username = usernames.shift()
    if (username === undefined) return { notOffered: 'no user was made' }
    usernames.push(username)
    return { username }
  }

  /** Drops the receivers of a kind if the deployment says that they are not what they were made for. */
  async verifyReceivers(items: FixtureAnswers['items']): Promise<void> {
    const { host, lacking } = this.#maker
    // A deployment that does not even say it of an administrator says nothing of others.
    if ((await mayReceive(host, items, host.actor.username)) !== true) return
    for (const kind of receiverKinds) {
      const may = await mayReceive(host, items, this.#receivers[kind][0])
      if (may === undefined || may === (kind === 'eligibleUser')) continue
      lacking[kind] =
        `canReassignItems says that users with the privileges of ${may ? 'others can' : 'receivers cannot'} receive items here`
    }
  }

  #create(username: string, password: string): Promise<unknown> {
    const { configuration } = this.#maker
    const user = {
      username,
      password,
      firstname: 'Made',
      lastname: 'For tests',
      email: `${username}@${configuration.contract.domain ?? 'example.com'}`,
      role: 'org_user',
    }
    return configuration.target.edition === 'hosted' ? this.#invite(user) : this.#createBeside(user)
  }

  /** Creates a user beside the API, which has another path on Kubernetes. */
  #createBeside(user: Fields): Promise<Body> {
    // Defaults for new members may add groups, and another role or user type than the part needs.
    const fields = { ...user, provider: 'arcgis', userLicenseTypeId: 'creatorUT', applyDefaults: 'false' }
    const createAt = (path: string) => this.#maker.host.perform(path, fields, { site: true })
    return ifRefused(createAt('/portaladmin/security/users/createUser'), (error) => {
      if (error.code !== 404) throw error
      const onKubernetes = '/admin/orgs/0123456789ABCDEF/security/users/createUser'
      return createAt(onKubernetes).catch(() => Promise.reject(error))
    })
  }

  /** Invites a user with a password, so that the account exists at once. */
  async #invite(user: Fields): Promise<void> {
    const invitation = { ...user, fullname: 'Made for tests', userLicenseType: 'creatorUT', groups: '' }
    const invitationList = JSON.stringify({ invitations: [invitation], apps: [], appBundles: [] })
    const { notInvited } = await this.#maker.host.perform('/portals/self/invite', { invitationList })
    if (Array.isArray(notInvited) && notInvited.length > 0)
      throw new AdministrationError('invite: not invited')
  }

  /** The id of a role for that part, if it needs one. */
  async #roleOf(part: Part): Promise<string | undefined> {
    if (part === 'taskOwner') return 'org_publisher'
    const wanted = privilegesOf[part]
    if (wanted === undefined) return undefined
    const key = wanted.join(' ')
    const role = this.#roles.get(key) ?? this.#createRole(wanted)
    this.#roles.set(key, role)
    return role
  }

  /** Rejects if the deployment gives the role more than was set: a user with it would be unfit for the part. */
  async #createRole(wanted: readonly string[]): Promise<string> {
    const { host, stamp } = this.#maker
    const description = `Made by ${stamp}`
    const id = await this.#maker.create('role', host, (name) => ({ name, description }))
    const at = below('/portals/self/roles', id)
    await this.#maker.insist(() =>
      host.perform(`${at}/setPrivileges`, { privileges: JSON.stringify({ privileges: wanted }) }),
    )
    const { privileges: shown } = await ifRefused(host.read(`${at}/privileges`), (): Body => ({}))
    const withheld = [give, giveOfOthers, receive].filter((privilege) => !wanted.includes(privilege))
    const too = withheld.find((privilege) => Array.isArray(shown) && shown.includes(privilege))
    if (too !== undefined) throw new AdministrationError(`a role that is made without ${too} has it here`)
    return id
  }
}

/** Whether the deployment says that the user may receive the items. Undefined: it does not say. */
async function mayReceive(
  by: Administrator,
  { owner, itemIds }: FixtureAnswers['items'],
  targetUsername: string | undefined,
): Promise<boolean | undefined> {
  if (targetUsername === undefined) return undefined
  const path = below('/content/users', owner, 'canReassignItems')
  const said = await ifRefused(
    by.performAgain(path, { items: itemIds.join(','), targetUsername }),
    ({ code }) => code,
  )
  if (typeof said !== 'object') return said === 403 ? false : undefined
  const { success, results } = said
  // The page does not show the answer; a public script reads results.
  if (!Array.isArray(results)) return success === true ? true : undefined
  return results.every((each) => (each as { success?: unknown } | null)?.success === true)
}
