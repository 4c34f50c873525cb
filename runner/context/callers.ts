/** How the calls of a check go: in which situation, in whose turn, and again where a credential ended on its way. */
import type { ActorName } from '../../deployment/configuration/actors.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { type OperationId, operationOf } from '../../specs/operations.ts'
import type { CheckDefinition } from '../check.ts'
import { Unproven } from '../findings.ts'
import type { RunExchange } from '../log/exchange.ts'
import { wrongCallers } from '../operation-targets.ts'
import { type Call, perform } from '../perform.ts'
import { subSeed } from '../seeds.ts'
import type { Session } from '../session.ts'
import type { At, Caller, How, Identity } from './calls.ts'
import { type AttemptRecord, keepAnswer, observation } from './record.ts'
import { nobody, refusedWith } from './refusals.ts'
import { type Refused, type Situation, sentInSituation, situationNow } from './situations.ts'

/** So often a request goes again whose credential ended while it waited for its place. */
const mostRenewals = 3
/** Of so many requests that come right after a refused one for the same one comes beside another, too. */
const oneBeside = 3

/** What edits of it may not meet; undefined where an operation edits nothing that others edit at the same moment. */
function thingOf(operation: OperationId, at: object): string | undefined {
  const { collaborationId, federationId } = at as { collaborationId?: string; federationId?: string }
  if (operation === 'add-workspace' || operation === 'update-participant') return collaborationId
  return operation === 'update-federation' ? federationId : undefined
}

/** In which situation such a request goes: in none where it is told when to go, or on what. */
function situationFor({ gate, on, method, urgent }: How): Situation {
  const plainly = gate === undefined && on === undefined && method === undefined && urgent === undefined
  return plainly ? situationNow() : 'plain'
}

/** Who calls, as he is at that moment. */
type IdentityOf = () => Identity | Promise<Identity>

/** Those whom the operation of a check must refuse, as far as they are configured; the first has no credential. */
export function strangersTo({ operation }: CheckDefinition, session: Session): readonly IdentityOf[] {
  const called =
    operation === undefined
      ? []
      : operationOf(operation).requirements.map(({ id }) => wrongCallers[id.split('/')[1] as string])
  const names = [...new Set(called)].filter(
    (name): name is ActorName => name !== undefined && session.configuration.actors[name] !== undefined,
  )
  return [() => nobody, ...names.map((name) => () => session.identityOf(name))]
}

