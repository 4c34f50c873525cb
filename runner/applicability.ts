/** Whether a check can be made on a target at all, and if not, why. Pure, so that a plan needs no request. */
import picomatch from 'picomatch'
import { adds } from '../deployment/administration/settings.ts'
import type { Configuration } from '../deployment/configuration/configuration.ts'
import { type FixtureKind, furtherKinds } from '../deployment/fixtures/fixture-kinds.ts'
import { operationOf } from '../specs/operations.ts'
import type { CheckDefinition } from './check.ts'
import {
  forbidden,
  isOffered,
  lacking,
  missingActors,
  missingFixtures,
  tooLowToOverlap,
  unsettled,
} from './missing-needs.ts'
import { missingInRelease } from './releases.ts'
import type { Selection } from './worker-input.ts'

export interface Without {
  readonly outcome: 'not-tested' | 'not-applicable'
  readonly reason: string
  /** All that the configuration lacks for it, such as `actors.hostMember`; absent: nothing that could be added. */
  readonly add?: readonly string[]
}

/** Absent: the check can be made. */
export function withoutJudging(
  check: CheckDefinition,
  configuration: Configuration,
  selection: Selection,
): Without | undefined {
  const unselected = notSelected(check, selection)
  if (unselected !== undefined) return unselected
  const without =
    notInProfile(check, configuration) ??
    notInRelease(check, configuration) ??
    notInFewCases(check, configuration) ??
    notSaid(check, configuration) ??
    noEnded(check, configuration) ??
    nothingBesides(check, configuration) ??
    notAllowed(check, configuration) ??
    noActor(check, configuration) ??
    notSettled(check, configuration) ??
    noFixture(check, configuration) ??
    noOverlap(check, configuration)
  if (without?.outcome !== 'not-tested') return without
  // It is judged without as well: what is read back besides costs nothing where it cannot be.
  if (check.reads.length > 0)
    return { outcome: 'not-applicable', reason: `it cannot be read back: ${without.reason}` }
  return { ...without, add: lacking(check, configuration) }
}

/** Whether the check is one of this target at all: what is read back is looked for only where a profile names pages. */
export function belongsTo({ reads }: CheckDefinition, { profile }: Configuration): boolean {
  return reads.every((name) => profile?.reads?.[name] !== undefined)
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

/** A run of fewer cases is for those who have few fixtures, or little time: it takes no further looks. */
export const leastRuns = 8

function notInFewCases({ further }: CheckDefinition, { run }: Configuration): Without | undefined {
  if (!further || run.runs >= leastRuns) return undefined
  return {
    outcome: 'not-applicable',
    reason: `a further look, which runs of less than ${leastRuns} cases leave out`,
  }
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

function notAllowed(check: CheckDefinition, configuration: Configuration): Without | undefined {
  const missing = forbidden(check, configuration)
  if (missing.length === 0) return undefined
  return notTested(`effects does not allow ${missing.join(', ')} on this deployment`)
}

function noActor(check: CheckDefinition, configuration: Configuration): Without | undefined {
  const { absent } = configuration
  const missing = missingActors(check, configuration)
  if (missing.length === 0) return undefined
  const broken = missing.find((actor) => absent?.[actor] !== undefined)
  if (broken !== undefined) return notTested(`${broken} cannot act: ${absent?.[broken]}`)
  const given = configuration.administration === undefined ? [] : missing.map(adds)
  const ways = [...new Set(missing.map((actor, at) => given[at] ?? `actors.${actor}`))]
  return notTested(`no actor ${missing.join(', ')}: add ${ways.join(', ')}`)
}

function noEnded({ ended }: CheckDefinition, { actors }: Configuration): Without | undefined {
  if (ended === undefined || actors[ended]?.expired !== undefined) return undefined
  return {
    outcome: 'not-applicable',
    reason: `no credential of ${ended} that has ended: add actors.${ended}.expired`,
  }
}

/** What is looked at besides counts nowhere as lacking. */
function nothingBesides(
  { whereOffered }: CheckDefinition,
  configuration: Configuration,
): Without | undefined {
  const spared = whereOffered.find((kind) => furtherKinds.includes(kind) && !isOffered(configuration, kind))
  return spared === undefined ? undefined : notOffered(spared)
}

const notOffered = (kind: FixtureKind): Without => ({
  outcome: 'not-applicable',
  reason: `the fixtures offer no ${kind}`,
})

function notSaid(check: CheckDefinition, configuration: Configuration): Without | undefined {
  const first = unsettled(check, configuration).find(({ otherwise }) => otherwise !== undefined)
  return first === undefined ? undefined : { outcome: 'not-applicable', reason: first.how }
}

function notSettled(check: CheckDefinition, configuration: Configuration): Without | undefined {
  const [first] = unsettled(check, configuration)
  return first === undefined ? undefined : notTested(first.how)
}

function noFixture(check: CheckDefinition, configuration: Configuration): Without | undefined {
  const { fixtures, administration } = configuration
  if (check.fixtures.length + check.whereOffered.length === 0) return undefined
  if (fixtures === undefined && administration === undefined)
    return notTested('no fixtures: add fixtures.url, fixtures.module or fixtures.static')
  const spared = check.whereOffered.find((kind) => !isOffered(configuration, kind))
  if (spared !== undefined) return notOffered(spared)
  const missing = missingFixtures(check, configuration)
  if (missing.length === 0) return undefined
  if (administration !== undefined) {
    if (!administration.permitted)
      return notTested('effects does not allow administration on this deployment, which would make fixtures')
    const reason = missing.map((kind) => administration.lacks[kind]).find((each) => each !== undefined)
    return notTested(`no fixture ${missing.join(', ')}: ${reason}`)
  }
  const used = configuration.usedFixtures
  const [first] = missing.filter((kind) => used?.counts[kind] !== undefined)
  return notTested(
    used === undefined || first === undefined
      ? `no fixture ${missing.join(', ')}: add to fixtures.static`
      : `all ${used.counts[first]} of fixtures.static.${first} were used up by earlier runs: add others, or remove ${used.rememberedIn} where they are as they were`,
  )
}

function noOverlap(check: CheckDefinition, configuration: Configuration): Without | undefined {
  const low = tooLowToOverlap(check, configuration)
  return low === undefined ? undefined : notTested(`requests must overlap: raise http.${low} to 2 or more`)
}

const notTested = (reason: string): Without => ({ outcome: 'not-tested', reason })
