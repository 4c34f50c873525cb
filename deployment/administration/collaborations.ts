/** Makes collaborations with their guests, groups, workspaces and scheduled syncs, as administrators of both sides do. */
import { textAt } from '../../schemas/values.ts'
import type { FixtureAnswers, FixtureReply } from '../fixtures/fixture-kinds.ts'
import { type Administrator, type Body, below } from './administrator.ts'
import { itemsToSync, shareItems } from './content.ts'
import { type Maker, Stock } from './maker.ts'
import { AdministrationError, ifHidden, ifRefused, refusalOf } from './refusals.ts'
import { accessMode, collaborationPath, establishTrust, participantsOf } from './trust.ts'

interface MadeCollaboration {
  readonly id: string
  /** Ids of the guests among the participants, in the order of their logins. */
  readonly guests: readonly string[]
  /** The id of its first workspace. Absent once it was handed out. */
  first?: string | undefined
}

interface MadeWorkspace {
  readonly collaborationId: string
  readonly workspaceId: string
}

export const workspacePath = ({ collaborationId, workspaceId }: MadeWorkspace): string =>
  below(collaborationPath(collaborationId), 'workspaces', workspaceId)

/** Fixtures share this many collaborations in turn, because some checks need different ones. */
const sharedAtOnce = 2
/** How many fixtures share each of them. */
const shareOf = 20
const noGuest = 'no guest takes part in the collaboration'

export class Collaborations {
  /** Whether one group takes several workspaces. Undefined: not tried yet. */
  groupsAreReusable: boolean | undefined
  readonly stock: Stock<MadeCollaboration>
  readonly #maker: Maker
  readonly #known = new Map<string, MadeCollaboration>()
  readonly #groups = new Map<Administrator, Promise<string>>()
  readonly #itemsToSync: Stock<string>
  readonly #shared: Promise<MadeCollaboration>[] = []
  /** The guests that have joined a collaboration. */
  readonly #joined = new Set<Administrator>()
  #turn = 0
  /** Whether a workspace that was added after the invitation could be linked. Undefined: not tried yet. */
  #added: true | AdministrationError | undefined

