/** Whether what a refused request was performed on is there. */
import { listedFixtures } from '../../deployment/configuration/configuration.ts'
import type { FixtureKind } from '../../deployment/fixtures/fixture-kinds.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { operationIds, operationOf } from '../../specs/operations.ts'
import { isOfTheTarget } from '../findings.ts'
import { fixtureOf } from '../log/acceptances.ts'
import { effectOf, took } from '../log/exchange.ts'
import { remembered } from '../remembered.ts'
import type { Session } from '../session.ts'
import { askPlainly, takesPlain, takesPlainWorkspace } from './plain-requests.ts'
import { type Refusal, refusedEffect } from './refusal.ts'

/**
 * Before the refusal of a valid request counts: what it was performed on is there. That is shown by anything that was
 * accepted on it in this run; where the provider makes fixtures, by anything that was accepted on another of the kind, or
 * by two of them that are refused, too; where it has a list, which an earlier run may have used up, by a plain request
 * on the very same one. Gives the reason where none of it holds.
 */
export async function whyFixtureUnproved(refusal: Refusal): Promise<string | undefined> {
  const { session } = refusal
  const { acceptances } = session.ledger
  const effect = refusedEffect(refusal)
  if (effect === undefined) return undefined
  if (acceptances.onWhatWasGivenAway(effect))
    return 'its provider handed out items that had been given away before'
  if (acceptances.onFixtureOf(effect)) return undefined
  const { on } = operationOf(effect.operation)
  // What the run made itself, and can read, is there.
  if (isMade(session)) return undefined
  const listed = isListed(session)
  if (!listed && (acceptances.onKind(on) || (await refusesFresh(session, on)))) return undefined
  if (listed && (await takesPlain(session, effect))) return undefined
  const why =
    fixtureDoubt(refusal) ?? `nothing was ever accepted on this ${words[on]}: ${remedy(session, on)}`
  return `this refusal proves nothing, since ${why}`
}

/**
 * What may be wrong with what an answer was about, where no fixture of its kind was ever accepted although other requests
 * were; undefined where nothing speaks for that.
 */
export function fixtureDoubt(refusal: Refusal): string | undefined {
  const { session } = refusal
  const { acceptances } = session.ledger
  const effect = effectOf(refusal.answer)
  if (effect === undefined) return undefined
  const { on } = operationOf(effect.operation)
  if (isMade(session) || acceptances.onKind(on) || !acceptances.since(0)) return undefined
  return `no ${words[on]} has been accepted so far, while other requests are: ${remedy(session, on)}`
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
  return remembered(session.asked.kinds, kind, () => askTwice(session, kind))
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
export async function goneWithAnother(
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
  const { gone } = session.asked
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
