/** How many requests and fixtures a run needs, and about how long it takes. Pure; an estimate, and called one wherever it is shown. */
import { readFileSync } from 'node:fs'
import { mostAdded } from '../../deployment/administration/announcement.ts'
import { type Configuration, listedFixtures } from '../../deployment/configuration/configuration.ts'
import { type FixtureKind, fixtureKinds } from '../../deployment/fixtures/fixture-kinds.ts'
import { countOf as counted, names, numeral } from '../../reporters/wording.ts'
import type { PlannedCheck } from '../../runner/plan.ts'

/** What is counted of the fixtures of whole runs: those that are used up. */
export type Counted = 'collaboration' | 'taskRun' | 'items.itemOwner' | 'items.itemOwnerUnprivileged'

/** What `npm run count-requests` counts on the embedded portal. */
export interface Counts {
  /** The settings of `run.runs` that requests, and fixtures of whole runs, are counted with. */
  readonly measuredRuns: readonly number[]
  /** Those that the fixtures of single checks are counted with. */
  readonly countedRuns: readonly number[]
  /** By check: one number where it does not depend on `run.runs`, else one for each of `measuredRuns`. */
  readonly requestsOfChecks: Readonly<Record<string, number | readonly number[]>>
  /** How many workspaces a whole run adds, one number for each of `measuredRuns`. */
  readonly workspacesOfRuns: readonly number[]
  /** How many fixtures a whole run uses up, one number for each of `measuredRuns`. */
  readonly fixturesOfRuns: Readonly<Record<Counted, readonly number[]>>
  /** By kind, how many each check asks for, one number for each of `countedRuns`; what checks share counts for the first that asks. */
  readonly fixturesOfChecks: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>
}

export const counts = JSON.parse(readFileSync(new URL('counted.json', import.meta.url), 'utf8')) as Counts

const { measuredRuns, requestsOfChecks } = counts

export interface RunEstimate {
  readonly requests: number
  readonly durationMs: number
}

/** The requests of all checks that are planned to be judged; fixtures that run out make them fewer. */
export function requestsOfRun(planned: readonly PlannedCheck[], { run }: Pick<Configuration, 'run'>): number {
  const all = planned
    .filter(({ without }) => without === undefined)
    .reduce((sum, { id }) => sum + requestsOf(id, run.runs), 0)
  return Math.min(Math.round(all), run.maxRequests ?? Number.POSITIVE_INFINITY)
}

/** How many workspaces the checks of a run add, each in the measure of its requests. `planned`: all checks of the target. */
export function workspacesOfRun(
  planned: readonly Pick<PlannedCheck, 'id' | 'operations' | 'without'>[],
  runs: number,
): number {
  const sum = (checks: readonly Pick<PlannedCheck, 'id'>[]): number =>
    checks.reduce((all, { id }) => all + requestsOf(id, runs), 0)
  const adding = planned.filter(({ operations }) => operations.includes('add-workspace'))
  const judged = adding.filter(({ without }) => without === undefined)
  if (judged.length === 0) return 0
  return Math.ceil((sum(judged) / sum(adding)) * countAt(runs, measuredRuns, counts.workspacesOfRuns))
}

/** The line about workspaces that a run adds to the collaborations of its lists; undefined where it adds none. */
export function addedToListed(
  planned: readonly PlannedCheck[],
  configuration: Configuration,
): string | undefined {
  const { effects, administration } = configuration
  const { collaboration: listed = [], group = [] } = listedFixtures(configuration) ?? {}
  const mayAdd = effects.includes('add-workspace') && (group.length > 0 || administration !== undefined)
  const likely = mayAdd ? workspacesOfRun(planned, configuration.run.runs) : 0
  if (listed.length === 0 || likely === 0) return undefined
  const to = counted(listed.length, 'listed collaboration')
  return `at most ${numeral(mostAdded(likely))} workspaces are added to ${to}: about ${numeral(likely)}, and more where findings are tried again`
}

/** `40 s`, `3 min` or `2.5 h`: no more precise than an estimate can be. */
export function roughly(durationMs: number): string {
  const seconds = Math.max(1, Math.round(durationMs / 1000))
  if (seconds < 100) return `${seconds} s`
  if (seconds < 100 * 60) return `${Math.round(seconds / 60)} min`
  return `${(seconds / 3600).toFixed(1)} h`
}

