/** Which checks run on a target, and why the others do not, without sending anything. Pure. */
import picomatch from 'picomatch'
import { adds, settingFor } from '../deployment/administration/settings.ts'
import { type Configuration, listedFixtures } from '../deployment/configuration/configuration.ts'
import { type FixtureKind, furtherKinds } from '../deployment/fixtures/fixture-kinds.ts'
import { withoutUndefined } from '../schemas/values.ts'
import type { OpenPointId } from '../specs/open-points.ts'
import type { Operation } from '../specs/operation.ts'
import { absenceOf, type OperationId, operationOf } from '../specs/operations.ts'
import { judgedBy, requirementsFor, type Subject } from '../specs/requirements.ts'
import type { CheckDefinition } from './check.ts'
import type { CheckResult } from './check-result.ts'
import { isQuick } from './effort.ts'
import type { Selection } from './run-input.ts'

export interface Without {
  readonly outcome: 'not-tested' | 'not-applicable'
  readonly reason: string
  /** Everything that the configuration lacks, such as `actors.hostMember`. Absent: nothing to add would help. */
  readonly add?: readonly string[]
}

/** Why a check cannot run on this target, for one kind of need. Undefined: that is not the reason. */
type Rule = (check: CheckDefinition, configuration: Configuration) => Without | undefined

/** The first one that holds is the reason of the check. */
const rules: readonly Rule[] = [
  notInProfile,
  notInRelease,
  noEnded,
  nothingBesides,
  notSettled,
  unlessPartly(notAllowed),
  unlessPartly(noActor),
  unlessPartly(noFixture),
  noOverlap,
]

/** Why the check cannot run on this target, and everything that it lacks. Undefined: it can run. */
export function withoutJudging(
  check: CheckDefinition,
  configuration: Configuration,
  selection: Selection,
): Without | undefined {
  if (!isSelected(check, selection)) return notTested('not selected for this run')
  const all = rules.flatMap((rule) => rule(check, configuration) ?? [])
  const [without] = all
  if (without?.outcome !== 'not-tested') return without
  // Reading back is an extra: the requirement is judged without it as well.
  if (check.whereThere.reads.length > 0)
    return notApplicable(`the effect cannot be read back: ${without.reason}`)
  const add = all.flatMap((each) => each.add ?? [])
  const another = wantsAnother(check, configuration) ? ['fixtures.collaboration'] : []
  return { ...without, add: [...new Set([...add, ...another])] }
}

/** The rule, for a check that cannot run with a part of its operations either. */
function unlessPartly(rule: Rule): Rule {
  return (check, configuration) =>
    check.parts !== undefined && partsThere(check, configuration).length > 0
      ? undefined
      : rule(check, configuration)
}

/** The operations of a check that the configuration allows and supports. */
export function partsThere(check: CheckDefinition, configuration: Configuration): OperationId[] {
  const { actors, effects, target } = configuration
  return check.operations.filter((id) => {
    const { actors: callers = [], fixtures = [] } = check.parts?.[id] ?? {}
    return (
      effects.includes(id) &&
      missingInRelease(id, target) === undefined &&
      callers.every((actor) => actors[actor] !== undefined) &&
      fixtures.every((kind) => isOffered(configuration, kind))
    )
  })
}

/** Whether the target has this check at all. Checks that read back need a profile that names pages. */
export function belongsTo({ whereThere }: CheckDefinition, { profile }: Configuration): boolean {
  return whereThere.reads.every((name) => profile?.reads?.[name] !== undefined)
}

interface Selectable extends Pick<CheckDefinition, 'id' | 'requirement'> {
  /** Absent: a check of sequences of operations. */
  readonly operation?: Subject | undefined
}

/** Whether a selection names this check. Globs match requirement ids and check ids. */
export function isSelected(check: Selectable, selection: Selection): boolean {
  const { operations, requirements } = selection
  if (operations.length > 0 && !operations.includes(check.operation ?? 'lifecycle')) return false
  if (requirements.length === 0) return true
  return requirements.some((glob) => {
    // An empty glob matches nothing; picomatch throws.
    if (glob === '') return false
    const matches = picomatch(glob, { dot: true })
    return matches(check.requirement) || matches(check.id)
  })
}

function notInProfile({ profile: rule }: CheckDefinition, { profile }: Configuration): Without | undefined {
  if (rule === undefined) return undefined
  const says =
    'error' in rule
      ? profile?.errors[rule.error] !== undefined
      : profile?.points.some(({ point, effect }) => point === rule.closed && effect === 'closes') === true
  if (says) return undefined
  return notApplicable(
    profile === undefined ? 'no profile is used' : `the profile ${profile.name} does not say`,
  )
}

function notInRelease(check: CheckDefinition, { target }: Configuration): Without | undefined {
  if (check.parts !== undefined) return undefined
  for (const id of check.operations) {
    const reason = missingInRelease(id, target)
    if (reason !== undefined) return notApplicable(reason)
  }
  return undefined
}

