/** Collaborations with their guests and workspaces, made as administrators of both sides make them. */
import { textAt } from '../../schemas/any-value.ts'
import type { FixtureAnswers } from '../fixtures/fixture-kinds.ts'
import { pause } from '../patiently.ts'
import {
  AdministrationError,
  type Administrator,
  type Body,
  below,
  ifRefused,
  refusalOf,
} from './administrator.ts'
import { shareItems } from './content.ts'
import { Groups } from './groups.ts'
import { Stock } from './stock.ts'
import { at, Trust, withGuest } from './trust.ts'
import { textIn, type Workshop } from './workshop.ts'

export interface MadeCollaboration {
  readonly id: string
  /** Portal ids of the guests, as the host names them, in the order of their logins. */
  readonly guests: readonly string[]
  /** Its first workspace; absent once it was handed out. */
  first?: string
}

export interface MadeWorkspace {
  readonly collaborationId: string
  readonly workspaceId: string
}

/** Workspaces are put into so many collaborations in turn, so that there are some of different ones. */
const sharedAtOnce = 2
/** So many workspaces are put into each of them. */
const shareOf = 20
/** Where so many workspaces in a row cannot be made, and none could before, each further one would wait for nothing. */
const mostFailures = 4

const noGuest = 'no guest takes part in the collaboration'
const firstAlone =
  'a guest can link the first workspace of a collaboration alone here, also after its configSync'

export class Collaborations {
  readonly groups: Groups
  readonly stock: Stock<MadeCollaboration>
  /** How long after a group was linked the guest can sync the workspace. */
  linksCountAfterMs = 0
  readonly #workshop: Workshop
  readonly #trust: Trust
  readonly #known = new Map<string, MadeCollaboration>()
  readonly #shared: { readonly collaboration: Promise<MadeCollaboration>; left: number }[] = []
  readonly #participants: Promise<MadeCollaboration>[] = []
  /** How many workspaces in a row could not be linked at the start; and why none is tried any more. */
  #failures = 0
  #neverLinked: AdministrationError | undefined
  /** Whether a guest hears of a workspace that was added at its next configuration sync only. */
  #hearsLate = false
  /** Whether a guest can link nothing but the first workspace of a collaboration, whatever is tried. */
  #firstAlone = false
  /** Whether the ids that new workspaces are answered with are those of the list; undefined: not known yet. */
  #answersTell: boolean | undefined
  #participant = 0
  #hosted: Promise<string> | undefined
  #apart: Promise<readonly [MadeCollaboration, MadeCollaboration]> | undefined
  #hostId: Promise<string> | undefined

