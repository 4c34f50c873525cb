/** How a guest comes to take part in a collaboration: invitation, acceptance, response, import, and its record at the host. */
import { textAt } from '../../schemas/any-value.ts'
import {
  AdministrationError,
  type Administrator,
  type Body,
  below,
  ifRefused,
  refusalOf,
} from './administrator.ts'
import { textIn, type Workshop } from './workshop.ts'

/** What a participant may do in a workspace. */
export const withGuest = 'sendAndReceive'

export class Trust {
  readonly #workshop: Workshop
  /** Whether the deployment calls its guests as the configuration, or they themselves, do. */
  #addressesTell = true

  constructor(workshop: Workshop) {
    this.#workshop = workshop
  }

  /** Has the guest take part in that collaboration, with access to the workspace. Rejects with an AdministrationError. */
  async establish(id: string, guest: Administrator, workspaceId: string): Promise<void> {
    const invitation = await this.#invited(id, guest, workspaceId)
    const response = await this.#accepted(id, guest, invitation)
    await this.#imported(id, response)
  }

  #invited(id: string, guest: Administrator, workspaceId: string): Promise<Buffer> {
    const { host, trustMs } = this.#workshop
    const config = JSON.stringify([{ [workspaceId]: withGuest }])
    const invite = (expiration: string) =>
      host.fetchFile(
        `${at(id)}/inviteParticipant`,
        {
          guestPortalUrl: guest.ownUrl,
          collaborationWorkspacesParticipantConfigJSON: config,
          expiration,
        },
        { longestMs: trustMs },
      )
    // How long an invitation may hold is not said.
    return ifRefused(invite('24'), () => invite('1'))
  }

  /** The guest's answer to its invitation. */
  async #accepted(id: string, guest: Administrator, invitation: Buffer): Promise<Buffer> {
    const { knownWithinMs, trustMs } = this.#workshop
    const contact = {
      guestContactFirstname: 'Guest',
      guestContactLastname: 'Contact',
      guestContactEmailAddress: 'guest@example.com',
    }
    // Some take a file by the ending of its name only.
    const file = { name: 'invitationFile', filename: 'collaboration.invite', content: invitation }
    const asked = { files: [file], longestMs: trustMs }
    const accept = () =>
      refusalOf(guest.perform('/portals/self/acceptCollaborationInvitation', contact, asked))
    // What a first try did without saying so is refused the second time: the answer to the invitation tells.
    const refusal = await accept()
    const response = await this.#workshop.until(
      async () => {
        const exporting = guest.fetchFile(`${at(id)}/exportInvitationResponse`, {}, { longestMs: trustMs })
        const exported = await ifRefused(exporting, () => undefined)
        // Portals that do not reach each other for a moment refuse it for that moment.
        if (exported === undefined && refusal !== undefined) await accept()
        return exported
      },
      refusal?.mayBeDone === true ? trustMs : knownWithinMs,
    )
    if (response !== undefined) return response
    throw refusal ?? new AdministrationError('the guest exports no answer to its invitation')
  }

  async #imported(id: string, response: Buffer): Promise<void> {
    const { host, trustMs } = this.#workshop
    const file = { name: 'invitationResponseFile', filename: 'collaboration.response', content: response }
    const asked = { files: [file], longestMs: trustMs }
    const before = await this.#activeIds(id)
    const isDone = async () => (await this.#activeIds(id)).some((each) => !before.includes(each))
    let mayBeDone = false
    const refusal = await refusalOf(
      // The host may hear a moment later that the guest accepted.
      this.#workshop.untilDone(async () => {
        const why = await refusalOf(host.perform(`${at(id)}/importInvitationResponse`, {}, asked))
        mayBeDone ||= why?.mayBeDone === true
        if (why !== undefined && !(mayBeDone && (await isDone()))) throw why
      }),
    )
    if (refusal === undefined) return
    // No answer says nothing of what was done: the participants tell, once it is done.
    const done = async () => (await isDone()) || undefined
    if (!mayBeDone || (await this.#workshop.until(done, trustMs)) === undefined) throw refusal
  }

  async #activeIds(id: string): Promise<unknown[]> {
    return (await this.#active(id)).map(({ portalInfo }) => textAt(portalInfo, 'id'))
  }

  async #active(id: string): Promise<Body[]> {
    return (await this.records(id, 'Guest')).filter(({ status }) => status === 'active')
  }

  /**
   * Portal ids of the guests, in that order, once all are active. Others may take part as well: whose a record is, its
   * address tells. Where it names a portal otherwise than the configuration and the portal itself do, those that are
   * there first are taken.
   */
  async guestsOf(id: string, guests: readonly Administrator[]): Promise<string[]> {
    const { settleMs, knownWithinMs } = this.#workshop
    let since: number | undefined
    const withinMs = knownWithinMs + settleMs
    const found = await this.#workshop.until(async () => {
      const all = await this.#active(id)
      if (all.length < guests.length) return undefined
      const theirs = guests.flatMap((guest) => all.find((each) => isAt(each, guest)) ?? [])
      if (theirs.length === guests.length) return theirs
      since ??= performance.now()
      if (this.#addressesTell && performance.now() - since < settleMs) return undefined
      this.#addressesTell = false
      return all.slice(0, guests.length)
    }, withinMs)
    if (found === undefined)
      throw new AdministrationError(
        `a guest was accepted and is not active ${Math.round(withinMs / 1000)} s later (a deployment that needs longer needs a longer run.settle)`,
      )
    return found.map((each) => textIn(each, 'participants', 'portalInfo', 'id'))
  }

  /** What the host's list shows of participants of that role; none while it shows nothing. */
  async records(id: string, role: 'Guest' | 'Host'): Promise<Body[]> {
    const { host } = this.#workshop
    const all = await ifRefused(host.readAll(`${at(id)}/participants`, 'participants'), () => [])
    return all.filter(({ collaborationRole }) => collaborationRole === role)
  }
}

/** Whether that participant is that portal, by any of its addresses. */
function isAt({ portalInfo }: Body, { siteUrl, ownUrl }: Administrator): boolean {
  const plain = (url: string) => url.replace(/\/+$/, '').toLowerCase()
  const url = plain(textAt(portalInfo, 'url') ?? '')
  return [siteUrl, ownUrl].map(plain).includes(url)
}

/** The path of a collaboration. */
export const at = (id: string): string => below('/portals/self/collaborations', id)
