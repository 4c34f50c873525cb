/** Requests and answers made by hand, cases made of them, and what judging them shows. */
import type { Answer } from '../deployment/http/exchange.ts'
import { addressOf, recordedExchange } from '../deployment/recordings/har-entry.ts'
import { type JudgedTraffic, judgeTraffic } from '../runner/traffic/judged-traffic.ts'
import { operationOf } from '../specs/operations.ts'
import { recognise } from '../specs/paths.ts'
import type { RequirementId } from '../specs/requirements.ts'
import { type Judged, Watch } from './catalogue.ts'
import { type Calling, type Exchange, exchangeOf, type Part } from './exchange.ts'
import { type CheckKnowledge, Knowledge } from './facts.ts'

const base = 'https://portal.example/org/sharing/rest'
export const began = Date.parse('2025-06-15T12:00:07.250Z')

const operationsBy = {
  add: 'add-workspace',
  run: 'update-task-run',
  items: 'reassign-items',
  sync: 'sync-workspace',
  participant: 'update-participant',
  delete: 'delete-collaboration',
  federation: 'update-federation',
} as const

/** What paths name where nothing else is said. */
const ordinary: Fields = {
  portalID: 'host',
  collaborationID: 'c1',
  userName: 'ann',
  taskID: 't1',
  runID: 'r1',
  workspaceID: 'w1',
  participantPortalID: 'guest',
  federationID: 'f1',
}

const pathOf = ({ to, path = {} }: Said): string =>
  operationOf(operationsBy[to]).path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => ({ ...ordinary, ...(to === 'sync' ? { portalID: 'guest' } : {}), ...path })[name]!,
  )

export type Fields = Readonly<Record<string, string>>

/** An exchange; whatever is left out is as ordinary as can be. */
export interface Said {
  readonly to: keyof typeof operationsBy
  readonly form?: Fields
  /** Sent as the JSON body of the answer; a text or bytes as they are. */
  readonly answer: unknown
  readonly status?: number
  readonly method?: string
  /** Null: no one is seen to ask. */
  readonly token?: string | null
  /** Seconds after the first. */
  readonly at?: number
  readonly type?: string
  /** How long it took, in ms. */
  readonly took?: number
  /** The Date of the answer, as a Unix time in ms; absent: it has none. */
  readonly date?: number
  /** In a run: who called. */
  readonly caller?: Part
  /** What the path names in place of the ordinary ids. */
  readonly path?: Fields
  /** Spaces of the form are written as %20, and not as + signs. */
  readonly percent?: true
}

/** An entry of a HAR file. */
export function entryOf(said: Said) {
  const {
    form = {},
    answer,
    status = 200,
    method = 'POST',
    token = 'tok-1',
    at = 0,
    type,
    date,
    percent,
  } = said
  const plain = new URLSearchParams({ f: 'pjson', ...(token === null ? {} : { token }), ...form }).toString()
  const fields = percent ? plain.replaceAll('+', '%20') : plain
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
  const content = Buffer.isBuffer(answer) ? { text: answer.toString('base64'), encoding: 'base64' } : { text }
  const posted = { mimeType: 'application/x-www-form-urlencoded', text: fields }
  return {
    startedDateTime: new Date(began + at * 1000).toISOString(),
    time: said.took ?? 20,
    request: {
      method,
      url: `${base}${pathOf(said)}${method === 'GET' ? `?${fields}` : ''}`,
      headers: [],
      ...(method === 'GET' ? {} : { postData: posted }),
    },
    response: {
      status,
      headers: [
        { name: 'Content-Type', value: type ?? 'application/json' },
        ...(date === undefined ? [] : [{ name: 'Date', value: new Date(date).toUTCString() }]),
      ],
      content: { size: -1, ...content },
    },
  }
}

export async function exchangeOfEntry(
  entry: unknown,
  place = 'recording.har, entry 1',
  calling: Calling = {},
): Promise<Exchange> {
  const address = addressOf(entry)!
  return exchangeOf(recognise(address.url)!, await recordedExchange(entry, address, place), calling)
}

/** An exchange of add workspace with that answer, which was not recorded. */
export function addingWith(answer: Answer, fields: readonly (readonly [string, string])[] = []): Exchange {
  const form = { fields, inQuery: new Set<string>(), kind: 'form', type: '', exact: true } as const
  const seen = { place: 'a check', request: answer.request, form, startedAt: 0, answer, bytes: true }
  return exchangeOf({ operation: 'add-workspace', baseUrl: '', path: {} }, seen)
}

export async function judge(...said: readonly Said[]): Promise<JudgedTraffic> {
  const entries = said.map((each, at) => exchangeOfEntry(entryOf(each), `recording.har, entry ${at + 1}`))
  return judgeTraffic(await Promise.all(entries))
}

const workspace = {
  id: 'w1',
  name: 'Roads',
  description: 'All roads',
  collaborationId: 'c1',
  config: { maxItemSizeInMB: 1, maxReplicationPackageSizeInMB: 2, bidirectionalSyncCapable: true },
  created: began,
  modified: began,
  lastSyncSuccess: -1,
}

/** A valid add workspace, with other parameters and other fields of the workspace. */
export const added = (form: Fields = {}, fields: object = {}, others: Partial<Said> = {}): Said => ({
  to: 'add',
  form: {
    collaborationWorkspaceName: 'Roads',
    collaborationWorkspaceDescription: 'All roads',
    portalGroupId: 'g1',
    ...form,
  },
  answer: { success: true, workspace: { ...workspace, ...fields } },
  ...others,
})

