/** Judges of "add workspace" (§4.1, §2, §8). */
import { createHash } from 'node:crypto'
import { isObject, valueAt } from '../schemas/values.ts'
import { show } from '../schemas/wording.ts'
import {
  accepted,
  acceptedAfter,
  acceptedWithMemory,
  allOf,
  type Breach,
  type Judgement,
  type JudgesOf,
  type Look,
  withMemory,
} from './clause.ts'
import type { Exchange } from './exchange.ts'
import type { Facts } from './facts.ts'
import { type LimitedText, mostIn, shaped, textKept, textLimitAccepts, textLimitRejects } from './fields.ts'
import { mostExchanges, Recent } from './recent.ts'

const textOf = (parameter: string, echo: string): LimitedText => ({
  parameter,
  most: mostIn('add-workspace', parameter),
  echo,
})
const name = textOf('collaborationWorkspaceName', 'workspace.name')
const description = textOf('collaborationWorkspaceDescription', 'workspace.description')
/** Request parameters that the answer repeats. */
export const echoedTexts = [name, description]

const inConfig = (path: string): boolean => path.startsWith('workspace.config.')
const inWorkspace = (path: string): boolean => path.startsWith('workspace.') && !inConfig(path)

export const addWorkspaceJudges: JudgesOf<'add-workspace'> = {
  'add-workspace/creates': shaped('add-workspace', { concerns: (path) => path === 'workspace' }),
  'add-workspace/workspace-fields': shaped('add-workspace', {
    concerns: inWorkspace,
    shows: ({ accepted }) => (isObject(valueAt(accepted, 'workspace')) ? 'kept' : undefined),
  }),
  'add-workspace/config-fields': shaped('add-workspace', {
    concerns: inConfig,
    shows: ({ accepted }) => (isObject(valueAt(accepted, 'workspace.config')) ? 'kept' : undefined),
  }),
  'add-workspace/id-is-new': withMemory(idsAreNew),
  'add-workspace/id-works': acceptedAfter({
    happened: (exchange) => {
      const added = exchange.operation === 'add-workspace' ? idOf(exchange) : undefined
      return added === undefined ? [] : [added.key]
    },
    used: ({ operation, baseUrl, path }) =>
      operation === 'add-workspace' ? [] : [JSON.stringify([baseUrl, path.workspaceID])],
  }),
  'add-workspace/timestamps': allOf(
    accepted(timestamps),
    acceptedWithMemory(inUnixTime),
    withMemory(timeGoesOn),
  ),
  'add-workspace/name-kept': textKept(name),
  'add-workspace/description-kept': textKept(description),
  'add-workspace/name-limit-accepts': textLimitAccepts(name),
  'add-workspace/name-limit-rejects': textLimitRejects(name),
  'add-workspace/description-limit-accepts': textLimitAccepts(description),
  'add-workspace/description-limit-rejects': textLimitRejects(description),
  'add-workspace/concurrent-ids-distinct': withMemory(concurrentIdsDistinct),
  'add-workspace/last-sync-milliseconds': accepted(lastSync),
}

function timestamps({ accepted, askedAt }: Exchange, { run }: Facts): Judgement {
  const created = valueAt(accepted, 'workspace.created')
  const modified = valueAt(accepted, 'workspace.modified')
  if (!isInteger(created) || !isInteger(modified) || askedAt === undefined) return undefined
  for (const [field, time] of Object.entries({ created, modified })) {
    if (Math.abs(time - askedAt) <= run.clockToleranceMs) continue
    const message = `${field} is not the time of the exchange in milliseconds`
    const hours = run.clockToleranceMs / (60 * minuteMs)
    const near = `${Number.isInteger(hours) ? `${hours} h` : `${run.clockToleranceMs / 1000} s`} of the request`
    const right = `within ${near}, which was sent at ${Math.round(askedAt)} (${new Date(askedAt).toISOString()})`
    return wrongTime(`workspace.${field}`, time, message, right)
  }
  if (modified >= created) return 'kept'
  return wrongTime('workspace.modified', modified, 'modified is before created', `not before ${created}`)
}