/** Makes callers for one attempt of a check, in whose record all that they send is counted. `strangers`: see `strangersTo`. */
export function callersFor(
  definition: CheckDefinition,
  session: Session,
  { record, strangers }: { readonly record: AttemptRecord; readonly strangers: readonly IdentityOf[] },
): (identityOf: IdentityOf) => Caller {
  const { configuration } = session
  let refusedSoFar = 0
  // Each check begins elsewhere in the list, so that no kind is left to checks of many requests; with every seed there.
  const begin = subSeed(0, `${definition.id}/refused`)
  const turn = { before: begin, beside: begin }

  const performed = <Id extends OperationId>(identity: Identity, call: Call<Id>): Promise<RunExchange> => {
    record.requests += 1
    return perform(session, identity, call)
  }

  /** Sends it as whoever it is by then: his credential may end on the way. */
  async function sent(call: Call, identity: Identity, identityOf: IdentityOf): Promise<RunExchange> {
    const { operation, how = {} } = call
    // What is to come at one moment says nothing later, and syncs have turns of their own.
    const atLeisure = how.gate === undefined && how.method === undefined && operation !== 'sync-workspace'
    for (let acting = identity, left = mostRenewals; ; left--) {
      const once = () => performed(acting, call)
      const answer = await (atLeisure ? session.busy.of(operation, once) : once())
      session.saw(answer, operation, acting)
      if (!session.outlived(answer, acting)) return byUpdater(call, answer, acting)
      // One of several that were to go together cannot go again alone.
      if (left === 0 || how.gate !== undefined)
        throw new Unproven(`the credential of ${acting.actor} ended on its way`, [answer])
      acting = await identityOf()
    }
  }

  /** The answer to the owner of a task, or to who may update his runs in his place. */
  async function byUpdater(
    call: Call,
    answer: RunExchange,
    { actor, credential }: Identity,
  ): Promise<RunExchange> {
    const { operation, how = {} } = call
    const plainly = how.gate === undefined && how.method === undefined
    if (operation !== 'update-task-run' || actor !== 'taskOwner' || !plainly) return answer
    const { runUpdater } = session
    const last = await runUpdater.answered(answer, async (name) =>
      performed({ ...(await session.identityOf(name)), actor }, call),
    )
    if (last !== answer) {
      const found = `the owner of a task is refused, ${runUpdater.instead} is not`
      record.observations.push(observation(definition, 'run-capability', found))
    }
    if (last !== answer || runUpdater.instead === undefined) return last
    // Somebody was found while the owner asked.
    const now = await session.identityOf('taskOwner')
    return now.credential === credential ? answer : performed(now, call)
  }

  /** Sends what is refused before a request or beside it, or asks for the same as somebody who is refused. */
  async function refused(call: Call, what: Refused): Promise<Answer> {
    if (what === 'the same') {
      const stranger = strangers[refusedSoFar++ % strangers.length] as IdentityOf
      return performed(await stranger(), call)
    }
    return refusedWith(what, turn[what]++, { session, call, performed, by: definition.id })
  }

  /** Sends it in the situation that its check looks at now. */
  function inItsSituation(call: Call, identity: Identity, send: () => Promise<RunExchange>) {
    const situation = situationFor(call.how ?? {})
    const refuse = (what: Refused) =>
      refused({ ...call, at: { ...call.at, portal: call.at.portal ?? identity.portal } }, what)
    const drawn = () => Math.abs(subSeed(configuration.run.seed, `${definition.id}/beside/${refusedSoFar}`))
    const beside = situation === 'after-the-same' && drawn() % oneBeside === 0
    return sentInSituation(
      situation,
      beside ? () => sentInSituation('in-company', send, refuse) : send,
      refuse,
    )
  }

  /** Whether its collaboration was deleted in this run. */
  function isGone({ collaborationId }: { readonly collaborationId?: string | undefined }): boolean {
    if (collaborationId === undefined) return false
    const place = { baseUrl: configuration.target.baseUrl, path: { collaborationID: collaborationId } }
    return session.watch.knowledge.deletionOf(place) !== undefined
  }

  /** Sends a sync of whoever may ask for one once it is its turn. */
  function synced(at: At<'sync-workspace'>, how: How, ask: () => Promise<RunExchange>): Promise<RunExchange> {
    const { workspaceId, collaborationId } = at
    const permitted = session.watch.knowledge.placeOf(workspaceId) === collaborationId && !isGone(at)
    const patient = permitted && how.once !== true && how.gate === undefined
    return session.syncTurns.of({ workspaceId, permitted, patient }, ask).finally(() => {
      // What is no portal starts nothing.
      if (session.spoken) session.pool.synced(workspaceId)
    })
  }

  return (identityOf) =>
    async (operation, at, request = {}, how = {}) => {
      if (!definition.operations.includes(operation))
        throw new Error(`${definition.id} performs ${operation} undeclared`)
      if (record.ended) throw new Unproven('the time of the check is over')
      const known = identityOf()
      const identity = known instanceof Promise ? await known : known
      const call = { operation, at: at as Call['at'], request, how, by: definition.id }
      const ask = () => inItsSituation(call, identity, () => sent(call, identity, identityOf))
      const byWhoMay = identity.actor === operationOf(operation).calledBy
      const edited = byWhoMay ? thingOf(operation, at) : undefined
      const besideNoEdit = (ask: () => Promise<RunExchange>): Promise<RunExchange> =>
        edited === undefined ? ask() : session.edits.run(edited, ask)
      const takesTurns =
        operation === 'sync-workspace' && identity.actor === 'syncInitiator' && how.method !== 'GET'
      const answer = await (takesTurns
        ? synced(at as At<'sync-workspace'>, how, ask)
        : how.gate === undefined
          ? besideNoEdit(ask)
          : ask())
      keepAnswer(record, answer)
      session.answered.set(definition.id, (session.answered.get(definition.id) ?? 0) + 1)
      // What is refused in a collaboration that is gone is no matter of values.
      if (how.method === undefined && byWhoMay && !isGone(call.at))
        await session.openValues.look(operation, request, answer, (changed) =>
          besideNoEdit(() => performed(identity, { ...call, request: changed })),
        )
      return answer
    }
}
