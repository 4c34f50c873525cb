import { defineConfig } from 'vitest/config'
import type { Reporter, TestModule } from 'vitest/node'

/** Ends the output with one plain line of counts, for logs that are read by machines. */
const counts: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const having = (state: string) => tests.filter((test) => test.result().state === state).length
    const skipped = having('skipped') === 0 ? '' : `, ${having('skipped')} skipped`
    // What breaks around tests, as a hook does, leaves them skipped: it counts as a failure too.
    const around = modules
      .flatMap((module) => [module, ...module.children.allSuites()])
      .filter((suite) => suite.errors().length > 0).length
    console.log(`tests: ${having('passed')} passed, ${having('failed') + around} failed${skipped}`)
  },
}

export default defineConfig({
  test: {
    include: [
      '{specs,schemas,deployment,clauses,suites,runner,reporters,reference,selftest,cli,documentation,bench}/**/*.test.ts',
    ],
    reporters: ['default', counts],
    globalSetup: ['cli/process/temporary-files.fixture.ts'],
    // Tests that judge whole portals depend on time: more of them at once would only wait for each other.
    maxConcurrency: 2,
    // Most of them wait for processes and portals: one worker alone would leave a small machine idle.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
