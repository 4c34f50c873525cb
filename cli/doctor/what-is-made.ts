/** What a run makes itself and how much of it, and in words what becomes of it. Pure; an estimate. */
import {
  announcementOf,
  mostTasks,
  type Needs,
  receivers,
} from '../../deployment/administration/announcement.ts'

import { madeActors } from '../../deployment/administration/settings.ts'
import { ofActors } from '../../deployment/configuration/actors.ts'
import type { Administration, Configuration } from '../../deployment/configuration/configuration.ts'
import { type FixtureKind, fixtureKinds, furtherKinds } from '../../deployment/fixtures/fixture-kinds.ts'
import { byKey } from '../../reporters/alike.ts'
import { countOf, numeral } from '../../reporters/wording.ts'
import type { PlannedCheck } from '../../runner/plan.ts'
import { durationOfRun } from '../../runner/run-time.ts'
import { declaredChecks } from '../../suites/declared-checks.ts'
import { type Counted, countAt, counts, workspacesOfRun } from './run-estimate.ts'

/** One line for each kind of thing, with the number that the run keeps to; what is not made, with the reason, at the end. */
export function whatIsMade(needs: Needs, configuration: Configuration): string[] {
  const { administration } = configuration
  if (administration === undefined) return []
  if (!administration.permitted)
    return ['nothing: effects does not allow administration, so that no fixtures are made']
  const most = announcementOf(needs, configuration)
  const tasks = Math.min(needs.taskRuns, mostTasks)
  const times = `${countOf(Math.ceil(needs.taskRuns / tasks), 'time')} each, once a minute`
  const guest = administration.logins.guest === undefined ? '' : ', each with the guest in it'
  const lines: string[] = []
  if (needs.places)
    lines.push(
      `${within(needs.collaborations + 10, 'collaborations', most.collaboration)}${guest}`,
      within(needs.workspaces + 30, 'workspaces', most.workspace + most.addedWorkspaces),
      `at most ${numeral(most.group)} groups to link, or ${numeral(most.groupsForOne)} where each takes one workspace only`,
    )
  else if (most.group > 0) lines.push(`at most ${most.group} groups`)
  if (most.user > 0) lines.push(`${most.user} users of the host, with at most ${most.role} roles`)
  if (most.item > 0) lines.push(`${within(itemsIn(needs) + 100, 'items', most.item)}, most of them links`)
  if (most.task > 0)
    lines.push(`${within(tasks, 'scheduled tasks', most.task)}, which run notebooks, ${times}`)
  if (most.federation > 0)
    lines.push('1 federation of identity providers, which shows on the sign-in page meanwhile')
  return [...lines, ...notMade(administration)]
}

/** What is likely, and what the run keeps to. */
const within = (likely: number, what: string, most: number): string =>
  `about ${numeral(likely)} ${what}, at most ${numeral(most)}`

const itemsIn = ({ items }: Needs): number => ofActors(items).reduce((sum, [, count]) => sum + count, 0)

/** The same in a few words. */
export function inShort(lines: readonly string[]): string {
  const counted = lines
    .filter((line) => /^(?:(?:about|at most) )?\d/.test(line))
    .map((line) => line.split(/,(?!\d)| of | to link/)[0])
  const last = counted.pop()
  return counted.length === 0 ? (last ?? 'nothing') : `${counted.join(', ')} and ${last}`
}

const minuteMs = 60_000
/** Requests that making and removing one of each takes. */
const requestsPerCollaboration = 9
const requestsPerUser = 6

/** About how long making and removing take where an answer takes that long, in milliseconds. */
export function durationOfMaking(needs: Needs, latencyMs: number, configuration: Configuration): number {
  if (configuration.administration?.permitted !== true) return 0
  const users = needs.receivers ? receivers.eligibleUser + receivers.ineligibleUser + madeActors.length : 0
  const requests = needs.collaborations * requestsPerCollaboration + itemsIn(needs) + users * requestsPerUser
  const tasks = Math.min(needs.taskRuns, mostTasks)
  const waiting = tasks === 0 ? 0 : Math.ceil(needs.taskRuns / tasks) * minuteMs
  return Math.max(durationOfRun(requests, latencyMs, configuration), waiting)
}

/** What becomes of it. */
export function whatIsRemoved({ prefix }: Administration): string {
  return `All of it has ${prefix}_ and the id of the run in its name and is removed at the end; nothing else is touched.`
}

function notMade({ lacks }: Administration): string[] {
  const lacking = fixtureKinds.filter((kind) => lacks[kind] !== undefined && !furtherKinds.includes(kind))
  return [...byKey(lacking, (kind) => lacks[kind])].map(([reason, kinds]) => {
    const what = kinds.join(', ').replace('eligibleUser, ineligibleUser', 'users')
    return `no ${what}: ${reason}`
  })
}

/** What the checks that will be judged use up; each is taken for an average one of those that ask for the kind. */
export async function needsOfRun(
  planned: readonly PlannedCheck[],
  { run, administration }: Pick<Configuration, 'run' | 'administration'>,
): Promise<Needs> {
  const judged = new Set(planned.filter(({ without }) => without === undefined).map(({ id }) => id))
  const definitions = (await declaredChecks()).map(({ definition }) => definition)
  const lacks = administration?.lacks ?? {}
  const share = (kind: FixtureKind): number => {
    const asking = definitions.filter(({ fixtures }) => fixtures.includes(kind))
    if (lacks[kind] !== undefined || asking.length === 0) return 0
    return asking.filter(({ id }) => judged.has(id)).length / asking.length
  }
  const count = (kind: FixtureKind, counted: Counted): number =>
    Math.ceil(
      share(kind) * Math.max(0, countAt(run.runs, counts.measuredRuns, counts.fixturesOfRuns[counted])),
    )
  const places = ['collaboration', 'participant', 'workspace', 'scheduledSync', 'group'] as const
  return {
    places: places.some((kind) => share(kind) > 0),
    collaborations: count('collaboration', 'collaboration'),
    workspaces: workspacesOfRun(planned, run.runs),
    taskRuns: count('taskRun', 'taskRun'),
    receivers: share('eligibleUser') + share('ineligibleUser') > 0,
    items: {
      itemOwner: count('items', 'items.itemOwner'),
      itemOwnerUnprivileged: count('items', 'items.itemOwnerUnprivileged'),
    },
    federation: share('federation') > 0,
  }
}
