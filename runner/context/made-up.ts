/** Callers with an invalid credential, and ids of nothing. */
import { type ActorName, ofActors, type PortalName } from '../../deployment/configuration/actors.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { CheckDefinition } from '../check.ts'
import { subSeed } from '../seeds.ts'
import type { Session } from '../session.ts'
import type { Identity } from './calls.ts'
import {
  credentialLike,
  type Likeness,
  type MadeUpIds,
  namesLike,
  nobodysLike,
  partlyResembling,
  showsItsKind,
  unknownLike,
} from './resembling.ts'

/** The portal of an actor. The host's if the actor is not configured. */
export const portalOf = (name: ActorName, { actors }: Configuration): PortalName =>
  actors[name]?.portal ?? 'host'

/** A stranger with a made-up credential in the form of a real one. */
export function impostorFor({ id }: CheckDefinition, { actors, run }: Configuration): Identity {
  const known = actors.hostAdministrator?.credential ?? Object.values(actors)[0]?.credential
  const credential = unknownLike(known ?? 'x'.repeat(40), subSeed(run.seed, `${id}/impostor`))
  return { actor: 'impostor', credential, portal: 'host' }
}

/** A stranger whose credential resembles an actor's. Undefined if the credential might still be valid. */
export async function resembling(
  session: Session,
  actor: ActorName,
  likeness: Likeness,
): Promise<Identity | undefined> {
  const { credential: real = '' } = await session.identities.of(actor)
  const credential = credentialLike(real, likeness, await credentialsIn(session))
  if (credential === undefined) return undefined
  // An empty credential is no credential.
  const stranger = credential === '' ? 'anonymous' : 'impostor'
  return { actor: stranger, credential, portal: portalOf(actor, session.configuration) }
}

async function credentialsIn(session: Session): Promise<string[]> {
  const known = ofActors(session.configuration.actors)
  const identities = await Promise.all(known.map(([name]) => session.identities.of(name)))
  return identities.map(({ credential = '' }) => credential)
}

/** Ids of nothing. The run records them, and that requests for some of them change nothing. */
export function madeUpIds(
  { id: check }: CheckDefinition,
  { watch, ledger, configuration }: Session,
): MadeUpIds {
  const seedOf = (what: string, id: string) => subSeed(configuration.run.seed, `${check}/${what}/${id}`)
  // A made-up id with a counter may exist by chance.
  const isUnused = (id: string): boolean => !watch.knowledge.isOfSomething(id)
  return {
    unknownLike: (id) => {
      const made = unknownLike(id, seedOf('unknown', id))
      return watch.madeUp(isUnused(made) ? made : nobodysLike(id, seedOf('unknown', id)))
    },
    nobodysLike: (id) => watch.madeUp(ledger.madeUp(nobodysLike(id, seedOf('unknown', id)))),
    partlyResembling: (id) =>
      partlyResembling(id, seedOf('alike', id))
        .filter(isUnused)
        .map((each) => watch.madeUp(ledger.madeUp(each))),
    namesLike: (name) =>
      namesLike(name, seedOf('name', name))
        .filter(isUnused)
        .map((each) => watch.madeUp(each)),
    ofAnotherKind: (name, ids) =>
      (ledger.sharesIds ? [] : ids).filter(showsItsKind).map((id) => watch.madeUp(ledger.madeUp(id), name)),
  }
}
