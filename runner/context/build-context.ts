/** Builds the context of one attempt and keeps count of what it did. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ActorName, PortalName } from '../../deployment/configuration/actors.ts'
import { type Answer, errorCodeOf } from '../../deployment/http/exchange.ts'
import { outOfStep } from '../../deployment/http/pace.ts'
import { operationIds, operationOf } from '../../specs/operations.ts'
import { missingInRelease } from '../applicability.ts'
import { saysBusy } from '../busy.ts'
import type { CheckDefinition } from '../check.ts'
import { isOfTheTarget, NotTested, Unproven } from '../findings.ts'
import { usesUp } from '../operation-targets.ts'
import { RoleNotes } from '../role-observations.ts'
import { subSeed } from '../seeds.ts'
import type { Session } from '../session.ts'
import { Shares } from '../sharing.ts'
import { callersFor, nobody, strangersTo } from './callers.ts'
import { reading } from './calls.ts'
import type { CheckContext, Runs } from './context.ts'
import { control, expectation } from './expectations.ts'
import { type Again, forAll } from './for-all.ts'
import { givenFor } from './given.ts'
import { type AttemptRecord, emptyRecord, keepAnswer, observation } from './record.ts'
import {
  besides,
  inSituation,
  lookIn,
  type Situation,
  situationNow,
  situationsFrom,
  situationsOf,
} from './situations.ts'
import {
  alikeButItsEnd,
  credentialLike,
  credentialWith,
  isOfNobody,
  isOfOneKind,
  nobodysLike,
  ofTwo,
  signedBeside,
  unknownLike,
} from './unknown.ts'

const pollMs = 50
const readTries = 3
/** A page that is kept back since it was asked for too fast is asked for so often again, after so long at most. */
const busyTries = 10
const busyMs = 800
/** From so many cases on the least number of a generated check is kept; below it shrinks with them. */
const fullRuns = 25

/** How many cases a generated check has. */
function casesOf(
  runs: number,
  { share, most, least, judged, examples }: Required<Omit<Runs, 'examples' | 'width'>> & { examples: number },
): number {
  const atLeast = Math.ceil(least * Math.min(1, runs / fullRuns))
  const asked = Math.min(most, Math.max(atLeast, Math.ceil(runs * share)))
  return Math.max(asked - judged, examples)
}

/** Whether each of its cases has a fixture of its own, so that one and the same is never looked at right after a refusal. */
const takesFreshFixtures = ({ operation, overlapping }: CheckDefinition): boolean =>
  operation !== undefined && !overlapping && usesUp(operation)

/** What an attempt shares with others, and how its findings are looked for again; absent: nothing, and not at all. */
export interface Surroundings {
  readonly again?: Again
  readonly shares?: Shares
}

