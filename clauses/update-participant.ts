/** Judges of "update participant information" (§4.5). */
import { acceptedWhere, each, type JudgesOf } from './clause.ts'
import { isNoAddress } from './client-issues.ts'
import { judgeRefusalFor, shaped } from './fields.ts'
import { isJudged } from './texts.ts'

const contact = ['contactFirstname', 'contactLastname', 'contactEmailAddress']

export const updateParticipantJudges: JudgesOf<'update-participant'> = {
  'update-participant/updates': shaped('update-participant', {
    shows: ({ has }) => (contact.every(has) ? 'kept' : 'in part'),
  }),
  'update-participant/contact-text': acceptedWhere(({ value }) =>
    contact.every((name) => isJudged(value(name) ?? '')),
  ),
  'update-participant/bad-email': each((exchange, facts) => {
    const address = exchange.value('contactEmailAddress') ?? ''
    if (!exchange.recorded.form.exact || address === '' || !isNoAddress(address)) return undefined
    return judgeRefusalFor('contactEmailAddress', exchange, facts, {
      message: 'an invalid e-mail address was accepted',
      expected: 'a request with an invalid address is refused',
    })
  }),
}
