/** Which findings one exchange proves, and which must be seen twice. */
import { acceptanceIfRead, answersWithSuccess } from '../../clauses/acceptance.ts'
import type { CheckDefinition } from '../check.ts'
import type { FindingRetries } from '../context/for-all.ts'
import { type Finding, Unproven } from '../findings.ts'
import { asExchange } from '../log/exchange.ts'
import { whyUnproved } from '../refusals/explanations.ts'
import { amongOthers } from '../refusals/plain-requests.ts'
import { lastAnswerOf } from '../refusals/refusal.ts'
import type { Session } from '../session.ts'

/**
 * Whether one exchange proves the finding: a success that breaks the requirement by its content or by coming at all.
 * Findings that rest on a refusal or on time must be seen twice, because the environment may be the reason.
 */
export function isProvedAtOnce({ traits, operation }: CheckDefinition, finding: Finding): boolean {
  if (finding.grounds.proved) return true
  if (traits.includes('timed') || finding.grounds.indirect) return false
  const answer = lastAnswerOf(finding)
  const exchange = asExchange(answer)
  if (exchange !== undefined) return exchange.succeeded
  if (operation !== undefined) return answersWithSuccess(answer, operation)
  return acceptanceIfRead(answer)?.accepted === true
}

/** How a finding among generated cases is retried. */
export const retriesFor = (definition: CheckDefinition, session: Session): FindingRetries => ({
  isProvedAtOnce: (finding) => isProvedAtOnce(definition, finding),
  beforeRetry: async (finding) => {
    if (isProvedAtOnce(definition, finding)) return
    const why = await whyUnproved({ definition, session }, finding, 'first')
    if (why !== undefined) throw why
  },
  amongOthers: (look) => amongOthers(session, look),
})

/** The end of a check whose finding did not show again. */
export const notSeenAgain = (finding: Finding, after: string): Unproven =>
  new Unproven(
    `seen once, but not when tried again: ${finding.message} (first ${finding.grounds.actual}; ${after})`,
    finding.grounds.answers,
  )
