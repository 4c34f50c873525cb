/**
 * How a guest joins a collaboration: invitation, acceptance, response, trust. Clients carry the files without reading
 * them.
 */
import { randomBytes } from 'node:crypto'
import { after } from '../alterations.ts'
import { done } from '../answers.ts'
import type { Rendered } from '../parts.ts'
import type { Collaboration, Invitation, PortalName } from '../store.ts'
import { type AdministrativeCall, administrator, contactOf, page, type Route } from './call.ts'
import { accessModesIn, byGuest, byHost, grant } from './collaborations.ts'

const guests: readonly PortalName[] = ['guest', 'otherGuest']

function file({ parts }: AdministrativeCall, name: string, content: object): Rendered {
  const text = Buffer.from(JSON.stringify(content)).toString('base64')
  const type = 'application/octet-stream'
  if (!parts.administration.filesInForms)
    return {
      status: 200,
      headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` },
      body: Buffer.from(text),
    }
  const boundary = 'part of an answer'
  const head = `Content-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}`
  return {
    status: 200,
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    body: Buffer.from(`--${boundary}\r\n${head}\r\n\r\n${text}\r\n--${boundary}--\r\n`),
  }
}

/** The content of a file that `file` wrote. */
function contentIn(
  { arrival }: AdministrativeCall,
  name: string,
): { collaborationId?: unknown; key?: unknown } {
  try {
    const text = arrival.files.get(name)?.content.toString('latin1') ?? ''
    return JSON.parse(Buffer.from(text, 'base64').toString('utf8'))
  } catch {
    return {}
  }
}

const invitationsOf = (collaboration: Collaboration | undefined): readonly Invitation[] =>
  collaboration?.about?.invitations ?? []

const one = '/portals/:portal/collaborations/:collaboration'

export const trustRoutes: readonly Route[] = [
  page(`${one}/inviteParticipant`, byHost, (call, collaboration) => {
    const { field, store, contextUrl } = call
    const url = field('guestPortalUrl')?.replace(/\/+$/, '')
    const guest = guests.find((name) => contextUrl(name) === url)
    if (guest === undefined) return 'unknown-portal'
    const modes = accessModesIn(field('collaborationWorkspacesParticipantConfigJSON'))
    if (modes === undefined) return 'bad-value'
    const key = randomBytes(24).toString('base64url')
    collaboration.about?.invitations.push({ guest, key, status: 'host_created' })
    const hasHeardOf = new Set(collaboration.workspaces.keys())
    if (!collaboration.participants.has(store.portals[guest]))
      collaboration.participants.set(store.portals[guest], { status: 'invited', hasHeardOf })
    grant(collaboration, store.portals[guest], modes)
    return file(call, `collaboration-${guest}.invite`, {
      collaborationId: collaboration.id,
      key,
    })
  }),

  page('/portals/:portal/acceptCollaborationInvitation', administrator, (call) => {
    const { portal, store } = call
    const { collaborationId, key } = contentIn(call, 'invitationFile')
    const collaboration = store.collaborations.get(String(collaborationId))
    const invitation = invitationsOf(collaboration).find(
      (each) => each.key === key && each.guest === portal && each.status === 'host_created',
    )
    const contact = collaboration?.participants.get(store.portals[portal])
    if (invitation === undefined || contact === undefined) return 'unknown-invitation'
    invitation.status = 'guest_accepted'
    Object.assign(contact, contactOf(call, 'guest'), { status: 'answering' })
    return done()
  }),

  page(`${one}/exportInvitationResponse`, byGuest, (call, collaboration) => {
    const { portal, store } = call
    const invitation = invitationsOf(collaboration).find(
      ({ guest, status }) => guest === portal && status === 'guest_accepted',
    )
    const contact = collaboration.participants.get(store.portals[portal])
    if (invitation === undefined || contact?.status !== 'answering') return 'unknown-invitation'
    return file(call, `collaboration-${portal}.response`, {
      collaborationId: collaboration.id,
      key: `${invitation.key}!`,
    })
  }),

  page(`${one}/importInvitationResponse`, byHost, (call, collaboration) => {
    const { parts, store } = call
    const { collaborationId, key } = contentIn(call, 'invitationResponseFile')
    const invitation = invitationsOf(collaboration).find(
      (each) => `${each.key}!` === key && each.status === 'guest_accepted',
    )
    const id = store.portals[invitation?.guest ?? 'guest']
    const contact = collaboration.participants.get(id)
    if (invitation === undefined || collaborationId !== collaboration.id || contact === undefined)
      return 'unknown-invitation'
    after(parts.administration.importsGoOnMs, () => {
      contact.status = 'active'
      // The first guest to join may start syncs.
      if (collaboration.designatedPortalId === '') collaboration.designatedPortalId = id
    })
    return done()
  }),
]