function requestsOf(id: string, runs: number): number {
  const measured = requestsOfChecks[id] ?? averageRequests()
  if (typeof measured === 'number') return measured
  return countAt(runs, measuredRuns, measured)
}

/** What was counted at those settings of `run.runs`, for another one: between two of them, and beyond them, straight on. */
export function countAt(runs: number, settings: readonly number[], counts: readonly number[]): number {
  const above = settings.findIndex((known) => known >= runs)
  const to = above === -1 ? settings.length - 1 : Math.max(1, above)
  const [x0, x1] = [settings[to - 1], settings[to]] as [number, number]
  const [y0, y1] = [counts[to - 1], counts[to]] as [number, number]
  return y0 + ((runs - x0) * (y1 - y0)) / (x1 - x0)
}

/** For a check that was not measured yet. */
function averageRequests(): number[] {
  const all = Object.values(requestsOfChecks)
  return measuredRuns.map(
    (_, at) =>
      all.reduce<number>((sum, each) => sum + (typeof each === 'number' ? each : (each[at] as number)), 0) /
      all.length,
  )
}

const { countedRuns, fixturesOfChecks } = counts

const itemsOf = {
  itemOwner: 'items of itemOwner',
  itemOwnerUnprivileged: 'items of itemOwnerUnprivileged',
} as const

/** What serves again and again, and how many different ones are of use. */
const lasting: Readonly<Record<string, number>> = {
  group: 3,
  'participant in any collaboration': 2,
  guestHosted: 1,
  participantElsewhere: 1,
  eligibleUser: 2,
  ineligibleUser: 1,
  federation: 2,
}

/** What is counted, in the order in which it is told. */
const kinds: readonly string[] = fixtureKinds.flatMap((kind) => {
  if (kind === 'items') return Object.values(itemsOf)
  if (kind === 'participant')
    return ['participant in any collaboration', 'participant in a deleted collaboration']
  return [kind]
})

/** Under what a fixture is counted that is asked for with these options. */
export function countedKind(kind: FixtureKind, options: object): string {
  const { owner, collaborationId } = options as { owner?: keyof typeof itemsOf; collaborationId?: string }
  if (kind === 'items') return itemsOf[owner as keyof typeof itemsOf] ?? `items of ${owner}`
  if (kind !== 'participant') return kind
  return `participant in ${collaborationId === undefined ? 'any' : 'a deleted'} collaboration`
}

export interface FixtureNeed {
  readonly kind: string
  readonly needed: number
  /** Absent: it is not known, since a provider hands them out. */
  readonly offered?: number
  /** Checks that are probably not tested for want of them. */
  readonly untested: readonly PlannedCheck['id'][]
}

/** For each kind that the planned checks ask for. */
export function fixtureNeeds(
  planned: readonly Pick<PlannedCheck, 'id' | 'operations' | 'without'>[],
  configuration: Configuration,
): FixtureNeed[] {
  const judged = planned.filter(({ without }) => without === undefined)
  return kinds.flatMap((kind): FixtureNeed[] => {
    // Of what lasts only so many are needed as a check has at one time: in a long run it is given the same ones again.
    const { runs } = configuration.run
    const count = (id: PlannedCheck['id']): number =>
      lasting[kind] === undefined
        ? countOf(id, kind, runs)
        : countOf(id, kind, 1) || Math.min(1, countOf(id, kind, runs))
    const asking = judged
      .map(({ id, operations }) => ({
        id,
        count: count(id),
        deletes: operations.includes('delete-collaboration'),
      }))
      .filter(({ count }) => count > 0)
    if (asking.length === 0) return []
    const needed = lasting[kind] ?? asking.reduce((sum, { count }) => sum + count, 0)
    const offered = offeredOf(kind, configuration)
    if (offered === undefined) return [{ kind, needed, untested: [] }]
    return [{ kind, needed, offered, untested: leftOut(kind, asking, offered) }]
  })
}

/** All checks that are probably not tested for want of fixtures. */
export const untestedFor = (needs: readonly FixtureNeed[]): ReadonlySet<string> =>
  new Set(needs.flatMap(({ untested }) => untested))

