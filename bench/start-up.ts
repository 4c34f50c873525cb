/** (d) How long it takes until the first request of an operation arrives, beside Vitest's own start. */
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ended, scriptOf, start } from './child.ts'
import { type Figure, ratios } from './figure.ts'
import { type Measuring, repeated } from './measuring.ts'
import { startPortalProcess } from './portal-process.ts'
import { measureRun } from './run-process.ts'

/** Both from the start of the process: to the first request at the portal, and to the first line of a trivial test. */
export async function startUp(measuring: Measuring): Promise<Figure[]> {
  const { folder } = measuring
  const portal = await startPortalProcess(folder)
  const empty = await mkdtemp(join(folder, 'empty-'))
  await writeFile(
    join(empty, 'trivial.suite.js'),
    `test('trivial', ({ task }) => { task.meta.ranAt = performance.timeOrigin + performance.now() })\n`,
  )
  try {
    const measured = await repeated(measuring, '(d) start-up', async () => {
      await portal.watched()
      const run = await measureRun(folder, ['--config', portal.configuration, '--seed', '1', '--runs', '1'])
      const { firstAt } = await portal.watched()
      return { ours: firstAt - run.startedAt, vitest: await emptySuite(empty) }
    })
    const ours = measured.map((each) => each.ours)
    const vitest = measured.map((each) => each.vitest)
    return [
      {
        id: 'd',
        name: 'process start to the first request',
        unit: 'ms',
        values: ours,
        wanted: '< 1.5 × Vitest + 500',
      },
      { id: 'd', name: 'Vitest: process start to a trivial test', unit: 'ms', values: vitest },
      {
        id: 'd',
        name: 'the first over 1.5 × Vitest + 500 ms',
        unit: 'ratio',
        values: ratios(
          ours,
          vitest.map((ms) => 1.5 * ms + 500),
        ),
        wanted: '< 1',
      },
    ]
  } finally {
    await portal.close()
  }
}

async function emptySuite(root: string): Promise<number> {
  const started = start([scriptOf('empty-suite'), root])
  const message = once(started.child, 'message')
  const end = ended(started)
  const failed = end.then(({ stderr }) => {
    throw new Error(`Vitest did not run the trivial test: ${stderr}`)
  })
  const [ranAt] = await Promise.race([message, failed])
  await end
  return (ranAt as number) - started.startedAt
}
