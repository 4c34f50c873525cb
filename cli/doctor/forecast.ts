/** What a planned run takes: fixtures, requests and time, for `doctor` and `run --dry-run`. An estimate; sends nothing. */
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
import { countOf, numeral } from '../../reporters/wording.ts'
import type { PlannedCheck } from '../../runner/plan.ts'
import { durationOfRun } from '../../runner/run-time.ts'
import { whatToAdd } from '../../runner/what-to-add.ts'
import { byKey, withoutUndefined } from '../../schemas/values.ts'
import {
  addedToListed,
  deletionOfListed,
  fixtureNeeds,
  isShort,
  judgedOf,
  requestsOfRun,
  usedUp,
  workspacesOfRun,
} from './run-estimate.ts'

export type Forecast = ReturnType<typeof forecastOf>

/** `planned`: all checks of the target. */
export function forecastOf(planned: readonly PlannedCheck[], configuration: Configuration) {
  const needs = fixtureNeeds(planned, configuration)
  const judged = judgedOf(planned)
  const requests = requestsOfRun(judged, configuration)
  const made = needsOfRun(planned, configuration)
  return withoutUndefined({
    needs,
    // In words; absent: no login of an administrator is configured.
    made: configuration.administration && whatIsMade(made, configuration),
    added: addedToListed(planned, configuration),
    deletion: deletionOfListed(configuration),
    judged: judged.length,
    // Some checks lack fixtures.
    isShort: needs.some(isShort),
    requests,
    /** How long the run takes if an answer takes this long. Both in milliseconds. */
    durationMs: (latencyMs: number) =>
      durationOfRun(requests, latencyMs, configuration) + makingMs(made, latencyMs, configuration),
    // What to add to the configuration so that the run tests more, most useful first.
    add: whatToAdd(planned.map(({ requirement, without }) => ({ requirement, add: without?.add }))),
  })
}

/** A line for each kind, with the number that the run keeps to. At the end what it does not make, with the reason. */
function whatIsMade(needs: Needs, configuration: Configuration): string[] {
  const { administration } = configuration
  if (administration === undefined) return []
  if (!administration.permitted) return ['nothing: effects does not allow administration']
  const most = announcementOf(needs, configuration)
  const tasks = Math.min(needs.taskRuns, mostTasks)
  const times = `${countOf(Math.ceil(needs.taskRuns / tasks), 'time')} each, once a minute`
  const guest = administration.logins.guest === undefined ? '' : ', each with the guest in it'
  const lines: string[] = []
  if (needs.places)
    lines.push(
      `${within(needs.collaborations + 10, 'collaborations', most.collaboration)}${guest}`,
      within(needs.workspaces + 30, 'workspaces', most.workspace + most.addedWorkspaces),
      `at most ${numeral(most.group)} groups to link, or ${numeral(most.groupsForOne)} if a group takes only one workspace`,
    )
  else if (most.group > 0) lines.push(`at most ${most.group} groups`)
  if (most.user > 0) lines.push(`${most.user} users of the host, with at most ${most.role} roles`)
  if (most.item > 0) lines.push(`${within(itemsIn(needs) + 100, 'items', most.item)}, most of them links`)
  if (most.task > 0)
    lines.push(`${within(tasks, 'scheduled tasks', most.task)}, which run notebooks, ${times}`)
  if (most.federation > 0)
    lines.push('1 federation of identity providers, which the sign-in page shows during the run')
  return [...lines, ...notMade(administration)]
}

/** The likely number, and the number that the run keeps to. */
const within = (likely: number, what: string, most: number): string =>
  `about ${numeral(likely)} ${what}, at most ${numeral(most)}`

const itemsIn = ({ items }: Needs): number => ofActors(items).reduce((sum, [, count]) => sum + count, 0)

const minuteMs = 60_000
/** Requests that making and removing one of each takes. */
const requestsPerCollaboration = 9
const requestsPerItem = 2
const requestsPerUser = 6

/** How long making and removing take if an answer takes this long. Both in milliseconds. */
function makingMs(needs: Needs, latencyMs: number, configuration: Configuration): number {
  if (configuration.administration?.permitted !== true) return 0
  const users = needs.receivers ? receivers.eligibleUser + receivers.ineligibleUser + madeActors.length : 0
  const requests =
    needs.collaborations * requestsPerCollaboration +
    itemsIn(needs) * requestsPerItem +
    users * requestsPerUser
  const tasks = Math.min(needs.taskRuns, mostTasks)
  const waiting = tasks === 0 ? 0 : Math.ceil(needs.taskRuns / tasks) * minuteMs
  return Math.max(durationOfRun(requests, latencyMs, configuration), waiting)
}

/** What happens to what the run makes. */
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

/** What the checks of a run use up of what it makes itself. */
export function needsOfRun(
  planned: readonly PlannedCheck[],
  { run: { runs }, administration }: Pick<Configuration, 'run' | 'administration'>,
): Needs {
  const judged = judgedOf(planned)
  const lacks = administration?.lacks ?? {}
  const asksFor = (...kinds: FixtureKind[]): boolean =>
    kinds.some((kind) => lacks[kind] === undefined && judged.some(({ fixtures }) => fixtures.includes(kind)))
  // A check that shared a fixture when it was counted needs one if it runs alone.
  const count = (kind: FixtureKind, name: string = kind): number =>
    asksFor(kind) ? Math.max(1, usedUp(judged, name, runs)) : 0
  return {
    places: asksFor('collaboration', 'participant', 'workspace', 'scheduledSync', 'group'),
    collaborations: count('collaboration'),
    workspaces: workspacesOfRun(planned, runs),
    taskRuns: count('taskRun'),
    receivers: asksFor('eligibleUser', 'ineligibleUser'),
    items: {
      itemOwner: count('items', 'items of itemOwner'),
      itemOwnerUnprivileged: count('items', 'items of itemOwnerUnprivileged'),
    },
    federation: asksFor('federation'),
  }
}
