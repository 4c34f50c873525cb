/** How a check is declared: the requirement, what the check needs, and its body. */
import type { ActorName } from '../deployment/configuration/actors.ts'
import type { FixtureKind } from '../deployment/fixtures/fixture-kinds.ts'
import { withoutUndefined } from '../schemas/values.ts'
import type { OpenPointId } from '../specs/open-points.ts'
import type { Operation } from '../specs/operation.ts'
import { type OperationId, operationIds, operationOf } from '../specs/operations.ts'
import type { closablePoints, ReadName, RefusalCause } from '../specs/profile.ts'
import { type RequirementId, requirementIdOf, requirementOf } from '../specs/requirements.ts'
import type { CheckId } from './check-result.ts'
import type { CheckContext } from './context/context.ts'

/** A statement of the profile that a check judges: the error code of a refusal, or that a list is closed. */
type ProfileRule = { readonly error: RefusalCause } | { readonly closed: (typeof closablePoints)[number] }

/**
 * How a check runs.
 * - `overlapping`: its requests must overlap, so it needs at least two connections.
 * - `timed`: its findings rest on time, a race or a later answer, so they must be seen twice.
 * - `cheap`: it repeats what other checks judge in another way, but costs only a request or two, so quick runs include it.
 * - `patient`: it waits for late effects, so it starts early and its requests go first.
 */
export type Trait = 'overlapping' | 'timed' | 'cheap' | 'patient'

/** Extras. Without them the check is not applicable, and other checks judge its requirement. */
export interface WhereThere<Actor extends ActorName = ActorName, Kind extends FixtureKind = FixtureKind> {
  readonly actors?: readonly Actor[]
  /** Kinds that a provider need not offer. */
  readonly fixtures?: readonly Kind[]
  /** Pages that the profile must name. */
  readonly reads?: readonly ReadName[]
  /** The actor whose expired credential must be known. */
  readonly ended?: ActorName
}

/** What a check needs in order to run. */
export interface Needs<Actor extends ActorName = ActorName, Kind extends FixtureKind = FixtureKind> {
  /** The judged operation. Required if the requirement is about all operations. */
  readonly operation?: OperationId
  readonly actors?: readonly Actor[]
  readonly fixtures?: readonly Kind[]
  readonly whereThere?: WhereThere<Actor, Kind>
  /** Other operations that the check performs, to prepare or to see consequences. */
  readonly also?: readonly OperationId[]
  /** Open points that must be settled, beside the requirement's own. */
  readonly settled?: readonly OpenPointId[]
  /** The needs of each operation. The check runs with the operations whose needs are met. */
  readonly parts?: Readonly<Partial<Record<OperationId, Pick<Needs, 'actors' | 'fixtures'>>>>
  /** What the profile must say for this check to apply. */
  readonly profile?: ProfileRule
  readonly traits?: readonly Trait[]
  /** What this check shows, if several checks prove one requirement. */
  readonly title?: string
}

type Listed = 'actors' | 'fixtures' | 'settled' | 'traits'

/** `operation` is absent if the check judges sequences of operations. */
export interface CheckDefinition
  extends Required<Pick<Needs, Listed | 'title'>>,
    Pick<Needs, 'operation' | 'parts' | 'profile'> {
  readonly whereThere: Required<Omit<WhereThere, 'ended'>> & Pick<WhereThere, 'ended'>
  readonly id: CheckId
  /** The file that declares it: the path below `suites/`, without the file ending. */
  readonly file?: string
  readonly requirement: RequirementId
  /** Every operation that the check performs. */
  readonly operations: readonly OperationId[]
  /** Kinds of fixtures that these operations use up, so that no other check may share them. */
  readonly usesUp: readonly FixtureKind[]
  readonly body: (context: CheckContext) => Promise<void>
}

/** Whether an accepted call may cause the next call on the same fixture to be refused. */
export const usesUp = (id: OperationId): boolean => {
  const operation: Operation = operationOf(id)
  return operation.usesUp === true
}

/** Whether the check's findings depend on time or on overlapping requests. */
export const restsOnTime = ({ traits }: Pick<CheckDefinition, 'traits'>): boolean =>
  traits.includes('timed') || traits.includes('overlapping')

/** Whether the check waits for time to pass. The sooner it begins, the more the others do meanwhile. */
export const waits = ({ traits }: Pick<CheckDefinition, 'traits'>): boolean =>
  traits.includes('timed') || traits.includes('patient')

/**
 * Makes the function `check` for a suite file, which adds to `checks`. Every check has the needs given here, and may add
 * more. Using an undeclared actor or fixture does not compile.
 */
export function suite<A extends ActorName = never, K extends FixtureKind = never>(
  checks: CheckDefinition[],
  shared: Needs<A, K>,
) {
  return <B extends ActorName = never, L extends FixtureKind = never>(
    id: CheckId,
    needs: Needs<B, L>,
    body: (context: CheckContext<A | B, K | L>) => Promise<void>,
  ): void => {
    checks.push(define(id, shared, needs, body as CheckDefinition['body']))
  }
}

/** The items of all lists without duplicates. */
const united = <Item>(...lists: readonly (readonly Item[] | undefined)[]): Item[] => [
  ...new Set(lists.flatMap((list) => list ?? [])),
]

/** Combines the needs of a file and of a check into a check. */
export function define(
  id: CheckId,
  shared: Needs,
  needs: Needs,
  body: CheckDefinition['body'],
): CheckDefinition {
  const requirement = requirementIdOf(id)
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
