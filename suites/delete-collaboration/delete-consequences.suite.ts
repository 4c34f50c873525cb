/** §4.6 Consequences of a delete: for the collaboration, for its sharing, and for other collaborations. */
import { isAccepted } from '../../clauses/acceptance.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { type CheckDefinition, suite } from '../../runner/check.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { NotApplicable, NotTested } from '../../runner/findings.ts'
import { inMode, modesOf } from '../../runner/patience/sync-times.ts'
import {
  addingTo,
  alsoAdds,
  alsoSyncs,
  deleted,
  idOfAdded,
  oneOrTwoWorkspaces,
} from '../common/collaborations.ts'
import { isGone, isRefusal } from '../common/read-back.ts'

/** The checks of this file. */
export const checks: CheckDefinition[] = []

const check = suite(checks, { actors: ['hostAdministrator'], fixtures: ['collaboration'], traits: ['timed'] })

const refused = (answer: Answer): boolean => !isAccepted(answer)

check(
  'delete-collaboration/gone-after-delete:other-administrator',
  {
    ...alsoAdds,
    whereThere: { fixtures: ['collaboration'], actors: ['organizationAdministrator'] },
    title: 'The collaboration is gone for other administrators of the host as well.',
  },
  async (context) => {
    const { as, given, control, expect, wait } = context
    const at = await given.collaboration()
    const add = () => addingTo(context, at)(as.organizationAdministrator)
    // A caller who may never add shows nothing; a caller who was refused once may add the second time.
    const before = await add()
    if (before.repeatedAfter !== undefined) control(before, 'a workspace before the delete')
    if (refused(before)) throw new NotApplicable('organizationAdministrator adds no workspaces here')
    const gone = await deleted(context, at)
    expect(await wait.retryUntil(add, refused), gone).toBeRefused(
      'the deleted collaboration accepted a workspace of another administrator',
    )
  },
)

check('delete-collaboration/delete-twice', {}, async (context) => {
  const { as, expect, wait, openPoints } = context
  const { answer: first, subject } = await context.target('delete-collaboration').controlled()
  const second = await wait.retryUntil(() => subject.call(as.hostAdministrator, {}), refused)
  openPoints.observe(
    'idempotent-deletion',
    refused(second) ? 'a second delete is refused' : 'a second delete is accepted',
  )
  expect(second, first).toBeRefused('a second delete of the same collaboration was accepted')
})

type SyncedContext = CheckContext<'hostAdministrator' | 'syncInitiator', 'collaboration' | 'workspace'>

/** How long a guest may take to lose a deleted collaboration if `run.guestRefresh` is not set, in ms. */
const longestRefreshMs = 60_000
const lookAgainMs = 250

/** The guest's page of the collaboration. */
const atGuest = ({ read }: SyncedContext, collaborationId: string): Promise<Answer> =>
  read('collaboration', { collaborationId }, 'syncInitiator')

/** Waits until the guest's page no longer shows the collaboration. */
async function lostByGuest(context: SyncedContext, collaborationId: string): Promise<void> {
  const end = performance.now() + longestRefreshMs
  while (!isGone(await atGuest(context, collaborationId))) {
    if (performance.now() >= end)
      throw new NotTested(
        `a guest still shows a collaboration ${longestRefreshMs / 1000} s after it was deleted, and the longest time until it refreshes is not known: add run.guestRefresh`,
        ['run.guestRefresh'],
      )
    await context.wait.for(lookAgainMs)
  }
}

check('delete-collaboration/sharing-stops', alsoSyncs, async (context) => {
  const { as, control, expect, syncs, configuration } = context
  const workspaces = await oneOrTwoWorkspaces(context)
  // If there is a second workspace, it is not synced before.
  const [first] = workspaces
  const { collaborationId } = first
  control(await as.syncInitiator('sync-workspace', first), 'the control, a sync before the delete,')
  await syncs.untilOver(first.workspaceId)
  const { guestRefreshMs } = configuration.run
  const readsGuest = guestRefreshMs === undefined && configuration.profile?.reads?.collaboration !== undefined
  const shownByGuest = readsGuest && !isRefusal(await atGuest(context, collaborationId))
  const gone = await deleted(context, { collaborationId })
  if (guestRefreshMs !== undefined) await context.wait.for(guestRefreshMs)
  else if (shownByGuest) await lostByGuest(context, collaborationId)
  else
    throw new NotTested(
      'the longest time until a guest refreshes is not known, and its own page does not show its collaborations: add run.guestRefresh',
      ['run.guestRefresh'],
    )
  await context.wait.settle()
  // Asynchronous first, because a synchronous sync that is answered at once raises the question of its mode.
  for (const at of workspaces)
    for (const mode of modesOf(configuration).toReversed())
      expect(await as.syncInitiator('sync-workspace', at, inMode(context, mode)), gone).toBeRefused(
        'a workspace of the deleted collaboration was synced after the guest had refreshed',
      )
})

check(
  'delete-collaboration/sharing-stops:added',
  {
    also: ['add-workspace', 'sync-workspace'],
    actors: ['syncInitiator'],
    fixtures: ['group'],
    settled: ['new-workspaces'],
    title: 'After the delete, a workspace that was added to the collaboration is not synced either.',
  },
  async (context) => {
    const { as, given, control, expect, syncs, configuration } = context
    const { settleMs, guestRefreshMs } = configuration.run
    if (guestRefreshMs === undefined)
      throw new NotApplicable('the longest time until a guest refreshes is not known')
    const { collaborationId } = await given.collaboration({ with: 'participant' })
    const workspaceId = idOfAdded(context, await addingTo(context, { collaborationId })())
    const at = { collaborationId, workspaceId }
    control(await as.syncInitiator('sync-workspace', at), 'a sync of the new workspace')
    await syncs.untilOver(workspaceId)
    const gone = await deleted(context, { collaborationId })
    await context.wait.for(guestRefreshMs + settleMs)
    expect(await as.syncInitiator('sync-workspace', at), gone).toBeRefused(
      'a new workspace of the deleted collaboration was synced after the guest had refreshed',
    )
  },
)