function notAllowed(check: CheckDefinition, { effects, target }: Configuration): Without | undefined {
  const missing = check.operations.filter(
    (id) => !effects.includes(id) && missingInRelease(id, target) === undefined,
  )
  if (missing.length === 0) return undefined
  const add = missing.map((operation) => `effects.${operation}`)
  return notTested(`effects does not allow ${missing.join(', ')} on this deployment`, add)
}

function noActor({ actors: needed }: CheckDefinition, configuration: Configuration): Without | undefined {
  const { actors, absent, administration } = configuration
  const missing = needed.filter((actor) => actors[actor] === undefined)
  if (missing.length === 0) return undefined
  const add = missing.map((actor) => {
    const reason = absent?.[actor]
    if (reason !== undefined) return settingFor(reason) ?? `actors.${actor}.credential`
    return (administration && adds(actor)) ?? `actors.${actor}`
  })
  const broken = missing.find((actor) => absent?.[actor] !== undefined)
  if (broken !== undefined) return notTested(`${broken} cannot act: ${absent?.[broken]}`, add)
  return notTested(`no actor ${missing.join(', ')}: add ${[...new Set(add)].join(', ')}`, add)
}

function noEnded({ whereThere: { ended } }: CheckDefinition, { actors }: Configuration): Without | undefined {
  if (ended === undefined || actors[ended]?.expired !== undefined) return undefined
  return notApplicable(`no expired credential of ${ended}: add actors.${ended}.expired`)
}

/** Extras that are missing never make a check incomplete. */
function nothingBesides({ whereThere }: CheckDefinition, configuration: Configuration): Without | undefined {
  const absent = whereThere.actors.find((actor) => configuration.actors[actor] === undefined)
  if (absent !== undefined) return notApplicable(`no actor ${absent} configured`)
  const spared = whereThere.fixtures.find(
    (kind) => furtherKinds.includes(kind) && !isOffered(configuration, kind),
  )
  return spared === undefined ? undefined : notOffered(spared)
}

const notOffered = (kind: FixtureKind): Without => notApplicable(`the fixtures offer no ${kind}`)

function notSettled(check: CheckDefinition, configuration: Configuration): Without | undefined {
  const points = unsettled(check, configuration)
  const [first] = points.toSorted((one, other) => Number(other.isExtra) - Number(one.isExtra))
  if (first === undefined || first.isExtra) return first && notApplicable(first.how)
  const add = points.map(({ key }) => key)
  return notTested(first.how, add)
}

function noFixture(check: CheckDefinition, configuration: Configuration): Without | undefined {
  const { fixtures, administration, usedFixtures: used } = configuration
  if (fixturesOf(check).length === 0) return undefined
  const missing = check.fixtures.filter((kind) => !isOffered(configuration, kind))
  const none = `no fixture ${missing.map((kind) => `"${kind}"`).join(', ')}`
  const add = missing.map((kind) => settingFor(administration?.lacks[kind]) ?? `fixtures.${kind}`)
  if (fixtures === undefined && administration === undefined)
    return notTested('no fixtures: add fixtures.url, fixtures.module or fixtures.static', add)
  const spared = check.whereThere.fixtures.find((kind) => !isOffered(configuration, kind))
  if (spared !== undefined) return notOffered(spared)
  if (missing.length === 0) return undefined
  if (administration !== undefined) {
    if (!administration.permitted)
      return notTested('effects does not allow administration on this deployment, which makes fixtures', add)
    const reason = missing.map((kind) => administration.lacks[kind]).find((each) => each !== undefined)
    return notTested(`${none}: ${reason}`, add)
  }
  const [first] = missing.filter((kind) => used?.counts[kind] !== undefined)
  return notTested(
    used === undefined || first === undefined
      ? `${none}: add to fixtures.static`
      : `all ${used.counts[first]} of fixtures.static.${first} were used up by earlier runs: add others, or delete ${used.rememberedIn} if you restored them`,
    add,
  )
}

function noOverlap(
  { id, requirement, traits }: CheckDefinition,
  { http }: Configuration,
): Without | undefined {
  const low = (['concurrency', 'requestsPerSecond'] as const).find((key) => (http[key] ?? 2) < 2)
  if (low === undefined || !traits.includes('overlapping')) return undefined
  const reason = `requests must overlap: raise http.${low} to 2 or more`
  // The requirement is judged by its main check, so a missing extra leaves nothing untested.
  return id === requirement ? notTested(reason, [`http.${low}`]) : notApplicable(reason)
}

const notTested = (reason: string, add?: readonly string[]): Without =>
  withoutUndefined({ outcome: 'not-tested' as const, reason, add })
const notApplicable = (reason: string): Without => ({ outcome: 'not-applicable', reason })

/** Why the release and edition lack the operation (§9). Undefined: they have it. */
function missingInRelease(
  id: OperationId,
  { version, edition, offers }: Configuration['target'],
): string | undefined {
  const operation: Operation = operationOf(id)
  const absence = offers.includes(id) ? undefined : absenceOf(operation, { version, edition })
  if (absence === undefined) return undefined
  const { title, introduced } = operation
  return absence === 'edition'
    ? `the contract shows no version of "${title}" for the ${edition} edition; list it under target.offers if this deployment has it`
    : `"${title}" appeared in release ${introduced?.release}, the target is ${version}`
}

