/** Workspaces as answers show them, and their ids (§2, §4.1). */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RequirementId } from '../../specs/requirements.ts'
import { around, changeAdded, changeBytes, changeView, lastAsked, wrapping } from '../alterations.ts'
import { collaborationIn } from '../handlers.ts'
import type { Answer } from '../parts.ts'
import type { Workspace } from '../store.ts'
import { type Applied, type Chapter, faultsOf, inWords, product, requirementsOf, storiesOf } from './fault.ts'

const operation = 'add-workspace'
const anyAdd = requirementsOf(operation, 'protocol')
const ofIds: readonly RequirementId[] = [
  ...([
    'add-workspace/id-is-new',
    'add-workspace/concurrent-ids-distinct',
    'add-workspace/id-works',
  ] as const),
  ...requirementsOf('sync-workspace'),
]
const timestamps: RequirementId = 'add-workspace/timestamps'
const lastSync: RequirementId = 'add-workspace/last-sync-milliseconds'
const hourMs = 3_600_000

/** The fields of a workspace that are shown otherwise. */
type WrongView = readonly [breaks: RequirementId, fields: (workspace: Workspace) => Answer['body']]

const views: Readonly<Record<string, WrongView>> = {
  'workspace-times-in-seconds': [timestamps, (each) => scaled(each, (time) => Math.floor(time / 1000))],
  'workspace-times-in-microseconds': [timestamps, (each) => scaled(each, (time) => time * 1000)],
  'created-in-another-time-zone': [timestamps, (each) => scaled(each, (time) => time + 2 * hourMs)],
  'created-in-fractions': ['add-workspace/workspace-fields', (each) => scaled(each, (time) => time + 0.125)],
  'workspace-modified-before-created': [timestamps, ({ created }) => ({ modified: created - 1000 })],
  'last-sync-in-seconds': [lastSync, ({ created }) => ({ lastSyncSuccess: Math.floor(created / 1000) })],
  'last-sync-in-the-future': [lastSync, ({ created }) => ({ lastSyncSuccess: created + 48 * hourMs })],
  'last-sync-before-there-were-portals': [lastSync, () => ({ lastSyncSuccess: 86_400_000 })],
  'scalar-names-become-scalars': [
    'add-workspace/workspace-fields',
    ({ name }) => (/^(?:true|false|null|[1-9]\d*)$/.test(name) ? { name: JSON.parse(name) } : {}),
  ],
}

function scaled({ created, modified }: Workspace, change: (time: number) => number) {
  return { created: change(created), modified: change(modified) }
}

const viewed = Object.entries(views).map(
  ([id, [breaks, fields]]): Applied => ({
    id,
    sentence: `The answer shows the workspace otherwise: ${inWords(id)}.`,
    breaks: [breaks],
    mayBreak: breaks.endsWith('-fields') ? requirementsOf(operation) : [],
    alter: changeView(fields),
  }),
)

const workspaceProducts = [product('a workspace is shown otherwise', viewed)]

const workspaceFaults = faultsOf({
  'workspace-id-of-nothing': {
    sentence: 'The id in the answer is not that of the workspace that was added.',
    breaks: ['add-workspace/id-works'],
    alter: (parts) => changeView(() => ({ id: parts.newId('workspace') }))(parts),
  },
  'workspaces-named-beyond-ascii-unknown-to-syncs': {
    sentence: 'The id of a workspace whose name has letters beyond ASCII is not that of the workspace.',
    breaks: ['add-workspace/id-works'],
    alter: (parts) =>
      changeView(({ name }) => (/[^\0-\x7f]/.test(name) ? { id: parts.newId('workspace') } : {}))(parts),
  },
  'names-cut-inside-a-character': {
    sentence: 'Names are cut after 255 bytes of UTF-8, even within a character.',
    breaks: ['add-workspace/name-kept'],
    mayBreak: anyAdd,
    alter: wrapping(
      'keep',
      (honest) => (text, field) =>
        field === 'name' ? Buffer.from(text).subarray(0, 255).toString('utf8') : honest(text, field),
    ),
  },
  'quotes-not-escaped': {
    sentence: 'Quotes of a name stand in the answer without a backslash.',
    breaks: ['protocol/json-format'],
    mayBreak: anyAdd,
    alter: changeBytes(operation, (body) => Buffer.from(body.toString('utf8').replaceAll('\\"', '"'))),
  },
})

/** What was given for that key before, or now. */
function firstFor(): (key: string, value: unknown) => unknown {
  const given = new Map<string, unknown>()
  return (key, value) => {
    if (!given.has(key)) given.set(key, value)
    return given.get(key)
  }
}

