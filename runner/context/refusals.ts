/** What is refused right before a request of a check, or beside it. */
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

/** Who has no credential. */
export const nobody: Identity = { actor: 'anonymous', portal: 'host' }

/** The request that comes then, and how others are sent. */
interface Coming {
  readonly session: Session
  readonly call: Call
  /** The check in whose name it is sent. */
  readonly by: string
  readonly performed: <Id extends OperationId>(identity: Identity, call: Call<Id>) => Promise<Answer>
}

/** Sends what must be refused; gives undefined where it is not offered what it needs. */
type Refusal = (coming: Coming) => Promise<Answer | undefined>

/** Nobody asks for nothing on the same path. */
const onTheSamePath = ({ call, performed }: Coming): Promise<Answer> =>
  performed(nobody, { ...call, request: {}, how: {} })

/** A thing that stays as it is, made for the first who asks; undefined where it is not offered, or not to be had for company. */
function standing<Thing>(
  operation: OperationId,
  obtain: (session: Session) => Promise<Thing>,
): (session: Session) => Promise<Thing | undefined> {
  return async (session) => {
    const { configuration, asked } = session
    // A list holds few, and what a run makes itself takes its time.
    const offered =
      fixturesUrl(configuration) !== undefined &&
      configuration.effects.includes(operation) &&
      configuration.actors[operationOf(operation).calledBy] !== undefined
    if (!offered) return undefined
    return remembered(asked.standing, obtain, () => obtain(session).catch(() => undefined)) as Promise<
      Thing | undefined
    >
  }
}

/** On a thing that stays as it is, somebody who may not asks for nothing; nobody where that actor is left out. */
function elsewhere<Id extends OperationId>(
  operation: Id,
  obtain: (session: Session) => Promise<At<Id>>,
  by?: ActorName,
): Refusal {
  const place = standing(operation, obtain)
  return async ({ session, performed, by: check }) => {
    const { actors } = session.configuration
    const there = by !== undefined && actors[by] === undefined ? undefined : await place(session)
    const { portal = nobody.portal } = actors[operationOf(operation).calledBy] ?? {}
    if (there === undefined) return undefined
    const stranger = by === undefined ? nobody : await session.identities.of(by)
    return performed(stranger, { operation, at: { ...there, portal }, by: check })
  }
}

const itemsThatStay = standing('reassign-items', async (session) => ({
  ...(await session.pool.draw('items', { owner: 'itemOwner', count: 1 })),
  ...(await session.pool.draw('ineligibleUser', {})),
}))

/** Items that stay where they are are given to who cannot receive them, on the path of the call that comes then. */
async function toIneligible({ session, call, performed, by }: Coming): Promise<Answer | undefined> {
  const stays = await itemsThatStay(session)
  if (stays === undefined) return undefined
  const administrator = await session.identities.of('contentAdministrator')
  const { at } = call
  if (stays.owner !== at.userName || administrator.portal !== at.portal) return undefined
  const request = { items: stays.itemIds, targetUsername: stays.username }
  return performed(administrator, { operation: 'reassign-items', at, request, by })
}

const sync = elsewhere('sync-workspace', (session) => session.pool.draw('workspace', {}))
const federation = elsewhere('update-federation', (session) => session.pool.draw('federation', {}))
const taskRun = elsewhere('update-task-run', (session) => session.pool.draw('taskRun', {}))
const participant = elsewhere('update-participant', (session) => session.pool.draw('participant', {}))
const guestAdds = elsewhere(
  'add-workspace',
  (session) => session.pool.ownCollaboration(),
  'guestAdministrator',
)
const deletion = elsewhere('delete-collaboration', (session) => session.pool.ownCollaboration())

/** What goes before a request, in turn, which is on its path as well; and what goes beside it, in turn, at once. */
interface Company {
  readonly before: readonly Refusal[]
  readonly beside: readonly (readonly Refusal[])[]
}

const plain: Company = { before: [onTheSamePath], beside: [[onTheSamePath]] }

/** Two at a time, one pair after the other, until each has come twice. */
const pairsOf = (all: readonly Refusal[]): Refusal[][] =>
  all.map((_, at) => [2 * at, 2 * at + 1].map((place) => all[place % all.length] as Refusal))

/** The operations that are asked for most have the company of the others. */
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

/** Sends what comes before that request, or beside it, the `time`th time; gives the answer of who was let in, if any was. */
export async function refusedWith(
  what: Exclude<Refused, 'the same'>,
  time: number,
  coming: Coming,
): Promise<Answer> {
  const { before, beside } = company[coming.call.operation] ?? plain
  const groups = what === 'beside' ? beside : before.map((one) => [one])
  const refusals = groups[time % groups.length] as readonly Refusal[]
  const sent = await Promise.all(refusals.map((refusal) => refusal(coming)))
  const answers = sent.filter((answer) => answer !== undefined)
  return answers.find((answer) => isAccepted(answer)) ?? answers[0] ?? onTheSamePath(coming)
}