  constructor(workshop: Workshop) {
    this.#workshop = workshop
    this.groups = new Groups(workshop)
    this.#trust = new Trust(workshop)
    this.stock = new Stock(() => this.#create())
  }

  /** Whether one group takes several workspaces: the first collaboration shows it. */
  async tryGroups(): Promise<void> {
    const { host } = this.#workshop
    const { id } = await this.shared()
    const portalGroupId = await this.groups.fresh(host)
    const add = () => this.#addWorkspace(id, portalGroupId)
    const added = (await refusalOf(this.#workshop.untilDone(add))) === undefined
    // Where none can be added at all, a check says so, and one group is as good for it as a hundred.
    this.groups.reusable = !added || (await refusalOf(add())) === undefined
    if (!this.groups.reusable) this.#workshop.budget.takesGroupsForOne()
  }

  /** One that others use as well. Where no more can be made, those that are there take more. */
  async shared(): Promise<MadeCollaboration> {
    const next = this.#shared.length < sharedAtOnce ? undefined : this.#shared.shift()
    const share = next === undefined || next.left === 0 ? this.#newShare() : next
    share.left -= 1
    this.#shared.push(share)
    try {
      return await share.collaboration
    } catch (error) {
      for (const { collaboration } of this.#shared) {
        const [other] = await Promise.allSettled([collaboration])
        if (other.status === 'fulfilled') return other.value
      }
      throw error
    }
  }

  #newShare(): { readonly collaboration: Promise<MadeCollaboration>; left: number } {
    const collaboration = this.#create()
    collaboration.catch(() => undefined)
    return { collaboration, left: shareOf }
  }

  /**
   * A workspace that the guest may sync, in that collaboration or a shared one. `items`: how many its first sync has
   * to copy.
   */
  async workspace(collaborationId?: string, items = 0): Promise<MadeWorkspace> {
    if (this.#neverLinked !== undefined) throw this.#neverLinked
    const made = await ifRefused(this.#workspaceIn(collaborationId, items), (refusal) => {
      this.#failures += 1
      if (this.#failures === mostFailures) this.#neverLinked = refusal
      throw refusal
    })
    this.#failures = Number.NEGATIVE_INFINITY
    return made
  }

  async #workspaceIn(collaborationId: string | undefined, items: number): Promise<MadeWorkspace> {
    if (!this.#firstAlone) {
      const place =
        collaborationId === undefined ? await this.shared() : await this.#collaboration(collaborationId)
      const workspaceId = await ifRefused(this.#linked(place, items), (refusal) => {
        if (!this.#firstAlone) throw refusal
        return undefined
      })
      if (workspaceId !== undefined) return { collaborationId: place.id, workspaceId }
    }
    const place =
      collaborationId === undefined ? await this.#ownPlace(items) : await this.#collaboration(collaborationId)
    if (place.first === undefined) throw new AdministrationError(firstAlone)
    return { collaborationId: place.id, workspaceId: await this.#linkedFirst(place, place.first) }
  }

  /** A collaboration for one workspace, with so many items to copy. */
  async #ownPlace(items: number): Promise<MadeCollaboration> {
    return items === 0 ? this.stock.take() : this.#create(undefined, await this.#groupWith(items))
  }

  /** A group of the host that so many items are shared with. */
  async #groupWith(items: number): Promise<string> {
    const portalGroupId = await this.groups.fresh(this.#workshop.host)
    await shareItems(this.#workshop, portalGroupId, items)
    return portalGroupId
  }

  /** The guest's record in that collaboration, or in one of a few that take turns; the host's own where no guest is. */
  async participant(collaborationId?: string): Promise<FixtureAnswers['participant']> {
    const place =
      collaborationId === undefined ? await this.#nextPlace() : await this.#collaboration(collaborationId)
    const [guest] = place.guests
    return {
      collaborationId: place.id,
      participantPortalId: guest ?? (await this.#hostAmongParticipants(place.id)),
    }
  }

  /** One that the guest hosts, with nobody else in it. Its id. */
  async hostedByGuest(): Promise<string> {
    const [guest] = this.#workshop.guests
    if (guest === undefined)
      throw new AdministrationError('there is no guest that could host a collaboration')
    this.#hosted ??= this.#found(guest, await this.groups.fresh(guest))
    return this.#hosted
  }

  /** Two guests, each in a collaboration where the other is not. */
  async participantElsewhere(): Promise<FixtureAnswers['participantElsewhere']> {
    const [one, other] = this.#workshop.guests
    if (one === undefined || other === undefined) throw new AdministrationError('there are no two guests')
    this.#apart ??= Promise.all([this.#create([one]), this.#create([other])])
    const [here, there] = await this.#apart
    return {
      collaborationId: here.id,
      participantPortalId: here.guests[0] as string,
      elsewhereId: there.id,
      elsewherePortalId: there.guests[0] as string,
    }
  }

  #nextPlace(): Promise<MadeCollaboration> {
    const most = 4
    this.#participant += 1
    const at = this.#participant % most
    this.#participants[at] ??= this.stock.take().catch(() => this.shared())
    return this.#participants[at]
  }

  async #collaboration(id: string): Promise<MadeCollaboration> {
    const known = this.#known.get(id)
    if (known !== undefined) return known
    const found = { id, guests: await this.#trust.guestsOf(id, this.#workshop.guests) }
    this.#known.set(id, found)
    return found
  }

  /** With that administrator's portal as its host. Its id. */
  #found(host: Administrator, portalGroupId: string): Promise<string> {
    const { stamp } = this.#workshop
    return this.#workshop.make(
      'collaboration',
      async (name) => {
        const answer = await host.perform('/portals/self/createCollaboration', {
          name,
          description: `Made by ${stamp}`,
          workspaceName: name,
          workspaceDescription: `Made by ${stamp}`,
          portalGroupId,
          hostContactFirstname: 'Host',
          hostContactLastname: 'Contact',
          hostContactEmailAddress: 'host@example.com',
          accessMode: withGuest,
          config: '{}',
        })
        const nested = (answer.collaboration as Body | undefined)?.id ?? answer.collaborationId
        return textIn({ id: nested }, 'createCollaboration', 'id')
      },
      { portal: host.portal },
    )
  }

  /** With those guests in it. `hostGroupId`: the group that the host shares in its first workspace. */
  async #create(guests = this.#workshop.guests, hostGroupId?: string): Promise<MadeCollaboration> {
    const { host } = this.#workshop
    const id = await this.#found(host, hostGroupId ?? (await this.groups.toLink(host)))
    const first = guests.length === 0 ? undefined : await this.#firstWorkspace(id)
    for (const guest of guests) await this.#trust.establish(id, guest, first as string)
    const made: MadeCollaboration = {
      id,
      guests: guests.length === 0 ? [] : await this.#trust.guestsOf(id, guests),
      ...(first === undefined ? {} : { first }),
    }
    this.#known.set(id, made)
    return made
  }

