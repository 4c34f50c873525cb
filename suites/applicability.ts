/** Whether a check can be made on a target at all, and if not, why. Pure, so that a plan needs no request. */
import picomatch from 'picomatch'
import type { OpenPointId } from '../specs/open-points.ts'
import { type Operation, type OperationId, operationOf } from '../specs/operations.ts'
import type { Configuration } from '../target/configuration.ts'
import type { FixtureKind } from '../target/fixture-kinds.ts'
import type { CheckDefinition } from './check.ts'
import type { Selection } from './worker-input.ts'

export interface Without {
  readonly outcome: 'not-tested' | 'not-applicable'
  readonly reason: string
}

/** Absent: the check can be made. */
export function withoutJudging(
  check: CheckDefinition,
  configuration: Configuration,
  selection: Selection,
): Without | undefined {
  return (
    notSelected(check, selection) ??
    notInProfile(check, configuration) ??
    notInRelease(check, configuration) ??
    notAllowed(check, configuration) ??
    noActor(check, configuration) ??
    notSettled(check, configuration) ??
    noFixture(check, configuration) ??
    noOverlap(check, configuration)
  )
}

/** Whether a selection names this check; globs match requirement ids and check ids. */
export function isSelected(check: CheckDefinition, selection: Selection): boolean {
  const { operations, requirements } = selection
  if (operations.length > 0 && !operations.includes(check.operation ?? 'lifecycle')) return false
  if (requirements.length === 0) return true
  return requirements.some((glob) => {
    const matches = picomatch(glob, { dot: true })
    return matches(check.requirement) || matches(check.id)
  })
}

function notSelected(check: CheckDefinition, selection: Selection): Without | undefined {
  return isSelected(check, selection) ? undefined : notTested('not selected for this run')
}

function notInProfile({ profile: rule }: CheckDefinition, { profile }: Configuration): Without | undefined {
  if (rule === undefined) return undefined
  const says =
    'error' in rule
      ? profile?.errors[rule.error] !== undefined
      : profile?.points.some(({ point, effect }) => point === rule.closed && effect === 'closes') === true
  if (says) return undefined
  return {
    outcome: 'not-applicable',
    reason: profile === undefined ? 'no profile is used' : `the profile ${profile.name} says nothing of it`,
  }
}

function notInRelease(check: CheckDefinition, { target }: Configuration): Without | undefined {
  if (check.whatIsThere) return undefined
  for (const id of check.operations) {
    const reason = missingInRelease(operationOf(id), id, target)
    if (reason !== undefined) return { outcome: 'not-applicable', reason }
  }
  return undefined
}

/** Why the operation does not exist in that release and edition (§9); absent: it does. */
export function missingInRelease(
  { introduced, title }: Operation,
  id: OperationId,
  { version, edition, offers }: Configuration['target'],
): string | undefined {
  if (introduced === undefined || offers.includes(id)) return undefined
  if (edition !== undefined && introduced.editions !== undefined && !introduced.editions.includes(edition)) {
    return `the contract shows no version of "${title}" for the ${edition} edition; list it under target.offers if this deployment has it`
  }
  if (version === undefined || compareReleases(version, introduced.release) >= 0) return undefined
  return `"${title}" appeared in release ${introduced.release}, the target is ${version}`
}

/** Negative where release a is before b: numbers between the dots are compared. */
export function compareReleases(a: string, b: string): number {
  const [left, right] = [a, b].map((release) =>
    release.split('.').map((part) => Number.parseInt(part, 10) || 0),
  )
  for (let at = 0; at < Math.max(left!.length, right!.length); at += 1) {
    const difference = (left![at] ?? 0) - (right![at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

function notAllowed(check: CheckDefinition, { effects, target }: Configuration): Without | undefined {
  const there = (id: OperationId): boolean => missingInRelease(operationOf(id), id, target) === undefined
  const missing = check.operations.filter((operation) => !effects.includes(operation) && there(operation))
  if (missing.length === 0) return undefined
  return notTested(`effects does not allow ${missing.join(', ')} on this deployment`)
}

function noActor(check: CheckDefinition, { actors, absent }: Configuration): Without | undefined {
  const missing = check.actors.filter((actor) => actors[actor] === undefined)
  if (missing.length === 0) return undefined
  const broken = missing.find((actor) => absent?.[actor] !== undefined)
  if (broken !== undefined) return notTested(`${broken} cannot act: ${absent?.[broken]}`)
  return notTested(
    `no actor ${missing.join(', ')}: add ${missing.map((actor) => `actors.${actor}`).join(', ')}`,
  )
}

const settling: Partial<Record<OpenPointId, { is: (c: Configuration) => boolean; how: string }>> = {
  'sync-mode': {
    is: ({ contract }) => contract.sync !== undefined,
    how: 'the sync mode parameter is not settled: add contract.sync with parameter, synchronous and asynchronous',
  },
  'run-statuses': {
    is: ({ contract }) => contract.run !== undefined,
    how: 'the run statuses are not settled: add contract.run.statuses',
  },
  'guest-refresh': {
    is: ({ run }) => run.guestRefreshMs !== undefined,
    how: 'the longest time until a guest refreshes is not known: add run.guestRefresh',
  },
}

function notSettled(check: CheckDefinition, configuration: Configuration): Without | undefined {
  for (const point of check.settled) {
    const settled = settling[point]
    if (settled === undefined) throw new Error(`${check.id}: nothing settles the open point ${point}`)
    if (!settled.is(configuration)) return notTested(settled.how)
  }
  return undefined
}

function noFixture(check: CheckDefinition, { fixtures }: Configuration): Without | undefined {
  const wanted = [...check.fixtures, ...check.whereOffered]
  if (wanted.length === 0) return undefined
  if (fixtures === undefined)
    return notTested('no fixtures: add fixtures.url, fixtures.module or fixtures.static')
  if (!('static' in fixtures)) return undefined
  const offered = (kind: FixtureKind): boolean => (fixtures.static[kind] ?? []).length > 0
  const spared = check.whereOffered.find((kind) => !offered(kind))
  if (spared !== undefined) return { outcome: 'not-applicable', reason: `the fixtures offer no ${spared}` }
  const missing = check.fixtures.filter((kind) => !offered(kind))
  return missing.length === 0
    ? undefined
    : notTested(`no fixture ${missing.join(', ')}: add to fixtures.static`)
}

function noOverlap(check: CheckDefinition, { http }: Configuration): Without | undefined {
  if (!check.overlapping || http.concurrency > 1) return undefined
  return notTested('requests must overlap: raise http.concurrency to 2 or more')
}

const notTested = (reason: string): Without => ({ outcome: 'not-tested', reason })
