/** Builds the context of one attempt and keeps count of what it did. */
import { setTimeout as sleep } from 'node:timers/promises'
import { operationIds, operationOf } from '../../specs/operations.ts'
import type { ActorName, PortalName } from '../../target/configuration/configuration.ts'
import type { Answer } from '../../target/http/exchange.ts'
import type { CheckDefinition } from '../check.ts'
import { isOfTheTarget, NotTested, Unproven } from '../findings.ts'
import type { Effect } from '../ledger.ts'
import { mayPass } from '../read-back.ts'
import { missingInRelease } from '../releases.ts'
import { RoleNotes } from '../role-observations.ts'
import { subSeed } from '../seeds.ts'
import type { Session } from '../session.ts'
import { type ActingIdentity, type At, type Caller, outgoing, reading } from './calls.ts'
import type { CheckContext } from './context.ts'
import { control, expectation } from './expectations.ts'
import { forAll } from './for-all.ts'
import { givenFor } from './given.ts'
import { emptyRecord, observation, type Record } from './record.ts'
import { credentialLike, credentialWith, nobodysLike, unknownLike } from './unknown.ts'

/** How many of the last exchanges are kept as evidence of a check that passed. */
const keptAnswers = 2
/** Larger answers are not kept for a check that passes: each of some hundred checks would hold them. In bytes. */
const largestKept = 64 * 1024
const pollMs = 50
const readTries = 3

