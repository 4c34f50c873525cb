/**
 * The control of controls: before a refusal counts against the target, it must have shown that it speaks like a portal,
 * that it is alive now, and that what the request was performed on is there.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe } from '../../clauses/acceptance.ts'
import { type ActorName, ofActors } from '../../deployment/configuration/actors.ts'
import { listedFixtures } from '../../deployment/configuration/configuration.ts'
import type { FixtureKind } from '../../deployment/fixtures/fixture-kinds.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import type { Operation } from '../../specs/operation.ts'
import { type OperationId, operationIds, operationOf } from '../../specs/operations.ts'
import { usesUp } from '../check.ts'
import { inSituation } from '../context/situations.ts'
import { isOfTheTarget, Unproven } from '../findings.ts'
import { fixtureOf } from '../log/acceptances.ts'
import { type Effect, effectOf, took } from '../log/exchange.ts'
import { takesPlainWorkspace } from '../plain-workspace.ts'
import { remembered } from '../remembered.ts'
import type { Session } from '../session.ts'
import { askPlainly, takesAlone, takesPlain } from './plain-requests.ts'

/** How often the target is asked whether it is alive before it counts as ill. */
const rounds = 3
/** Longest time between two sightings of what the world may be to blame for, in ms; shorter where the target settles sooner. */
const longestPauseMs = 1000

/** Operations that leave their fixture as it was come first: asking for a sign of life uses up as little as it can. */
const inOrder: readonly OperationId[] = [...operationIds].sort((one, other) => cost(one) - cost(other))

function cost(id: OperationId): number {
  if (usesUp(id)) return 2
  return operationOf(id).on === 'collaboration' ? 1 : 0
}

/** How often the same request is sent to see whether it is answered alike, and how often where fixtures are few. */
const sameRequests = { made: 16, listed: 4 }

/** What is asked on the side and kept for the whole run. */
interface Asked {
  portal?: Promise<void>
  readonly rounds: Map<string | undefined, Promise<void>>
  readonly kinds: Map<FixtureKind, Promise<boolean>>
  readonly steady: Map<string, Promise<string | undefined>>
  readonly gone: Map<string, Promise<boolean>>
}

const known = new WeakMap<Session, Asked>()

function askedOf(session: Session): Asked {
  return remembered(known, session, () => ({
    rounds: new Map(),
    kinds: new Map(),
    steady: new Map(),
    gone: new Map(),
  }))
}

/**
 * Whether any answer of the run was one of a portal. Where none was so far, each allowed operation is asked once for
 * what is valid. Where still none is, wrong credentials, a wrong address and a broken portal cannot be told apart.
 */
export async function portalSpeaks(session: Session): Promise<boolean> {
  if (session.spoken) return true
  const asked = askedOf(session)
  asked.portal ??= askAround(session, () => session.spoken)
  await asked.portal
  return session.spoken
}

/**
 * To be awaited between two sightings of what the world may be to blame for. Time passes, and a request that was sent
 * after this answer is accepted: one of the same actor, where any of his ever was. Throws `Unproven` where none is.
 */
export async function aliveAfter(
  session: Session,
  answer: Answer,
  since: number = answer.answeredAt,
): Promise<void> {
  const { acceptances } = session.ledger
  const actor = effectOf(answer)?.actor
  const by = isKnown(session, actor) && acceptances.of(actor).length > 0 ? actor : undefined
  const parts = by === undefined ? [undefined] : partsOf(session, by)
  const isAlive = () => parts.some((part) => acceptances.since(since, part))
  const pause = Math.min(longestPauseMs, session.configuration.run.settleMs)
  for (let round = 0; round < rounds; round += 1) {
    await sleep(pause)
    for (const part of parts) {
      if (isAlive()) return
      await signOfLife(session, part)
    }
    if (isAlive()) return
  }
  const [whose, why] =
    by === undefined ? ['nothing', ''] : [`nothing of ${by}`, ', whose credential may have ended']
  throw new Unproven(`${whose} was accepted any more after this was ${describe(answer)}${why}`, [answer])
}

