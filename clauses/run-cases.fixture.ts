/** Cases for the judges that rest on what only a run knows: who calls, what exists, what belongs where, what was before. */
import type { FixtureAnswers, FixtureKind } from '../deployment/fixtures/fixture-kinds.ts'
import type { RequirementId } from '../specs/requirements.ts'
import {
  added,
  began,
  type Case,
  deleted,
  entry,
  executing,
  federation,
  give,
  ineligible,
  items,
  many,
  participant,
  refusal,
  run,
  type Said,
  sync,
  synced,
} from './exchange.fixture.ts'
import type { Part } from './exchange.ts'
import type { Knowledge } from './facts.ts'

const by = (caller: Part, said: Said): Said => ({ ...said, caller })
const all = (caller: Part, ...said: readonly Said[]): Said[] => said.map((each) => by(caller, each))
const not = (said: Said): Said => ({ ...said, answer: refusal, at: 1 })

/** That caller is refused; the right one was accepted before. */
const refuses = (id: RequirementId, right: Part, wrong: Part, said: Said): Case => ({
  id,
  kept: [by(right, { ...said, path: { collaborationID: 'c9' } }), by(wrong, not(said))],
  broken: [by(wrong, said)],
  nothing: [[by(wrong, not(said))], [by(right, said), by(right, not(said))], [said]],
})

/** An id that was made up, in that place of the path. */
const unknown = (id: RequirementId, right: Part, name: string, said: Said): Case => {
  const strange = { ...said, path: { [name]: 'made-up' } }
  return {
    id,
    known: madeUp('made-up'),
    kept: [by(right, said), by(right, not(strange))],
    broken: [by(right, strange)],
    nothing: [[by(right, not(strange))], [by(right, said)]],
  }
}

/** That caller is accepted for items of ann. */
const allows = (id: RequirementId, caller: Part): Case => ({
  id,
  kept: [by(caller, items(give))],
  nothing: [[by(caller, not(items(give)))], [by('outsider', items(give))]],
})

const moved = (at: number, others: Partial<Said> = {}): Said => ({
  ...items({ items: 'i1', targetUsername: 'bob' }),
  at,
  ...others,
})
const inMode = (mode: 'true' | 'false', others: Partial<Said> = {}): Said =>
  sync(synced, { form: { async: mode }, ...others })

const madeUp = (id: string) => (knowledge: Knowledge) => knowledge.madeUp(id)
const handedOut =
  <Kind extends FixtureKind>(kind: Kind, fixture: FixtureAnswers[Kind]) =>
  (knowledge: Knowledge) =>
    knowledge.handedOut(kind, fixture, began)
const owned = handedOut('items', { owner: 'ann', itemIds: ['i1', 'i2'] })
const ineligibleBob = handedOut('ineligibleUser', { username: 'bob' })
const ineligibleBobAndOwner = (knowledge: Knowledge): void => {
  ineligibleBob(knowledge)
  owned(knowledge)
}
/** Bob can receive the first of ann's items, and not the second. */
const partlyReceivable = handedOut('partlyReceivable', {
  owner: 'ann',
  username: 'bob',
  receivable: ['i1'],
  notReceivable: ['i2'],
})
const aTaskRun = handedOut('taskRun', { userName: 'ann', taskId: 't1', runId: 'run-5b1c9e' })
const workspace = { workspaceId: 'w1', collaborationId: 'c1' }
/** Syncs of it take between 500 and 600 ms. */
const aWorkspace = handedOut('workspace', { ...workspace, minimumSyncMs: 500, maximumSyncMs: 600 })
/** A refusal for an item that bob has, which names ann as its owner. */
const fromBob = (at: number): Said => ({
  ...ineligible({}, [entry()], { path: { userName: 'bob' }, at }),
  form: { items: 'i1', targetUsername: 'eve' },
})
const bothNamed = ineligible({}, [entry(), entry({ itemId: 'i2' })])
const updated = run(executing)
const host = 'hostAdministrator'
const content = 'contentAdministrator'
const login = 'organizationAdministrator'
const start = 'syncInitiator'

/** What only administrators of the host may do. */
const administrative = [
  ['add-workspace', added()],
  ['update-participant', participant()],
  ['delete-collaboration', deleted(0)],
] as const

/** Workspaces that were added this many seconds after the first, with one time of creation. */
const addedAt = (...seconds: readonly number[]): Said[] =>
  seconds.map((at) => added({}, { id: `w${at}` }, { at }))

const wholeMinutesAt = (...seconds: readonly number[]): Said[] => {
  const minute = Math.floor(began / 60_000) * 60_000
  return seconds.map((at) => added({}, { id: `w${at}`, created: minute, modified: minute }, { at }))
}

