/**
 * How a guest joins a collaboration: invitation, acceptance, response, trust. Clients carry the files without reading
 * them.
 */
import { randomBytes } from 'node:crypto'
import { done, shown } from '../answers.ts'
import type { Rendered } from '../parts.ts'
import type { Collaboration, Invitation, PortalName } from '../store.ts'
import { type AdministrativeCall, contactOf, forAdministrators, later, paged, type Route } from './call.ts'
import { accessModesIn, forGuests, forHost, grant } from './collaborations.ts'

const guests: readonly PortalName[] = ['guest', 'otherGuest']

const invite = (call: AdministrativeCall, collaboration: Collaboration) => {
  const { field, parts, store, contextUrl } = call
  const url = field('guestPortalUrl')?.replace(/\/+$/, '')
  const guest = guests.find((name) => contextUrl(name) === url)
  if (guest === undefined) return parts.refuse('unknown-portal')
  const modes = accessModesIn(field('collaborationWorkspacesParticipantConfigJSON'))
  if (modes === undefined) return parts.refuse('bad-value')
  const invitation: Invitation = {
    id: parts.newId('invitation'),
    guest,
    key: randomBytes(24).toString('base64url'),
    created: parts.now(),
    status: 'host_created',
  }
  collaboration.about?.invitations.set(invitation.id, invitation)
  const hasHeardOf = new Set(collaboration.workspaces.keys())
  if (!collaboration.participants.has(store.portals[guest]))
    collaboration.participants.set(store.portals[guest], { status: 'invited', hasHeardOf })
  grant(collaboration, store.portals[guest], modes)
  return file(call, `collaboration-${guest}.invite`, {
    collaborationId: collaboration.id,
    key: invitation.key,
  })
}

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

function contentOf(bytes: Buffer | undefined): { collaborationId?: unknown; key?: unknown } {
  try {
    return JSON.parse(Buffer.from(bytes?.toString('latin1') ?? '', 'base64').toString('utf8'))
  } catch {
    return {}
  }
}

const invitationsOf = (collaboration: Collaboration | undefined): Invitation[] => [
  ...(collaboration?.about?.invitations.values() ?? []),
]

const accept = forAdministrators((call) => {
  const { file: sent, parts, portal, store } = call
  const { collaborationId, key } = contentOf(sent('invitationFile'))
  const collaboration = store.collaborations.get(String(collaborationId))
  const invitation = invitationsOf(collaboration).find(
    (each) => each.key === key && each.guest === portal && each.status === 'host_created',
  )
  const contact = collaboration?.participants.get(store.portals[portal])
  if (invitation === undefined || contact === undefined) return parts.refuse('unknown-invitation')
  invitation.status = 'guest_accepted'
  Object.assign(contact, contactOf(call, 'guest'), { status: 'answering' })
  return done()
})

const exportResponse = (call: AdministrativeCall, collaboration: Collaboration) => {
  const { parts, portal, store } = call
  const invitation = invitationsOf(collaboration).find(
    ({ guest, status }) => guest === portal && status === 'guest_accepted',
  )
  if (
    invitation === undefined ||
    collaboration.participants.get(store.portals[portal])?.status !== 'answering'
  )
    return parts.refuse('unknown-invitation')
  return file(call, `collaboration-${portal}.response`, {
    collaborationId: collaboration.id,
    key: `${invitation.key}!`,
  })
}

const importResponse = ({ file: sent, parts, store }: AdministrativeCall, collaboration: Collaboration) => {
  const { collaborationId, key } = contentOf(sent('invitationResponseFile'))
  const invitation = invitationsOf(collaboration).find(
    (each) => `${each.key}!` === key && each.status === 'guest_accepted',
  )
  if (invitation === undefined || collaborationId !== collaboration.id)
    return parts.refuse('unknown-invitation')
  const id = store.portals[invitation.guest]
  const contact = collaboration.participants.get(id)
  if (contact === undefined) return parts.refuse('unknown-invitation')
  later(parts.administration.importsGoOnMs, () => {
    contact.status = 'active'
    // The first guest to join may start syncs.
    if (collaboration.designatedPortalId === '') collaboration.designatedPortalId = id
  })
  return done()
}

const invitations = (call: AdministrativeCall, collaboration: Collaboration) => {
  const all = invitationsOf(collaboration).map(({ id, status, created }) => ({
    id,
    status,
    guestPortalId: 'unknown',
    created,
  }))
  return shown(paged(call, 'collaborationInvitations', all, 25))
}

const invalidate = ({ params, parts }: AdministrativeCall, { about }: Collaboration) => {
  const invitation = about?.invitations.get(params.invitation as string)
  if (invitation === undefined) return parts.refuse('unknown-invitation')
  invitation.status = 'invalidated'
  return done()
}

const one = '/portals/:portal/collaborations/:collaboration'

export const trustRoutes: readonly Route[] = [
  { path: `${one}/inviteParticipant`, handle: forHost(invite) },
  { path: '/portals/:portal/acceptCollaborationInvitation', handle: accept },
  { path: `${one}/exportInvitationResponse`, handle: forGuests(exportResponse) },
  { path: `${one}/importInvitationResponse`, handle: forHost(importResponse) },
  { path: `${one}/invitations`, handle: forHost(invitations) },
  { path: `${one}/invitations/:invitation/invalidate`, handle: forHost(invalidate) },
]