/** What the user of an actor plays: he may have several parts. */
function partsOf({ configuration: { actors } }: Session, by: ActorName): ActorName[] {
  const { username, portal } = actors[by] ?? {}
  const others = ofActors(actors)
  const his = others.filter(([, other]) => other.username === username && other.portal === portal)
  return username === undefined ? [by] : [...new Set([by, ...his.map(([name]) => name)])]
}

const isKnown = ({ configuration }: Session, actor: string | undefined): actor is ActorName =>
  actor !== undefined && Object.hasOwn(configuration.actors, actor)

/** One round for all who wait for it. */
function signOfLife(session: Session, by: ActorName | undefined): Promise<void> {
  const { rounds } = askedOf(session)
  const began = performance.now()
  const { acceptances } = session.ledger
  return remembered(rounds, by, () =>
    askAround(session, () => acceptances.since(began, by), by).finally(() => rounds.delete(by)),
  )
}

/** Asks each allowed operation for what is valid until that is enough; where an actor is given, what he may call. */
async function askAround(session: Session, enough: () => boolean, by?: ActorName): Promise<void> {
  const his = by === undefined ? [] : session.ledger.acceptances.of(by)
  for (const operation of inOrder) {
    if (enough()) return
    if (by === undefined || his.includes(operation) || operationOf(operation).calledBy === by)
      await askPlainly(session, operation, by)
  }
}

/**
 * Before the refusal of a valid request counts: what it was performed on is there. That is shown by anything that was
 * accepted on it in this run; where the provider makes fixtures, by anything that was accepted on another of the kind, or
 * by two of them that are refused, too; where it has a list, which an earlier run may have used up, by a plain request
 * on the very same one. Throws `Unproven` where none of it holds.
 */
export async function fixtureProved(session: Session, answer: Answer): Promise<void> {
  const { acceptances } = session.ledger
  const effect = effectOf(answer)
  if (effect === undefined) return
  if (acceptances.onWhatWasGivenAway(effect))
    throw new Unproven(
      `its provider handed out items that had been given away before (${describe(answer)})`,
      [answer],
    )
  if (acceptances.onFixtureOf(effect)) return
  const { on } = operationOf(effect.operation)
  // What the run made itself, and can read, is there.
  if (isMade(session)) return
  const listed = isListed(session)
  if (!listed && (acceptances.onKind(on) || (await refusesFresh(session, on)))) return
  if (listed && (await takesPlain(session, effect))) return
  const why =
    fixtureDoubt(session, effect) ?? `nothing was ever accepted on this ${words[on]}: ${remedy(session, on)}`
  throw new Unproven(`this refusal proves nothing, since ${why} (${describe(answer)})`, [answer])
}

/**
 * What may be wrong with what an answer was about, where no fixture of its kind was ever accepted although other requests
 * were; undefined where nothing speaks for that.
 */
export function fixtureDoubt(session: Session, { operation }: Effect): string | undefined {
  const { acceptances } = session.ledger
  const { on } = operationOf(operation)
  if (isMade(session) || acceptances.onKind(on) || !acceptances.since(0)) return undefined
  return `no ${words[on]} has been accepted so far, while other requests are: ${remedy(session, on)}`
}

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
  const { steady } = askedOf(session)
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
  let answered = 0
  let refused = 0
  const most = isListed(session) ? sameRequests.listed : sameRequests.made
  for (let time = 0; time < most; time += 1) {
    const situation = thoroughly && time % 2 === 1 ? 'after-refusal' : 'plain'
    const answer = await inSituation(situation, () => askPlainly(session, operation, undefined, without))
    if (answer === undefined) break
    answered += 1
    if (!took(answer)) refused += 1
  }
  if (refused === 0 || refused === answered) return undefined
  return `${operation} answers the same valid request now so, now so (${refused} of ${answered} were refused), so that no more follows from a refusal`
}

