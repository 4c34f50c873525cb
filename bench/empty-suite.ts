/** A process that starts Vitest on a folder as `run` starts it on the suite. Tells its parent when the test ran. */
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { Reporter } from 'vitest/node'

const root = process.argv[2] as string
const { createVitest } = await import('vitest/node')
const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() })

const reporter: Reporter = {
  onTestCaseResult: (test) => void process.send?.((test.meta() as { ranAt?: number }).ranAt ?? 0),
}

const vitest = await createVitest(
  'test',
  {
    config: false,
    root,
    include: ['*.suite.js'],
    exclude: [],
    // The folder is nowhere near an installed Vitest that the test could import.
    globals: true,
    reporters: [reporter],
    watch: false,
    cache: false,
    api: false,
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    fileParallelism: false,
  },
  {
    cacheDir: join(root, 'cache'),
    envDir: false,
    css: { postcss: {} },
    logLevel: 'silent',
    clearScreen: false,
  },
  { stdout: nowhere(), stderr: nowhere() },
)
await vitest.start()
await vitest.close()
process.exit()
