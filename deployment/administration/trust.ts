/** How a guest joins a collaboration: invitation, acceptance, response, import, and its record at the host. */
import { textAt } from '../../schemas/values.ts'
import { type Administrator, type Body, below } from './administrator.ts'
import type { Maker } from './maker.ts'
import { AdministrationError, ifRefused, refusalOf } from './refusals.ts'

/** What a participant may do in a workspace. */
export const accessMode = 'sendAndReceive'

/** Portals that are far apart may miss each other, so a refused step is repeated this often. */
const mostRepetitions = 6

export const collaborationPath = (id: string): string => below('/portals/self/collaborations', id)

/**
 * Lets the guest join the collaboration, with access to the workspace. Resolves with the guest's id among the
 * participants: the active one that was not there before. Rejects with an AdministrationError.
 */
export async function establishTrust(
  maker: Maker,
  id: string,
  guest: Administrator,
  workspaceId: string,
): Promise<string> {
  const { host, trustMs: longestMs } = maker
  const at = collaborationPath(id)
  const before = await maker.insist(() => activeGuests(maker, id))
  const invitation = {
    guestPortalUrl: guest.ownUrl,
    collaborationWorkspacesParticipantConfigJSON: JSON.stringify([{ [workspaceId]: accessMode }]),
    expiration: '24',
  }
  const contact = {
    guestContactFirstname: 'Guest',
    guestContactLastname: 'Contact',
    guestContactEmailAddress: 'guest@example.com',
  }
  // Clients save invitations and responses under these endings.
  const invited = {
    name: 'invitationFile',
    filename: 'collaboration.invite',
    content: await host.fetchFile(`${at}/inviteParticipant`, invitation, { longestMs }),
  }
  const responded = {
    name: 'invitationResponseFile',
    filename: 'collaboration.response',
    content: await untilShown(
      maker,
      () =>
        guest.perform('/portals/self/acceptCollaborationInvitation', contact, {
          files: [invited],
          longestMs,
        }),
      () => guest.fetchFile(`${at}/exportInvitationResponse`, {}, { longestMs }),
      'the guest exports no response to its invitation',
    ),
  }
  return untilShown(
    maker,
    () => host.perform(`${at}/importInvitationResponse`, {}, { files: [responded], longestMs }),
    async () => (await activeGuests(maker, id)).find((each) => !before.includes(each)),
    `a guest was accepted and is not active ${Math.round(waitMsOf(maker) / 1000)} s later (a deployment that needs longer needs a longer run.settle)`,
  )
}

const waitMsOf = ({ knownWithinMs, settleMs }: Maker): number => knownWithinMs + settleMs

/**
 * The result of a step. A step that was not answered may have been performed, or may still go on. Rejects with the
 * refusal, or as `missing` if the step was accepted and its result never shows.
 */
async function untilShown<Result>(
  maker: Maker,
  perform: () => Promise<unknown>,
  result: () => Promise<Result | undefined>,
  missing: string,
): Promise<Result> {
  const refusal = await refusalOf(perform())
  let repetitions = 0
  const look = async () => {
    const found = await ifRefused(result(), () => undefined)
    if (found === undefined && refusal !== undefined && repetitions++ < mostRepetitions)
      await refusalOf(perform())
    return found
  }
  const found = await maker.until(look, refusal?.mayBeDone === true ? maker.trustMs : waitMsOf(maker))
  if (found !== undefined) return found
  throw refusal ?? new AdministrationError(missing)
}

async function activeGuests(maker: Maker, id: string): Promise<string[]> {
  const guests = await participantsOf(maker, id, 'Guest')
  return guests.flatMap(({ status, portalInfo }) =>
    status === 'active' ? (textAt(portalInfo, 'id') ?? []) : [],
  )
}

/** The records of the guests of a collaboration, or that of its host, whose ids may differ from those in paths. */
export async function participantsOf({ host }: Maker, id: string, role: 'Guest' | 'Host'): Promise<Body[]> {
  const all = await host.readAll(`${collaborationPath(id)}/participants`, 'participants')
  return all.filter(({ collaborationRole }) => collaborationRole === role)
}
