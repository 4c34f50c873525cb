/** §4.4 Syncs one after the other on one workspace: by those who may, and by those who may not, whose requests start nothing. */
import { setTimeout as sleep } from 'node:timers/promises'
import { acceptance } from '../clauses/acceptance.ts'
import type { Answer } from '../target/http/exchange.ts'
import { suite } from './check.ts'
import type { CheckContext } from './context/context.ts'
import { longestSync } from './sync-length.ts'
import { inMode, type Mode } from './sync-modes.ts'

const check = suite({ operation: 'sync-workspace', actors: ['syncInitiator'], fixtures: ['workspace'] })

type Context = CheckContext<'syncInitiator', 'workspace'>

/** What must meet a sync that runs does not wait behind other requests. */
const urgent = { urgent: true } as const

/** Long enough that the next request meets it, in ms. */
const noticeableMs = 700

const isAccepted = (answer: Answer): boolean => acceptance(answer).accepted

/** When a sync that was asked for then is over, in ms of `performance.now()`. */
const overAt = (
  { configuration }: Context,
  times: Parameters<typeof longestSync>[0],
  askedAt: number,
): number => askedAt + longestSync(times, configuration.run.settleMs)

const until = (time: number): Promise<void> => sleep(Math.max(0, time - performance.now()))

check(
  'sync-workspace/after-finish:synchronous',
  {
    settled: ['sync-mode'],
    title: 'After a synchronous sync the next one is accepted, and so is the one after that.',
  },
  async (context) => {
    const { as, given, control, expect, settled } = context
    const { collaborationId, workspaceId, ...times } = await given.workspace()
    const sync = () =>
      as.syncInitiator(
        'sync-workspace',
        { collaborationId, workspaceId },
        inMode(context, 'synchronous'),
        urgent,
      )
    let before = await sync()
    control(before)
    for (const which of ['second', 'third']) {
      const over = overAt(context, times, before.sentAt)
      let next = await settled(sync, isAccepted)
      if (!isAccepted(next)) {
        // An answer that came too soon is another requirement's affair: the sync may still run.
        await until(over)
        next = await settled(sync, isAccepted)
      }
      expect(next, before).toBeAccepted(`the ${which} synchronous sync, after the one before it had finished`)
      before = next
    }
  },
)

for (const [id, refused] of [
  ['sync-workspace/refuses-non-designated', 'syncNonInitiator'],
  ['sync-workspace/refuses-anonymous', 'anonymous'],
  ['sync-workspace/refuses-invalid-credential', 'impostor'],
] as const) {
  const actors = refused === 'syncNonInitiator' ? [refused] : []
  const title = `${refused} is refused in either mode, every time, also after a permitted sync, and starts nothing.`
  check(`${id}:every-time`, { actors, title }, async (context) => {
    const { as, given, control, expect, configuration } = context
    const elsewhere = await given.workspace()
    control(await as.syncInitiator('sync-workspace', place(elsewhere), inMode(context, 'asynchronous')))
    const { collaborationId, workspaceId, ...times } = await given.workspace({ minimumSyncMs: noticeableMs })
    const portals = refused === 'syncNonInitiator' ? context.portalsTriedBy(refused) : (['host'] as const)
    const modes: readonly Mode[] =
      configuration.contract.sync === undefined ? ['asynchronous'] : ['synchronous', 'asynchronous']
    const tryAll = async (when: string, ...before: readonly Answer[]): Promise<Answer> => {
      let last = before[0]
      for (const portal of portals) {
        // The last mode once more: who was refused is refused again.
        for (const mode of [...modes, 'asynchronous'] as const) {
          const at = { collaborationId, workspaceId, portal }
          const request = inMode(context, mode)
          last = await context.as[refused as 'anonymous']('sync-workspace', at, request, urgent)
          expect(last, ...before).toBeRefused(() => `${refused} was let in, in ${mode} mode, ${when}`)
        }
      }
      return last as Answer
    }
    const before = await tryAll('on a workspace that nobody had synced')
    const sync = await as.syncInitiator(
      'sync-workspace',
      { collaborationId, workspaceId },
      inMode(context, 'asynchronous'),
      urgent,
    )
    expect(sync, before).toBeAccepted(
      `a sync by the designated participant, right after ${refused} was refused: nothing may have been started`,
    )
    await until(overAt(context, times, sync.answeredAt))
    await tryAll('after a permitted sync of that workspace', sync)
  })
}

const place = ({ collaborationId, workspaceId }: { collaborationId: string; workspaceId: string }) => ({
  collaborationId,
  workspaceId,
})
