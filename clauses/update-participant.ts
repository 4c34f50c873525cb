/** Judges of "update participant information" (§4.5). */
import { allOf, refuses, takesPart, unknownInPath } from './callers.ts'
import { acceptedWhere, each, type JudgesOf } from './clause.ts'
import { isNoAddress } from './client-issues.ts'
import { judgeRefusalFor } from './limits.ts'
import { echoes, shaped } from './shapes.ts'
import { isJudged } from './texts.ts'

const contact = ['contactFirstname', 'contactLastname', 'contactEmailAddress']

export const updateParticipantJudges: JudgesOf<'update-participant'> = {
  'update-participant/updates': shaped(
    'update-participant',
    (path) => path !== 'success',
    ({ has }) => (contact.every(has) ? 'kept' : 'in part'),
  ),
  'update-participant/identifiers': echoes(
    ['collaborationId', 'collaborationID'],
    ['portalId', 'participantPortalID'],
  ),
  'update-participant/contact-text': acceptedWhere(({ value }) =>
    contact.every((name) => isJudged(value(name) ?? '')),
  ),
  'update-participant/refuses-guest': refuses('guestAdministrator'),
  'update-participant/refuses-non-administrator': refuses('hostMember'),
  'update-participant/refuses-anonymous': refuses('anonymous'),
  'update-participant/refuses-invalid-credential': refuses('impostor'),
  'update-participant/unknown-participant': allOf(unknownInPath('participantPortalID'), takesPart),
  'update-participant/unknown-collaboration': unknownInPath('collaborationID'),
  'update-participant/bad-email': each((exchange, facts) => {
    const address = exchange.value('contactEmailAddress') ?? ''
    if (!exchange.recorded.form.exact || address === '' || !isNoAddress(address)) return undefined
    return judgeRefusalFor('contactEmailAddress', exchange, facts, {
      message: 'an invalid e-mail address was accepted',
      expected: 'a request with an invalid address is refused',
    })
  }),
}
