/** §4.6 What follows from a delete: for the collaboration, for its sharing, and for others. */
import { setTimeout as sleep } from 'node:timers/promises'
import { acceptance } from '../../clauses/acceptance.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { suite } from '../../runner/check.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import type { Ordinary } from '../../runner/context/given.ts'
import { distinct } from '../../runner/distinct.ts'
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
})

check(
  'delete-collaboration/gone-after-delete:participant',
  {
    also: ['update-participant'],
    fixtures: ['participant'],
    title: 'After the delete the collaboration takes no participant update.',
  },
  async ({ as, given, control, expect, settled }) => {
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

check('delete-collaboration/others-unaffected', alsoAdds, async ({ as, given, control, expect }) => {
  const other = await given.lastingCollaboration()
  const [doomed] = (await distinct(1, {
    kind: 'collaboration',
    obtain: () => given.collaboration(),
    idOf: ({ collaborationId }) => collaborationId,
    not: [other.collaborationId],
  })) as [Place]
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