/** A line for each kind that is listed, and one for all that a provider hands out. */
export function needLines(needs: readonly FixtureNeed[]): string[] {
  const open = needs.filter(({ offered }) => offered === undefined)
  const listed = needs.flatMap(({ kind, needed, offered, untested }) => {
    if (offered === undefined) return []
    const line = `${kind}: about ${needed} needed, ${offered} offered`
    if (untested.length === 0) return [line]
    return [
      `${line}; left untested: about ${untested.length} checks (${names(untested, undefined, mostNamed)})`,
    ]
  })
  if (open.length === 0) return listed
  const all = open.map(({ kind, needed }) => `${kind} ${needed}`).join(', ')
  return [...listed, `about so many are asked of the provider: ${all}`]
}

const mostNamed = 4

interface Asking {
  readonly id: PlannedCheck['id']
  readonly count: number
  /** Whether it deletes collaborations. */
  readonly deletes: boolean
}

/** Checks that ask after all is gone, in the order of the contract; those that delete nothing make do with one of others. */
function leftOut(kind: string, asking: readonly Asking[], offered: number): PlannedCheck['id'][] {
  if (lasting[kind] !== undefined) {
    const different = lasting[kind]
    return asking.filter(({ count }) => count <= different && count > offered).map(({ id }) => id)
  }
  const shared = kind === 'collaboration' || kind === 'workspace'
  let left = offered
  return asking
    .filter(({ count, deletes }) => {
      if (shared && !deletes) {
        left -= Math.min(left, count)
        return offered === 0
      }
      if (count > left) return true
      left -= count
      return false
    })
    .map(({ id }) => id)
}

/** So many of that kind the configuration lists. */
function offeredOf(kind: string, configuration: Configuration): number | undefined {
  const pools = listedFixtures(configuration)
  if (pools === undefined) return undefined
  const [listed, , actor] = kind.split(' ') as [FixtureKind, string?, string?]
  const entries = pools[listed] ?? []
  if (listed === 'participant') {
    const disposable = new Set((pools.collaboration ?? []).map(({ collaborationId }) => collaborationId))
    return kind.endsWith('deleted collaboration')
      ? entries.filter(({ collaborationId }) => disposable.has(collaborationId)).length
      : entries.length
  }
  if (listed !== 'items') return entries.length
  const username = configuration.actors[actor as keyof typeof itemsOf]?.username
  return entries
    .filter((entry) => (entry.actor ?? entry.owner) === actor || entry.owner === username)
    .reduce((sum, { itemIds }) => sum + (Array.isArray(itemIds) ? itemIds.length : 0), 0)
}

function countOf(id: PlannedCheck['id'], kind: string, runs: number): number {
  const counts = fixturesOfChecks[kind]?.[id]
  return counts === undefined ? 0 : Math.max(0, Math.round(countAt(runs, countedRuns, counts)))
}

/** The table of the documentation: what a run of the whole suite needs. */
export function needsTable(all: readonly Pick<PlannedCheck, 'id' | 'operations'>[]): string {
  const settings = countedRuns.slice(0, 2)
  const columns = settings.map((runs) => fixtureNeeds(all, { run: { runs } } as Configuration))
  const rows = kinds.map((kind) => {
    const counts = columns.map((needs) => needs.find((need) => need.kind === kind)?.needed ?? 0)
    return `| ${kind} | ${counts.join(' | ')} |`
  })
  const heads = settings.map((runs) => `\`--runs ${runs}\`${runs === 25 ? ', the default' : ''}`)
  return [`| kind | ${heads.join(' | ')} |`, `| --- |${' ---: |'.repeat(settings.length)}`, ...rows].join(
    '\n',
  )
}

const mostIds = 5

/** The warning; undefined where none is listed, or none may be deleted. */
export function deletionOfListed(
  configuration: Pick<Configuration, 'fixtures' | 'effects'>,
): string | undefined {
  if (!configuration.effects.includes('delete-collaboration')) return
  const listed = listedFixtures(configuration)?.collaboration ?? []
  const ids = listed.map(({ collaborationId }) => String(collaborationId))
  if (ids.length === 0) return
  return `a run deletes every collaboration that it takes from fixtures.static, with what it shares, also where it only \
adds to it: ${names(ids, undefined, mostIds)}. To keep them, leave delete-collaboration out of effects`
}
