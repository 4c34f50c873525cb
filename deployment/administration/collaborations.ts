/** Collaborations with their guests and workspaces, made as administrators of both sides make them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { textAt } from '../../schemas/any-value.ts'
import type { FixtureAnswers } from '../fixtures/fixture-kinds.ts'
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
const withGuest = 'sendAndReceive'
/** Where so many workspaces in a row cannot be made, and none could before, each further one would wait for nothing. */
const mostFailures = 4

export class Collaborations {
  readonly groups: Groups
  readonly stock: Stock<MadeCollaboration>
  /** How long after a group was linked the guest can sync the workspace. */
  linksCountAfterMs = 0
  readonly #workshop: Workshop
  readonly #known = new Map<string, MadeCollaboration>()
  readonly #shared: { readonly collaboration: Promise<MadeCollaboration>; left: number }[] = []
  readonly #participants: Promise<MadeCollaboration>[] = []
  /** How many workspaces in a row could not be linked at the start; and why none is tried any more. */
  #failures = 0
  #neverLinked: AdministrationError | undefined
  /** Whether the ids that new workspaces are answered with are those of the list; undefined: not known yet. */
  #answersTell: boolean | undefined
  /** Whether the deployment calls its guests as the configuration does. */
  #addressesTell = true
  #participant = 0
  #hosted: Promise<string> | undefined
  #apart: Promise<readonly [MadeCollaboration, MadeCollaboration]> | undefined
  #hostId: Promise<string> | undefined

  constructor(workshop: Workshop) {
    this.#workshop = workshop
    this.groups = new Groups(workshop)
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
    const place =
      collaborationId === undefined ? await this.shared() : await this.#collaboration(collaborationId)
    const workspaceId = await ifRefused(
      items === 0 ? this.#linked(place) : this.#filled(place, items),
      (refusal) => {
        this.#failures += 1
        if (this.#failures === mostFailures) this.#neverLinked = refusal
        throw refusal
      },
    )
    this.#failures = Number.NEGATIVE_INFINITY
    return { collaborationId: place.id, workspaceId }
  }

  async #filled(place: MadeCollaboration, items: number): Promise<string> {
    const { host } = this.#workshop
    const portalGroupId = await this.groups.fresh(host)
    await shareItems(this.#workshop, portalGroupId, items)
    return this.#linked(place, portalGroupId)
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
    const found = { id, guests: await this.#guestsOf(id, this.#workshop.guests) }
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

  async #create(guests = this.#workshop.guests): Promise<MadeCollaboration> {
    const { host } = this.#workshop
    const id = await this.#found(host, await this.groups.toLink(host))
    const first = guests.length === 0 ? undefined : await this.#firstWorkspace(id)
    for (const guest of guests) await this.#trust(id, guest, first as string)
    const made: MadeCollaboration = {
      id,
      guests: guests.length === 0 ? [] : await this.#guestsOf(id, guests),
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

  async #trust(id: string, guest: Administrator, workspaceId: string): Promise<void> {
    const { host, knownWithinMs } = this.#workshop
    const config = JSON.stringify([{ [workspaceId]: withGuest }])
    const invite = (hours: string) =>
      host.fetchFile(`${at(id)}/inviteParticipant`, {
        guestPortalUrl: guest.siteUrl,
        collaborationWorkspacesParticipantConfigJSON: config,
        expiration: hours,
      })
    // How long an invitation may hold is not said.
    const invitation = await ifRefused(invite('24'), () => invite('1'))
    const contact = {
      guestContactFirstname: 'Guest',
      guestContactLastname: 'Contact',
      guestContactEmailAddress: 'guest@example.com',
    }
    // Some take a file by the ending of its name only.
    const file = (name: string, filename: string, content: Buffer) => ({
      files: [{ name, filename, content }],
    })
    // What a first try did without saying so is refused the second time: the answer to the invitation tells.
    const accept = () =>
      refusalOf(
        guest.performAgain(
          '/portals/self/acceptCollaborationInvitation',
          contact,
          file('invitationFile', 'collaboration.invite', invitation),
        ),
      )
    const refusal = await accept()
    const response = await this.#workshop.until(async () => {
      const exported = await ifRefused(guest.fetchFile(`${at(id)}/exportInvitationResponse`), () => undefined)
      // Portals that do not reach each other for a moment refuse it for that moment.
      if (exported === undefined && refusal !== undefined) await accept()
      return exported
    }, knownWithinMs)
    if (response === undefined)
      throw refusal ?? new AdministrationError('the guest exports no answer to its invitation')
    // The host may hear a moment later that the guest accepted.
    await this.#workshop.untilDone(() =>
      host.performAgain(
        `${at(id)}/importInvitationResponse`,
        {},
        file('invitationResponseFile', 'collaboration.response', response),
      ),
    )
  }

