/** How a check is declared: which requirement it proves, what it needs, and the proof itself. */

import type { ActorName } from '../deployment/configuration/actors.ts'
import type { FixtureKind } from '../deployment/fixtures/fixture-kinds.ts'
import { withoutUndefined } from '../schemas/without-undefined.ts'
import type { OpenPointId } from '../specs/open-points.ts'
import type { Operation } from '../specs/operation.ts'
import { type OperationId, operationIds, operationOf } from '../specs/operations.ts'
import type { closablePoints, ReadName, RefusalCause } from '../specs/profile.ts'
import { type RequirementId, requirementOf } from '../specs/requirements.ts'
import type { CheckId } from './check-result.ts'
import type { CheckContext } from './context/context.ts'

/** What a profile can say that is judged: the error code of a refusal, or that a list is closed. */
type ProfileRule = { readonly error: RefusalCause } | { readonly closed: (typeof closablePoints)[number] }

/**
 * What runs must know of a check.
 * - `overlapping`: it sends requests that must overlap: at least two connections are needed.
 * - `timed`: what it finds rests on time, on a race or on a later answer: it is said only where it is seen twice.
 * - `further`: a look beyond the first at what other checks look at too: runs of few cases leave it out.
 */
export type Trait = 'overlapping' | 'timed' | 'further'

/** What a check looks at besides: without it the check is not applicable, and its requirement is judged by others. */
export interface WhereThere<Actor extends ActorName = ActorName, Kind extends FixtureKind = FixtureKind> {
  readonly actors?: readonly Actor[]
  /** A provider need not offer them. */
  readonly fixtures?: readonly Kind[]
  /** Pages that the profile must name. */
  readonly reads?: readonly ReadName[]
  /** Whose credential that has ended must be known. */
  readonly ended?: ActorName
}

/** What must be there before a check can be made. */
export interface Needs<Actor extends ActorName = ActorName, Kind extends FixtureKind = FixtureKind> {
  /** The operation that is judged; needed where the requirement speaks of all of them. */
  readonly operation?: OperationId
  readonly actors?: readonly Actor[]
  readonly fixtures?: readonly Kind[]
  readonly whereThere?: WhereThere<Actor, Kind>
  /** Further operations that the check performs, to prepare or to look at consequences. */
  readonly also?: readonly OperationId[]
  /** Open points that must be settled, beyond the one that the requirement names. */
  readonly settled?: readonly OpenPointId[]
  /** What each of its operations needs: the check makes do with those that can be performed here. */
  readonly parts?: Readonly<Partial<Record<OperationId, Pick<Needs, 'actors' | 'fixtures'>>>>
  /** What the profile must say before it is judged by it. */
  readonly profile?: ProfileRule
  readonly traits?: readonly Trait[]
}

/** What a check says of itself. */
export interface InWords {
  /** What this check shows, where several checks prove one requirement. */
  readonly title?: string
}

type Listed = 'actors' | 'fixtures' | 'settled' | 'traits'

/** `operation` is absent where the interplay of all is judged. */
export interface CheckDefinition
  extends Required<Pick<Needs & InWords, Listed | 'title'>>,
    Pick<Needs, 'operation' | 'parts' | 'profile'> {
  readonly whereThere: Required<Omit<WhereThere, 'ended'>> & Pick<WhereThere, 'ended'>
  readonly id: CheckId
  readonly requirement: RequirementId
  /** Every operation that the check performs. */
  readonly operations: readonly OperationId[]
  /** Kinds of fixtures that these operations use up: no other check may have the same one. */
  readonly usesUp: readonly FixtureKind[]
  readonly body: (context: CheckContext) => Promise<void>
}

/** Whether an accepted call leaves its fixture in a state in which the next may be refused. */
export const usesUp = (id: OperationId): boolean => {
  const operation: Operation = operationOf(id)
  return operation.usesUp === true
}

/** Whether time or company plays a part in what the check finds. */
export const restsOnTime = ({ traits }: Pick<CheckDefinition, 'traits'>): boolean =>
  traits.includes('timed') || traits.includes('overlapping')

type Registrar = (definition: CheckDefinition) => void

/** A check and the file that declares it. */
export interface Declared {
  /** Below `suites/`, without its ending. */
  readonly file: string
  readonly definition: CheckDefinition
}

let registrar: Registrar | undefined

/** Takes every check that is declared from now on; a runner sets this before it loads a suite file. */
export function onCheck(take: Registrar): void {
  registrar = take
}

/**
 * Makes `check` for a suite file. What is given here is needed by every check of the file;
 * a check adds what it needs beyond. An actor or a fixture that was not declared does not compile.
 */
export function suite<A extends ActorName = never, K extends FixtureKind = never>(
  shared: Needs<A, K> & InWords,
) {
  return <B extends ActorName = never, L extends FixtureKind = never>(
    id: CheckId,
    needs: Needs<B, L> & InWords,
    body: (context: CheckContext<A | B, K | L>) => Promise<void>,
  ): void => {
    if (registrar === undefined)
      throw new Error(`check ${id} was declared outside a run: load it with suites/declared-checks`)
    registrar(define(id, shared, needs, body as CheckDefinition['body']))
  }
}

/** What is in any of these lists, once each. */
const united = <Item>(...lists: readonly (readonly Item[] | undefined)[]): Item[] => [
  ...new Set(lists.flatMap((list) => list ?? [])),
]

/** A check with all that it needs. */
export function define(
  id: CheckId,
  shared: Needs & InWords,
  needs: Needs & InWords,
  body: CheckDefinition['body'],
): CheckDefinition {
  const requirement = id.split(':')[0] as RequirementId
  const { operation: subject, settledBy, text } = requirementOf(requirement)
  const operation = needs.operation ?? shared.operation ?? operationIds.find((each) => each === subject)
  const all = <Name extends Listed | 'also'>(name: Name): NonNullable<Needs[Name]>[number][] =>
    united<NonNullable<Needs[Name]>[number]>(shared[name], needs[name])
  const operations = united(operation && [operation], all('also'))
  const { title = text, profile, whereThere: there = {} } = needs
  const { whereThere: sharedThere = {} } = shared
  return withoutUndefined({
    id,
    requirement,
    title,
    operation,
    operations,
    usesUp: operations.filter(usesUp).map((id) => operationOf(id).on),
    actors: all('actors'),
    fixtures: all('fixtures'),
    whereThere: withoutUndefined({
      actors: united(sharedThere.actors, there.actors),
      fixtures: united(sharedThere.fixtures, there.fixtures),
      reads: united(sharedThere.reads, there.reads),
      ended: there.ended,
    }),
    settled: united(all('settled'), settledBy === undefined ? undefined : [settledBy as OpenPointId]),
    traits: all('traits'),
    parts: needs.parts ?? shared.parts,
    profile,
    body,
  })
}
