/** Recorded exchanges made by hand, and what judging them shows, for the tests of judging. */

import { addressOf, recordedExchange } from '../deployment/recordings/har-entry.ts'
import { type JudgedTraffic, judgeTraffic } from '../runner/traffic/judge-traffic.ts'
import { type Calling, type Exchange, exchangeOf } from './exchange.ts'
import { type Caller, Knowledge } from './facts.ts'
import { recognise } from './recognise.ts'
import { type Seeing, Watch } from './watch.ts'

const base = 'https://portal.example/org/sharing/rest'
export const began = Date.parse('2025-06-15T12:00:07.250Z')

export const paths = {
  add: '/portals/host/collaborations/c1/addWorkspace',
  run: '/community/users/ann/tasks/t1/runs/r1/update',
  items: '/content/users/ann/reassignItems',
  sync: '/portals/guest/collaborations/c1/workspaces/w1/sync',
  participant: '/portals/host/collaborations/c1/participants/guest/updateInfo',
  delete: '/portals/host/collaborations/c1/delete',
  federation: '/portals/host/idp/federation/f1/update',
} as const

export type Fields = Readonly<Record<string, string>>

/** An exchange; whatever is left out is as ordinary as can be. */
export interface Said {
  readonly to: keyof typeof paths
  readonly form?: Fields
  /** Sent as the JSON body of the answer; a text or bytes as they are. */
  readonly answer: unknown
  readonly status?: number
  readonly method?: string
  /** Null: nobody is seen to ask. */
  readonly token?: string | null
  /** Seconds after the first. */
  readonly at?: number
  readonly type?: string
  /** The Date of the answer, as a Unix time in ms; absent: it has none. */
  readonly date?: number
  /** In a run: who called. */
  readonly caller?: Caller
  /** In a run: what the path names in place of the ordinary ids. */
  readonly path?: Readonly<Record<string, string>>
}

/** An entry of a HAR file. */
export function entryOf({
  to,
  form = {},
  answer,
  status = 200,
  method = 'POST',
  token = 'tok-1',
  at = 0,
  type,
  date,
}: Said) {
  const fields = new URLSearchParams({ f: 'pjson', ...(token === null ? {} : { token }), ...form }).toString()
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
  const content = Buffer.isBuffer(answer) ? { text: answer.toString('base64'), encoding: 'base64' } : { text }
  const posted = { mimeType: 'application/x-www-form-urlencoded', text: fields }
  return {
    startedDateTime: new Date(began + at * 1000).toISOString(),
    time: 20,
    request: {
      method,
      url: `${base}${paths[to]}${method === 'GET' ? `?${fields}` : ''}`,
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

/** What a run that sent these sees of them, with what `prepare` makes known before. */
export async function watch(
  said: readonly Said[],
  prepare: (knowledge: Knowledge) => void = () => undefined,
): Promise<Seeing[][]> {
  const usernames = { itemOwner: 'ann', itemOwnerUnprivileged: 'una', outsider: 'otto' }
  const knowledge = new Knowledge({
    clockToleranceMs: 86_400_000,
    settleMs: 2000,
    guestRefreshMs: 5000,
    usernames,
  })
  prepare(knowledge)
  const looking = new Watch(knowledge)
  const exchanges = await Promise.all(
    said.map(async (each, at) => {
      const { caller } = each
      const found = await exchangeOfEntry(
        entryOf(each),
        `check ${at + 1}`,
        caller === undefined ? {} : { caller },
      )
      return { ...found, path: { ...found.path, ...each.path } }
    }),
  )
  return exchanges.map((exchange) => {
    const { operation, asked } = exchange
    knowledge.begins({ operation, items: Array.isArray(asked.items) ? asked.items : [] })
    return looking.see(exchange)
  })
}