export function buildContext(
  definition: CheckDefinition,
  session: Session,
): { context: CheckContext; record: Record } {
  const { configuration } = session
  const roles = new RoleNotes(definition)
  const record = emptyRecord(roles)
  let generations = 0
  const keep = (answer: Answer): Answer => {
    if (answer.body.length > largestKept) return answer
    record.answers.push(answer)
    if (record.answers.length > keptAnswers) record.answers.shift()
    return answer
  }
  const callerOf =
    (identityOf: () => ActingIdentity | Promise<ActingIdentity>): Caller =>
    async (operation, at, request = {}, how = {}) => {
      if (!definition.operations.includes(operation))
        throw new Error(`${definition.id} performs ${operation} undeclared`)
      const known = identityOf()
      const identity = known instanceof Promise ? await known : known
      const sent = outgoing(configuration, identity, operation, at as At<typeof operation>, request, how)
      if (operation === 'add-workspace') {
        const { collaborationId } = at as At<'add-workspace'>
        await session.collaborations.claim(record, collaborationId, request.collaborationWorkspaceName)
      }
      record.requests += 1
      const send = () => session.send(() => (how.on ?? session.client).send(sent))
      const effect = { operation, actor: identity.actor, at: at as Effect['at'], request }
      const perform = () => session.ledger.perform(effect, send)
      const answer = keep(operation === 'sync-workspace' ? await synced(at, perform) : await perform())
      roles.sent(answer, operation, identity.actor)
      session.answered.set(definition.id, (session.answered.get(definition.id) ?? 0) + 1)
      return answer
    }
  const synced = (at: object, perform: () => Promise<Answer>): Promise<Answer> => {
    const { workspaceId } = at as At<'sync-workspace'>
    return session.syncTurns.of(workspaceId, async () => {
      const answer = await perform()
      session.syncTimes.asked(workspaceId, answer)
      return answer
    })
  }
  const partOf = (name: ActorName): PortalName => configuration.actors[name]?.portal ?? 'host'
  const known =
    configuration.actors.hostAdministrator?.credential ?? Object.values(configuration.actors)[0]?.credential
  const impostor = credentialLike(
    known ?? 'x'.repeat(40),
    subSeed(configuration.run.seed, `${definition.id}/impostor`),
  )
  const actors = definition.actors.map((name) => [name, callerOf(() => session.identityOf(name))])
  const context: CheckContext = {
    as: {
      ...Object.fromEntries(actors),
      anonymous: callerOf(() => ({ actor: 'anonymous', portal: 'host' })),
      impostor: callerOf(() => ({ actor: 'impostor', credential: impostor, portal: 'host' })),
    },
    resembling: async (actor, likeness) => {
      const { credential: real = '' } = await session.identityOf(actor)
      const seed = subSeed(configuration.run.seed, `${definition.id}/${likeness}`)
      const credential = credentialWith(likeness, real, seed)
      return callerOf(() => ({ actor: 'impostor', credential, portal: partOf(actor) }))
    },
    given: givenFor(session, {
      name: definition.id,
      kinds: [...definition.fixtures, ...definition.whereOffered],
      shares: !definition.operations.includes('delete-collaboration'),
    }),
    usernameOf: (actor) => {
      const username = configuration.actors[actor]?.username
      if (username === undefined)
        throw new NotTested(`the username of ${actor} is not known: add actors.${actor}.username`, [
          `actors.${actor}.username`,
        ])
      return username
    },
    control: (answer, what) => {
      const body = control(answer, what)
      roles.read(answer, { accepted: true })
      return body
    },
    expect: (answer, ...before) =>
      expectation(answer, before, {
        judged: () => (record.judged += 1),
        read: (accepted, wanted) =>
          // What is accepted after something else shows what became of that.
          roles.read(answer, {
            accepted,
            ...(wanted === undefined ? {} : { wanted }),
            consequence: wanted === 'accepted' && before.length > 0,
          }),
      }),
    forAll: async (
      arbitrary,
      body,
      { share = 1, most = Number.POSITIVE_INFINITY, least = 1, width, examples = [] } = {},
    ) => {
      generations += 1
      const generation = generations
      const [wanted, only] = session.input.onlyCase?.split('/') ?? []
      if (wanted !== undefined && wanted !== String(generation)) return
      const asked = Math.min(most, Math.max(least, Math.ceil(configuration.run.runs * share)))
      const runs = Math.max(asked, examples.length)
      const { cases, unproven } = await forAll(arbitrary, body, {
        generation,
        examples,
        seed: subSeed(configuration.run.seed, `${definition.id}#${generation}`),
        runs,
        width: width ?? configuration.http.concurrency,
        ...(only === undefined ? {} : { only }),
        exhausted: () => session.exhausted,
      })
      record.cases += cases
      if (session.exhausted && cases < runs) record.cutShort = true
      if (unproven !== undefined) record.unproven ??= unproven
      if (record.judged === 0) throw unproven ?? new Unproven('no generated case could be judged')
    },
    observe: (id, observed) => void record.observations.push(observation(definition, id, observed)),
    aside: async (look) => {
      if (session.input.onlyCase !== undefined || session.exhausted) return
      try {
        await look()
      } catch (error) {
        if (!isOfTheTarget(error)) throw error
      }
    },
    portalsTriedBy: (actor) => [...new Set<PortalName>([partOf(actor), 'host'])],
    read: async (page, at) => {
      const path = configuration.profile?.reads?.[page]
      if (path === undefined) throw new Error(`${definition.id} reads ${page} undeclared`)
      for (let left = readTries - 1; ; left--) {
        const identity = await session.identityOf('hostAdministrator')
        record.requests += 1
        const answer = await session.send(() =>
          session.client.send(reading(configuration, identity, path, at)),
        )
        if (left === 0 || !mayPass(answer)) return keep(answer)
        await sleep(pollMs)
      }
    },
    onOneConnection: async (body) => {
      const connection = session.client.connection()
      try {
        return await body(connection)
      } finally {
        await connection.close()
      }
    },
    settled: async (ask, wanted) => {
      const until = performance.now() + configuration.run.settleMs
      for (;;) {
        const answer = await ask()
        if (wanted(answer) || performance.now() >= until) return answer
        await sleep(Math.min(pollMs, configuration.run.settleMs))
      }
    },
    offers: (id) =>
      operationIds.includes(id) &&
      definition.operations.includes(id) &&
      configuration.effects.includes(id) &&
      missingInRelease(operationOf(id), id, configuration.target) === undefined,
    configuration,
    runId: session.input.runId,
    unknownLike: (id) => unknownLike(id, subSeed(configuration.run.seed, `${definition.id}/unknown/${id}`)),
    nobodysLike: (id) =>
      session.ledger.madeUp(
        nobodysLike(id, subSeed(configuration.run.seed, `${definition.id}/unknown/${id}`)),
      ),
  }
  return { context, record }
}
