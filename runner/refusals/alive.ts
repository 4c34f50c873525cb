/** Whether the target speaks like a portal, and whether it still accepts anything: before that no refusal proves anything. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe } from '../../clauses/acceptance.ts'
import { type ActorName, ofActors } from '../../deployment/configuration/actors.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { type OperationId, operationIds, operationOf } from '../../specs/operations.ts'
import { usesUp } from '../check.ts'
import { vainOften } from '../effort.ts'
import { effectOf } from '../log/exchange.ts'
import { remembered } from '../remembered.ts'
import type { Session } from '../session.ts'
import { askPlainly } from './plain-requests.ts'

/** Longest time between two sightings of what the world may be to blame for, in ms; shorter where the target settles sooner. */
const longestPauseMs = 1000

/** Operations that leave their fixture as it was come first: asking for a sign of life uses up as little as it can. */
const inOrder: readonly OperationId[] = [...operationIds].sort((one, other) => cost(one) - cost(other))

function cost(id: OperationId): number {
  if (usesUp(id)) return 2
  return operationOf(id).on === 'collaboration' ? 1 : 0
}

/**
 * Whether any answer of the run was one of a portal. Where none was so far, each allowed operation is asked once for
 * what is valid. Where still none is, wrong credentials, a wrong address and a broken portal cannot be told apart.
 */
export async function portalSpeaks(session: Session): Promise<boolean> {
  if (session.channel.spoken) return true
  const { asked } = session
  asked.portal ??= askAround(session, () => session.channel.spoken)
  await asked.portal
  return session.channel.spoken
}

/**
 * That nothing is accepted any more; undefined where a request is accepted that was sent after this answer: one of the
 * same actor, where any of that actor ever was. To be awaited between two sightings of what the world may be to blame
 * for, since time passes.
 */
export async function whyCutOff(session: Session, answer: Answer): Promise<string | undefined> {
  const { acceptances } = session.ledger
  const actor = effectOf(answer)?.actor
  const by = isKnown(session, actor) && acceptances.of(actor).length > 0 ? actor : undefined
  const parts = by === undefined ? [undefined] : partsOf(session, by)
  const isAlive = () => parts.some((part) => acceptances.since(answer.answeredAt, part))
  const pause = Math.min(longestPauseMs, session.configuration.run.settleMs)
  for (let round = 0; round < vainOften; round += 1) {
    await sleep(pause)
    for (const part of parts) {
      if (isAlive()) return undefined
      await signOfLife(session, part)
    }
    if (isAlive()) return undefined
  }
  const [whose, why] =
    by === undefined ? ['nothing', ''] : [`nothing of ${by}`, ', whose credential may have ended']
  return `${whose} was accepted any more after this was ${describe(answer)}${why}`
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
  const { signs } = session.asked
  const began = performance.now()
  const { acceptances } = session.ledger
  return remembered(signs, by, () =>
    askAround(session, () => acceptances.since(began, by), by).finally(() => signs.delete(by)),
  )
}

/** Asks each allowed operation for what is valid until that is enough; where an actor is given, what he may call. */
async function askAround(session: Session, enough: () => boolean, by?: ActorName): Promise<void> {
  const his = by === undefined ? [] : session.ledger.acceptances.of(by)
  for (const operation of inOrder) {
    if (enough()) return
    if (by === undefined || his.includes(operation) || operationOf(operation).calledBy === by)
      await askPlainly(session, operation, { by })
  }
}
