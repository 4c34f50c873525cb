/** §4.4 Syncs of those who may not, before and after one of those who may: they start nothing. */
import { isAccepted } from '../../clauses/acceptance.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { suite } from '../../runner/check.ts'
import { operationTarget } from '../../runner/operation-targets.ts'
import { inMode, modesOf } from '../../runner/patience/sync-modes.ts'
import { actorsOf, wrongCallersOf } from '../common/wrong-callers.ts'
import { type SyncPlace, shortSyncMs, untilOver } from './timed-syncs.ts'

const check = suite({ actors: ['syncInitiator'], fixtures: ['workspace'] })

/** What must meet a sync that runs does not wait behind other requests. */
const urgent = { urgent: true } as const

for (const { id, refused } of wrongCallersOf('sync-workspace')) {
  const title = `${refused} is refused in either mode, every time, also while a permitted sync runs and after it, and starts nothing.`
  check(`${id}:every-time`, { actors: actorsOf(refused), title }, async (context) => {
    const { as, given, control, expect, configuration, syncTurns } = context
    // Nobody is let in for a sync that was accepted elsewhere.
    const elsewhere = await operationTarget(context, 'sync-workspace').accepted()
    control(elsewhere.answer)
    const portals = context.portalsTriedBy(refused)
    const modes = modesOf(configuration)
    const tryAll = async (at: SyncPlace, when: string, ...before: readonly Answer[]): Promise<Answer> => {
      let last = before[0]
      for (const portal of portals) {
        // The last mode once more: who was refused is refused again.
        for (const mode of [...modes, 'asynchronous'] as const) {
          const request = inMode(context, mode)
          last = await as[refused]('sync-workspace', { ...at, portal }, request, urgent)
          expect(last, ...before).toBeRefused(`${refused} was let in, in ${mode} mode, ${when}`)
        }
      }
      return last as Answer
    }
    // Long enough that the next request meets what was started.
    const at = await given.workspace({ minimumSyncMs: shortSyncMs })
    const sync = await syncTurns.alone(async () => {
      const before = await tryAll(at, 'on a workspace that nobody had synced')
      const request = inMode(context, 'asynchronous')
      const ask = () => as.syncInitiator('sync-workspace', at, request, { ...urgent, once: true })
      const sync = await ask()
      if (!isAccepted(sync)) {
        // Nothing was started where it stays so once whatever may have been started is over.
        await untilOver(context, at, before)
        control(await ask(), 'the same sync, once whatever may have been started was over')
      }
      expect(sync, before).toBeAccepted(
        `a sync by the designated participant, right after ${refused} was refused: nothing may have been started`,
      )
      await tryAll(at, 'while a permitted sync of that workspace ran', sync)
      return sync
    })
    await untilOver(context, at, sync)
    await tryAll(at, 'after a permitted sync of that workspace', sync)
  })
}