/** A field of the answer has a wrong time. `right`: the right ones, in words. */
const wrongTime = (field: string, time: number, message: string, right: string): Breach => ({
  message,
  expected: `${field} ${right}`,
  actual: `${field}: ${time}`,
  marks: { response: [field] },
})

const minuteMs = 60_000
/** Time zones differ from UTC by whole quarters of an hour, and by 14 hours at most. */
const zoneStepMs = 15 * minuteMs
const farthestZoneMs = 14 * 60 * minuteMs

/** One answer with a shifted time may come from a node with a wrong clock; three in a row mean local time. */
const steadyOffsets = 3

/**
 * Finds local time: the deployment's clock agrees with ours, but a time is off by a constant number of quarters of an
 * hour.
 */
function inUnixTime(): Look {
  const seen = new Map<string, { zone: number; count: number }>()
  return (exchange) => {
    const off = zoneOf(exchange)
    if (off === undefined) return undefined
    const before = seen.get(exchange.baseUrl) ?? { zone: off.zone, count: 0 }
    const count = before.zone === off.zone ? before.count + 1 : Number.NEGATIVE_INFINITY
    seen.set(exchange.baseUrl, { zone: off.zone, count })
    return count < steadyOffsets ? undefined : off.judgement
  }
}

/** By how many quarters of an hour the creation time is off, and the breach that follows from it. */
function zoneOf({
  accepted,
  answer,
  askedAt,
  answeredAt,
}: Exchange): { readonly zone: number; readonly judgement?: Judgement } | undefined {
  const created = valueAt(accepted, 'workspace.created')
  const modified = valueAt(accepted, 'workspace.modified')
  const clock = Date.parse(String(answer?.headers.date))
  if (!isInteger(created) || askedAt === undefined || answeredAt === undefined) return undefined
  if (Number.isNaN(clock) || Math.abs(clock - answeredAt) > minuteMs) return undefined
  if (created % minuteMs === 0) return undefined // A clock of whole minutes may be that far behind.
  // A workspace that was prepared in advance is older than its last change. In local time both are off equally.
  if (isInteger(modified) && Math.abs(modified - created) > minuteMs) return undefined
  const off = created - clock
  const zone = Math.round(off / zoneStepMs)
  const rest = Math.abs(off - zone * zoneStepMs)
  const isLocal = zone !== 0 && Math.abs(off) <= farthestZoneMs + minuteMs
  if (!isLocal || rest > answeredAt - askedAt + 2_000) return { zone }
  const message = `created is ${Math.abs(Math.round(off / minuteMs))} minutes ${off < 0 ? 'before' : 'after'} the Date of its answer: local time, not Unix time`
  const right = `about ${clock}, the Date of the answer`
  return { zone, judgement: wrongTime('workspace.created', created, message, right) }
}

/**
 * This number of workspaces, added over this time, must have several creation times, even with a clock that counts
 * seconds.
 */
const manyWorkspaces = 5
export const longEnoughMs = 2_500

/** How coarse the clock is: a clock that counts minutes, hours or days shows the same time for that long. */
const stepOf = (time: number): number =>
  [24 * 60 * minuteMs, 60 * minuteMs, minuteMs].find((step) => time % step === 0) ?? 0

/** Workspaces added one after the other must have increasing creation times. */
function timeGoesOn(): Look {
  const runs = new Map<string, { time: number; first: Exchange; count: number }>()
  return (exchange) => {
    const created = valueAt(exchange.accepted, 'workspace.created')
    if (!isInteger(created) || exchange.askedAt === undefined) return undefined
    const run = runs.get(exchange.baseUrl)
    if (run === undefined || run.time !== created) {
      runs.set(exchange.baseUrl, { time: created, first: exchange, count: 1 })
      return undefined
    }
    run.count += 1
    const between = exchange.askedAt - (run.first.answeredAt ?? Number.POSITIVE_INFINITY)
    const mayStandMs = longEnoughMs + stepOf(created)
    if (run.count < manyWorkspaces || between < mayStandMs || isSame(run.first, exchange)) return undefined
    return {
      message: 'workspaces added one after the other have the same time of creation',
      expected: `workspace.created later than ${created}, by about ${Math.round(between)} ms`,
      actual: `workspace.created: ${created}, as of ${run.count} workspaces running`,
      before: [run.first],
      marks: { response: ['workspace.created'] },
    }
  }
}

