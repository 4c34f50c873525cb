/** Cases for the rules of the operations other than add workspace. */
import { added, entry, ineligible, refusal } from './exchange.fixture.ts'
import {
  type Cases,
  deleted,
  executing,
  federation,
  give,
  items,
  many,
  moved,
  participant,
  refused,
  run,
  sync,
  synced,
} from './said.fixture.ts'

export const otherCases: Cases = {
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
    kept: [items(give), items({ ...give, targetUsername: 'eve' }, refusal, 0.01)],
    broken: [items(give), items({ ...give, targetUsername: 'eve' }, moved, 0.01)],
    nothing: [
      [items(give), items({ ...give, targetUsername: 'eve' }, moved, 1)],
      [items(give), items(give, moved, 0.01)],
      [items(give), items({ items: 'i3', targetUsername: 'eve' }, moved, 0.01)],
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