/** A workspace whose times are this many minutes from the clock of who asks; `clock`: how far its Date is. */
const minutesOff = (minutes: number, clock?: number): Said => {
  const time = began + minutes * 60_000
  const date = clock === undefined ? {} : { date: began + clock * 60_000 }
  return added({}, { created: time, modified: time }, date)
}

/** An update of this task that is answered with another spelling of its id. */
const answeredAs = (taskID: string, taskId: string): Said => ({
  ...run(executing, { success: true, taskId, runId: 'r1' }),
  path: { taskID, runID: 'r1' },
})

/** Two requests at the same moment, both accepted. */
const bothGet = (id: string, at: number): Said[] =>
  ['bob', 'eve'].map((targetUsername, after) =>
    items({ items: id, targetUsername }, undefined, at + after / 100),
  )
const bothDelete = (collaborationID: string, at: number): Said[] =>
  [at, at + 0.01].map((time) => ({ ...deleted(time), path: { collaborationID } }))

const thrice = (said: Said): Said[] => [said, said, said]

export const runCases: readonly Case[] = [
  {
    id: 'add-workspace/timestamps',
    kept: [...addedAt(0, 1, 2, 3), added({}, { created: began + 4000, modified: began + 4000 }, { at: 4 })],
    broken: addedAt(0, 1, 2, 3, 4),
    // Whole seconds, a few that say little, or a clock of whole minutes.
    nothing: [addedAt(0, 0.2, 0.4, 0.6, 0.8), addedAt(0, 3, 4), wholeMinutesAt(0, 1, 2, 3, 4)],
  },
  {
    id: 'add-workspace/timestamps',
    kept: [minutesOff(0, 0)],
    broken: thrice(minutesOff(-330, 0)),
    // A wrong clock, one that its Date shares, one without a Date, one that is days off; and those of nodes that differ.
    nothing: [
      thrice(minutesOff(100, 0)),
      thrice(minutesOff(120, 120)),
      thrice(minutesOff(120)),
      thrice(minutesOff(1425, 0)),
      [minutesOff(-330, 0), minutesOff(-330, 0), minutesOff(0, 0), ...thrice(minutesOff(-330, 0))],
    ],
  },
  ...administrative.flatMap(([operation, said]) => [
    refuses(`${operation}/refuses-guest`, host, 'guestAdministrator', said),
    refuses(`${operation}/refuses-non-administrator`, host, 'hostMember', said),
    refuses(`${operation}/refuses-anonymous`, host, 'anonymous', said),
    refuses(`${operation}/refuses-invalid-credential`, host, 'impostor', said),
    unknown(`${operation}/unknown-collaboration`, host, 'collaborationID', said),
  ]),
  {
    id: 'add-workspace/unknown-group',
    known: madeUp('g2'),
    kept: all(host, added(), not(added({ portalGroupId: 'g2' }))),
    broken: [by(host, added({ portalGroupId: 'g2' }))],
    nothing: [[by(host, added())]],
  },
  {
    id: 'update-task-run/run-of-task',
    known: aTaskRun,
    kept: all('taskOwner', updated, { ...not(updated), path: { runID: 'run-5b1c9e', taskID: 't2' } }),
    broken: [by('taskOwner', { ...updated, path: { runID: 'run-5b1c9e', taskID: 't2' } })],
    nothing: [
      [by('taskOwner', { ...updated, path: { runID: 'run-5b1c9e' } })],
      [by('taskOwner', { ...updated, path: { taskID: 't2' } })],
    ],
  },
  refuses('reassign-items/refuses-other-organization', content, 'guestAdministrator', items(give)),
  refuses('update-federation/refuses-other-organization', login, 'guestAdministrator', federation()),
  {
    id: 'reassign-items/unknown-item',
    known: madeUp('i2'),
    kept: all(content, items({ ...give, items: 'i1' }), not(items(give))),
    broken: [by(content, items(give))],
    nothing: [[by(content, items({ ...give, items: 'i1' }))], [by('outsider', items(give))]],
  },
  refuses('update-task-run/refuses-anonymous', 'taskOwner', 'anonymous', updated),
  {
    id: 'update-task-run/refuses-anonymous',
    known: aTaskRun,
    kept: [by('taskOwner', updated), by('anonymous', { ...not(updated), path: { runID: 'run-5b1c9e' } })],
    broken: [by('anonymous', { ...updated, path: { runID: 'run-5b1c9e' } })],
    // Who is accepted to a run of another task may be so for the task.
    nothing: [[by('anonymous', { ...updated, path: { runID: 'run-5b1c9e', taskID: 't2' } })]],
  },
  unknown('update-task-run/unknown-run', 'taskOwner', 'runID', updated),
  unknown('update-task-run/unknown-run', 'taskOwner', 'taskID', updated),
  unknown('update-task-run/unknown-run', 'taskOwner', 'userName', updated),
  refuses('reassign-items/refuses-anonymous', content, 'anonymous', items(give)),
  refuses('reassign-items/refuses-invalid-credential', content, 'impostor', items(give)),
  refuses('reassign-items/refuses-other-user', content, 'outsider', items(give)),
  {
    id: 'reassign-items/refuses-owner-without-privilege',
    kept: [
      by(content, items(give)),
      by('itemOwnerUnprivileged', { ...not(items(give)), path: { userName: 'una' } }),
    ],
    broken: [by('itemOwnerUnprivileged', { ...items(give), path: { userName: 'una' } })],
    nothing: [[by('itemOwnerUnprivileged', items(give))]],
  },
  {
    id: 'reassign-items/unknown-target',
    known: madeUp('bob'),
    kept: all(content, items({ ...give, targetUsername: 'eve' }), not(items(give))),
    broken: [by(content, items(give))],
  },
  {
    id: 'reassign-items/target-in-organization',
    kept: all(content, items(give), not(items({ ...give, targetUsername: 'greta' }))),
    broken: [by(content, items({ ...give, targetUsername: 'greta' }))],
    nothing: [[by(content, items(give))], [by('outsider', items({ ...give, targetUsername: 'greta' }))]],
  },
  allows('reassign-items/allows-default-administrator', content),
  allows('reassign-items/allows-custom-administrator', 'customAdministrator'),
  allows('reassign-items/allows-owner', 'itemOwner'),
  {
    id: 'reassign-items/ineligible-target',
    known: ineligibleBobAndOwner,
    kept: [by(content, ineligible())],
    broken: [by(content, items(give))],
    nothing: [
      [by('anonymous', items(give))],
      [by(content, { ...items(give), path: { userName: 'eve' } })],
      [by(content, items({ ...give, targetUsername: 'eve' }))],
    ],
  },
  {
    id: 'reassign-items/error-details-items',
    known: ineligibleBobAndOwner,
    // The case in which an answer repeats an id is open.
    kept: [
      by(content, bothNamed),
      by(content, ineligible({}, [entry({ itemId: 'I1' }), entry({ itemId: 'I2' })])),
    ],
    broken: [by(content, ineligible())],
    // Who has the items after a refusal that names none is not known.
    nothing: [all(content, items(give, refusal), { ...ineligible(), at: 1 })],
  },
  {
    id: 'reassign-items/error-details-items',
    known: partlyReceivable,
    kept: [by(content, ineligible({}, [entry({ itemId: 'i2' })]))],
    broken: [by(content, bothNamed)],
    // Whether the items are still there after a refusal, and what of a third one is to be said, is not known.
    nothing: [all(content, items(give, refusal), items(give, refusal, 1))],
  },
  {
    id: 'reassign-items/error-details-items',
    known: partlyReceivable,
    kept: [by(content, ineligible({}, [entry({ itemId: 'i2' })]))],
    broken: [by(content, ineligible({}, []))],
  },
  {
    id: 'update-participant/unknown-participant',
    known: handedOut('participantElsewhere', {
      collaborationId: 'c1',
      participantPortalId: 'guest',
      elsewhereId: 'c2',
      elsewherePortalId: 'far',
    }),
    kept: all(host, participant(), not({ ...participant(), path: { participantPortalID: 'far' } })),
    broken: [by(host, { ...participant(), path: { participantPortalID: 'far' } })],
    nothing: [
      [by(host, participant())],
      [by(host, { ...participant(), path: { participantPortalID: 'far', collaborationID: 'c2' } })],
      [by('guestAdministrator', { ...participant(), path: { participantPortalID: 'far' } })],
    ],
  },
  {
    id: 'reassign-items/error-details-owner',
    known: owned,
    kept: [by(content, ineligible())],
    broken: all(content, moved(0), fromBob(10)),
    nothing: [all(content, moved(0), fromBob(1))],
  },
  {
    id: 'update-task-run/status-required',
    known: (knowledge) => {
      aTaskRun(knowledge)
      madeUp('r9')(knowledge)
    },
    broken: [by('taskOwner', run({}))],
    // What is accepted with a second mistake says nothing of what the request lacks.
    nothing: [
      [by('taskOwner', { ...run({}), path: { runID: 'run-5b1c9e', taskID: 't2' } })],
      [by('taskOwner', { ...run({}), path: { runID: 'r9' } })],
      [by('anonymous', run({}))],
    ],
  },
  {
    id: 'update-task-run/identifiers',
    // The meaning of case is open, unless other ids came back as they were sent.
    broken: [answeredAs('a1', 'a1'), answeredAs('b2', 'B2')],
    nothing: [
      [answeredAs('a1', 'A1'), answeredAs('b2', 'B2')],
      [answeredAs('A1', 'A1'), answeredAs('b2', 'B2')],
    ],
  },
  {
    id: 'update-task-run/statuses',
    kept: [by('taskOwner', run(executing))],
    broken: [by('taskOwner', run({ status: 'paused' }))],
    nothing: [[by('outsider', run({ status: 'paused' }))], [by('taskOwner', run({}))]],
  },
  {
    id: 'reassign-items/not-their-item',
    known: owned,
    kept: [by(content, moved(0))],
    broken: [by(content, moved(0, { path: { userName: 'eve' } }))],
    nothing: [[by(content, { ...moved(0, { path: { userName: 'eve' } }), answer: refusal })]],
  },
  {
    id: 'reassign-items/ownership-moves',
    known: owned,
    kept: all(content, moved(0), moved(10, { path: { userName: 'bob' } })),
    broken: all(content, moved(0), moved(10)),
    // What was moved a moment before may still be on its way.
    nothing: [all(content, moved(0), moved(1))],
  },
  ...([content, 'customAdministrator', 'itemOwner'] as const).flatMap((caller): Case[] => [
    { id: 'reassign-items/items-limit-rejects', broken: [by(caller, items({ ...give, items: many(101) }))] },
    { id: 'reassign-items/target-required', broken: [by(caller, items({ items: 'i1' }))] },
  ]),
  {
    id: 'reassign-items/concurrent-one-wins',
    broken: [...bothGet('i1', 0), ...bothGet('i2', 2)],
    // Where what both have got can be given away again, winning uses nothing up.
    nothing: [[...bothGet('i1', 0), moved(1), ...bothGet('i3', 2)]],
  },
  {
    id: 'sync-workspace/synchronous-blocks',
    known: aWorkspace,
    kept: [by(start, inMode('false', { took: 510 }))],
    broken: [by(start, inMode('false'))],
    nothing: [
      [by(start, inMode('true'))],
      [by(start, { ...inMode('false'), answer: refusal })],
      // One that still runs may be joined.
      all(start, inMode('true'), inMode('false', { at: 0.3 })),
      // What should not have been accepted on that path may have started nothing.
      [by(host, deleted(0)), by(start, inMode('false', { at: 20 }))],
      [by(start, inMode('false', { path: { collaborationID: 'c2' } }))],
    ],
  },
  {
    id: 'sync-workspace/asynchronous-returns',
    known: handedOut('workspace', { ...workspace, minimumSyncMs: 500 }),
    kept: [by(start, inMode('true'))],
    nothing: [
      [by(start, inMode('false'))],
      // It may have been held up on its way.
      [by(start, inMode('true', { took: 510 }))],
      [by(start, { ...inMode('true'), answer: refusal })],
      [by(host, deleted(0)), by(start, inMode('true', { at: 20 }))],
    ],
  },
  {
    id: 'sync-workspace/after-finish',
    known: aWorkspace,
    kept: all(start, inMode('true'), inMode('true', { at: 1 })),
    nothing: [
      [by(start, inMode('true'))],
      all(start, inMode('true'), { ...inMode('true', { at: 1 }), answer: refusal }),
      // The one before it may be running still.
      all(start, inMode('true'), inMode('true', { at: 0.3 })),
    ],
  },
  {
    id: 'sync-workspace/one-at-a-time',
    known: handedOut('scheduledSync', { ...workspace, remainingMs: 2000 }),
    kept: [by(start, { ...inMode('false', { at: 0.5 }), answer: refusal })],
    broken: [by(start, inMode('false', { at: 0.5 }))],
    nothing: [
      [by(start, inMode('true', { at: 0.5 }))],
      [by(start, { ...inMode('true', { at: 0.5 }), answer: refusal })],
      [by(start, inMode('false', { at: 3 }))],
      [by(start, inMode('false', { at: 0.5, took: 1600 }))],
    ],
  },
  refuses('sync-workspace/refuses-non-designated', start, 'syncNonInitiator', sync(synced)),
  refuses('sync-workspace/refuses-anonymous', start, 'anonymous', sync(synced)),
  refuses('sync-workspace/refuses-invalid-credential', start, 'impostor', sync(synced)),
  unknown('sync-workspace/unknown-workspace', start, 'workspaceID', sync(synced)),
  unknown('sync-workspace/unknown-collaboration', start, 'collaborationID', sync(synced)),
  {
    id: 'sync-workspace/unknown-workspace',
    known: handedOut('workspace', { ...workspace, collaborationId: 'c2', minimumSyncMs: 0 }),
    kept: all(start, sync(synced, { path: { workspaceID: 'w9' } }), not(sync(synced))),
    broken: [by(start, sync(synced))],
    nothing: [[by(start, sync(synced, { path: { collaborationID: 'C2' } }))]],
  },
  unknown('update-participant/unknown-participant', host, 'participantPortalID', participant()),
  {
    id: 'delete-collaboration/concurrent-once',
    // Also where a collaboration can be deleted again later.
    broken: [
      ...bothDelete('c1', 0),
      { ...deleted(1), path: { collaborationID: 'c1' } },
      ...bothDelete('c2', 2),
    ],
  },
  {
    id: 'delete-collaboration/delete-twice',
    kept: all(host, deleted(0), deleted(120, refusal)),
    // That a stranger may delete breaks another clause.
    nothing: [
      [deleted(0), by('anonymous', deleted(120))],
      [deleted(0), by('impostor', deleted(120))],
    ],
  },
  {
    id: 'delete-collaboration/sharing-stops',
    kept: [by(start, sync(synced)), by(host, deleted(1)), by(start, { ...not(sync(synced)), at: 20 })],
    broken: [by(host, deleted(0)), by(start, sync(synced, { at: 20 }))],
    // A guest that has not refreshed yet goes on.
    nothing: [[by(host, deleted(0)), by(start, sync(synced, { at: 4 }))]],
  },
  refuses('update-federation/refuses-non-administrator', login, 'hostMember', federation()),
  refuses('update-federation/refuses-anonymous', login, 'anonymous', federation()),
  refuses('update-federation/refuses-invalid-credential', login, 'impostor', federation()),
  unknown('update-federation/unknown-federation', login, 'federationID', federation()),
]

