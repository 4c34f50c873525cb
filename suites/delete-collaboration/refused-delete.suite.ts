/** §4.6 A delete that is refused has no effect: the collaboration lives on in all that it does. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isAccepted } from '../../clauses/acceptance.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { suite } from '../../runner/check.ts'
import type { Caller } from '../../runner/context/calls.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { mustBeRefused } from '../../runner/findings.ts'
import { addingTo, oneOrTwoWorkspaces, ownParticipant } from '../common/collaborations.ts'
import { actorsOf, laterMs } from '../common/wrong-callers.ts'
import { triedInUse, type WrongCaller, wrongCallers } from './wrong-callers.ts'

const check = suite({ actors: ['hostAdministrator'], fixtures: ['collaboration'] })
const alsoAdds = { also: ['add-workspace'], fixtures: ['group'] } as const

type Context = CheckContext<'hostAdministrator', 'collaboration'>

/** Inconclusive where a refusal is not the delete's doing: it comes elsewhere too, a second time or after a stranger's. */
async function unlessAnyway(
  { as, control }: Context,
  after: Answer,
  elsewhere: () => Promise<(by: Caller) => Promise<Answer>>,
): Promise<void> {
  if (isAccepted(after)) return
  const ask = await elsewhere()
  for (const by of [as.hostAdministrator, as.hostAdministrator, as.anonymous, as.hostAdministrator]) {
    const answer = await ask(by)
    if (by !== as.anonymous) control(answer, 'the same where no delete was refused')
  }
}

/** Asks for a delete on every path that the caller is tried on. Inconclusive where one is accepted. */
async function refused(context: Context, caller: WrongCaller, collaborationId: string): Promise<Answer> {
  let last: Answer | undefined
  for (const portal of context.callers.portalsTriedBy(caller)) {
    last = await context.callers.by(caller)('delete-collaboration', { collaborationId, portal })
    mustBeRefused(last, 'the delete was not refused, so there is nothing to look at')
  }
  return last as Answer
}

for (const [, caller] of wrongCallers) {
  const actors = actorsOf(caller)
  const after = `After a refused delete by ${caller}`
  const noEffect = `delete-collaboration/refused-delete-has-no-effect:${caller}` as const

  check(
    noEffect,
    {
      ...alsoAdds,
      actors,
      title: `${after} the collaboration still takes a workspace.`,
    },
    async (context) => {
      const { given, control, expect } = context
      const look = (waitMs: number) =>
        triedInUse(context, async (collaborationId) => {
          const add = addingTo(context, { collaborationId })
          control(await add())
          const attempt = await refused(context, caller, collaborationId)
          await sleep(waitMs)
          const after = await add()
          await unlessAnyway(context, after, async () => addingTo(context, await given.collaboration()))
          expect(after, attempt).toBeAccepted('a new workspace, after the refused delete')
        })
      // What was refused must not happen later either.
      await look(laterMs(context))
      await context.inSituations(() => look(0), 4)
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
      const draw = () => ownParticipant(context)
      type Place = Awaited<ReturnType<typeof draw>>
      const request = await given.request('update-participant')
      const updating = (at: Place) => (by: Caller) => by('update-participant', at, request)
      const look = async (at: Place): Promise<void> => {
        const update = updating(at)
        control(await update(as.hostAdministrator))
        const attempt = await refused(context, caller, at.collaborationId)
        const after = await update(as.hostAdministrator)
        await unlessAnyway(context, after, async () => updating(await draw()))
        expect(after, attempt).toBeAccepted('a participant update, after the refused delete')
      }
      await context.inSituations(
        () => given.inTurn('tried delete-collaboration with a participant', draw, look),
        4,
      )
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
      const { settleMs, guestRefreshMs = 0, runs, plentiful } = configuration.run
      const draw = async () => {
        const [before, after = before] = await oneOrTwoWorkspaces(context)
        return { before, after, quietAt: 0 }
      }
      type Place = Awaited<ReturnType<typeof draw>>
      const sync = (at: Place['before']) => as.syncInitiator('sync-workspace', at)
      const longest = ({ workspaceId }: Place['before']) => syncs.longestOf(workspaceId)
      const look = async (place: Place): Promise<void> => {
        // The syncs of an earlier caller must be over.
        await sleep(Math.max(0, place.quietAt - performance.now()))
        const before = await sync(place.before)
        control(before)
        const attempt = await refused(context, caller, place.before.collaborationId)
        // The sync before it must be over, and the guest may have to hear of a delete first.
        const running = before.answeredAt + longest(place.before) - performance.now()
        await sleep(Math.max(guestRefreshMs + settleMs, running))
        const after = await sync(place.after)
        place.quietAt = after.answeredAt + longest(place.after)
        // What a sync that still runs does to others is open, and nobody may know whether it does.
        if (!syncs.knowsLongestOf(place.before.workspaceId)) control(after, 'a sync after the refused delete')
        if (!isAccepted(after)) {
          // Nor is it the doing of the delete where the second workspace is refused elsewhere, too, after any refusal.
          const elsewhere = await draw()
          control(await sync(elsewhere.before))
          await sleep(longest(elsewhere.before))
          await as.anonymous('sync-workspace', elsewhere.after)
          control(await sync(elsewhere.after), 'the same where no delete was refused')
        }
        expect(after, attempt).toBeAccepted('a sync, after the refused delete')
      }
      const atOnce = plentiful ? wrongCallers.length : Math.min(wrongCallers.length, Math.ceil(runs / 8))
      await given.inTurn('tried delete-collaboration with syncs', draw, look, { most: atOnce })
    },
  )
}

check(
  'delete-collaboration/refuses-invalid-credential',
  {
    ...alsoAdds,
  },
  async (context) => {
    const { as, given, control, expect } = context
    const target = context.target('delete-collaboration')
    control((await target.accepted()).answer)
    const look = async (collaborationId: string, waitMs: number) => {
      const add = addingTo(context, { collaborationId })
      control(await add())
      const attempt = await as.impostor('delete-collaboration', { collaborationId })
      expect(attempt).toBeRefused()
      expect(await as.impostor('delete-collaboration', { collaborationId }), attempt).toBeRefused(
        'a credential that was refused was let in the second time',
      )
      await sleep(waitMs)
      expect(await add(), attempt).toBeAccepted('a new workspace, after the refused delete')
    }
    await triedInUse(context, (collaborationId) => look(collaborationId, 0))
    // What others were refused before might happen later to one that they have tried.
    await look((await given.collaboration()).collaborationId, laterMs(context))
  },
)
