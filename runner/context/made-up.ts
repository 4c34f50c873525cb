/** What a check is given that nobody has: strangers with credentials that nobody was given, and ids of nothing. */
import { type ActorName, ofActors, type PortalName } from '../../deployment/configuration/actors.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { CheckDefinition } from '../check.ts'
import { subSeed } from '../seeds.ts'
import type { Session } from '../session.ts'
import type { Identity } from './calls.ts'
import { credentialLike, type Likeness } from './resembling.ts'
import { alikeInPart, isOfOneKind, type MadeUpIds, nobodysLike, unknownLike } from './unknown.ts'

/** The portal that an actor is of; that of the host where he is not configured. */
export const portalOf = (name: ActorName, { actors }: Configuration): PortalName =>
  actors[name]?.portal ?? 'host'

/** Somebody with a credential in the form of a real one. */
export function impostorFor({ id }: CheckDefinition, { actors, run }: Configuration): Identity {
  const known = actors.hostAdministrator?.credential ?? Object.values(actors)[0]?.credential
  const credential = unknownLike(known ?? 'x'.repeat(40), subSeed(run.seed, `${id}/impostor`))
  return { actor: 'impostor', credential, portal: 'host' }
}

/** Somebody whose credential resembles that of an actor; undefined where it might be his still. */
export async function resembling(
  session: Session,
  actor: ActorName,
  likeness: Likeness,
): Promise<Identity | undefined> {
  const { credential: real = '' } = await session.identities.of(actor)
  const credential = credentialLike(real, likeness, await credentialsIn(session))
  if (credential === undefined) return undefined
  // An empty credential is none.
  const stranger = credential === '' ? 'anonymous' : 'impostor'
  return { actor: stranger, credential, portal: portalOf(actor, session.configuration) }
}

async function credentialsIn(session: Session): Promise<string[]> {
  const known = ofActors(session.configuration.actors)
  const identities = await Promise.all(known.map(([name]) => session.identities.of(name)))
  return identities.map(({ credential = '' }) => credential)
}

/** Ids of nothing; the run is told of each, and that whatever is asked for of some of them changes nothing. */
export function madeUpIds(
  { id: check }: CheckDefinition,
  { watch, ledger, configuration }: Session,
): MadeUpIds {
  const seedOf = (what: string, id: string) => subSeed(configuration.run.seed, `${check}/${what}/${id}`)
  // Ids that count are met by chance.
  const isFree = (id: string): boolean => !watch.knowledge.isOfSomething(id)
  return {
    unknownLike: (id) => {
      const made = unknownLike(id, seedOf('unknown', id))
      return watch.madeUp(isFree(made) ? made : nobodysLike(id, seedOf('unknown', id)))
    },
    nobodysLike: (id) => watch.madeUp(ledger.madeUp(nobodysLike(id, seedOf('unknown', id)))),
    alikeInPart: (id) =>
      alikeInPart(id, seedOf('alike', id))
        .filter(isFree)
        .map((each) => watch.madeUp(ledger.madeUp(each))),
    ofAnotherKind: (name, ids) =>
      (ledger.sharesIds ? [] : ids).filter(isOfOneKind).map((id) => watch.madeUp(ledger.madeUp(id), name)),
  }
}
