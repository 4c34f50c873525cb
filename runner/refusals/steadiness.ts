/** Whether an operation answers the same valid request always alike: where it does not, no more follows from one refusal. */
import { listedFixtures } from '../../deployment/configuration/configuration.ts'
import type { Operation } from '../../specs/operation.ts'
import { type OperationId, operationOf } from '../../specs/operations.ts'
import { usesUp } from '../check.ts'
import { type Effect, took } from '../log/exchange.ts'
import { remembered } from '../remembered.ts'
import type { Session } from '../session.ts'
import { askPlainly, takesAlone } from './plain-requests.ts'
import { type Refusal, refusedEffect } from './refusal.ts'

/** How often the same request is sent to see whether it is answered alike, and how often where fixtures are few. */
const sameRequests = { made: 16, listed: 4 }

/**
 * Of so many requests the first few may be accepted by a target that takes a value once, such as an address of a contact:
 * it answers alike all the same, where it refuses every later one.
 */
const firstUses = 4

/**
 * Before anything else is concluded from a refusal than that a valid request is refused: the operation answers one and
 * the same request always alike. Gives what speaks against that. `bare`: without what is optional and was left out of the
 * one that was refused. `thoroughly`: so, and also right after a refusal.
 */
export function unsteady(
  session: Session,
  { operation, request }: Pick<Effect, 'operation' | 'request'>,
  { bare = false, thoroughly }: { readonly bare?: boolean; readonly thoroughly: boolean },
): Promise<string | undefined> {
  const { steady } = session.asked
  const { parameters }: Operation = operationOf(operation)
  const optional = parameters.filter(({ presence }) => presence === 'optional').map(({ name }) => name)
  const without = thoroughly || bare ? optional.filter((name) => request[name] === undefined) : []
  const key = [operation, thoroughly, ...without].join()
  return remembered(steady, key, () => askOften(session, operation, { without, thoroughly }))
}

async function askOften(
  session: Session,
  operation: OperationId,
  { without, thoroughly }: { readonly without: readonly string[]; readonly thoroughly: boolean },
): Promise<string | undefined> {
  const accepted: boolean[] = []
  const most = listedFixtures(session.configuration) !== undefined ? sameRequests.listed : sameRequests.made
  for (let time = 0; time < most; time += 1) {
    const situation = thoroughly && time % 2 === 1 ? 'after-refusal' : 'plain'
    const answer = await askPlainly(session, operation, { without, situation })
    if (answer === undefined) break
    accepted.push(took(answer))
  }
  const answered = accepted.length
  const refused = accepted.filter((each) => !each).length
  const refusedSince = answered > firstUses && accepted.lastIndexOf(true) < firstUses
  if (refused === 0 || refused === answered || refusedSince) return undefined
  return `${operation} answers the same valid request now so, now so (${refused} of ${answered} were refused), so that no more follows from a refusal`
}

/**
 * That this very request is refused elsewhere too, where nothing went before it: what another operation refuses now and
 * then says nothing of the one that a check is about. Syncs take their time and are not asked for again.
 */
export async function refusedElsewhere(refusal: Refusal): Promise<string | undefined> {
  const { session } = refusal
  const effect = refusedEffect(refusal)
  if (effect === undefined || effect.operation === 'sync-workspace') return undefined
  const most =
    listedFixtures(session.configuration) !== undefined || usesUp(effect.operation)
      ? sameRequests.listed
      : sameRequests.made
  for (let time = 0; time < most; time += 1)
    if (!(await takesAlone(session, effect)))
      return 'the same request is refused elsewhere as well, with nothing before it'
  return undefined
}
