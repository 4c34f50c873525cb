/** Makes tests of Vitest of checks: all of the chosen suite files side by side, so that none waits for another's wait. */
import { setImmediate } from 'node:timers/promises'
import { afterAll, inject, test } from 'vitest'
import { belongsTo } from './applicability.ts'
import type { Declared } from './check.ts'
import type { CheckResult } from './check-result.ts'
import type { ExchangeSummary } from './exchange-summary.ts'
import { runCheck } from './run-check.ts'
import { sendNews, sendPulses } from './run-news.ts'
import type { RequirementLooks } from './run-watch.ts'
import { Session } from './session.ts'
import { sweep } from './sweep.ts'
import type { WorkerInput } from './worker-input.ts'

declare module 'vitest' {
  interface ProvidedContext {
    portalConformance: WorkerInput
  }
  interface TaskMeta {
    checkResult?: CheckResult
    /** What the watch saw while the check was made, of this requirement or of others. */
    watched?: readonly CheckResult[]
    /** At the end: on how many answers each requirement was looked at. */
    looks?: readonly RequirementLooks[]
    /** At the end: what the whole run sent. */
    exchanges?: ExchangeSummary
  }
}

/** Longest time for tidying up at the end, in milliseconds. */
const sweepMs = 60_000

/** How long checks begin in one go, in milliseconds. */
const sliceMs = 20
let turns: Promise<unknown> = Promise.resolve()
let sliceEnds = performance.now() + sliceMs

/** Checks begin by and by: what the first ask for is on its way while the next make up their cases. */
function turn(): Promise<unknown> {
  turns = turns.then(async () => {
    if (performance.now() < sliceEnds) return
    await setImmediate()
    sliceEnds = performance.now() + sliceMs
  })
  return turns
}

/**
 * What waits for time to pass begins first: at the end nothing would be left to do meanwhile. Not where fixtures are few,
 * and who comes first uses them up.
 */
const waitingFirst = (declared: readonly Declared[]): Declared[] => {
  const rank = ({ definition: { timed, overlapping } }: Declared): number => (timed ? 0 : overlapping ? 1 : 2)
  return declared.toSorted((one, other) => rank(one) - rank(other))
}

/** Declares the tests of the run that Vitest provides, and of those checks. */
export function testChecks(declared: readonly Declared[]): void {
  const input = inject('portalConformance')
  const { run } = input.configuration
  /** Connections, limits and fixtures belong to the run. */
  const session = new Session(input)
  const news = sendNews(session)
  const sending = input.pulses === undefined ? undefined : sendPulses(session, input.pulses)

  for (const { file: name, definition } of run.plentiful ? waitingFirst(declared) : declared) {
    if (!input.files.includes(name) || !belongsTo(definition, input.configuration)) continue
    test.concurrent(definition.id, async ({ task }) => {
      await turn()
      const result = await runCheck(definition, session)
      task.meta.checkResult = result
      task.meta.watched = session.watch.results()
      if (result.outcome === 'failed') throw new Error(result.failure?.message)
    })
  }

  test.sequential('the watch', ({ task }) => {
    // Once more, now that it is known how often each of them showed.
    task.meta.watched = session.watch.results({ again: true })
    task.meta.looks = session.watch.summary()
    const exchanges = session.tally.summary()
    if (exchanges !== undefined) task.meta.exchanges = exchanges
  })

  afterAll(async () => {
    sending?.stop()
    news.stop()
    await sweep(session)
  }, sweepMs)
}
