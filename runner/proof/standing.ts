/** When a finding stands: what one exchange proves, and what must be seen twice. */
import { acceptanceIfRead } from '../../clauses/acceptance.ts'
import { answersWithSuccess } from '../../clauses/portal-like.ts'
import type { CheckDefinition } from '../check.ts'
import type { Again } from '../context/for-all.ts'
import { type Finding, Unproven } from '../findings.ts'
import { asExchange } from '../log/exchange.ts'
import { whyUnproved } from '../refusals/explanations.ts'
import { amongOthers } from '../refusals/plain-requests.ts'
import { lastOf } from '../refusals/refusal.ts'
import type { Session } from '../session.ts'

/**
 * Whether one exchange proves a finding: an answer of success whose content, or that it came at all, breaks the clause.
 * What rests on a refusal or on time must be seen twice: there the world may be to blame.
 */
export function standsAlone({ traits, operation }: CheckDefinition, finding: Finding): boolean {
  if (traits.includes('timed') || finding.grounds.indirect) return false
  const answer = lastOf(finding)
  const exchange = asExchange(answer)
  if (exchange !== undefined) return exchange.took
  if (operation !== undefined) return answersWithSuccess(answer, operation)
  return acceptanceIfRead(answer)?.accepted === true
}

/** How a finding of that check is looked for again among its generated cases. */
export const againFor = (definition: CheckDefinition, session: Session): Again => ({
  standsAlone: (finding) => standsAlone(definition, finding),
  before: async (finding) => {
    if (standsAlone(definition, finding)) return
    const why = await whyUnproved({ definition, session }, finding, 'first')
    if (why !== undefined) throw why
  },
  amongOthers: (look) => amongOthers(session, look),
})

/** The finding did not show when the check was tried again. */
export const seenOnce = (finding: Finding, after: string): Unproven =>
  new Unproven(
    `found once, but not when tried again: ${finding.message} (first ${finding.grounds.actual}; ${after})`,
    finding.grounds.answers,
  )
