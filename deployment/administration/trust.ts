/** How a guest joins a collaboration: invitation, acceptance, response, import, and its record at the host. */
import { textAt } from '../../schemas/values.ts'
import {
  AdministrationError,
  type Administrator,
  type Body,
  below,
  ifRefused,
  refusalOf,
} from './administrator.ts'
import type { Maker } from './maker.ts'

/** What a participant may do in a workspace. */
export const accessMode = 'sendAndReceive'

/** Portals that are far apart may miss each other, so a refused step is repeated this often. */
const mostRepetitions = 6

/** A step of the handshake, and the read that shows its result. */
interface Step<Result> {
  readonly perform: () => Promise<unknown>
  readonly result: () => Promise<Result | undefined>
  /** The error if the step was accepted and its result never shows. */
  readonly missing: string
}

export class Trust {
  readonly #maker: Maker

  constructor(maker: Maker) {
    this.#maker = maker
  }

  /**
   * Lets the guest join the collaboration, with access to the workspace. Resolves with the guest's id among the
   * participants. Rejects with an AdministrationError.
   */
  async establish(id: string, guest: Administrator, workspaceId: string): Promise<string> {
    const before = await this.#maker.untilAccepted(() => this.#activeGuests(id))
    const invitation = await this.#invite(id, guest, workspaceId)
    const response = await this.#accept(id, guest, invitation)
    return this.#import(id, response, before)
  }

  #invite(id: string, guest: Administrator, workspaceId: string): Promise<Buffer> {
    const { host, trustMs } = this.#maker
    return host.fetchFile(
      `${collaborationPath(id)}/inviteParticipant`,
      {
        guestPortalUrl: guest.ownUrl,
        collaborationWorkspacesParticipantConfigJSON: JSON.stringify([{ [workspaceId]: accessMode }]),
        expiration: '24',
      },
      { longestMs: trustMs },
    )
  }

  /** The guest's response to its invitation. */
  #accept(id: string, guest: Administrator, content: Buffer): Promise<Buffer> {
    const { trustMs: longestMs } = this.#maker
    const contact = {
      guestContactFirstname: 'Guest',
      guestContactLastname: 'Contact',
      guestContactEmailAddress: 'guest@example.com',
    }
    // Clients save invitations and responses under these endings.
    const files = [{ name: 'invitationFile', filename: 'collaboration.invite', content }]
    return this.#shown({
      perform: () =>
        guest.perform('/portals/self/acceptCollaborationInvitation', contact, { files, longestMs }),
      result: () =>
        ifRefused(
          guest.fetchFile(`${collaborationPath(id)}/exportInvitationResponse`, {}, { longestMs }),
          () => undefined,
        ),
      missing: 'the guest exports no response to its invitation',
    })
  }

  /** The guest is the active participant that was not there before the import. */
  #import(id: string, content: Buffer, before: readonly string[]): Promise<string> {
    const { host, trustMs: longestMs } = this.#maker
    const files = [{ name: 'invitationResponseFile', filename: 'collaboration.response', content }]
    const newGuest = async () => (await this.#activeGuests(id)).find((each) => !before.includes(each))
    return this.#shown({
      perform: () =>
        host.perform(`${collaborationPath(id)}/importInvitationResponse`, {}, { files, longestMs }),
      result: () => ifRefused(newGuest(), () => undefined),
      missing: `a guest was accepted and is not active ${Math.round(this.#waitMs / 1000)} s later (a deployment that needs longer needs a longer run.settle)`,
    })
  }

  get #waitMs(): number {
    return this.#maker.knownWithinMs + this.#maker.settleMs
  }

  /** The result of a step. A step that was not answered may have been performed, or may still go on. */
  async #shown<Result>({ perform, result, missing }: Step<Result>): Promise<Result> {
    const refusal = await refusalOf(perform())
    let repetitions = 0
    const look = async () => {
      const found = await result()
      if (found === undefined && refusal !== undefined && repetitions++ < mostRepetitions)
        await refusalOf(perform())
      return found
    }
    const withinMs = refusal?.mayBeDone === true ? this.#maker.trustMs : this.#waitMs
    const found = await this.#maker.until(look, withinMs)
    if (found !== undefined) return found
    throw refusal ?? new AdministrationError(missing)
  }

  async #activeGuests(id: string): Promise<string[]> {
    const guests = await this.#participants(id, 'Guest')
    return guests.flatMap(({ status, portalInfo }) =>
      status === 'active' ? (textAt(portalInfo, 'id') ?? []) : [],
    )
  }

  /** The host's own id among the participants, which may differ from its id in paths. */
  async hostId(id: string): Promise<string | undefined> {
    const [host] = await ifRefused(this.#participants(id, 'Host'), () => [])
    return textAt(host?.portalInfo, 'id')
  }

  async #participants(id: string, role: 'Guest' | 'Host'): Promise<Body[]> {
    const all = await this.#maker.host.readAll(`${collaborationPath(id)}/participants`, 'participants')
    return all.filter(({ collaborationRole }) => collaborationRole === role)
  }
}

export const collaborationPath = (id: string): string => below('/portals/self/collaborations', id)

export interface MadeWorkspace {
  readonly collaborationId: string
  readonly workspaceId: string
}

export const workspacePath = ({ collaborationId, workspaceId }: MadeWorkspace): string =>
  below(collaborationPath(collaborationId), 'workspaces', workspaceId)
