/** Builds the context of one attempt and records what the attempt does. */
import { isAccepted, isOutOfForm } from '../../clauses/acceptance.ts'
import { alsoMay } from '../../clauses/callers.ts'
import { isStranger, type Part } from '../../clauses/exchange.ts'
import type { ActorName, PortalName } from '../../deployment/configuration/actors.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { FixtureKind, FixtureOptions } from '../../deployment/fixtures/fixture-kinds.ts'
import type { OperationId } from '../../specs/operations.ts'
import type { CheckDefinition } from '../check.ts'
import { isQuick } from '../effort.ts'
import { isOfTheTarget } from '../findings.ts'
import { startTogether } from '../lanes.ts'
import { operationTarget } from '../operation-targets.ts'
import { partsThere } from '../plan.ts'
import { Loan } from '../pool/loan.ts'
import { RoleNotes } from '../role-observations.ts'
import type { Session } from '../session.ts'
import { CheckCalls } from './callers.ts'
import type { Caller } from './calls.ts'
import type { CheckContext, Given } from './context.ts'
import { control, Expectation } from './expectations.ts'
import { generations } from './for-all.ts'
import { madeUpIds, validRequestsFor } from './given.ts'
import { type FindingRetries, keepAnswer, keepObservation, type OngoingAttempt } from './record.ts'
import { anonymous, lookInSituations, SituationOfAttempt, situationsOf } from './situations.ts'
import { Wait } from './wait.ts'

/** How findings of the attempt are retried, and whether it shares fixtures. Default: not retried, not shared. */
interface AttemptOptions {
  readonly again?: FindingRetries
  readonly alone?: boolean
}

export function buildContext(
  definition: CheckDefinition,
  session: Session,
  options: AttemptOptions = {},
): OngoingAttempt & { readonly context: CheckContext } {
  const attempt = begin(definition, session, options)
  const { record } = attempt
  const { configuration } = session
  const context: CheckContext = {
    ...callersIn(attempt),
    ...looksIn(attempt),
    target: (operation) => operationTarget(context, operation),
    given: givenOf(attempt),
    wait: new Wait(configuration.run),
    parts: {
      offers: (id) => partsThere(definition, configuration).includes(id),
      pagesShown: session.sideQuestions.pagesShown,
      judgedWithout: (operations) => {
        if (operations.length > 0)
          record.without = `judged without ${operations.join(', ')}, for which there is no actor or no fixture`
      },
    },
    syncs: syncsIn(attempt),
    configuration,
  }
  return { ...attempt, context }
}

function begin(
  definition: CheckDefinition,
  session: Session,
  {
    again = { isProvedAtOnce: () => true, beforeRetry: () => Promise.resolve() },
    alone = true,
  }: AttemptOptions,
): OngoingAttempt {
  const { configuration } = session
  const record: OngoingAttempt['record'] = {
    requests: 0,
    adopted: 0,
    judged: 0,
    ended: false,
    syncTurns: 0,
    answers: [],
    observations: [],
    roles: new RoleNotes(definition),
  }
  let triedAgain = false
  const loan = new Loan(session.pool, {
    alone,
    usesUp: definition.usesUp,
    settleMs: () =>
      configuration.administration !== undefined && (alone || triedAgain) ? configuration.run.settleMs : 0,
    // A check with a sync turn must not wait for a workspace, because its holder may be waiting for a turn.
    mayWait: () => record.syncTurns === 0,
  })
  const noted: FindingRetries = {
    ...again,
    beforeRetry: (finding) => {
      triedAgain = true
      return again.beforeRetry(finding)
    },
  }
  return { definition, session, record, loan, again: noted, situation: new SituationOfAttempt() }
}

const actingIn = ({ actors, whereThere }: CheckDefinition): readonly ActorName[] => [
  ...actors,
  ...whereThere.actors,
]

/** All callers of the check. */
function callersIn(attempt: OngoingAttempt): Pick<CheckContext, 'as' | 'callers' | 'read'> {
  const { definition, session } = attempt
  const { configuration } = session
  const impostor = session.identities.impostor(definition.id)
  const calls = new CheckCalls(attempt)
  const named = (name: ActorName): readonly [ActorName, Caller] => [
    name,
    calls.by(() => session.identities.of(name)),
  ]
  const callers = new Map<Part, Caller>([
    ...actingIn(definition).map(named),
    ['anonymous', calls.by(() => anonymous)],
    ['impostor', calls.by(() => impostor)],
  ])
  const { operation } = definition
  const also = operation === undefined ? [] : (alsoMay[operation] ?? [])
  return {
    as: Object.fromEntries(callers) as CheckContext['as'],
    read: (page, at, by = 'hostAdministrator') => calls.read(page, at, by),
    callers: {
      by: (part) => {
        const caller = callers.get(part)
        if (caller === undefined) throw new Error(`${definition.id} acts as ${part} undeclared`)
        return caller
      },
      alsoMay: new Map(also.filter((name) => configuration.actors[name] !== undefined).map(named)),
      strangers: calls.strangers.map((identityOf) => calls.by(identityOf)),
      resembling: async (actor, likeness) => {
        const stranger = await session.identities.resembling(actor, likeness)
        return stranger && calls.by(() => stranger)
      },
      ended: async (actor) => {
        const identity = await session.identities.ended(actor)
        return calls.by(() => identity)
      },
      portalsTriedBy: (caller) => portalsTriedBy(caller, operation, configuration),
      together: (racers) => startTogether(session.channel.races, racers),
      onOneConnection: async (body) => {
        const connection = session.channel.client.connection()
        try {
          return await body(connection)
        } finally {
          await connection.close()
        }
      },
    },
  }
}

