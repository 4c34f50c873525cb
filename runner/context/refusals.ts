/** Requests that must be refused, sent right before a request of a check or beside it. */
import { isAccepted } from '../../clauses/acceptance.ts'
import type { ActorName } from '../../deployment/configuration/actors.ts'
import { fixturesUrl } from '../../deployment/configuration/configuration.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { type OperationId, operationOf } from '../../specs/operations.ts'
import type { Call } from '../perform.ts'
import { remembered } from '../remembered.ts'
import type { Session } from '../session.ts'
import type { At, Identity } from './calls.ts'
import type { Refused } from './situations.ts'

/** A caller without a credential. */
export const anonymous: Identity = { actor: 'anonymous', portal: 'host' }

/** The request to accompany, and how to send others. */
interface Accompanied {
  readonly session: Session
  readonly call: Call
  /** The check that sends it. */
  readonly by: string
  readonly performed: <Id extends OperationId>(identity: Identity, call: Call<Id>) => Promise<Answer>
}

/** Sends a request that must be refused. Undefined if the target does not offer what it needs. */
type Refusal = (coming: Accompanied) => Promise<Answer | undefined>

/** An anonymous, empty request on the same path. */
const onTheSamePath = ({ call, performed }: Accompanied): Promise<Answer> =>
  performed(anonymous, { ...call, request: {}, how: {} })

/** A thing that no check changes, made on first use. Undefined if it is not offered or not worth making. */
function unchanging<Thing>(
  operation: OperationId,
  obtain: (session: Session) => Promise<Thing>,
): (session: Session) => Promise<Thing | undefined> {
  return async (session) => {
    const { configuration, sideQuestions } = session
    // A list has few things, and what the run makes itself is slow.
    const offered =
      fixturesUrl(configuration) !== undefined &&
      configuration.effects.includes(operation) &&
      configuration.actors[operationOf(operation).calledBy] !== undefined
    if (!offered) return undefined
    return remembered(sideQuestions.unchangingThings, obtain, () =>
      obtain(session).catch(() => undefined),
    ) as Promise<Thing | undefined>
  }
}

/** A wrong caller's empty request on a thing that no check changes. Skipped if that caller is not configured. */
function onAnotherThing<Id extends OperationId>(
  operation: Id,
  obtain: (session: Session) => Promise<At<Id>>,
  by?: ActorName,
): Refusal {
  const place = unchanging(operation, obtain)
  return async ({ session, performed, by: check }) => {
    const { actors } = session.configuration
    const there = by !== undefined && actors[by] === undefined ? undefined : await place(session)
    const { portal = anonymous.portal } = actors[operationOf(operation).calledBy] ?? {}
    if (there === undefined) return undefined
    const stranger = by === undefined ? anonymous : await session.identities.of(by)
    return performed(stranger, { operation, at: { ...there, portal }, by: check })
  }
}

const itemsThatStay = unchanging('reassign-items', async (session) => ({
  ...(await session.pool.draw('items', { owner: 'itemOwner', count: 1 })),
  ...(await session.pool.draw('ineligibleUser', {})),
}))

/** Gives items that never move to an ineligible user, on the path of the accompanied request. */
async function toIneligible({ session, call, performed, by }: Accompanied): Promise<Answer | undefined> {
  const stays = await itemsThatStay(session)
  if (stays === undefined) return undefined
  const administrator = await session.identities.of('contentAdministrator')
  const { at } = call
  if (stays.owner !== at.userName || administrator.portal !== at.portal) return undefined
  const request = { items: stays.itemIds, targetUsername: stays.username }
  return performed(administrator, { operation: 'reassign-items', at, request, by })
}

const sync = onAnotherThing('sync-workspace', (session) => session.pool.draw('workspace', {}))
const federation = onAnotherThing('update-federation', (session) => session.pool.draw('federation', {}))
const taskRun = onAnotherThing('update-task-run', (session) => session.pool.draw('taskRun', {}))
const participant = onAnotherThing('update-participant', (session) => session.pool.draw('participant', {}))
const guestAdds = onAnotherThing(
  'add-workspace',
  (session) => session.pool.ownCollaboration(),
  'guestAdministrator',
)
const deletion = onAnotherThing('delete-collaboration', (session) => session.pool.ownCollaboration())

/** `before`: requests on the same path, used in turn. `beside`: groups of requests sent together, used in turn. */
interface Company {
  readonly before: readonly Refusal[]
  readonly beside: readonly (readonly Refusal[])[]
}

const plain: Company = { before: [onTheSamePath], beside: [[onTheSamePath]] }

/** Pairs of neighbours, until each request has come twice. */
const pairsOf = (all: readonly Refusal[]): Refusal[][] =>
  all.map((_, at) => [2 * at, 2 * at + 1].map((place) => all[place % all.length] as Refusal))

/** The operations with the most requests are accompanied by the other operations. */
const company: Readonly<Partial<Record<OperationId, Company>>> = {
  'add-workspace': {
    before: [onTheSamePath],
    beside: [
      ...[deletion, federation, participant, guestAdds, sync].map((other) => [onTheSamePath, other]),
      [onTheSamePath],
    ],
  },
  'reassign-items': {
    before: [toIneligible, toIneligible, onTheSamePath],
    beside: pairsOf([onTheSamePath, deletion, sync, federation, taskRun, guestAdds, participant]),
  },
}

/** Sends the `time`th company of a request. Returns the answer that was wrongly accepted, if any. */
export async function sendCompany(
  what: Exclude<Refused, 'the same'>,
  time: number,
  coming: Accompanied,
): Promise<Answer> {
  const { before, beside } = company[coming.call.operation] ?? plain
  const groups = what === 'beside' ? beside : before.map((one) => [one])
  const refusals = groups[time % groups.length] as readonly Refusal[]
  const sent = await Promise.all(refusals.map((refusal) => refusal(coming)))
  const answers = sent.filter((answer) => answer !== undefined)
  return answers.find((answer) => isAccepted(answer)) ?? answers[0] ?? onTheSamePath(coming)
}