/**
 * That this very request is refused elsewhere too, where nothing went before it: what another operation refuses now and
 * then says nothing of the one that a check is about. Syncs take their time and are not asked for again.
 */
export async function refusedElsewhere(session: Session, effect: Effect): Promise<string | undefined> {
  if (effect.operation === 'sync-workspace') return undefined
  const most = isListed(session) || usesUp(effect.operation) ? sameRequests.listed : sameRequests.made
  for (let time = 0; time < most; time += 1)
    if (!(await takesAlone(session, effect)))
      return 'the same request is refused elsewhere as well, with nothing before it'
  return undefined
}

const remedy = (session: Session, kind: FixtureKind): string =>
  isListed(session)
    ? `fixtures.static.${kind} may be used up by an earlier run, or name what the target does not have`
    : 'its provider may hand out what the target does not have'

const isMade = ({ configuration: { fixtures, administration } }: Session): boolean =>
  fixtures === undefined && administration?.permitted === true

const isListed = ({ configuration }: Session): boolean => listedFixtures(configuration) !== undefined

const words: Readonly<Partial<Record<FixtureKind, string>>> = {
  collaboration: 'collaboration',
  participant: 'participant',
  workspace: 'workspace',
  taskRun: 'task run',
  items: 'item',
  federation: 'federation',
}

/** Whether a valid request is refused on two different fixtures of that kind, drawn anew; true also where one is accepted. */
function refusesFresh(session: Session, kind: FixtureKind): Promise<boolean> {
  return remembered(askedOf(session).kinds, kind, () => askTwice(session, kind))
}

async function askTwice(session: Session, kind: FixtureKind): Promise<boolean> {
  const { acceptances } = session.ledger
  const refused = new Set<string>()
  for (const operation of operationIds.filter((id) => operationOf(id).on === kind)) {
    for (let time = 0; time < 2; time += 1) {
      const answer = await askPlainly(session, operation)
      if (acceptances.onKind(kind)) return true
      const effect = effectOf(answer)
      if (effect !== undefined) refused.add(fixtureOf(effect).join())
    }
  }
  return refused.size > 1
}

/**
 * The delete of another collaboration with which that of a refused request went: nothing is accepted in it any more,
 * whatever is asked for, and all of it in a fresh one. Undefined where nothing speaks for that.
 */
export async function deleteThatTook(
  session: Session,
  answer: Answer,
): Promise<{ readonly answer: Answer; readonly wasThere: boolean } | undefined> {
  const { acceptances } = session.ledger
  const { collaborationId } = effectOf(answer)?.at ?? {}
  const guest = session.configuration.portals.guest?.id
  if (collaborationId === undefined || guest === undefined || took(answer)) return undefined
  if (!session.ledger.mayAddTo(collaborationId)) return undefined
  const suspect = acceptances.deleteBeside(collaborationId)
  if (suspect === undefined) return undefined
  const { gone } = askedOf(session)
  const went = await remembered(gone, collaborationId, () => isGone(session, collaborationId, guest))
  return went ? suspect : undefined
}

async function isGone(session: Session, collaborationId: string, guest: string): Promise<boolean> {
  const adds = (id: string) => takesPlainWorkspace(session, id)
  const updates = (id: string) =>
    takesPlain(session, {
      operation: 'update-participant',
      at: { collaborationId: id, participantPortalId: guest },
      request: {},
    })
  const isThere = async (id: string): Promise<boolean> => (await adds(id)) || (await updates(id))
  try {
    if (await isThere(collaborationId)) return false
    const { collaborationId: fresh } = await session.pool.ownCollaboration()
    const alive = (await adds(fresh)) && (await updates(fresh))
    return alive && !(await isThere(collaborationId))
  } catch (error) {
    if (isOfTheTarget(error)) return false
    throw error
  }
}