  constructor(maker: Maker) {
    this.#maker = maker
    this.stock = new Stock(maker, () => this.#create())
    this.#itemsToSync = itemsToSync(maker)
  }

  /** Tries in the first collaboration whether one group takes several workspaces. */
  async tryGroups(): Promise<void> {
    const { id } = await this.#share()
    const portalGroupId = await this.freshGroup(this.#maker.host)
    const add = () => this.#addWorkspace(id, portalGroupId)
    const added = (await refusalOf(this.#maker.insist(add))) === undefined
    // If none can be added at all, a check reports it, and one group is enough for that.
    this.groupsAreReusable = !added || (await refusalOf(add())) === undefined
    if (!this.groupsAreReusable) this.#maker.budget.takesGroupsForOne()
  }

  /** A new group of that administrator's portal. */
  freshGroup(administrator: Administrator): Promise<string> {
    const { stamp } = this.#maker
    const others = { access: 'private', tags: stamp, description: `Made by ${stamp}` }
    return this.#maker.create('group', administrator, (title) => ({ title, ...others }))
  }

  /** A new group that the deployment shows: checks use it at once, and take a refusal for a full portal. */
  async shownGroup(administrator: Administrator): Promise<string> {
    const { knownWithinMs } = this.#maker
    const id = await this.freshGroup(administrator)
    const read = () => ifRefused(administrator.read(below('/community/groups', id)), () => undefined)
    await this.#maker.until(read, knownWithinMs)
    return id
  }

  /**
   * A workspace that the guest may sync, in that collaboration or a shared one. `items`: how many its first sync has
   * to copy.
   */
  async workspace(collaborationId?: string, items = 0): Promise<MadeWorkspace> {
    const place = await this.#place(collaborationId)
    const { first } = place
    if (items === 0 && first !== undefined) {
      delete place.first
      return { collaborationId: place.id, workspaceId: await this.#link(place, first) }
    }
    // If none could be linked so far, the next one would only wait for nothing.
    if (this.#added instanceof AdministrationError) throw this.#added
    const workspaceId = await ifRefused(this.#addLinked(place, items), (refusal) => {
      this.#added ??= refusal
      throw refusal
    })
    this.#added = true
    return { collaborationId: place.id, workspaceId }
  }

  /** The guest as a participant of that collaboration or a shared one. Without a guest, the host itself. */
  async participant(collaborationId?: string): Promise<FixtureAnswers['participant']> {
    const { id, guests } = await this.#place(collaborationId)
    return { collaborationId: id, participantPortalId: guests[0] ?? (await this.#hostId(id)) }
  }

  /** A collaboration that the guest hosts itself. */
  async guestHosted(): Promise<FixtureAnswers['guestHosted']> {
    const [guest] = this.#maker.guests
    if (guest === undefined) throw new AdministrationError(noGuest)
    return { collaborationId: await this.#createHostedBy(guest, await this.freshGroup(guest)) }
  }

  /** Two guests in different collaborations. */
  async participantElsewhere(): Promise<FixtureAnswers['participantElsewhere']> {
    const [one, other] = this.#maker.guests
    if (one === undefined || other === undefined) throw new AdministrationError('there are no two guests')
    const [here, there] = await Promise.all([this.#create([one]), this.#create([other])])
    return {
      collaborationId: here.id,
      participantPortalId: here.guests[0] as string,
      elsewhereId: there.id,
      elsewherePortalId: there.guests[0] as string,
    }
  }

  /** That collaboration, or one that several fixtures share. */
  async #place(id: string | undefined): Promise<MadeCollaboration> {
    if (id === undefined) return this.#share()
    const known = this.#known.get(id)
    if (known === undefined) throw new AdministrationError(`the run made no collaboration ${id}`)
    return known
  }

  #share(): Promise<MadeCollaboration> {
    const turn = this.#turn++
    const at = (turn % sharedAtOnce) + sharedAtOnce * Math.floor(turn / (sharedAtOnce * shareOf))
    this.#shared[at] ??= this.#create()
    return this.#shared[at]
  }

  /** A group to link one more workspace to. */
  #groupToLink(administrator: Administrator): Promise<string> {
    if (this.groupsAreReusable !== true) return this.freshGroup(administrator)
    const shared = this.#groups.get(administrator) ?? this.freshGroup(administrator)
    this.#groups.set(administrator, shared)
    return shared
  }

  /** Resolves with the id of a new collaboration without guests. */
  #createHostedBy(administrator: Administrator, portalGroupId: string): Promise<string> {
    const description = `Made by ${this.#maker.stamp}`
    return this.#maker.create('collaboration', administrator, (name) => ({
      name,
      description,
      workspaceName: name,
      workspaceDescription: description,
      portalGroupId,
      hostContactFirstname: 'Host',
      hostContactLastname: 'Contact',
      hostContactEmailAddress: 'host@example.com',
      accessMode,
      config: '{}',
    }))
  }

  /** Makes a collaboration of the host in which those guests take part. */
  async #create(guests = this.#maker.guests): Promise<MadeCollaboration> {
    const { host, knownWithinMs } = this.#maker
    const id = await this.#createHostedBy(host, await this.#groupToLink(host))
    const first = guests.length === 0 ? undefined : await this.#listed(id, () => true, knownWithinMs)
    const guestIds: string[] = []
    for (const guest of guests) {
      if (first === undefined) throw new AdministrationError('a new collaboration shows no workspace')
      const joined = await ifRefused(establishTrust(this.#maker, id, guest, first), (refusal) => {
        if (this.#joined.has(guest)) throw refusal
        // Without it, the run judges what it judges without the login of a guest.
        this.#maker.leaveOut(guest, refusal.message)
      })
      if (joined === undefined) continue
      this.#joined.add(guest)
      guestIds.push(joined)
    }
    const made: MadeCollaboration = { id, guests: guestIds, first }
    this.#known.set(id, made)
    return made
  }

  /** The id of the first such workspace that the collaboration lists within that time. */
  #listed(id: string, wanted: (workspace: Body) => boolean, withinMs: number): Promise<string | undefined> {
    const { host } = this.#maker
    return this.#maker.until(async () => {
      const all = await ifRefused(host.readAll(`${collaborationPath(id)}/workspaces`, 'workspaces'), () => [])
      return textAt(all.find(wanted), 'id')
    }, withinMs)
  }

