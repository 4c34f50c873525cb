import type { Answer, Call } from '../parts.ts'
import { refuseCaller } from '../permissions.ts'
import { collaborationOf } from './collaborations.ts'

/** Something, an at sign, something: what lies between is the business of the mail servers. */
const address = /^[^\s@]+@[^\s@]+$/u

/** Updates the contact of one participant of a collaboration (§4.5). */
export function updateParticipant(call: Call): Answer {
  const { parts, form, params } = call
  const collaboration = collaborationOf(call)
  if (collaboration === undefined) return parts.refuse('unknown-collaboration')
  if (!parts.may.updateParticipant(call, collaboration)) return refuseCaller(call)
  const portalId = params.participantPortalID as string
  const contact = collaboration.participants.get(portalId)
  if (contact === undefined) return parts.refuse('unknown-participant')

  const firstname = form.get('contactFirstname')
  const lastname = form.get('contactLastname')
  const email = form.get('contactEmailAddress')
  if (email !== undefined && !address.test(email)) return parts.refuse('bad-email')
  if (firstname !== undefined) contact.firstname = firstname
  if (lastname !== undefined) contact.lastname = lastname
  if (email !== undefined) contact.email = email
  return { status: 200, body: { success: true, collaborationId: collaboration.id, portalId } }
}
