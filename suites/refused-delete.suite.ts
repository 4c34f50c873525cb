/** §4.6 A delete that is refused has no effect: the collaboration lives on in all that it does. */
import { setTimeout as sleep } from 'node:timers/promises'
import { acceptance } from '../clauses/acceptance.ts'
import type { Answer } from '../target/http/exchange.ts'
import { suite } from './check.ts'
import type { CheckContext } from './context/context.ts'
import { Unproven } from './findings.ts'
import { portalsTried, type WrongCaller, wrongCallers } from './wrong-deleters.ts'

const check = suite({
  operation: 'delete-collaboration',
  actors: ['hostAdministrator'],
  fixtures: ['collaboration'],
})
const alsoAdds = { also: ['add-workspace'], fixtures: ['group'] } as const

type Context = CheckContext<'hostAdministrator', 'collaboration'>

/** Asks for a delete on every path that the caller is tried on; each must be refused, or there is nothing to look at. */
async function refused(context: Context, caller: WrongCaller, collaborationId: string): Promise<Answer> {
  let last: Answer | undefined
  for (const portal of portalsTried(context, caller)) {
    last = await context.as[caller as 'anonymous']('delete-collaboration', { collaborationId, portal })
    if (acceptance(last).accepted)
      throw new Unproven('the delete was not refused, so there is nothing to look at', [last])
  }
  return last as Answer
}

for (const [, caller] of wrongCallers) {
  const actors = caller === 'anonymous' ? [] : [caller]
  const after = `After a refused delete by ${caller}`
  const noEffect = `delete-collaboration/refused-delete-has-no-effect:${caller}` as const

  check(
    noEffect,
    { ...alsoAdds, actors, title: `${after} the collaboration still takes a workspace.` },
    async (context) => {
      const { as, given, control, expect } = context
      const { collaborationId } = await given.collaboration()
      const add = async () =>
        as.hostAdministrator('add-workspace', { collaborationId }, await given.request('add-workspace'))
      control(await add())
      const attempt = await refused(context, caller, collaborationId)
      expect(await add(), attempt).toBeAccepted('a new workspace, after the refused delete')
    },
  )

  check(
    `${noEffect}-participant`,
    {
      also: ['update-participant'],
      fixtures: ['participant'],
      actors,
      title: `${after} a participant can still be updated.`,
    },
    async (context) => {
      const { as, given, control, expect } = context
      const { collaborationId } = await given.collaboration({ with: 'participant' })
      const { participantPortalId } = await given.participant({ collaborationId })
      const request = await given.request('update-participant')
      const at = { collaborationId, participantPortalId }
      const update = () => as.hostAdministrator('update-participant', at, request)
      control(await update())
      const attempt = await refused(context, caller, collaborationId)
      expect(await update(), attempt).toBeAccepted('a participant update, after the refused delete')
    },
  )

  check(
    `${noEffect}-sync`,
    {
      also: ['sync-workspace'],
      fixtures: ['workspace'],
      actors: ['syncInitiator', ...actors],
      title: `${after} its workspaces can still be synced.`,
    },
    async (context) => {
      const { as, given, control, expect, configuration, syncs } = context
      const { collaborationId } = await given.collaboration({ with: 'workspace' })
      const first = await given.workspace({ collaborationId })
      const second = await given.workspace({ collaborationId })
      const sync = ({ workspaceId }: { readonly workspaceId: string }) =>
        as.syncInitiator('sync-workspace', { collaborationId, workspaceId })
      const before = await sync(first)
      control(before)
      const attempt = await refused(context, caller, collaborationId)
      // The sync before it must be over, and the guest may have to hear of a delete first.
      const { settleMs, guestRefreshMs = 0 } = configuration.run
      const running = before.answeredAt + syncs.longestOf(first.workspaceId) - performance.now()
      await sleep(Math.max(guestRefreshMs + settleMs, running))
      const after = await sync(second)
      // Whether a running sync holds up another workspace is open, and nobody may know whether the first still runs.
      if (!syncs.knowsLongestOf(first.workspaceId)) control(after, 'a sync after the refused delete')
      expect(after, attempt).toBeAccepted('a sync, after the refused delete')
    },
  )
}

check('delete-collaboration/refuses-invalid-credential', alsoAdds, async (context) => {
  const { as, given, control, expect } = context
  control(await as.hostAdministrator('delete-collaboration', await given.collaboration()))
  const { collaborationId } = await given.collaboration()
  const add = async () =>
    as.hostAdministrator('add-workspace', { collaborationId }, await given.request('add-workspace'))
  control(await add())
  const attempt = await as.impostor('delete-collaboration', { collaborationId })
  expect(attempt).toBeRefused()
  expect(await as.impostor('delete-collaboration', { collaborationId }), attempt).toBeRefused(
    () => 'a credential that was refused was let in the second time',
  )
  expect(await add(), attempt).toBeAccepted('a new workspace, after the refused delete')
})