const refusedAs = (caller: Part, code: number): Said => ({ ...deleted(0, { error: { code } }), caller })

/** A refusal of that caller carries the code that the profile lists for it. */
const carries = (id: RequirementId, caller: Part, code: number): Case => ({
  id,
  fromCheck: { valid: true },
  kept: [refusedAs(caller, code)],
  broken: [refusedAs(caller, 400)],
})

/** Bob can receive nothing: the same items went to eve before. */
const toBob = (answer: object): readonly Said[] => [
  items({ ...give, targetUsername: 'eve' }),
  items(give, answer, 1),
]

/** Bob receives another item before. */
const anotherToBob = (answer: object): readonly Said[] => [
  items({ ...give, items: 'i0' }),
  items(give, answer, 1),
]

/** What only the sender of a request knows of it: that it is valid, or what its control was. */
export const informedCases: readonly Case[] = [
  {
    id: 'protocol/json-format',
    fromCheck: { valid: true },
    kept: [sync({ jobId: 'j' })],
    broken: [sync('<html>Done.</html>')],
  },
  {
    id: 'protocol/success-boolean',
    fromCheck: { valid: true },
    kept: [deleted(0, { success: false })],
    broken: [deleted(0, { done: true })],
  },
  {
    id: 'protocol/no-server-error',
    fromCheck: { valid: false },
    kept: [run(executing, refusal)],
    broken: [{ ...run(executing, refusal), status: 500 }],
  },
  { id: 'protocol/post-only', kept: [deleted(0), { ...deleted(1, refusal), method: 'GET' }] },
  carries('profile/no-credential-code', 'anonymous', 499),
  carries('profile/invalid-credential-code', 'impostor', 498),
  carries('profile/not-permitted-code', 'hostMember', 403),
  {
    id: 'reassign-items/ineligible-target',
    known: ineligibleBob,
    kept: toBob({ error: { code: 403 } }),
    broken: toBob({ error: { code: 400 } }),
  },
  {
    id: 'reassign-items/ineligible-target',
    known: partlyReceivable,
    kept: anotherToBob({ error: { code: 403 } }),
    broken: anotherToBob({ error: { code: 400 } }),
  },
  {
    id: 'reassign-items/error-shape',
    known: ineligibleBob,
    kept: toBob({ error: { code: 403, messageCode: 'CONT_1', message: 'No.', details: [] } }),
    broken: toBob({ error: { code: 403, message: 'No.' } }),
  },
]
