/** Estimates what a run needs, from counts on the embedded portal: requests, workspaces, fixtures. Pure. */
import { readFileSync } from 'node:fs'
import { mostAdded } from '../../deployment/administration/announcement.ts'
import type { ActorName } from '../../deployment/configuration/actors.ts'
import {
  type Configuration,
  listedFixtures,
  type RunSettings,
} from '../../deployment/configuration/configuration.ts'
import { type FixtureKind, fixtureKinds } from '../../deployment/fixtures/fixture-kinds.ts'
import { countOf, names, numeral } from '../../reporters/wording.ts'
import type { PlannedCheck } from '../../runner/plan.ts'
import { withoutUndefined } from '../../schemas/values.ts'

/** One number for each setting of `run.runs` that was counted; a single number if the setting changes nothing. */
export type CountsByRuns = number | readonly number[]

/** What `npm run count-requests` counts on the embedded portal. */
export interface Counts {
  /** The settings of `run.runs`, ascending. */
  readonly runs: readonly number[]
  readonly workspacesOfWholeRun: CountsByRuns
  readonly requestsOfChecks: Readonly<Record<string, CountsByRuns>>
  /** Fixtures that a check uses up, by kind and check. Checks that share one: it counts for the first that asks. */
  readonly fixturesOfChecks: Readonly<Record<string, Readonly<Record<string, CountsByRuns>>>>
}

export const counts = JSON.parse(readFileSync(new URL('counted.json', import.meta.url), 'utf8')) as Counts

/** The count at this setting of `run.runs`, on straight lines through the settings that were counted. */
function countAt(runs: number, counted: CountsByRuns): number {
  if (typeof counted === 'number') return counted
  const settings = counts.runs
  const above = settings.findIndex((known) => known >= runs)
  const to = above === -1 ? settings.length - 1 : Math.max(1, above)
  const [x0, x1] = [settings[to - 1], settings[to]] as [number, number]
  const [y0, y1] = [counted[to - 1], counted[to]] as [number, number]
  return Math.max(0, y0 + ((runs - x0) * (y1 - y0)) / (x1 - x0))
}

/** The checks that a run makes. */
export const judgedOf = <Plan extends Pick<PlannedCheck, 'without'>>(planned: readonly Plan[]): Plan[] =>
  planned.filter(({ without }) => without === undefined)

/** A check that was not counted yet takes the average. */
function requestsOf(checks: readonly Pick<PlannedCheck, 'id'>[], runs: number): number {
  const all = Object.values(counts.requestsOfChecks).map((counted) => countAt(runs, counted))
  const average = all.reduce((sum, count) => sum + count, 0) / all.length
  return checks.reduce((sum, { id }) => {
    const counted = counts.requestsOfChecks[id]
    return sum + (counted === undefined ? average : countAt(runs, counted))
  }, 0)
}

/** The requests of all checks that the run makes. A run that lacks fixtures sends fewer. */
export function requestsOfRun(
  planned: readonly PlannedCheck[],
  { run }: { readonly run: Pick<RunSettings, 'runs' | 'maxRequests'> },
): number {
  const requests = requestsOf(judgedOf(planned), run.runs)
  return Math.min(Math.round(requests), run.maxRequests ?? Number.POSITIVE_INFINITY)
}

/** The workspaces that a run adds: its share of those of a whole run, by requests. `planned`: all checks of the target. */
export function workspacesOfRun(
  planned: readonly Pick<PlannedCheck, 'id' | 'operations' | 'without'>[],
  runs: number,
): number {
  const adding = planned.filter(({ operations }) => operations.includes('add-workspace'))
  const judged = judgedOf(adding)
  if (judged.length === 0) return 0
  const share = requestsOf(judged, runs) / requestsOf(adding, runs)
  return Math.ceil(share * countAt(runs, counts.workspacesOfWholeRun))
}

/** How many workspaces a run adds to the collaborations that the configuration lists; undefined if none. */
export function addedToListed(
  planned: readonly PlannedCheck[],
  configuration: Configuration,
): string | undefined {
  const { effects, administration } = configuration
  const { collaboration: listed = [], group = [] } = listedFixtures(configuration) ?? {}
  const mayAdd = effects.includes('add-workspace') && (group.length > 0 || administration !== undefined)
  const likely = mayAdd ? workspacesOfRun(planned, configuration.run.runs) : 0
  if (listed.length === 0 || likely === 0) return undefined
  const to = countOf(listed.length, 'listed collaboration')
  return `at most ${numeral(mostAdded(likely))} workspaces are added to ${to}: about ${numeral(likely)}, and more if findings are repeated`
}

/** `40 s`, `3 min` or `2.5 h`: no more precise than an estimate can be. */
export function roughly(durationMs: number): string {
  const seconds = Math.max(1, Math.round(durationMs / 1000))
  if (seconds < 100) return `${seconds} s`
  if (seconds < 100 * 60) return `${Math.round(seconds / 60)} min`
  return `${(seconds / 3600).toFixed(1)} h`
}

/** A kind of fixture as it is counted: items by their owner, participants by whether their collaboration is deleted. */
interface CountedKind {
  readonly name: string
  readonly kind: FixtureKind
  /** The actor who owns the items. */
  readonly owner?: ActorName
}

