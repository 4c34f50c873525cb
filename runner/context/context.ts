/** What the body of a check works with. Each attempt gets its own. */
import type fc from 'fast-check'
import type { AcceptedBody } from '../../clauses/acceptance.ts'
import type { Part, Stranger } from '../../clauses/exchange.ts'
import type { ActorName, PortalName } from '../../deployment/configuration/actors.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { FixtureAnswers, FixtureKind, FixtureOptions } from '../../deployment/fixtures/fixture-kinds.ts'
import type { Connection } from '../../deployment/http/client.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import type { OpenPointId } from '../../specs/open-points.ts'
import type { OperationId } from '../../specs/operations.ts'
import type { ReadName } from '../../specs/profile.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import type { Likeness } from '../cases/likenesses.ts'
import type { Cases } from '../effort.ts'
import type { Lanes, Racer } from '../lanes.ts'
import type { SyncTimes } from '../patience/sync-times.ts'
import type { SyncTurns } from '../patience/sync-turns.ts'
import type { Loan } from '../pool/loan.ts'
import type { Caller, How, RequestFields } from './calls.ts'
import type { Expectation } from './expectations.ts'
import type { MadeUpIds, ValidRequests } from './given.ts'
import type { Situation } from './situations.ts'
import type { Wait } from './wait.ts'

/** The declared kinds of fixtures, requests for several of a kind, and valid requests. */
export type Given<Kind extends FixtureKind> = {
  readonly [K in Kind]: (options?: Partial<FixtureOptions[K]>) => Promise<FixtureAnswers[K]>
} & ValidRequests &
  Pick<
    Loan,
    'different' | 'receiver' | 'receiverBeside' | 'ownWorkspace' | 'withWorkspace' | 'inTurn' | 'once'
  > & {
    /** An ordinary accepted request. The first one made for a `key` serves all checks. */
    readonly accepted: <O extends Ordinary>(key: string, make: () => Promise<O>) => Promise<O>
    /** Marks what the check makes on the target. */
    readonly runId: string
    /** Ids of nothing. */
    readonly ids: MadeUpIds
  }

/** A request and its answer. */
export interface Ordinary {
  readonly request: RequestFields
  readonly answer: Answer
}

/** A thing that an operation can be performed on, once or several times. */
export interface Subject {
  /** The ids in the path, if they are of one fixture. */
  readonly at?: Readonly<Record<string, string>>
  /** Calls the operation as any caller, by default on the path of the caller's portal. */
  readonly call: (caller: Caller, request: RequestFields, how?: How, portal?: PortalName) => Promise<Answer>
}

interface Accepted extends Ordinary {
  readonly subject: Subject
}

/** An operation, ready to be performed by its permitted caller. */
export interface OperationTarget {
  /** Placeholders for the values that `call` fills in. */
  readonly fixed: RequestFields
  /** A subject of its own. Operations that use up their subject get a new one each time. */
  readonly fresh: () => Promise<Subject>
  /** The subject at that place. It need not exist. */
  readonly on: (place: Readonly<Record<string, string>>) => Promise<Subject>
  readonly permitted: Caller
  /** Calls as the permitted actor on a fresh subject. */
  readonly send: (request: RequestFields, how?: How) => Promise<Answer>
  /** An ordinary accepted request and its subject, shared by all checks. `without`: a parameter to leave out. */
  readonly accepted: (without?: string) => Promise<Accepted>
  /** The same as a control: nothing is proved unless it was accepted. */
  readonly controlled: (without?: string) => Promise<Accepted>
  /**
   * A control on the subject that `tried` uses, if that is shared: wrong callers then come right after permitted ones.
   * In a quick run the same as `controlled`.
   */
  readonly controlledHere: () => Promise<Ordinary>
  /**
   * Lets wrong callers try a subject that serves nothing else. It goes from check to check until one of them is
   * accepted.
   */
  readonly tried: <R>(judge: (call: Subject['call']) => Promise<R>) => Promise<R>
}

