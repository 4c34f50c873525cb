/** §4.6 What follows from a delete: for the collaboration, for its sharing, and for others. */
import { setTimeout as sleep } from 'node:timers/promises'
import { acceptance } from '../../clauses/acceptance.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { suite } from '../../runner/check.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import type { Ordinary } from '../../runner/context/given.ts'
import { distinct } from '../../runner/distinct.ts'
import { NotApplicable } from '../../runner/findings.ts'
import { operationTarget } from '../common/operation-targets.ts'

const check = suite({
  operation: 'delete-collaboration',
  actors: ['hostAdministrator'],
  fixtures: ['collaboration'],
  timed: true,
})
type Place = { readonly collaborationId: string }

const alsoAdds = { also: ['add-workspace'], fixtures: ['group'] } as const

const refused = (answer: Answer): boolean => !acceptance(answer).accepted

check('delete-collaboration/gone-after-delete', alsoAdds, async (context) => {
  const { as, given, control, expect, settled, configuration } = context
  const { collaborationId } = await given.collaboration()
  const add = async () =>
    as.hostAdministrator('add-workspace', { collaborationId }, await given.request('add-workspace'))
  control(await add())
  const gone = await as.hostAdministrator('delete-collaboration', { collaborationId })
  control(gone, 'the delete')
  const after = await settled(add, refused)
  expect(after, gone).toBeRefused(() => 'the deleted collaboration took a workspace')
  await sleep(configuration.run.settleMs)
  expect(await add(), gone, after).toBeRefused(
    () => 'the deleted collaboration took a workspace after it had refused one',
  )
  const again = await as.hostAdministrator('delete-collaboration', { collaborationId })
  expect(await add(), gone, again).toBeRefused(
    () => 'the deleted collaboration took a workspace after a second delete',
  )
})

check(
  'delete-collaboration/gone-after-delete:other-administrator',
  {
    ...alsoAdds,
    actors: ['organizationAdministrator'],
    title: 'The collaboration is gone for other administrators of the host as well.',
  },
  async (context) => {
    const { as, given, control, expect, settled } = context
    const { collaborationId } = await given.collaboration()
    const add = async () =>
      as.organizationAdministrator('add-workspace', { collaborationId }, await given.request('add-workspace'))
    // One who may add nothing shows nothing of what is there.
    if (refused(await add())) throw new NotApplicable('organizationAdministrator adds no workspaces here')
    const gone = await as.hostAdministrator('delete-collaboration', { collaborationId })
    control(gone, 'the delete')
    expect(await settled(add, refused), gone).toBeRefused(
      () => 'the deleted collaboration took a workspace of another administrator',
    )
  },
)

check(
  'delete-collaboration/gone-after-delete:participant',
  {
    also: ['update-participant'],
    fixtures: ['participant'],
    title: 'After the delete the collaboration takes no participant update.',
  },
  async ({ as, given, control, expect, settled, configuration }) => {
    const { collaborationId } = await given.collaboration({ with: 'participant' })
    const { participantPortalId } = await given.participant({ collaborationId })
    const request = await given.request('update-participant')
    const update = () =>
      as.hostAdministrator('update-participant', { collaborationId, participantPortalId }, request)
    control(await update())
    const gone = await as.hostAdministrator('delete-collaboration', { collaborationId })
    control(gone, 'the delete')
    expect(await settled(update, refused), gone).toBeRefused(
      () => 'a participant of the deleted collaboration was updated',
    )
    await sleep(configuration.run.settleMs)
    expect(await update(), gone).toBeRefused(
      () => 'a participant of the deleted collaboration was updated after that had been refused once',
    )
  },
)

check('delete-collaboration/delete-twice', {}, async (context) => {
  const { as, control, expect, settled, observe } = context
  const target = operationTarget(context as unknown as CheckContext, 'delete-collaboration')
  const { answer: first, subject } = await target.accepted()
  control(first)
  const second = await settled(() => subject.call(as.hostAdministrator, {}), refused)
  observe(
    'idempotent-deletion',
    refused(second) ? 'a second delete is refused' : 'a second delete is accepted',
  )
  expect(second, first).toBeRefused(() => 'a second delete of the same collaboration was accepted')
})

const afterSync = {
  also: ['sync-workspace'],
  actors: ['syncInitiator'],
  fixtures: ['workspace'],
} as const

type SyncedContext = CheckContext<'hostAdministrator' | 'syncInitiator', 'collaboration' | 'workspace'>

interface DeletedAfterSync extends Ordinary {
  /** One workspace that was synced before the delete, and one that was not. */
  readonly synced: readonly Answer[]
  readonly workspaces: readonly (Place & { readonly workspaceId: string })[]
}