/** Checks do not use them up: a few are enough for any run. */
const reused: readonly FixtureKind[] = [
  ...(['group', 'guestHosted', 'participantElsewhere'] as const),
  ...(['eligibleUser', 'ineligibleUser', 'federation'] as const),
]

const itemsOf = (owner: ActorName): CountedKind => ({ name: `items of ${owner}`, kind: 'items', owner })

const deletedParticipant: CountedKind = {
  name: 'participant in a deleted collaboration',
  kind: 'participant',
}

/** In the order of the report. */
const countedKinds: readonly CountedKind[] = fixtureKinds
  .filter((kind) => !reused.includes(kind))
  .flatMap((kind): CountedKind[] => {
    if (kind === 'items') return [itemsOf('itemOwner'), itemsOf('itemOwnerUnprivileged')]
    return [kind === 'participant' ? deletedParticipant : { name: kind, kind }]
  })

/** Under what a fixture is counted that is asked for with these options; undefined if checks reuse it. */
export function countedAs(kind: FixtureKind, options: object): string | undefined {
  const { owner, collaborationId } = options as { owner?: ActorName; collaborationId?: string }
  if (kind === 'items') return itemsOf(owner as ActorName).name
  if (kind === 'participant') return collaborationId === undefined ? undefined : deletedParticipant.name
  return reused.includes(kind) ? undefined : kind
}

export interface FixtureNeed {
  readonly kind: string
  readonly needed: number
  /** Absent: not known, because a provider hands them out. */
  readonly offered?: number
}

/** What the needs of a run follow from. */
export type NeedyCheck = Pick<PlannedCheck, 'id' | 'without'>

/** How many of them the checks of a run use up. */
export const usedUp = (checks: readonly Pick<PlannedCheck, 'id'>[], name: string, runs: number): number =>
  checks.reduce((sum, { id }) => sum + Math.round(countAt(runs, counts.fixturesOfChecks[name]?.[id] ?? 0)), 0)

/** For each kind that the checks of a run use up. */
export function fixtureNeeds(planned: readonly NeedyCheck[], configuration: Configuration): FixtureNeed[] {
  const judged = judgedOf(planned)
  return countedKinds.flatMap((counted): FixtureNeed[] => {
    const needed = usedUp(judged, counted.name, configuration.run.runs)
    if (needed === 0) return []
    return [withoutUndefined({ kind: counted.name, needed, offered: offeredOf(counted, configuration) })]
  })
}

/** Whether a kind offers fewer than the checks need, so that some are left untested. */
export const isShort = ({ needed, offered = needed }: FixtureNeed): boolean => offered < needed

/** How many of them the configuration lists; undefined if a provider hands them out. */
function offeredOf({ name, kind, owner }: CountedKind, configuration: Configuration): number | undefined {
  const pools = listedFixtures(configuration)
  if (pools === undefined) return undefined
  const entries = pools[kind] ?? []
  if (name === deletedParticipant.name) {
    const deleted = new Set((pools.collaboration ?? []).map(({ collaborationId }) => collaborationId))
    return entries.filter(({ collaborationId }) => deleted.has(collaborationId)).length
  }
  if (owner === undefined) return entries.length
  const username = configuration.actors[owner]?.username
  return entries
    .filter((entry) => (entry.actor ?? entry.owner) === owner || entry.owner === username)
    .reduce((sum, { itemIds }) => sum + (Array.isArray(itemIds) ? itemIds.length : 0), 0)
}

/** A line for each kind that is listed, and one for all that a provider hands out. */
export function needLines(needs: readonly FixtureNeed[]): string[] {
  const open = needs.filter(({ offered }) => offered === undefined)
  const listed = needs.flatMap((need) => {
    const { kind, needed, offered } = need
    if (offered === undefined) return []
    const line = `${kind}: about ${needed} needed, ${offered} offered`
    return [isShort(need) ? `${line}; some checks are left untested` : line]
  })
  if (open.length === 0) return listed
  const all = open.map(({ kind, needed }) => `${needed} × ${kind}`).join(', ')
  return [...listed, `the run asks the provider for about ${all}`]
}

/** The table of the documentation: what a run of the whole suite needs. */
export function needsTable(all: readonly NeedyCheck[]): string {
  const settings = [1, 25]
  const columns = settings.map((runs) => fixtureNeeds(all, { run: { runs } } as Configuration))
  const rows = countedKinds.map(({ name }) => {
    const needed = columns.map((needs) => needs.find(({ kind }) => kind === name)?.needed ?? 0)
    return `| ${name} | ${needed.join(' | ')} |`
  })
  return ['| kind | `--quick` | `--runs 25`, the default |', '| --- | ---: | ---: |', ...rows].join('\n')
}

/** Ids in the warning. */
const mostIds = 5

/** Warns that a run deletes collaborations that the configuration lists; undefined if it may not, or none is listed. */
export function deletionOfListed(
  configuration: Pick<Configuration, 'fixtures' | 'effects'>,
): string | undefined {
  if (!configuration.effects.includes('delete-collaboration')) return undefined
  const listed = listedFixtures(configuration)?.collaboration ?? []
  const ids = listed.map(({ collaborationId }) => String(collaborationId))
  if (ids.length === 0) return undefined
  return `a run deletes every collaboration that it takes from fixtures.static, with what it shares, also where it only \
adds to it: ${names(ids, mostIds)}. To keep them, leave delete-collaboration out of effects`
}
