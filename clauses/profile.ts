/** Judges of what a profile adds to the contract: error codes of refusals. Only checks use them. */
import { isObject } from '../schemas/values.ts'
import type { RefusalCause } from '../specs/profile.ts'
import type { RequirementId } from '../specs/requirements.ts'
import { each, type Judge, wrongField } from './clause.ts'
import { isRefused } from './exchange.ts'

type Ids = Extract<RequirementId, `profile/${string}-code`>

export const profileJudges: Readonly<Record<Ids, Judge>> = {
  'profile/no-credential-code': carries('noCredential'),
  'profile/invalid-credential-code': carries('invalidCredential'),
  'profile/not-permitted-code': carries('notPermitted'),
}

/** A refusal for that cause alone has one of the listed codes. The check knows the cause. */
function carries(cause: RefusalCause): Judge {
  return each((exchange, facts) => {
    const codes = facts.errorCodes(cause)
    if (codes === undefined || !isRefused(exchange) || facts.isValid() !== true) return undefined
    const error = exchange.body?.error
    const code = isObject(error) ? error.code : undefined
    if (codes.includes(code as number)) return 'kept'
    const message = 'the refusal has another error code'
    return wrongField('error.code', { message, expected: codes.join(' or '), found: code })
  })
}