/** A delete of a collaboration of which a workspace was synced, once that sync is over; the same for all checks. */
const deletedAfterSync = ({ as, given, control, syncs }: SyncedContext): Promise<DeletedAfterSync> =>
  given.accepted('delete-collaboration after a sync', async () => {
    const { collaborationId } = await given.collaboration({ with: 'workspace' })
    const drawn = [await given.workspace({ collaborationId }), await given.workspace({ collaborationId })]
    const workspaces = drawn.map(({ workspaceId }) => ({ collaborationId, workspaceId }))
    const [first] = workspaces as [(typeof workspaces)[number]]
    const synced = await as.syncInitiator('sync-workspace', first)
    control(synced, 'the control, a sync before the delete,')
    await sleep(syncs.longestOf(first.workspaceId))
    const answer = await as.hostAdministrator('delete-collaboration', { collaborationId })
    return { request: {}, answer, synced: [synced], workspaces }
  })

check('delete-collaboration/sharing-stops', afterSync, async (context) => {
  const { as, control, expect, configuration } = context
  const { answer: gone, workspaces } = await deletedAfterSync(context)
  control(gone, 'the delete')
  const { settleMs, guestRefreshMs = 0 } = configuration.run
  await sleep(guestRefreshMs + settleMs)
  for (const at of workspaces)
    expect(await as.syncInitiator('sync-workspace', at), gone).toBeRefused(
      () => 'a workspace of the deleted collaboration was synced after the guest had refreshed',
    )
})

check(
  'delete-collaboration/deletes:synced',
  { ...afterSync, title: 'A host administrator can delete a collaboration that has been synced.' },
  async (context) => {
    const { control, expect, syncs } = context
    const { answer: gone, synced, workspaces } = await deletedAfterSync(context)
    const { workspaceId } = workspaces[0] as (typeof workspaces)[number]
    // Where nobody knows how long a sync takes, it may still run: what is refused then is open.
    if (!syncs.knowsLongestOf(workspaceId)) control(gone, 'the delete after a sync that may still run')
    expect(gone, ...synced).toBeAccepted('a collaboration with a workspace that was synced')
  },
)

check('delete-collaboration/others-unaffected', alsoAdds, async (context) => {
  const { as, given, control, expect } = context
  const other = await given.lastingCollaboration()
  const doomed = await doomedBeside(context, other.collaborationId)
  const { portalGroupId: _, ...request } = await given.request('add-workspace')
  const add = async (at: typeof other) =>
    as.hostAdministrator('add-workspace', at, await given.linked('add-workspace', request))
  control(await add(doomed))
  // Of one name in both where that may be: what is deleted must be told apart by more than names.
  if (refused(await add(other)))
    control(await as.hostAdministrator('add-workspace', other, await given.request('add-workspace')))
  const gone = await as.hostAdministrator('delete-collaboration', doomed)
  control(gone, 'the delete')
  const after = await as.hostAdministrator('add-workspace', other, await given.request('add-workspace'))
  expect(after, gone).toBeAccepted('a new workspace in another collaboration')
})

/** Another collaboration than the one that is deleted. */
const doomedBeside = async (
  { given }: CheckContext<'hostAdministrator', 'collaboration'>,
  other: string,
): Promise<Place> => {
  const [doomed] = await distinct(1, {
    kind: 'collaboration',
    obtain: () => given.collaboration(),
    idOf: ({ collaborationId }) => collaborationId,
    not: [other],
  })
  return doomed as Place
}

check(
  'delete-collaboration/others-unaffected:participant',
  {
    also: ['update-participant'],
    fixtures: ['participant'],
    title: 'After the delete participants of another collaboration can still be updated.',
  },
  async (context) => {
    const { as, given, control, expect } = context
    const at = await given.participant()
    const request = await given.request('update-participant')
    const update = () => as.hostAdministrator('update-participant', at, request)
    const doomed = await doomedBeside(context, at.collaborationId)
    control(await update())
    const gone = await as.hostAdministrator('delete-collaboration', doomed)
    control(gone, 'the delete')
    expect(await update(), gone).toBeAccepted('an update of a participant of another collaboration')
  },
)

check(
  'delete-collaboration/others-unaffected:sync',
  { ...afterSync, title: 'After the delete workspaces of another collaboration can still be synced.' },
  async (context) => {
    const { as, given, control, expect, syncs, configuration } = context
    const { collaborationId } = await given.collaboration({ with: 'workspace' })
    const [one, other] = [
      await given.workspace({ collaborationId }),
      await given.workspace({ collaborationId }),
    ]
    const sync = ({ workspaceId }: typeof one) =>
      as.syncInitiator('sync-workspace', { collaborationId, workspaceId })
    const doomed = await doomedBeside(context, collaborationId)
    const before = await sync(one)
    control(before)
    const gone = await as.hostAdministrator('delete-collaboration', doomed)
    control(gone, 'the delete')
    const running = before.answeredAt + syncs.longestOf(one.workspaceId) - performance.now()
    const { settleMs, guestRefreshMs = 0 } = configuration.run
    await sleep(Math.max(guestRefreshMs + settleMs, running))
    const after = await sync(other)
    // What a sync that still runs does to others is open, and nobody may know whether it does.
    if (!syncs.knowsLongestOf(one.workspaceId))
      control(after, 'a sync after the delete of another collaboration')
    expect(after, gone).toBeAccepted('a sync in another collaboration')
  },
)