  async #firstWorkspace(id: string): Promise<string> {
    const found = await this.#listed(id, () => true, this.#workshop.knownWithinMs)
    if (found === undefined) throw new AdministrationError('a new collaboration shows no workspace')
    return found
  }

  /** The id of the first such workspace that the collaboration shows within that time: it may be a moment later. */
  #listed(id: string, wanted: (workspace: Body) => boolean, withinMs: number): Promise<string | undefined> {
    const { host } = this.#workshop
    return this.#workshop.until(async () => {
      const all = await ifRefused(host.readAll(`${at(id)}/workspaces`, 'workspaces'), () => [])
      return textAt(all.find(wanted), 'id')
    }, withinMs)
  }

  /** What the host is called in records of participants, the same in all of them: paths may call it otherwise. */
  #hostAmongParticipants(id: string): Promise<string> {
    const workshop = this.#workshop
    this.#hostId ??= workshop
      .until(async () => {
        const [own] = await this.#trust.records(id, 'Host')
        return own === undefined ? undefined : textIn(own, 'participants', 'portalInfo', 'id')
      }, workshop.knownWithinMs)
      .then((found) => found ?? workshop.configuration.portals.host.id)
    return this.#hostId
  }

  /** A workspace with access and a group of the first guest: the first one, or else one more, with items to copy. */
  async #linked(place: MadeCollaboration, items: number): Promise<string> {
    if (items === 0 && place.first !== undefined) return this.#linkedFirst(place, place.first)
    const { host } = this.#workshop
    const portalGroupId = items === 0 ? await this.groups.toLink(host) : await this.#groupWith(items)
    const workspaceId = await this.#addWorkspace(place.id, portalGroupId)
    // A new workspace may be known a moment later.
    await this.#workshop.untilDone(() =>
      host.performAgain(
        below(at(place.id), 'participants', place.guests[0], 'updateParticipantAccessModes'),
        { collaborationWorkspacesAccessJSON: JSON.stringify([{ [workspaceId]: withGuest }]) },
      ),
    )
    return ifRefused(this.#link(place, workspaceId), (refusal) => {
      const { code = 0, mayBeDone } = refusal
      if (code > 0 && code < 500 && !mayBeDone) this.#firstAlone = true
      throw refusal
    })
  }

  async #linkedFirst(place: MadeCollaboration, first: string): Promise<string> {
    delete place.first
    return this.#link(place, first)
  }

  /** Links a group of the first guest to that workspace, so that it can be synced. */
  async #link(place: MadeCollaboration, workspaceId: string): Promise<string> {
    const { guests, signal, trustMs } = this.#workshop
    const [guest] = guests
    if (guest === undefined || place.guests.length === 0) throw new AdministrationError(noGuest)
    const portalGroupId = await this.groups.toLink(guest)
    const link = () =>
      guest.perform(below(at(place.id), 'workspaces', workspaceId, 'updatePortalGroupLink'), {
        portalGroupId,
        enableRealtimeSync: 'false',
        copyFeatureServiceData: 'false',
      })
    if (this.#hearsLate || (await refusalOf(link())) !== undefined) {
      // Its access may count a moment later, and a guest may hear of a workspace at its next configuration sync only.
      await this.#workshop.untilDone(async () => {
        await refusalOf(guest.read(`${at(place.id)}/configSync`, {}, { longestMs: trustMs }))
        return link()
      })
      this.#hearsLate = true
    }
    await pause(this.linksCountAfterMs, signal)
    return workspaceId
  }

  /**
   * In a collaboration of the run, which goes with all that is in it. This operation is judged as well: where its answer
   * does not give the id, or the first one gives another than the list does, the list counts.
   */
  async #addWorkspace(id: string, portalGroupId: string): Promise<string> {
    const { host, knownWithinMs, settleMs } = this.#workshop
    const name = `${this.#workshop.name('collaboration')} workspace`
    const fields = {
      collaborationWorkspaceName: name,
      collaborationWorkspaceDescription: `Made by ${this.#workshop.stamp}`,
      portalGroupId,
    }
    const add = () => host.performAgain(`${at(id)}/addWorkspace`, fields)
    const answer = await ifRefused(this.#workshop.budget.spend('workspace', add), (error) => error)
    const refused = answer instanceof AdministrationError
    const given = refused
      ? undefined
      : (textAt(answer, 'workspace', 'id') ?? textAt(answer, 'collaborationWorkspaceId'))
    if (given !== undefined && this.#answersTell === true) return given
    const withinMs = refused ? 0 : given === undefined ? knownWithinMs : settleMs
    const there = await this.#listed(id, (each) => each.name === name, withinMs)
    if (given !== undefined) this.#answersTell ??= there === undefined || there === given
    const found = this.#answersTell === false ? (there ?? given) : (given ?? there)
    if (found !== undefined) return found
    throw refused ? answer : new AdministrationError('addWorkspace was answered, and nothing was added')
  }
}