  /** The id of the host among the participants. */
  async #hostId(id: string): Promise<string> {
    const { configuration, knownWithinMs } = this.#maker
    const shown = await this.#maker.until(async () => {
      const [host] = await ifRefused(participantsOf(this.#maker, id, 'Host'), () => [])
      return textAt(host?.portalInfo, 'id')
    }, knownWithinMs)
    return shown ?? configuration.portals.host.id
  }

  /** A further workspace with access and a group of the first guest, and items to copy. */
  async #addLinked(place: MadeCollaboration, items: number): Promise<string> {
    const { host } = this.#maker
    const portalGroupId = await (items === 0 ? this.#groupToLink(host) : this.freshGroup(host))
    await shareItems(this.#maker, this.#itemsToSync, portalGroupId, items)
    // The deployment may know the group a moment later.
    const workspaceId = await this.#maker.insist(() => this.#addWorkspace(place.id, portalGroupId))
    const guest = below(collaborationPath(place.id), 'participants', place.guests[0])
    const collaborationWorkspacesAccessJSON = JSON.stringify([{ [workspaceId]: accessMode }])
    await this.#maker.insist(() =>
      host.performAgain(`${guest}/updateParticipantAccessModes`, { collaborationWorkspacesAccessJSON }),
    )
    return this.#link(place, workspaceId)
  }

  /** Links a group of the first guest to that workspace, so that it can be synced. */
  async #link(place: MadeCollaboration, workspaceId: string): Promise<string> {
    const { guests, trustMs } = this.#maker
    const [guest] = guests
    if (guest === undefined || place.guests.length === 0) throw new AdministrationError(noGuest)
    const portalGroupId = await this.#groupToLink(guest)
    const path = workspacePath({ collaborationId: place.id, workspaceId })
    const fields = { portalGroupId, enableRealtimeSync: 'false', copyFeatureServiceData: 'false' }
    const link = () => guest.perform(`${path}/updatePortalGroupLink`, fields)
    await this.#maker.insist(() =>
      ifRefused(link(), async () => {
        // A guest may hear of an added workspace only at its next configuration sync.
        await refusalOf(guest.read(`${collaborationPath(place.id)}/configSync`, {}, { longestMs: trustMs }))
        return link()
      }),
    )
    return workspaceId
  }

  /** Adds a workspace and finds it in the list: the answer is not used, because this operation is judged. */
  async #addWorkspace(id: string, portalGroupId: string): Promise<string> {
    const { host, budget, stamp, knownWithinMs } = this.#maker
    const name = `${this.#maker.name('collaboration')} workspace`
    const fields = {
      collaborationWorkspaceName: name,
      collaborationWorkspaceDescription: `Made by ${stamp}`,
      portalGroupId,
    }
    const add = () => host.performAgain(`${collaborationPath(id)}/addWorkspace`, fields)
    const refusal = await refusalOf(budget.spend('workspace', add))
    const found = await this.#listed(id, (each) => each.name === name, refusal ? 0 : knownWithinMs)
    if (found !== undefined) return found
    throw refusal ?? new AdministrationError('addWorkspace was answered, and nothing was added')
  }
}

/** The most items that a sync copies: each costs two requests. */
const mostItems = 40
/** The fewest items of a scheduled sync, which checks must meet while it runs. */
const leastOfScheduled = 12
/** A sync of this length copies one item, and longer ones more than proportionally, because the time of an item is unknown. */
const oneItemMs = 300
const growth = 1.5

/** How long a schedule may take to begin, in ms. */
const beginsWithinMs = 10_000
/** How many items a sync copies that should take that long, in ms. */
export const itemsFor = (wishedMs: number): number =>
  wishedMs === 0 ? 0 : Math.min(mostItems, Math.max(1, Math.round((wishedMs / oneItemMs) ** growth)))

/** A workspace whose scheduled sync runs now. */
export async function scheduledSync(
  maker: Maker,
  collaborations: Collaborations,
  wishedMs: number,
): Promise<FixtureReply<'scheduledSync'>> {
  const items = Math.max(leastOfScheduled, itemsFor(wishedMs))
  const workspace = await collaborations.workspace(undefined, items)
  const path = workspacePath(workspace)
  const [guest] = maker.guests
  if (guest === undefined) throw new AdministrationError(noGuest)
  const startTime = String(Date.now())
  await guest.performAgain(`${path}/schedule/update`, { startTime, interval: '24', repeatCount: '-1' })
  const begun = await maker.until(async () => {
    const syncs = await ifHidden(maker.host.readAll(`${path}/syncStatus`, 'status'), () => [])
    return syncs.find(({ syncExecType }) => syncExecType === 'scheduled')
  }, beginsWithinMs)
  if (begun !== undefined) return { ...workspace, remainingMs: 0 }
  const seconds = Math.round(beginsWithinMs / 1000)
  return { notOffered: `a sync that was scheduled for now did not begin within ${seconds} s` }
}
