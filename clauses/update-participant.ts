/** Judges of "update participant information" (§4.5). */
import { refusesParameter } from './callers.ts'
import { acceptedWhere, type JudgesOf } from './clause.ts'
import { isNoAddress } from './client-issues.ts'
import { shaped } from './fields.ts'
import { isJudged } from './texts.ts'

const contact = ['contactFirstname', 'contactLastname', 'contactEmailAddress']

export const updateParticipantJudges: JudgesOf<'update-participant'> = {
  'update-participant/updates': shaped('update-participant', {
    shows: ({ has }) => (contact.every(has) ? 'kept' : 'in part'),
  }),
  'update-participant/contact-text': acceptedWhere(({ value }) =>
    contact.every((name) => isJudged(value(name) ?? '')),
  ),
  'update-participant/bad-email': refusesParameter((exchange) => {
    const address = exchange.value('contactEmailAddress') ?? ''
    if (!exchange.recorded.form.exact || address === '' || !isNoAddress(address)) return undefined
    return {
      parameter: 'contactEmailAddress',
      message: 'an invalid e-mail address was accepted',
      expected: 'a request with an invalid address is refused',
    }
  }),
}