/** Earlier than any deployment with workspaces. */
const beforeAll = Date.UTC(2015, 0)

function lastSync({ accepted, askedAt }: Exchange, { run }: Facts): Judgement {
  const time = valueAt(accepted, 'workspace.lastSyncSuccess')
  if (!isInteger(time) || askedAt === undefined) return undefined
  // A negative value is an open point, and zero means "never".
  if (time <= 0 || (time >= beforeAll && time <= askedAt + run.clockToleranceMs)) return 'kept'
  const message = 'lastSyncSuccess is not a past time in milliseconds'
  const right = `from ${beforeAll} to ${askedAt + run.clockToleranceMs}, or not above 0`
  return wrongTime('workspace.lastSyncSuccess', time, message, right)
}

const isInteger = (value: unknown): value is number => Number.isInteger(value)

/** The id of the new workspace, and a key that is unique across deployments. */
function idOf({ accepted, baseUrl }: Exchange): { key: string; id: string } | undefined {
  const id = valueAt(accepted, 'workspace.id')
  return typeof id === 'string' ? { key: JSON.stringify([baseUrl, id]), id } : undefined
}

/** Whether both are the same exchange, recorded twice or answered twice. Then there is no second workspace. */
const isSame = (one: Exchange, other: Exchange): boolean => markOf(one) === markOf(other)

const markOf = ({ answer, asked }: Exchange): string =>
  createHash('sha1').update(answer!.body).update(JSON.stringify(asked)).digest('base64')

const ofEqualIds = {
  expected: 'an id that no other workspace has',
  marks: { response: ['workspace.id'] },
}

function idsAreNew(): Look {
  const seen = new Recent<string>()
  const shown = new Recent<Exchange>(mostExchanges)
  return (exchange) => {
    const found = idOf(exchange)
    if (found === undefined) return undefined
    const before = seen.get(found.key)
    const isFirst = seen.size === 0
    const mark = markOf(exchange)
    seen.set(found.key, before ?? mark)
    if (before === undefined) {
      shown.set(found.key, exchange)
      return isFirst ? undefined : 'kept'
    }
    if (before === mark) return undefined
    const first = shown.get(found.key)
    return {
      message: 'a new workspace has the id of an earlier one',
      actual: `${show(found.id)}, which another workspace got before`,
      ...ofEqualIds,
      ...(first === undefined ? {} : { before: [first] }),
    }
  }
}

/** Two requests overlap if the second was sent before the first was answered. */
function concurrentIdsDistinct(): Look {
  const under = new Map<string, { exchange: Exchange; ids: Recent<Exchange>; until: number }>()
  return (exchange) => {
    const found = idOf(exchange)
    const { answeredAt, askedAt, baseUrl } = exchange
    if (found === undefined || answeredAt === undefined || askedAt === undefined) return undefined
    const group = under.get(baseUrl)
    const overlaps = group !== undefined && askedAt < group.until
    const ids = overlaps ? group.ids : new Recent<Exchange>(mostExchanges)
    const before = ids.get(found.id)
    ids.set(found.id, before ?? exchange)
    under.set(baseUrl, { exchange, ids, until: Math.max(answeredAt, overlaps ? group.until : 0) })
    if (!overlaps) return undefined
    if (before === undefined) return 'kept'
    if (isSame(before, exchange)) return undefined
    return {
      message: 'two workspaces added at the same moment have the same id',
      actual: `${show(found.id)}, twice`,
      ...ofEqualIds,
      before: [before],
    }
  }
}
