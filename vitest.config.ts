import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { defineConfig, type Plugin, type TestProjectInlineConfiguration } from 'vitest/config'
import { BaseSequencer, type Reporter, type TestModule, type TestSpecification } from 'vitest/node'
import { longest, type ProjectName, projectNames, testFiles } from './documentation/test-projects.ts'

/** Ends the output with one plain line of counts for tools that read the log. */
const counts: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const having = (state: string) => tests.filter((test) => test.result().state === state).length
    const skipped = having('skipped') === 0 ? '' : `, ${having('skipped')} skipped`
    // A broken hook leaves its tests skipped, so it counts as a failure, too.
    const around = modules
      .flatMap((module) => [module, ...module.children.allSuites()])
      .filter((suite) => suite.errors().length > 0).length
    console.log(`tests: ${having('passed')} passed, ${having('failed') + around} failed${skipped}`)
  },
}

const root = import.meta.dirname
const files = testFiles()

type Settings = NonNullable<TestProjectInlineConfiguration['test']>

const common: Settings = {
  // Tests that judge whole portals depend on time, and more of them at once would only wait for each other.
  maxConcurrency: 2,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // The default of a second is too short for a browser on a busy machine.
  expect: { poll: { timeout: 20_000 } },
}

/** At least two workers, so that a small machine is not idle while one file waits. */
const busy = Math.max(2, availableParallelism())
/** Tests that judge portals wait more than half of the time, for example for syncs. */
const waiting = 2 * busy + 1

/** Files share loaded modules for speed. Browser tests start fresh. */
const differing: Record<ProjectName, Settings> = {
  unit: { pool: 'threads', isolate: false, setupFiles: ['documentation/no-servers.fixture.ts'] },
  portal: { isolate: false, maxWorkers: waiting, globalSetup: ['cli/process/built.fixture.ts'] },
  'end-to-end': {
    isolate: false,
    maxWorkers: waiting,
    setupFiles: ['cli/end-to-end/user-folders.fixture.ts'],
    globalSetup: ['cli/process/built.fixture.ts', 'cli/package/packed.fixture.ts'],
  },
  browser: { maxWorkers: waiting, globalSetup: ['cli/process/built.fixture.ts'] },
}

/** Projects of one stage run together, so that one works while the other waits. */
const stage: Record<ProjectName, number> = { unit: 0, 'end-to-end': 1, browser: 1, portal: 1 }

/** One project after the other, because a worker serves one project. The longest files come first. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = Object.keys(stage)
    const rank = ({ moduleId, project }: TestSpecification) => {
      const at = longest.indexOf(relative(root, moduleId))
      return order.indexOf(project.name) * 1000 + (at < 0 ? 999 : at)
    }
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other))
  }
}

/**
 * Tests import the built code, as users have it, because each run in a test would otherwise compile the sources again.
 * Tests and their fixtures themselves are sources.
 */
const asBuilt: Plugin = {
  name: 'as-built',
  enforce: 'pre',
  resolveId(source, importer) {
    if (importer === undefined || !/^\..*(?<!\.test|\.fixture)\.ts$/.test(source)) return undefined
    const built = join(root, 'dist', relative(root, join(dirname(importer), source))).replace(/ts$/, 'js')
    return existsSync(built) ? { id: built, external: true } : undefined
  },
}

/**
 * The checks as tests of your deployment. The project exists only if the environment names a configuration:
 * `PORTAL_CONFORMANCE_CONFIG=staging.yaml npx vitest run --project conformance`
 */
const conformance: readonly TestProjectInlineConfiguration[] =
  process.env.PORTAL_CONFORMANCE_CONFIG === undefined
    ? []
    : [
        {
          plugins: [asBuilt],
          test: {
            name: 'conformance',
            include: ['cli/vitest/contract.conformance.ts'],
            globalSetup: ['cli/process/built.fixture.ts'],
          },
        },
      ]

export default defineConfig({
  test: {
    reporters: ['default', counts],
    globalSetup: ['cli/process/temporary-files.fixture.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      ...projectNames.map((name) => ({
        plugins: name === 'unit' ? [] : [asBuilt],
        test: {
          name,
          include: files[name],
          maxWorkers: busy,
          sequence: { groupOrder: stage[name] },
          ...common,
          ...differing[name],
        },
      })),
      ...conformance,
    ],
  },
})