export const refusal = { error: { code: 400, message: 'No.', details: [] } }

export const entry = (fields: object = {}) => ({
  itemId: 'i1',
  type: 'Map',
  url: 'https://portal.example/i1',
  reservedTypeKeywords: ['Map'],
  owner: 'ann',
  ...fields,
})

/** A reassignment that was refused for its target. */
export const ineligible = (
  fields: object = {},
  details: unknown = [entry()],
  others: Partial<Said> = {},
): Said => ({
  to: 'items',
  form: { items: 'i1,i2', targetUsername: 'bob' },
  answer: {
    error: {
      code: 403,
      messageCode: 'CONT_0099',
      message: 'The target user has no right privileges.',
      details,
      ...fields,
    },
  },
  ...others,
})

const actor = (username: string, portal: 'host' | 'guest' = 'host') => ({ username, portal, credential: 'c' })
/** What is configured in a run that is made up. */
export const configured = {
  actors: {
    itemOwner: actor('ann'),
    itemOwnerUnprivileged: actor('una'),
    outsider: actor('otto'),
    guestAdministrator: actor('greta', 'guest'),
  },
  run: { clockToleranceMs: 86_400_000, settleMs: 2000, guestRefreshMs: 5000 },
  contract: {
    run: { statuses: ['executing', 'failed'], closed: true },
    sync: { parameter: 'async', synchronous: 'false', asynchronous: 'true' },
  },
  profile: {
    errors: {
      noCredential: { codes: [499] },
      invalidCredential: { codes: [498] },
      notPermitted: { codes: [403] },
    },
  },
}

/** What a run that sent these sees of them, with what `prepare` makes known before. */
export async function watch(
  said: readonly Said[],
  prepare: (knowledge: Knowledge) => void = () => undefined,
): Promise<Judged[][]> {
  const { run, actors, contract } = configured
  const knowledge = new Knowledge({ run, actors, contract })
  prepare(knowledge)
  const looking = new Watch(knowledge)
  const exchanges = await Promise.all(
    said.map(async (each, at) => {
      const { caller } = each
      return exchangeOfEntry(entryOf(each), `check ${at + 1}`, caller === undefined ? {} : { caller })
    }),
  )
  return exchanges.map((exchange) => {
    const { operation, asked, path, askedAt = 0 } = exchange
    const items = Array.isArray(asked.items) ? asked.items : []
    const begun = { operation, items, workspaceId: path.workspaceID, at: askedAt }
    knowledge.begins(begun)
    return looking.see({ ...exchange, begun })
  })
}

/** Exchanges, and what the last of them shows of a requirement. */
export interface Case {
  readonly id: RequirementId
  /** What a run knows before the first of them. */
  readonly known?: (knowledge: Knowledge) => void
  /** What the sender of the last of them knows of it. */
  readonly fromCheck?: CheckKnowledge
  readonly kept?: readonly Said[]
  readonly broken?: readonly Said[]
  /** One that keeps it, and does not show the whole of it. */
  readonly inPart?: Said | Said[]
  /** Exchanges that show nothing either way, each by itself. */
  readonly nothing?: readonly (readonly Said[])[]
}

const updated = { success: true, taskId: 't1', runId: 'r1' }
export const run = (form: Said['form'], answer: unknown = updated): Said => ({
  to: 'run',
  form: { ...form },
  answer,
})
export const executing = { status: 'executing' }
export const moved = { success: true, itemId: 'i1' }
export const items = (form: Said['form'], answer: unknown = moved, at = 0): Said => ({
  to: 'items',
  form: { ...form },
  answer,
  at,
})
export const give = { items: 'i1,i2', targetUsername: 'bob' }
export const giveOne = { ...give, items: 'i1' }
export const many = (count: number): string => Array.from({ length: count }, (_, at) => `i${at}`).join(',')
export const sync = (answer: unknown, others: Partial<Said> = {}): Said => ({ to: 'sync', answer, ...others })
export const synced = { success: true, jobId: 'j', key: 'k' }
const contact = {
  contactFirstname: 'Zoë',
  contactLastname: 'Ng',
  contactEmailAddress: 'z@example.org',
}
export const participant = (form: object = {}, answer: object = {}): Said => ({
  to: 'participant',
  form: { ...contact, ...form },
  answer: { success: true, collaborationId: 'c1', portalId: 'guest', ...answer },
})
export const federation = (form: Said['form'] = {}, answer: object = {}, at = 0): Said => ({
  to: 'federation',
  form: { name: 'F', ...form },
  answer: { success: true, federationId: 'f1', ...answer },
  at,
})
export const deleted = (at: number, answer: unknown = { success: true }): Said => ({
  to: 'delete',
  answer,
  at,
})
export const long = (count: number) => ({ collaborationWorkspaceName: 'n'.repeat(count) })
export const wordy = (count: number) => ({ collaborationWorkspaceDescription: 'd'.repeat(count) })
export const refused = (said: Said, others: Partial<Said> = {}): Said => ({
  ...said,
  answer: refusal,
  at: 1,
  ...others,
})
export const emoji = '\u{1F469}\u200D\u{1F680}'.repeat(60)
