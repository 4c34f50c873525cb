import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { startPortal } from '../../reference/portal.ts'
import { exitCodes } from '../../reporters/exit-codes.ts'
import { observedSurroundings } from '../process/surroundings.fixture.ts'
import { runProgram } from '../program.ts'
import { endIdleWorker } from './suite-worker.ts'

/** The threads that are started from now on. */
function threads(): Worker[] {
  const started: Worker[] = []
  const listener = (worker: Worker) => void started.push(worker)
  process.on('worker', listener)
  onTestFinished(() => void process.off('worker', listener))
  return started
}

test('the runs of a process share a thread, and one that was cut short takes it along', async () => {
  const portal = await startPortal({ latencyMs: 20 })
  onTestFinished(() => portal.close())
  const folder = mkdtempSync(join(tmpdir(), 'portal-conformance-thread-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const config = join(folder, 'portal.json')
  writeFileSync(config, JSON.stringify(portal.configuration))
  const run = (...more: string[]) => {
    const surroundings = observedSurroundings()
    const words = ['run', '--config', config, '--out', folder, '--reporter', 'json', ...more]
    return { surroundings, ended: runProgram(words, surroundings) }
  }
  await endIdleWorker()
  const started = threads()
  const one = ['--requirement', 'add-workspace/refuses-guest']
  expect([await run(...one).ended, await run(...one).ended]).toEqual(Array(2).fill(exitCodes.incomplete))
  expect(started.length).toBe(1)

  const before = portal.requests
  const { surroundings, ended } = run()
  await expect.poll(() => portal.requests).toBeGreaterThan(before)
  surroundings.signals.emit('SIGINT')
  expect(await ended).toBe(exitCodes.interrupted)
  // Nothing more can come from a thread that has ended.
  expect(started.map(({ threadId }) => threadId)).toEqual([-1])
})
