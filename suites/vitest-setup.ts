/** Loaded by Vitest before each suite file: turns every check that the file declares into a concurrent test. */
import { afterAll, inject, test } from 'vitest'
import { onCheck } from './check.ts'
import type { CheckResult } from './check-result.ts'
import { sendPulses } from './pulse.ts'
import { runCheck } from './run-check.ts'
import { Session } from './session.ts'
import { sweep } from './sweep.ts'
import type { WorkerInput } from './worker-input.ts'

declare module 'vitest' {
  interface ProvidedContext {
    portalConformance: WorkerInput
  }
  interface TaskMeta {
    checkResult?: CheckResult
  }
}

/** Longest time for tidying up after a file, in milliseconds. */
const sweepMs = 60_000

/** One for all files of the worker: connections, fixtures and bounds belong to the run. */
const shared = globalThis as { portalConformanceSession?: Session }
shared.portalConformanceSession ??= new Session(inject('portalConformance'))
const session = shared.portalConformanceSession

const { pulses } = session.input
const sending = pulses === undefined ? undefined : sendPulses(session, pulses)

afterAll(async () => {
  sending?.stop()
  await sweep(session)
}, sweepMs)

onCheck((definition) => {
  test.concurrent(definition.id, async ({ task }) => {
    const result = await runCheck(definition, session)
    task.meta.checkResult = result
    if (result.outcome === 'failed') throw new Error(result.failure?.message)
  })
})