/** A check that deletes its collaboration needs one that no other check uses. */
const wantsAnother = ({ operations }: CheckDefinition, configuration: Configuration): boolean =>
  operations.includes('delete-collaboration') && listedFixtures(configuration)?.collaboration?.length === 1

interface Settling {
  readonly is: (configuration: Configuration) => boolean
  readonly key: string
  readonly how: string
  /** If the point is not settled, the requirement does not apply, instead of being untested. */
  readonly isExtra: boolean
}

const settling: Partial<Record<OpenPointId, Settling>> = {
  'sync-mode': {
    is: ({ contract }) => contract.sync !== undefined,
    key: 'contract.sync',
    isExtra: false,
    how: 'the sync mode parameter is not settled: add contract.sync with parameter, synchronous and asynchronous',
  },
  'run-statuses': {
    is: ({ contract }) => contract.run !== undefined,
    key: 'contract.run.statuses',
    isExtra: true,
    how: 'the run statuses are not settled: add contract.run.statuses',
  },
  'new-workspaces': {
    is: ({ contract }) => contract.newWorkspacesSync === true,
    key: 'contract.newWorkspacesSync',
    isExtra: true,
    how: 'it is not settled whether a new workspace can be synced at once: add contract.newWorkspacesSync: true if it can',
  },
  'guest-refresh': {
    is: ({ run, profile }) => run.guestRefreshMs !== undefined || profile?.reads?.collaboration !== undefined,
    key: 'run.guestRefresh',
    isExtra: false,
    how: 'the longest time until a guest refreshes is not known: add run.guestRefresh',
  },
}

/** Open points that the check needs and that are not settled. */
function unsettled(check: CheckDefinition, configuration: Configuration): Settling[] {
  return check.settled
    .map((point) => {
      const known = settling[point]
      if (known === undefined) throw new Error(`${check.id}: nothing settles the open point ${point}`)
      return known
    })
    .filter(({ is }) => !is(configuration))
}

/** Whether the configuration offers the kind. What an HTTP provider offers shows only on request. */
function isOffered(configuration: Configuration, kind: FixtureKind): boolean {
  const { fixtures, administration } = configuration
  if (administration?.permitted === true && administration.lacks[kind] === undefined) return true
  const listed = listedFixtures(configuration)
  return listed === undefined ? fixtures !== undefined : (listed[kind] ?? []).length > 0
}

export interface PlannedCheck extends Pick<CheckResult, 'id' | 'requirement' | 'operation' | 'title'> {
  /** Every operation that it performs. */
  readonly operations: readonly OperationId[]
  /** The kinds of fixtures that it takes where they are offered. */
  readonly fixtures: readonly FixtureKind[]
  /** Absent: it will run. */
  readonly without?: Without
}

/** The part of a result that is known in advance. */
export const named = ({ id, requirement, operation, title }: CheckDefinition) => ({
  id,
  requirement,
  operation: judgedBy(requirement, operation),
  title,
})

/** The kinds of fixtures that a check takes where they are offered. */
export const fixturesOf = ({ fixtures, whereThere }: CheckDefinition): FixtureKind[] => [
  ...new Set([...fixtures, ...whereThere.fixtures]),
]

/** The declared checks that this target has, in order. */
export function checksHere(
  declared: readonly CheckDefinition[],
  configuration: Configuration,
): CheckDefinition[] {
  const judged = new Set(requirementsFor(configuration.target.profile).map(({ id }) => id))
  const here = declared.filter((check) => judged.has(check.requirement) && belongsTo(check, configuration))
  return isQuick(configuration.run) ? mainChecks(here) : here
}

/**
 * The main check of each requirement (and operation, if the requirement is about all), or else its first one. And all
 * cheap checks.
 */
function mainChecks(checks: readonly CheckDefinition[]): CheckDefinition[] {
  const first = new Map<string, CheckDefinition>()
  const plainFirst = checks.toSorted((one, other) => rankOf(one) - rankOf(other))
  for (const check of plainFirst) {
    const key = `${check.requirement} ${check.operation}`
    if (!first.has(key)) first.set(key, check)
  }
  const chosen = new Set(first.values())
  return checks.filter((check) => chosen.has(check) || check.traits.includes('cheap'))
}

const rankOf = ({ id, requirement }: CheckDefinition): number => (id === requirement ? 0 : 1)

/** What happens to the declared checks on this target, in order. */
export function planChecks(
  declared: readonly CheckDefinition[],
  configuration: Configuration,
  selection: Selection,
): PlannedCheck[] {
  return checksHere(declared, configuration).map((definition) => {
    const { operations } = definition
    const without = withoutJudging(definition, configuration, selection)
    return withoutUndefined({ ...named(definition), operations, fixtures: fixturesOf(definition), without })
  })
}