export function buildContext(
  definition: CheckDefinition,
  session: Session,
  {
    again = { standsAlone: () => true, before: () => Promise.resolve() },
    shares = new Shares(session.sharing, { alone: true }),
  }: Surroundings = {},
): { context: CheckContext; record: AttemptRecord } {
  const { configuration } = session
  const roles = new RoleNotes(definition)
  const record = emptyRecord(roles)
  let generations = 0
  // Whoever has its turn waits for no workspace: those who have one may be waiting for their turn.
  let turns = 0
  let triedAgain = false
  const inTurn = async <T>(scenario: () => Promise<T>): Promise<T> => {
    turns += 1
    try {
      return await scenario()
    } finally {
      turns -= 1
    }
  }
  const partOf = (name: ActorName): PortalName => configuration.actors[name]?.portal ?? 'host'
  const known =
    configuration.actors.hostAdministrator?.credential ?? Object.values(configuration.actors)[0]?.credential
  const impostor = credentialLike(
    known ?? 'x'.repeat(40),
    subSeed(configuration.run.seed, `${definition.id}/impostor`),
  )
  const credentials = async (): Promise<string[]> => {
    const known = Object.keys(configuration.actors) as ActorName[]
    const identities = await Promise.all(known.map((name) => session.identityOf(name)))
    return identities.map(({ credential = '' }) => credential)
  }
  const strangers = strangersTo(definition, session)
  const callerOf = callersFor(definition, session, { record, strangers })
  const actors = definition.actors.map((name) => [name, callerOf(() => session.identityOf(name))])
  const context: CheckContext = {
    as: {
      ...Object.fromEntries(actors),
      anonymous: callerOf(() => nobody),
      impostor: callerOf(() => ({ actor: 'impostor', credential: impostor, portal: 'host' })),
    },
    strangers: strangers.map(callerOf),
    resembling: async (actor, likeness) => {
      const { credential: real = '' } = await session.identityOf(actor)
      if (!isOfNobody(likeness, real)) return undefined
      const seed = subSeed(configuration.run.seed, `${definition.id}/${likeness}`)
      const another = likeness === ofTwo ? signedBeside(real, await credentials()) : ''
      if (another === undefined) return undefined
      const credential = credentialWith(likeness, real, seed, another)
      // An empty credential is none.
      const stranger = credential === '' ? 'anonymous' : 'impostor'
      return callerOf(() => ({ actor: stranger, credential, portal: partOf(actor) }))
    },
    ended: async (actor) => {
      const identity = await session.endedIdentityOf(actor)
      return callerOf(() => identity)
    },
    given: givenFor(session, {
      name: definition.id,
      kinds: [...definition.fixtures, ...definition.whereOffered],
      adds: !definition.operations.includes('delete-collaboration'),
      shares,
      holder: record,
      mayWait: () => turns === 0,
      patient: () => configuration.administration !== undefined && (shares.alone || triedAgain),
      adopt: (answer) => {
        keepAnswer(record, answer)
        record.adopted += 1
        if (definition.operation !== undefined)
          roles.sent(answer, definition.operation, operationOf(definition.operation).calledBy)
      },
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
        held: () => session.watch.held(answer, definition.requirement),
        look: (requirement, told) => session.watch.judgementOf(answer, requirement, before, told),
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
      { share = 1, most = Number.POSITIVE_INFINITY, least = 1, judged = 0, width, examples = [] } = {},
    ) => {
      const [wanted, only] = session.input.onlyCase?.split('/') ?? []
      const all = casesOf(configuration.run.runs, { share, most, least, judged, examples: examples.length })
      const lookedAt = situationNow() === 'after-the-same'
      // Its examples must do: the look is at when a request comes, not at what it says.
      const few = Math.min(all, Math.max(1, examples.length))
      // Where syncs take turns, each made-up case would take as long as a sync: the examples must do.
      const enoughSyncs = () => session.syncTurns.taken && definition.operation === 'sync-workspace'
      const pass = async (runs: number, situation: Situation): Promise<Error | undefined> => {
        generations += 1
        const generation = generations
        if (runs === 0 || (wanted !== undefined && wanted !== String(generation))) return undefined
        let begun = 0
        const { cases, unproven } = await inSituation(situation, () =>
          forAll(arbitrary, body, {
            generation,
            examples,
            seed: subSeed(configuration.run.seed, `${definition.id}#${generation}`),
            runs,
            // Side by side they would come between another and its refusal.
            width: lookedAt ? 1 : (width ?? configuration.http.concurrency),
            ...(only === undefined ? {} : { only }),
            exhausted: () => session.exhausted || (++begun >= examples.length && enoughSyncs()),
            again: {
              ...again,
              before: (finding) => {
                triedAgain = true
                return again.before(finding)
              },
            },
          }),
        )
        record.cases += cases
        if (session.exhausted && cases < runs) record.cutShort = 'requests'
        else if (enoughSyncs() && cases < runs) record.cutShort ??= 'syncs'
        return unproven
      }
      const unproven = await pass(lookedAt ? few : all, 'plain')
      if (unproven !== undefined) record.unproven ??= unproven
      if (record.judged === 0 && wanted === undefined)
        throw unproven ?? new Unproven('no generated case could be judged')
      // What uses its fixture up is looked at again on others.
      if (!lookedAt && takesFreshFixtures(definition) && configuration.run.runs >= situationsFrom)
        await besides(async () => {
          const unproven = await pass(few, 'both')
          // A replay asks for that very case.
          if (wanted !== undefined && unproven !== undefined) record.unproven ??= unproven
        })
    },
    inSituations: (look, most = Number.POSITIVE_INFINITY) =>
      lookIn(
        situationNow() === 'after-the-same' || session.input.onlyCase !== undefined
          ? ['plain']
          : situationsOf(configuration.run.runs, most),
        look,
        () => !session.exhausted,
      ),
    situation: situationNow,
    observe: (id, observed) => void record.observations.push(observation(definition, id, observed)),
    aside: async (look) => {
      if (session.input.onlyCase !== undefined || session.exhausted) return
      try {
        await look()
      } catch (error) {
        if (!isOfTheTarget(error)) throw error
      }
    },
    portalsTriedBy: (actor) => [
      ...new Set<PortalName>([
        partOf(actor),
        'host',
        ...(definition.operation === 'sync-workspace' ? [partOf('syncInitiator')] : []),
      ]),
    ],
    read: async (page, at, by = 'hostAdministrator') => {
      const path = configuration.profile?.reads?.[page]
      if (path === undefined) throw new Error(`${definition.id} reads ${page} undeclared`)
      for (let [failed, busy] = [0, 0]; ; ) {
        const identity = await session.identityOf(by)
        record.requests += 1
        const answer = await session.send(() =>
          // What happened may be undone by others while a look at it waits.
          session.client.send({ ...reading(configuration, identity, path, at), urgent: true }),
        )
        if (saysBusy(answer) && busy < busyTries) {
          busy += 1
          await sleep(busyMs * outOfStep())
        } else if (mayPass(answer) && failed < readTries - 1) {
          failed += 1
          await sleep(pollMs)
        } else return keepAnswer(record, answer)
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
    syncs: {
      alone: (scenario) => session.syncTurns.alone(() => inTurn(scenario)),
      inQuiet: (scenario) => session.syncTurns.inQuiet(() => inTurn(scenario)),
      get holdUp() {
        return session.syncTurns.holdUp
      },
      get inTurns() {
        return session.syncTurns.taken
      },
      longestOf: (workspaceId) => session.syncTimes.longestOf(workspaceId),
      maybeLong: (workspaceId) => session.syncTimes.maybeLong(workspaceId),
      over: (workspaceId) => session.syncTimes.over(workspaceId),
      knowsLongestOf: (workspaceId) => session.syncTimes.knowsLongestOf(workspaceId),
    },
    configuration,
    runId: session.input.runId,
    unknownLike: (id) =>
      session.watch.madeUp(
        unknownLike(id, subSeed(configuration.run.seed, `${definition.id}/unknown/${id}`)),
      ),
    alikeButItsEnd: (id) => {
      const alike = alikeButItsEnd(id, subSeed(configuration.run.seed, `${definition.id}/alike/${id}`))
      return alike.map((each) => session.watch.madeUp(session.ledger.madeUp(each)))
    },
    ofAnotherKind: (name, ids) =>
      ids.filter(isOfOneKind).map((id) => session.watch.madeUp(session.ledger.madeUp(id), name)),
    nobodysLike: (id) =>
      session.watch.madeUp(
        session.ledger.madeUp(
          nobodysLike(id, subSeed(configuration.run.seed, `${definition.id}/unknown/${id}`)),
        ),
      ),
  }
  return { context, record }
}

/** Whether a page may be had a moment later: the deployment failed, or a token ended on the way. */
function mayPass(answer: Answer): boolean {
  const code = errorCodeOf(answer)
  return code >= 500 || code === 498
}