const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const workspaceStories = storiesOf({
  'workspace-id-from-name': {
    sentence: 'The id of a workspace is derived from its name, so that equal names get equal ids.',
    breaks: ['add-workspace/id-is-new', 'add-workspace/id-works'],
    mayBreak: ofIds,
    alter: changeView(({ name }) => ({ id: createHash('sha256').update(name).digest('hex').slice(0, 32) })),
  },
  'workspace-id-from-clock': {
    sentence:
      'The id of a workspace is the time in hundredths of a second, so that simultaneous ones collide.',
    breaks: ['add-workspace/concurrent-ids-distinct', 'add-workspace/id-works'],
    mayBreak: ofIds,
    alter: changeView(({ created }) => ({ id: asId(Math.floor(created / 10)) })),
  },
  'workspace-ids-from-a-small-space': {
    sentence: 'The ids of workspaces are drawn from 4096.',
    breaks: ['add-workspace/id-is-new'],
    // Ids that were made up may be those of somebody.
    mayBreak: ofIds,
    alter: wrapping(
      'newId',
      (honest) => (kind) => (kind === 'workspace' ? asId(Math.floor(Math.random() * 4096)) : honest(kind)),
    ),
  },
  'workspace-ids-count-in-each-collaboration': {
    sentence: 'The id of a workspace is its number in its collaboration.',
    breaks: ['add-workspace/id-is-new'],
    mayBreak: ofIds,
    alter(parts) {
      const counts = new Map<string, number>()
      changeView(({ collaborationId }) => {
        const count = (counts.get(collaborationId) ?? 0) + 1
        counts.set(collaborationId, count)
        return { id: asId(count) }
      })(parts)
    },
  },
  'ids-of-the-deleted-given-again': {
    sentence: 'New workspaces get the ids of those that went with a deleted collaboration.',
    breaks: ['add-workspace/id-is-new'],
    mayBreak: ofIds,
    alter(parts) {
      const free: string[] = []
      const { remove, newId } = parts
      parts.remove = (store, collaboration) => {
        free.push(...collaboration.workspaces.keys())
        remove(store, collaboration)
      }
      parts.newId = (kind) => (kind === 'workspace' ? free.pop() : undefined) ?? newId(kind)
    },
  },
  'similar-name-answers-with-the-first': {
    sentence:
      'A name that differs from another in letter case or accents is answered with the id of that one.',
    breaks: ['add-workspace/id-is-new'],
    mayBreak: ofIds,
    alter(parts) {
      const [first, own] = [firstFor(), firstFor()]
      changeAdded(({ params, form }, { id }) => {
        const name = form.get('collaborationWorkspaceName') ?? ''
        // What has the very same name is left alone.
        const original = first(`${params.collaborationID} ${folded(name)}`, name)
        const known = own(`${params.collaborationID} ${original}`, id)
        return original === name ? {} : { id: known }
      })(parts)
    },
  },
  'every-sixth-workspace-elsewhere': {
    sentence: 'The answer for every sixth workspace names a wrong collaboration.',
    breaks: ['add-workspace/collaboration-id'],
    alter(parts) {
      let added = 0
      changeView(() => (++added % 6 === 0 ? { collaborationId: parts.newId('collaboration') } : {}))(parts)
    },
  },
  'second-of-two-workspaces-lost': {
    sentence: 'Of two workspaces that are added to a collaboration at once one is not stored.',
    breaks: ['add-workspace/id-works'],
    mayBreak: requirementsOf('add-workspace'),
    alter(parts) {
      const underWay = new Set<unknown>()
      around(operation, async (call, honest) => {
        const { collaborationID } = call.params
        const isSecond = underWay.has(collaborationID)
        underWay.add(collaborationID)
        await sleep(5)
        const answer = await honest()
        underWay.delete(collaborationID)
        if (isSecond && answer.refused === undefined)
          collaborationIn(call)?.workspaces.delete((answer.body.workspace as { id: string }).id)
        return answer
      })(parts)
    },
  },
  'created-is-constant': {
    sentence: 'created and modified are the time at which the portal started.',
    breaks: [timestamps],
    alter(parts) {
      const started = Date.now()
      changeView(() => ({ created: started, modified: started }))(parts)
    },
  },
  'workspace-names-mixed-up': {
    sentence: 'Of workspaces that are added simultaneously all are answered with the name of the last one.',
    breaks: ['add-workspace/name-kept'],
    // Another name than the one that was sent looks like a form that was misread.
    mayBreak: anyAdd,
    alter(parts) {
      const last = lastAsked(parts, operation)
      changeAdded((_, { name }) => ({ name: last().form.get('collaborationWorkspaceName') ?? name }))(parts)
    },
  },
  'name-of-the-refused-one': {
    sentence: 'After a workspace was refused for its name, the next one gets the beginning of that name.',
    breaks: ['add-workspace/name-kept'],
    // The name comes back under whatever request follows, be that one in an unusual form.
    mayBreak: anyAdd,
    alter(parts) {
      let left: string | undefined
      changeAdded(() => {
        const name = left
        left = undefined
        return name === undefined ? {} : { name }
      })(parts)
      around(operation, async ({ form }, honest) => {
        const answer = await honest()
        if (answer.refused === 'name-too-long') left = form.get('collaborationWorkspaceName')?.slice(0, 100)
        return answer
      })(parts)
    },
  },
})

function asId(number: number): string {
  return number.toString(16).padStart(32, '0')
}

export const workspacesChapter: Chapter = {
  products: workspaceProducts,
  faults: [...workspaceFaults, ...workspaceStories],
}
