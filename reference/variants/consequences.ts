/** Other ways of syncing and deleting, and of reading a list of items. */
import { around, refuseWhen } from '../alterations.ts'
import { syncModeOf } from '../handlers/sync-workspace.ts'
import type { Answer } from '../parts.ts'
import { isAdministrator } from '../permissions.ts'
import type { Variant } from './variant.ts'

export const consequenceVariants: readonly Variant[] = [
  {
    id: 'other-sync-mode',
    sentence: 'The mode of a sync is asked for with runMode=wait or runMode=background.',
    alter(parts) {
      parts.sync = { parameter: 'runMode', synchronous: 'wait', asynchronous: 'background' }
    },
  },
  {
    id: 'second-sync-held',
    sentence: 'A second sync waits until the first is over and then starts.',
    alter(parts) {
      parts.syncGate = (call, { sync }) => sync?.done.then(() => parts.handlers['sync-workspace'](call))
    },
  },
  {
    id: 'second-sync-joins',
    sentence: 'A second sync is answered with the job that is running.',
    alter(parts) {
      parts.syncGate = (call, { sync }) => {
        if (sync === undefined) return undefined
        const answer: Answer = { status: 200, body: { success: true, jobId: sync.id, key: sync.key } }
        return parts.blocks(syncModeOf(call) ?? 'synchronous') ? sync.done.then(() => answer) : answer
      }
    },
  },
  {
    id: 'eventual-deletion',
    sentence: 'A deletion shows only after 100 ms.',
    alter(parts) {
      parts.timings.deletionShowsMs = 100
    },
  },
  {
    id: 'guest-refreshes-at-once',
    sentence: 'A guest loses a deleted collaboration at once.',
    alter(parts) {
      parts.timings.guestRefreshMs = 0
    },
  },
  {
    id: 'idempotent-deletion',
    sentence: 'A second delete of a collaboration is accepted.',
    alter(parts) {
      const deleted = new Set<string>()
      around(parts, 'delete-collaboration', async (call, honest) => {
        const id = call.params.collaborationID as string
        const answer = await honest()
        if (answer.refused === undefined) deleted.add(id)
        const again = answer.refused === 'unknown-collaboration' && deleted.has(id)
        const byHost = isAdministrator(call.user) && call.user.organization === 'host'
        return again && byHost ? { status: 200, body: { success: true } } : answer
      })
    },
  },
  {
    id: 'duplicate-items-refused',
    sentence: 'An item that stands twice in items is refused.',
    alter: (parts) =>
      refuseWhen(parts, 'reassign-items', 'bad-value', ({ form }) => {
        const ids = (form.get('items') ?? '').split(',')
        return new Set(ids).size < ids.length
      }),
  },
  {
    id: 'spaces-in-items-refused',
    sentence: 'Spaces around the commas of items are refused.',
    alter: (parts) =>
      refuseWhen(parts, 'reassign-items', 'bad-value', ({ form }) => /\s/.test(form.get('items') ?? '')),
  },
]
