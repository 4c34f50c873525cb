/** Situations of requests: right after a refused request, or beside one. Some faults show only there. */
import { isAccepted } from '../../clauses/acceptance.ts'
import type { ActorName } from '../../deployment/configuration/actors.ts'
import { runningProvider } from '../../deployment/configuration/configuration.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { type OperationId, operationOf } from '../../specs/operations.ts'
import { tries } from '../effort.ts'
import { Finding, isOfTheTarget, mustBeRefused } from '../findings.ts'
import { remembered } from '../remembered.ts'
import type { Session } from '../session.ts'
import type { At, Call, Identity } from './calls.ts'

/**
 * What is sent before or beside each request. `after-the-same`: the same request is first sent by callers that must be
 * refused.
 */
export type Situation = 'plain' | 'after-refusal' | 'in-company' | 'both' | 'after-the-same'

/** Where the refused request goes: before or beside the request, or the same request before it. */
export type Refused = 'before' | 'beside' | 'the same'

/** What is refused before each request, whether another one is refused beside it, and how findings say so. */
const accompanied: Readonly<
  Record<Situation, { readonly before?: Refused; readonly beside?: true; readonly words: string }>
> = {
  plain: { words: '' },
  'after-refusal': { before: 'before', words: ', right after a refused request on the same path' },
  'in-company': { beside: true, words: ', beside a refused request' },
  both: {
    before: 'before',
    beside: true,
    words: ', right after a refused request on the same path and beside another',
  },
  'after-the-same': { before: 'the same', words: ', right after an equal request was refused' },
}

/** Situations after the first try, in order of usefulness, since short runs take only the first ones. */
const furtherSituations: readonly Situation[] = [
  'after-refusal',
  'in-company',
  'plain',
  'after-refusal',
  'plain',
]

/** The situations of a check in a run with that many cases, plain first, at most `most`. */
export function situationsOf(runs: number, most: number): readonly Situation[] {
  if (!tries('short', { runs })) return ['plain']
  const all = [
    'plain',
    ...(tries('thorough', { runs }) ? furtherSituations : furtherSituations.slice(0, 2)),
  ] as const
  return all.slice(0, most)
}

/** The situation of an attempt's requests. An attempt has one situation at a time. */
export class SituationOfAttempt {
  #now: Situation = 'plain'

  get now(): Situation {
    return this.#now
  }

  /**
   * Runs `look` with all requests in that situation. `plain` keeps the current one. A finding names its situation.
   * Rejects with an error if two situations of one attempt overlap.
   */
  readonly during: InSituation = async (situation, look) => {
    if (situation === 'plain') return look()
    const before = this.#now
    this.#now = situation
    const [end] = await Promise.allSettled([look()])
    if (this.#now !== situation)
      throw new Error(`a situation (${situation}) met another one of the same attempt`)
    this.#now = before
    if (end.status === 'fulfilled') return end.value
    const error: unknown = end.reason
    if (!(error instanceof Finding) || error.grounds.namesSituation) throw error
    throw error.with({ namesSituation: true }, error.message + accompanied[situation].words)
  }
}

export type InSituation = <T>(situation: Situation, look: () => Promise<T>) => Promise<T>

/** Runs `look`, then again in each other situation. Only the first try can make the check inconclusive. */
export async function lookInSituations(
  situations: readonly Situation[],
  look: () => Promise<void>,
  { during, goesOn }: { readonly during: InSituation; readonly goesOn: () => boolean },
): Promise<void> {
  await look()
  for (const situation of situations.slice(1)) {
    if (!goesOn()) return
    await asExtra(() => during(situation, look))
  }
}

/** Runs an extra try: its findings count, but an inconclusive end does not. */
export async function asExtra(look: () => Promise<unknown>): Promise<void> {
  try {
    await look()
  } catch (error) {
    if (error instanceof Finding || !isOfTheTarget(error)) throw error
  }
}

const wronglyAccepted =
  'a caller who must be refused was accepted just before the request, so nothing is judged'

/**
 * Sends a request in that situation. `refused` sends one that must be refused; if it is accepted, nothing is proved.
 * `alsoBeside`: one goes beside it, whatever the situation says.
 */
export async function sentInSituation<A extends Answer>(
  situation: Situation,
  ask: () => Promise<A>,
  refused: (what: Refused) => Promise<Answer>,
  alsoBeside = false,
): Promise<A> {
  const { before, beside = alsoBeside } = accompanied[situation]
  if (before !== undefined) mustBeRefused(await refused(before), wronglyAccepted)
  if (!beside) return ask()
  // The refused request goes first, so that it is being served when the other one comes.
  const [companion, answer] = await Promise.all([refused('beside'), ask()])
  mustBeRefused(companion, wronglyAccepted)
  return answer
}

/** A caller without a credential. */
export const anonymous: Identity = { actor: 'anonymous', portal: 'host' }

/** The request to accompany, and how to send others. What waits for the request waits for its companions, too. */
interface Accompanied {
  readonly session: Session
  readonly call: Call
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
      runningProvider(configuration) !== undefined &&
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
  return async ({ session, call, performed }) => {
    const { actors } = session.configuration
    const there = by !== undefined && actors[by] === undefined ? undefined : await place(session)
    const { portal = anonymous.portal } = actors[operationOf(operation).calledBy] ?? {}
    if (there === undefined) return undefined
    const stranger = by === undefined ? anonymous : await session.identities.of(by)
    return performed(stranger, { ...call, operation, at: { ...there, portal }, request: {}, how: {} })
  }
}

const itemsThatStay = unchanging('reassign-items', async (session) => ({
  ...(await session.pool.draw('items', { owner: 'itemOwner', count: 1 })),
  ...(await session.pool.draw('ineligibleUser', {})),
}))

/** Gives items that never move to an ineligible user, on the path of the accompanied request. */
async function toIneligible({ session, call, performed }: Accompanied): Promise<Answer | undefined> {
  const stays = await itemsThatStay(session)
  if (stays === undefined) return undefined
  const administrator = await session.identities.of('contentAdministrator')
  const { at } = call
  if (stays.owner !== at.userName || administrator.portal !== at.portal) return undefined
  const request = { items: stays.itemIds, targetUsername: stays.username }
  return performed(administrator, { ...call, operation: 'reassign-items', at, request, how: {} })
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
