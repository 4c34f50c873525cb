/** Cases for the judges that everybody can see at work, also in recorded traffic. */
import type { RequirementId } from '../specs/requirements.ts'
import type { ContractRequirementId } from './catalogue.ts'
import {
  added,
  began,
  type Case,
  deleted,
  emoji,
  entry,
  executing,
  federation,
  give,
  giveOne,
  ineligible,
  items,
  long,
  many,
  moved,
  participant,
  refusal,
  refused,
  run,
  sync,
  synced,
  wordy,
} from './exchange.fixture.ts'

const named = { collaborationWorkspaceName: 'All Roads' }

const cases: Partial<Record<ContractRequirementId, Omit<Case, 'id'>>> = {
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
  'lifecycle/consistent': {
    inPart: [deleted(0, refusal), added({}, {}, { at: 1 })],
    nothing: [[added()], [added(), added({}, {}, { at: 1 })], [deleted(0), added({}, {}, { at: 1 })]],
  },
  'update-task-run/updates': {
    kept: [run(executing)],
    broken: [run(executing, { success: true, taskId: 't1' })],
    inPart: run({ status: 'paused' }),
  },
  'update-task-run/identifiers': {
    kept: [run(executing)],
    broken: [run(executing, { success: true, taskId: 'r1', runId: 't1' })],
  },
  'update-task-run/status-required': {
    kept: [run(executing), refused(run({}))],
    broken: [run({})],
    nothing: [[refused(run({}))]],
  },
  'update-task-run/result-optional': {
    kept: [run(executing)],
    nothing: [[run({ ...executing, result: '' })]],
  },
  'update-task-run/result-empty': { kept: [run({ ...executing, result: '' })] },
  'update-task-run/result-text': { kept: [run({ ...executing, result: 'done' })] },
  'reassign-items/reassigns': { kept: [items(give)], broken: [items(give, { success: true, itemId: 1 })] },
  'reassign-items/items-required': {
    kept: [items(give), refused(items({ targetUsername: 'bob' }))],
    broken: [items({ targetUsername: 'bob' })],
  },
  'reassign-items/target-required': {
    kept: [items(give), refused(items({ items: 'i1,i2' }))],
    broken: [items({ items: 'i1' })],
  },
  'reassign-items/folder-optional': {
    kept: [items(give)],
    nothing: [[items({ ...give, targetFoldername: 'x' })]],
  },
  'reassign-items/folder-created': {
    kept: [items({ ...give, targetFoldername: 'x' })],
    nothing: [[items(give)]],
  },
  'reassign-items/concurrent-one-wins': {
    kept: [items(giveOne), items({ ...giveOne, targetUsername: 'eve' }, refusal, 0.01)],
    broken: [items(giveOne), items({ ...giveOne, targetUsername: 'eve' }, moved, 0.01)],
    nothing: [
      [items(giveOne), items({ ...giveOne, targetUsername: 'eve' }, moved, 1)],
      [items(giveOne), items(giveOne, moved, 0.01)],
      [items(giveOne), items({ items: 'i3', targetUsername: 'eve' }, moved, 0.01)],
      // A portal may move of a list what the other request left.
      [items(giveOne), items({ ...give, targetUsername: 'eve' }, moved, 0.01)],
    ],
  },
  'reassign-items/items-limit-accepts': {
    kept: [items({ ...give, items: many(100) })],
    inPart: items(give),
  },
  'reassign-items/items-limit-rejects': {
    kept: [items(give), refused(items({ ...give, items: many(101) }))],
    broken: [items({ ...give, items: many(101) })],
    nothing: [[items({ ...give, items: `${many(100)},i1` })]],
  },
  'reassign-items/ineligible-target': { kept: [ineligible()], nothing: [[items(give, refusal)]] },
  'reassign-items/error-shape': {
    kept: [ineligible()],
    broken: [ineligible({ messageCode: 7 })],
    nothing: [
      [items(give, { error: { code: 498, message: 'Invalid token.', details: [] } })],
      [items(give, { error: { code: 403, message: 'No privilege to give items to a target user.' } })],
      [items(give, { error: { code: 400, message: 'targetUsername=una_unprivileged' } })],
    ],
  },
  'reassign-items/error-details-fields': {
    kept: [ineligible()],
    broken: [ineligible({}, [entry(), entry({ itemId: 'i2', reservedTypeKeywords: 'Map' })])],
  },
  'reassign-items/error-details-items': {
    kept: [ineligible()],
    broken: [ineligible({}, [entry(), entry()])],
  },
  'reassign-items/error-details-owner': {
    kept: [ineligible()],
    broken: [ineligible({}, [entry({ owner: 'eve' })])],
    nothing: [[ineligible({}, [entry({ owner: 'Ann' })])]],
  },
  'reassign-items/error-alone': {
    kept: [ineligible()],
    broken: [ineligible({}, [entry()], { answer: { ...(ineligible().answer as object), success: false } })],
  },
  'reassign-items/error-details-url': {
    kept: [ineligible()],
    broken: [ineligible({}, [entry({ url: '/items/i1' })])],
    nothing: [[ineligible({}, [entry({ url: 7 })])]],
  },
  'reassign-items/error-message-code': {
    kept: [ineligible()],
    broken: [ineligible({ messageCode: 'GWM_0003' })],
  },
  'reassign-items/ineligible-target-keeps-owner': {
    kept: [ineligible(), items(give, moved, 1)],
    nothing: [[items(give)], [ineligible(), items({ ...give, items: 'i3' }, moved, 1)]],
  },
  'sync-workspace/starts': { kept: [sync(synced)], broken: [sync({ success: true, jobId: 'j' })] },
  'update-participant/updates': { kept: [participant()], broken: [participant({}, { portalId: 7 })] },
  'update-participant/identifiers': {
    kept: [participant()],
    broken: [participant({}, { portalId: 'host' })],
  },
  'update-participant/contact-text': {
    kept: [participant()],
    nothing: [[participant({ contactLastname: '' })]],
  },
  'update-participant/bad-email': {
    kept: [participant(), refused(participant({ contactEmailAddress: 'no-one' }))],
    broken: [participant({ contactEmailAddress: 'no-one' })],
  },
  'delete-collaboration/deletes': { kept: [deleted(0)] },
  'delete-collaboration/concurrent-once': {
    kept: [deleted(0), deleted(0.01, refusal)],
    broken: [deleted(0), deleted(0.01)],
    nothing: [[deleted(0), deleted(1)]],
  },
  'delete-collaboration/refused-delete-has-no-effect': {
    kept: [deleted(0, refusal), added({}, {}, { at: 1 })],
    nothing: [
      [added()],
      [deleted(0, refusal), { ...added({}, {}, { at: 1 }), path: { collaborationID: 'c2' } }],
    ],
  },
  'delete-collaboration/others-unaffected': {
    kept: [deleted(0), { ...added({}, {}, { at: 1 }), path: { collaborationID: 'c2' } }],
    nothing: [[deleted(0), added({}, {}, { at: 1 })]],
  },
  'delete-collaboration/gone-after-delete': {
    kept: [added(), deleted(1), { ...refused(added()), at: 120 }],
    broken: [deleted(1), added({}, {}, { at: 120 })],
    nothing: [
      [deleted(1), added({}, {}, { at: 2 })],
      [deleted(1), { ...refused(added()), at: 120 }],
    ],
  },
  'delete-collaboration/delete-twice': {
    kept: [deleted(0), deleted(120, refusal)],
    broken: [deleted(0), deleted(120)],
    nothing: [[deleted(0), deleted(1)]],
  },
  'update-federation/updates': { kept: [federation()], broken: [federation({}, { federationId: null })] },
  'update-federation/identifier': { kept: [federation()], broken: [federation({}, { federationId: 'f2' })] },
  'update-federation/groups-array': {
    kept: [federation({ groups: '["a"]' }), federation({ groups: '["a","b"]' }, {}, 1)],
    nothing: [
      [federation({ groups: '["a"]' })],
      [federation({ groups: 'a,b' }), federation({ groups: '' }, {}, 1)],
    ],
  },
  'update-federation/sign-up-mode': { kept: [federation({ signUpMode: 'Automatic' })] },
  'update-federation/user-type': { kept: [federation({ userType: 'platformonly' })] },
  'update-federation/certificate': {
    kept: [federation({ certificate: 'MII+a/bc==' })],
    inPart: federation({ certificate: 'MIIabc==' }),
    nothing: [[federation({ certificate: '' })]],
  },
  'update-federation/idempotent': { kept: [federation(), federation({}, {}, 1)], nothing: [[federation()]] },
  'update-federation/bad-input': {
    kept: [
      federation({ certificate: 'MII+a/bc==' }),
      refused(federation({ certificate: '*** no Base64 ***' })),
    ],
    broken: [federation({ userCreditAssignment: 'many' })],
    nothing: [[federation({ userCreditAssignment: '-1' })]],
  },
}

export const recordedCases: readonly Case[] = Object.entries(cases).map(([id, each]) => ({
  id: id as RequirementId,
  ...each,
}))