  /**
   * Their portal ids, in that order, once all are active. Others may take part as well: whose a record is, its address
   * tells. Where it names a portal otherwise than the configuration does, those that are there first are taken.
   */
  async #guestsOf(id: string, guests: readonly Administrator[]): Promise<string[]> {
    const { settleMs, knownWithinMs } = this.#workshop
    const active = async (): Promise<Body[]> =>
      (await this.#records(id, 'Guest')).filter(({ status }) => status === 'active')
    let since: number | undefined
    const found = await this.#workshop.until(async () => {
      const all = await active()
      if (all.length < guests.length) return undefined
      const theirs = guests.flatMap(({ siteUrl }) => all.find((each) => isAt(each, siteUrl)) ?? [])
      if (theirs.length === guests.length) return theirs
      since ??= performance.now()
      if (this.#addressesTell && performance.now() - since < settleMs) return undefined
      this.#addressesTell = false
      return all.slice(0, guests.length)
    }, knownWithinMs + settleMs)
    if (found === undefined) throw new AdministrationError('a guest was accepted and does not become active')
    return found.map((each) => textIn(each, 'participants', 'portalInfo', 'id'))
  }

  async #records(id: string, role: 'Guest' | 'Host'): Promise<Body[]> {
    const { host } = this.#workshop
    const all = await ifRefused(host.readAll(`${at(id)}/participants`, 'participants'), () => [])
    return all.filter(({ collaborationRole }) => collaborationRole === role)
  }

  /** What the host is called in records of participants, the same in all of them: paths may call it otherwise. */
  #hostAmongParticipants(id: string): Promise<string> {
    const workshop = this.#workshop
    this.#hostId ??= workshop
      .until(async () => {
        const [own] = await this.#records(id, 'Host')
        return own === undefined ? undefined : textIn(own, 'participants', 'portalInfo', 'id')
      }, workshop.knownWithinMs)
      .then((found) => found ?? workshop.configuration.portals.host.id)
    return this.#hostId
  }

  /** A workspace with access and a group of the first guest, and that one of the host where it is given. */
  async #linked(place: MadeCollaboration, hostGroupId?: string): Promise<string> {
    const { host, guests } = this.#workshop
    const [guest] = guests
    const [portalId] = place.guests
    if (guest === undefined || portalId === undefined)
      throw new AdministrationError('no guest takes part in the collaboration')
    const first = hostGroupId === undefined ? place.first : undefined
    if (first !== undefined) delete place.first
    const workspaceId =
      first ?? (await this.#addWorkspace(place.id, hostGroupId ?? (await this.groups.toLink(host))))
    // A new workspace may be known a moment later.
    if (first === undefined)
      await this.#workshop.untilDone(() =>
        host.performAgain(below(at(place.id), 'participants', portalId, 'updateParticipantAccessModes'), {
          collaborationWorkspacesAccessJSON: JSON.stringify([{ [workspaceId]: withGuest }]),
        }),
      )
    const portalGroupId = await this.groups.toLink(guest)
    // Its access may count a moment later.
    await this.#workshop.untilDone(() =>
      guest.perform(below(at(place.id), 'workspaces', workspaceId, 'updatePortalGroupLink'), {
        portalGroupId,
        enableRealtimeSync: 'false',
        copyFeatureServiceData: 'false',
      }),
    )
    await sleep(this.linksCountAfterMs, undefined, { signal: this.#workshop.signal })
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

/** Whether that participant is the portal at that address. */
function isAt({ portalInfo }: Body, siteUrl: string): boolean {
  const plain = (url: string) => url.replace(/\/+$/, '').toLowerCase()
  return plain(textAt(portalInfo, 'url') ?? '') === plain(siteUrl)
}

/** The path of a collaboration. */
export const at = (id: string): string => below('/portals/self/collaborations', id)
