/** Cases for the common rules and those of add workspace. */
import { added, began, refusal } from './exchange.fixture.ts'
import {
  type Cases,
  deleted,
  emoji,
  executing,
  long,
  refused,
  run,
  sync,
  synced,
  wordy,
} from './said.fixture.ts'

const named = { collaborationWorkspaceName: 'All Roads' }

export const addWorkspaceCases: Cases = {
  'protocol/form-post': {
    kept: [deleted(0)],
    nothing: [[{ ...deleted(0), method: 'GET' }], [deleted(0, refusal)]],
  },
  'protocol/json-format': {
    kept: [sync(synced)],
    broken: [sync('{"success": true, "error": null, "jobId": "j", }')],
    nothing: [
      [sync('{"success": true, "error": {', { status: 200 })],
      [sync({ ...synced, key: 'é' })],
      [sync('<html>Sign in</html>')],
      [sync('{"success": true,', { form: { f: 'json' } })],
      [sync(refusal)],
    ],
  },
  'protocol/success-boolean': {
    kept: [sync({ ...synced, error: null })],
    broken: [sync({ jobId: 'j', key: 'k', error: null })],
    nothing: [[sync({ success: 'false' })], [sync({ status: 'error' })], [sync(refusal)]],
  },
  'protocol/encoding': {
    kept: [added(named, { name: 'All Roads' }, { percent: true })],
    broken: [
      added(named, { name: 'All Roads' }),
      added(named, { name: 'All%20Roads' }, { percent: true, at: 1 }),
    ],
    nothing: [[added()], [added(named, { name: 'All%20Roads' }, { percent: true })]],
  },
  'protocol/unknown-parameter': {
    kept: [added({ ofNobody: 'value' })],
    nothing: [[added()], [refused(added({ ofNobody: 'value' }))]],
  },
  'protocol/post-only': { broken: [{ ...deleted(0), method: 'GET' }], nothing: [[deleted(0)]] },
  'protocol/no-server-error': {
    kept: [run({}, refusal)],
    broken: [{ ...run({}, refusal), status: 500 }],
    nothing: [[{ ...run(executing, refusal), status: 500 }]],
  },
  'protocol/refusal-json': {
    kept: [sync(refusal)],
    broken: [sync('<html>No.</html>')],
    nothing: [[sync('<html>No.</html>', { form: { f: 'html' } })], [sync(synced)]],
  },
  'protocol/content-type': { kept: [sync(synced)], broken: [sync(synced, { type: 'text/html' })] },
  'add-workspace/creates': {
    kept: [added()],
    broken: [{ ...added(), answer: { success: true, workspaceId: 'w1' } }],
    nothing: [[refused(added())]],
  },
  'add-workspace/workspace-fields': { kept: [added()], broken: [added({}, { lastSyncSuccess: 'never' })] },
  'add-workspace/config-fields': { kept: [added()], broken: [added({}, { config: {} })] },
  'add-workspace/collaboration-id': {
    kept: [added()],
    broken: [added({}, { collaborationId: 'c2' })],
    nothing: [[added({}, { collaborationId: 'C1' })], [added({}, { collaborationId: 1 })]],
  },
  'add-workspace/id-is-new': {
    kept: [added(), added({}, { id: 'w2' }, { at: 1 })],
    broken: [added(), added({ portalGroupId: 'g2' }, { modified: began + 5 }, { at: 1 })],
    nothing: [[added()], [added(), added({}, {}, { at: 1 })]],
  },
  'add-workspace/id-works': {
    kept: [added(), sync(synced, { at: 1 })],
    nothing: [[sync(synced)], [added(), sync(refusal, { at: 1 })]],
  },
  'add-workspace/concurrent-ids-distinct': {
    kept: [added(), added({}, { id: 'w2' }, { at: 0.01 })],
    broken: [added(), added({ portalGroupId: 'g2' }, {}, { at: 0.01 })],
    nothing: [[added(), added({}, { id: 'w2' }, { at: 1 })]],
  },
  'add-workspace/last-sync-milliseconds': {
    kept: [added({}, { lastSyncSuccess: began - 1000 })],
    broken: [added({}, { lastSyncSuccess: Math.floor(began / 1000) })],
    nothing: [[added({}, { lastSyncSuccess: 'never' })]],
  },
  'add-workspace/timestamps': {
    kept: [added()],
    broken: [added({}, { modified: began - 5 })],
    nothing: [[added({}, { created: 'now' })]],
  },
  'add-workspace/name-kept': {
    kept: [
      added(
        { collaborationWorkspaceName: 'Zo\u00eb' },
        { name: 'Zoe\u0308' },
        { type: 'application/json;charset=utf-8' },
      ),
    ],
    broken: [added({}, { name: 'roads' })],
    nothing: [
      [added({ collaborationWorkspaceName: '<b>Roads' })],
      [added(long(101), { name: 'n'.repeat(100) })],
    ],
  },
  'add-workspace/description-kept': { kept: [added()], broken: [added({}, { description: '' })] },
  'add-workspace/name-limit-accepts': {
    kept: [added(long(100))],
    inPart: added(long(99)),
    nothing: [[refused(added(long(100)))]],
  },
  'add-workspace/name-limit-rejects': {
    kept: [added(), refused(added(long(101)))],
    broken: [added(long(101))],
    nothing: [
      [refused(added(long(101)))],
      [added(), refused(added(long(101)), { token: 'tok-2' })],
      [added({ portalGroupId: 'g2' }), refused(added(long(101)))],
      [added({ collaborationWorkspaceName: emoji })],
      [added({ collaborationWorkspaceName: `${'n'.repeat(100)} ` })],
    ],
  },
  'add-workspace/description-limit-accepts': { kept: [added(wordy(250))] },
  'add-workspace/description-limit-rejects': {
    kept: [added(), refused(added(wordy(251)))],
    broken: [added(wordy(251), { description: 'd'.repeat(250) })],
  },
}