/** Callers beside the declared actors, and ways of calling. */
export interface Callers<A extends ActorName = ActorName> {
  /** The caller of a part that is known only at declaration. Throws if the check did not declare it. */
  readonly by: (part: Part) => Caller
  /** Other permitted callers of the operation, if configured. */
  readonly alsoMay: ReadonlyMap<ActorName, Caller>
  /** The callers that the operation must refuse whatever they send. The first has no credential. */
  readonly strangers: readonly Caller[]
  /** A stranger whose credential resembles an actor's. Undefined if the credential might still be valid. */
  readonly resembling: (actor: A, likeness: Likeness) => Promise<Caller | undefined>
  /** A stranger with an expired credential of the actor. The check must declare the actor in `whereThere.ended`. */
  readonly ended: (actor: A) => Promise<Caller>
  /**
   * The paths on which a wrong caller is tried: its own portal's and the host's; for syncs also the initiator's; for
   * strangers the host's and the guest's.
   */
  readonly portalsTriedBy: (caller: Part) => readonly PortalName[]
  /** Sends requests at the same moment. The answers come in the order of the racers. Rejects if an exchange breaks. */
  readonly together: (racers: readonly Racer[]) => Promise<Answer[]>
  /** Runs the body with a new connection and closes it. */
  readonly onOneConnection: <T>(body: (connection: Connection) => Promise<T>) => Promise<T>
}

/** What the target does at open points. Recorded, never judged. */
export interface OpenPoints {
  readonly observe: (point: OpenPointId, observed: string) => void
  /** Explores open points. Failures there say nothing about the requirement. */
  readonly aside: (look: () => Promise<void>) => Promise<void>
}

/** What a check does if only a part of its operations is available. */
export interface PartsOfCheck {
  /** Whether the check may also perform that operation here. */
  readonly offers: (operation: OperationId) => boolean
  /** Records what the check could not judge, if anything. */
  readonly judgedWithout: (operations: readonly OperationId[]) => void
  /** Pages that the target showed to any check. A release may lack some. */
  readonly pagesShown: Set<ReadName>
}

export interface CheckContext<A extends ActorName = ActorName, K extends FixtureKind = FixtureKind> {
  /** The declared actors and the two strangers. */
  readonly as: { readonly [Name in A | Stranger]: Caller }
  readonly callers: Callers<A>
  /** An operation, ready for its permitted caller. The check must declare `targetNeeds` of it. */
  readonly target: (operation: OperationId) => OperationTarget
  readonly given: Given<K>
  /**
   * A valid request that must be accepted, or else its probe proves nothing. `clause`: the requirement that says so.
   * Default: the first one of its operation.
   */
  readonly control: (answer: Answer, what?: string, clause?: RequirementId) => AcceptedBody
  /** Expects something of an answer. `before`: earlier answers that belong to the evidence. */
  readonly expect: (answer: Answer, ...before: readonly Answer[]) => Expectation
  /** Judges generated cases. A finding is retried and shrunk. */
  readonly forAll: <T>(arbitrary: fc.Arbitrary<T>, body: Body<T>, runs?: Runs<T>) => Promise<void>
  /**
   * Runs `look`, then again in other situations: right after a refused request on the same path, beside one, and later.
   * For what a check would try only once or twice. Each time uses new fixtures. `most`: the total number, if one takes
   * many requests.
   */
  readonly inSituations: (look: () => Promise<void>, most?: number) => Promise<void>
  /** The current situation of the check's requests. */
  readonly situation: () => Situation
  readonly openPoints: OpenPoints
  /** Reads a page that the profile names, as the host administrator or as `by`. `at` fills in its path. */
  readonly read: (page: ReadName, at: Readonly<Record<string, string>>, by?: A) => Promise<Answer>
  readonly wait: Wait
  readonly parts: PartsOfCheck
  /** How long syncs take, if known, and turns without other syncs. */
  readonly syncs: Syncs
  readonly configuration: Configuration
}

export interface Syncs
  extends Pick<SyncTimes, 'longestOf' | 'knowsLongestOf' | 'untilOver' | 'over'>,
    Pick<SyncTurns, 'alone' | 'inQuiet' | 'taken'> {
  /** For requests that a sync may hold up: half of the places, so that other checks go on. */
  readonly lanes: Lanes
}

/** Judges a case. The number identifies the case, also when it is shrunk or replayed. */
export type Body<T> = (value: T, number: number) => Promise<void>

/** How many cases a generated check has. */
export interface Runs<T = unknown> {
  /** Cases that always come first. */
  readonly examples?: readonly T[]
  /** All cases of a quick run, chosen to cover most of the examples. Default: the first example. */
  readonly quick?: readonly T[]
  /** Default: some. */
  readonly cases?: Cases
  readonly most?: number
  /** The number of cases that were already judged in another way and are left out here. */
  readonly judged?: number
  /** Cases under way at once. Default: the concurrency of the run. */
  readonly width?: number
}
