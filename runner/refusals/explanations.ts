/**
 * Why a refusal may prove nothing. The order of this list is the order in which the run asks; the first explanation that
 * holds is the reason of the check. Before that, `retries.ts` retries what may be accepted at once.
 */
import { errorCodeOf } from '../../deployment/http/exchange.ts'
import { busyOf } from '../../deployment/http/pace.ts'
import { operationOf } from '../../specs/operations.ts'
import { requirementOf } from '../../specs/requirements.ts'
import { Unproven } from '../findings.ts'
import { effectOf, took } from '../log/exchange.ts'
import { portalSpeaks, whyCutOff } from './alive.ts'
import { fixtureDoubt, goneWithAnother, whyFixtureUnproved } from './fixtures.ts'
import { described, isMain, lastOf, type Refusal, refusedEffect } from './refusal.ts'
import { whyNoRoom } from './room.ts'
import { refusedElsewhere, unsteady } from './steadiness.ts'

/**
 * When the run asks: `first`: a finding was seen once and is about to be looked for again; `second`: it was seen twice;
 * `end`: the check ended without a finding, and a refusal may be why.
 */
export type Moment = 'first' | 'second' | 'end'

export interface Explanation {
  readonly name: string
  readonly at: readonly Moment[]
  /** Whether it could explain the refusal, by what the run knows already. Absent: always. */
  readonly may?: (refusal: Refusal, moment: Moment) => boolean
  /** The explanation in words; undefined where it does not hold. May send requests. */
  readonly why: (refusal: Refusal, moment: Moment) => Promise<string | undefined>
}

const silent =
  'nothing in this run was accepted or answered as by a portal: check the base URL, the portal ids and the credentials'

const isOfOperation = (refusal: Refusal): boolean => refusedEffect(refusal) !== undefined

/** In order. */
export const explanations: readonly Explanation[] = [
  {
    name: 'no portal answers',
    at: ['first'],
    why: async ({ session }) => ((await portalSpeaks(session)) ? undefined : silent),
  },
  {
    name: 'the credential of the caller ended',
    at: ['first', 'second', 'end'],
    may: ({ answer }) => !took(answer),
    why: async ({ session, answer }) => session.identities.whyEnded(answer)?.message,
  },
  {
    name: 'nothing of the caller is accepted any more',
    at: ['first', 'end'],
    may: (refusal, moment) => moment === 'first' || wasAccepted(refusal),
    why: ({ session, answer }) => whyCutOff(session, answer),
  },
  {
    name: 'its collaboration went with another one that was deleted',
    at: ['first', 'second', 'end'],
    may: isOfOperation,
    why: whyGone,
  },
  {
    name: 'its collaboration, or the portal, is full',
    at: ['first', 'end'],
    may: (refusal) => refusedEffect(refusal)?.operation === 'add-workspace',
    why: ({ session, answer }) => whyNoRoom(session, answer),
  },
  {
    name: 'the target throttles',
    at: ['first', 'second'],
    may: ({ answer }) => !took(answer) && busyOf(errorCodeOf(answer)) === 'throttled',
    // What measures time is not asked again for it.
    why: async () => 'the target says that it is asked too often',
  },
  {
    name: 'its fixture is not there',
    at: ['second', 'end'],
    may: isOfOperation,
    why: async (refusal, moment) =>
      moment === 'end' ? fixtureDoubt(refusal) : await whyFixtureUnproved(refusal),
  },
  {
    name: 'its operation refuses now and then',
    at: ['second'],
    may: (refusal) => restsOnMore(refusal),
    why: whyUnsteady,
  },
  {
    name: 'another operation refuses the same request elsewhere as well',
    at: ['second'],
    may: (refusal) => restsOnMore(refusal) && isOfAnother(refusal),
    why: (refusal) => refusedElsewhere(refusal),
  },
]

/** The first explanation of a refusal that holds at that moment, as the end of its check; undefined: the refusal counts. */
export async function whyRefused(refusal: Refusal, moment: Moment): Promise<Unproven | undefined> {
  const { answer, finding } = refusal
  for (const { at, may, why } of explanations) {
    if (!at.includes(moment) || may?.(refusal, moment) === false) continue
    const words = await why(refusal, moment)
    if (words === undefined) continue
    const found =
      finding === undefined ? '' : `; found ${moment === 'first' ? 'once' : 'twice'}: ${finding.message}`
    return new Unproven(`${words}${found} (${described(answer)})`, finding?.grounds.answers ?? [answer])
  }
  return undefined
}

/** The explanation of the refusal that a finding rests on. */
export const whyUnproved = (
  { definition, session }: Pick<Refusal, 'definition' | 'session'>,
  finding: NonNullable<Refusal['finding']>,
  moment: Moment,
): Promise<Unproven | undefined> =>
  whyRefused({ definition, session, finding, answer: lastOf(finding) }, moment)

/** Whether the caller of what was refused was accepted before. */
function wasAccepted(refusal: Refusal): boolean {
  const actor = refusedEffect(refusal)?.actor
  return actor !== undefined && refusal.session.ledger.acceptances.of(actor).length > 0
}

/** Tells the watch as well, for the requirement that is broken then. */
async function whyGone({ session, answer, finding, definition }: Refusal): Promise<string | undefined> {
  const deleted = await goneWithAnother(session, answer)
  if (deleted === undefined) return undefined
  // One that was never used may have been handed out although it was not there.
  if (deleted.wasThere) session.watch.wentWith(answer, deleted.answer)
  if (finding !== undefined && requirementOf(definition.requirement).operation === 'delete-collaboration')
    return undefined
  return 'its collaboration is gone, although another one was deleted: see delete-collaboration/others-unaffected'
}

/** Whether a finding rests on a refusal and says more than that valid requests of its operation are accepted. */
const restsOnMore = (refusal: Refusal): boolean => isOfOperation(refusal) && !isMain(refusal.definition)

function isOfAnother({ definition: { operation }, answer }: Refusal): boolean {
  return operation !== undefined && effectOf(answer)?.operation !== operation
}

function whyUnsteady(refusal: Refusal): Promise<string | undefined> {
  const { definition, session, finding } = refusal
  const effect = refusedEffect(refusal)
  if (effect === undefined || finding === undefined) return Promise.resolve(undefined)
  const { allows, unaffected } = requirementOf(definition.requirement)
  // Which parameters a request needs is said by other requirements than these.
  const bare = allows !== undefined || unaffected === true
  return unsteady(session, effect, { bare, thoroughly: isAskedThoroughly(finding, effect.operation) })
}

/**
 * Whether plain requests after refusals are asked for, too, before more is concluded than that such a request is refused:
 * not where that is all that a finding says, and not where it says what a refusal led to and an empty request may do the same.
 */
function isAskedThoroughly(
  { grounds: { answers, namesSituation } }: NonNullable<Refusal['finding']>,
  operation: Parameters<typeof operationOf>[0],
): boolean {
  const before = answers.slice(0, -1)
  const needsMore = operationOf(operation).parameters.some(({ presence }) => presence === 'required')
  return before.length > 0 && (before.every(took) || (needsMore && namesSituation === undefined))
}
