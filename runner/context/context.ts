/** What the body of a check works with. Made anew for each attempt. */
import type fc from 'fast-check'
import type { AcceptedBody } from '../../clauses/acceptance.ts'
import type { Part, Stranger } from '../../clauses/exchange.ts'
import type { ActorName, PortalName } from '../../deployment/configuration/actors.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { FixtureKind } from '../../deployment/fixtures/fixture-kinds.ts'
import type { Connection } from '../../deployment/http/client.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import type { OpenPointId } from '../../specs/open-points.ts'
import type { OperationId } from '../../specs/operations.ts'
import type { ReadName } from '../../specs/profile.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import type { Cases } from '../effort.ts'
import type { Lanes } from '../lanes.ts'
import type { SyncTimes } from '../patience/sync-times.ts'
import type { SyncTurns } from '../patience/sync-turns.ts'
import type { Caller, How, RequestFields } from './calls.ts'
import type { Expectation } from './expectations.ts'
import type { Body } from './for-all.ts'
import type { Given, Ordinary } from './given.ts'
import type { Likeness } from './resembling.ts'
import type { Situation } from './situations.ts'

/** One thing that an operation can be performed on, once or more often. */
export interface Subject {
  /** What the path names, where it is one fixture. */
  readonly at?: Readonly<Record<string, string>>
  /** The call by anybody, under the portal of its caller unless another is named. */
  readonly call: (caller: Caller, request: RequestFields, how?: How, portal?: PortalName) => Promise<Answer>
}

interface Accepted extends Ordinary {
  readonly subject: Subject
}

/** An operation, ready to be performed by those who may. */
export interface OperationTarget {
  /** Stand-ins for what `call` puts into the request itself. */
  readonly fixed: RequestFields
  /** A subject of its own: an operation that uses up its subject never meets it twice. */
  readonly fresh: () => Promise<Subject>
  /** The subject at that place of the path, which may be one of nothing. */
  readonly on: (place: Readonly<Record<string, string>>) => Promise<Subject>
  readonly permitted: Caller
  /** A call by the permitted actor on a fresh subject. */
  readonly send: (request: RequestFields, how?: How) => Promise<Answer>
  /**
   * An ordinary request that was accepted, with what it was performed on: the same for all checks, as a control or to be
   * looked at. `without`: a parameter that is left out of it.
   */
  readonly accepted: (without?: string) => Promise<Accepted>
  /**
   * An ordinary request that was accepted, of what `tried` tries where that is used again: who must be refused there comes
   * to what others were let in to.
   */
  readonly acceptedHere: () => Promise<Ordinary>
  /** Has callers who must be refused try a subject, which is for nothing else, and for the next ones until one is let in. */
  readonly tried: <R>(judge: (call: Subject['call']) => Promise<R>) => Promise<R>
}

/** Everybody by whom a check can call beside the actors that it declared, and how. */
export interface Callers<A extends ActorName = ActorName> {
  /** The caller of a part that is known only when the check is declared. Throws where the check did not declare it. */
  readonly by: (part: Part) => Caller
  /** Who may ask for the operation of the check beside the one by whom it is called, as far as they are configured. */
  readonly alsoMay: ReadonlyMap<ActorName, Caller>
  /** Those whom the operation of the check must refuse, whatever they ask for; the first has no credential. */
  readonly strangers: readonly Caller[]
  /** A stranger whose credential resembles that of an actor; undefined where it might be his still. */
  readonly resembling: (actor: A, likeness: Likeness) => Promise<Caller | undefined>
  /** A stranger with a credential of an actor that has ended; for checks that declare whose they need. */
  readonly ended: (actor: A) => Promise<Caller>
  /**
   * Paths on which a wrong caller is tried: its own, the host's and, for syncs, that of who may sync; of strangers those
   * of host and guest.
   */
  readonly portalsTriedBy: (caller: Part) => readonly PortalName[]
  /** Runs with a connection of its own and closes it. */
  readonly onOneConnection: <T>(body: (connection: Connection) => Promise<T>) => Promise<T>
}

/** What the target does where the contract is open: noted, and never judged. */
export interface OpenPoints {
  readonly observe: (point: OpenPointId, observed: string) => void
  /** Looks at open points on the side: what goes wrong there says nothing of the requirement. */
  readonly aside: (look: () => Promise<void>) => Promise<void>
}

/** What a check makes do with, where not all that it performs can be performed here. */
export interface PartsOfCheck {
  /** Whether this check may also perform that operation here: some look at more where more is offered. */
  readonly offers: (operation: OperationId) => boolean
  /** Notes what the check could not look at, where that holds. */
  readonly judgedWithout: (operations: readonly OperationId[]) => void
}

export interface CheckContext<A extends ActorName = ActorName, K extends FixtureKind = FixtureKind> {
  /** The actors that the check declared, and the two that need no configuration. */
  readonly as: { readonly [Name in A | Stranger]: Caller }
  readonly callers: Callers<A>
  /** An operation, ready to be performed by whoever may, in a check that declares what that needs (`targetNeeds`). */
  readonly target: (operation: OperationId) => OperationTarget
  readonly given: Given<K>
  /**
   * A valid request that must be accepted before its probe proves anything: otherwise inconclusive. Where it is refused
   * again and again, it breaks that clause: by default the first requirement of its operation.
   */
  readonly control: (answer: Answer, what?: string, clause?: RequirementId) => AcceptedBody
  /** Expects something of an answer. `before` are earlier answers that belong to the evidence. */
  readonly expect: (answer: Answer, ...before: readonly Answer[]) => Expectation
  /** Judges generated cases; a finding is tried again and shrunk. */
  readonly forAll: <T>(arbitrary: fc.Arbitrary<T>, body: Body<T>, runs?: Runs<T>) => Promise<void>
  /**
   * Looks once, and then again in other situations: right after a refused request on the same path, beside one, later.
   * For what would be looked at once or twice in a run; each look takes what it uses up anew.
   * `most`: looks in all, where one takes many requests.
   */
  readonly inSituations: (look: () => Promise<void>, most?: number) => Promise<void>
  /** What the requests of the check come in now. */
  readonly situation: () => Situation
  readonly openPoints: OpenPoints
  /** Asks for a page that the profile names, as the host administrator or as `by`; `at` fills in its path. */
  readonly read: (page: ReadName, at: Readonly<Record<string, string>>, by?: A) => Promise<Answer>
  /** Repeats until the answer is as wanted or so many times the settle time are over, once by default; gives the last answer. */
  readonly settled: (
    ask: () => Promise<Answer>,
    wanted: (answer: Answer) => boolean,
    times?: number,
  ) => Promise<Answer>
  readonly parts: PartsOfCheck
  /** How long syncs take, as far as the run knows, and turns in which no other sync gets in the way. */
  readonly syncs: Syncs
  readonly configuration: Configuration
}

export interface Syncs
  extends Pick<SyncTimes, 'longestOf' | 'knowsLongestOf' | 'maybeLong' | 'over'>,
    Pick<SyncTurns, 'alone' | 'inQuiet' | 'holdUp' | 'taken'> {
  /** For requests that may be held up: half of what may be under way at once, so that other checks go on. */
  readonly lanes: Lanes
}

/** How many cases a generated check has. */
export interface Runs<T = unknown> {
  /** Cases that are always judged, before all others. */
  readonly examples?: readonly T[]
  /** Default: some. */
  readonly cases?: Cases
  readonly most?: number
  /** How many cases were judged already by other means: there are as many fewer. */
  readonly judged?: number
  /** Cases at once; default: as many as the run may have under way. */
  readonly width?: number
}