/** What the check is given. */
function givenOf({ definition, session, loan, record }: OngoingAttempt): Given<FixtureKind> {
  const { id, fixtures, whereThere } = definition
  const kinds = [...fixtures, ...whereThere.fixtures].map((kind) => [
    kind,
    (options?: Partial<FixtureOptions[FixtureKind]>) => loan.take(kind, options),
  ])
  return {
    ...(Object.fromEntries(kinds) as Pick<Given<FixtureKind>, FixtureKind>),
    ...validRequestsFor(session, id),
    runId: session.input.runId,
    ids: madeUpIds(id, session),
    different: (...wish) => loan.different(...wish),
    receiver: (...not) => loan.receiver(...not),
    receiverBeside: (one) => loan.receiverBeside(one),
    ownWorkspace: () => loan.ownWorkspace(),
    withWorkspace: (...use) => loan.withWorkspace(...use),
    inTurn: (...use) => loan.inTurn(...use),
    once: (...making) => loan.once(...making),
    accepted: async (key, make) => {
      const { made, byOthers } = await loan.shared(key, make, ({ answer }) => isAccepted(answer))
      if (byOthers) {
        keepAnswer(record, made.answer)
        record.adopted += 1
      }
      return made
    },
  }
}

/** How the check judges answers, and how often it tries. */
function looksIn(
  attempt: OngoingAttempt,
): Pick<CheckContext, 'control' | 'expect' | 'forAll' | 'inSituations' | 'situation' | 'openPoints'> {
  const { definition, session, record, situation } = attempt
  const { roles } = record
  return {
    control: (answer, what, clause) => {
      const body = control(answer, what, clause)
      roles.read(answer, { accepted: true })
      return body
    },
    expect: (answer, ...before) =>
      new Expectation(answer, before, {
        operation: definition.operation,
        judged: () => (record.judged += 1),
        held: () => session.watch.held(answer, definition.requirement),
        look: (requirement, fromCheck) => session.watch.judgementOf(answer, requirement, before, fromCheck),
        whyUndecided: () => session.watch.whyUndecided(answer),
        read: (accepted, wanted) => {
          if (!accepted && isOutOfForm(answer)) record.outOfForm = answer
          // An acceptance after other requests shows a consequence, not what the caller may do.
          roles.read(answer, {
            accepted,
            wanted,
            consequence: wanted === 'accepted' && before.length > 0,
          })
        },
      }),
    forAll: generations(attempt),
    inSituations: (look, most = Number.POSITIVE_INFINITY) =>
      lookInSituations(
        situation.now === 'after-the-same' || session.input.onlyCase !== undefined
          ? ['plain']
          : situationsOf(session.configuration.run.runs, most),
        look,
        { during: situation.during, goesOn: () => !session.channel.exhausted },
      ),
    situation: () => situation.now,
    openPoints: {
      observe: (id, observed) => keepObservation(attempt, id, observed),
      aside: async (look) => {
        if (session.input.onlyCase !== undefined || session.channel.exhausted) return
        if (isQuick(session.configuration.run) || situation.now !== 'plain') return
        try {
          await look()
        } catch (error) {
          if (!isOfTheTarget(error)) throw error
        }
      },
    },
  }
}

function syncsIn({ session: { patience }, record }: OngoingAttempt): CheckContext['syncs'] {
  const { syncTimes, syncTurns, heldUp } = patience
  const inTurn = async <T>(scenario: () => Promise<T>): Promise<T> => {
    record.syncTurns += 1
    try {
      return await scenario()
    } finally {
      record.syncTurns -= 1
    }
  }
  return {
    lanes: heldUp,
    longestOf: (id) => syncTimes.longestOf(id),
    knowsLongestOf: (id) => syncTimes.knowsLongestOf(id),
    untilOver: (id, ranAt) => syncTimes.untilOver(id, ranAt),
    over: (id) => syncTimes.over(id),
    alone: (scenario) => syncTurns.alone(() => inTurn(scenario)),
    inQuiet: (scenario) => syncTurns.inQuiet(() => inTurn(scenario)),
    get taken() {
      return syncTurns.taken
    },
  }
}

function portalsTriedBy(
  caller: Part,
  operation: OperationId | undefined,
  configuration: Configuration,
): PortalName[] {
  const its = isStranger(caller)
    ? (['host', 'guest'] as const)
    : [portalOf(caller, configuration), 'host' as const]
  const ofSyncs = operation === 'sync-workspace' ? [portalOf('syncInitiator', configuration)] : []
  return [...new Set([...its, ...ofSyncs])].filter((portal) => configuration.portals[portal] !== undefined)
}

/** The portal of an actor. The host's if the actor is not configured. */
const portalOf = (name: ActorName, { actors }: Configuration): PortalName => actors[name]?.portal ?? 'host'
