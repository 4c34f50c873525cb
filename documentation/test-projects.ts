/** Which project of Vitest a test file belongs to: the one of the dearest thing that it, or a fixture of it, imports. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const projectNames = ['unit', 'portal', 'end-to-end', 'browser'] as const

export type ProjectName = (typeof projectNames)[number]

const root = fileURLToPath(new URL('..', import.meta.url))

/** The project that an import of such a module puts a file into, the dearest first. A file with none of them is unit. */
const brings: readonly (readonly [ProjectName, RegExp])[] = [
  ['browser', /^playwright-core$/],
  // Processes: the built command above all.
  ['end-to-end', /^node:child_process$|\/(command-run|program-fixtures|credential-keeper)\.ts$/],
  // Servers in this process, and what starts them: a portal, a command line, a run from code.
  [
    'portal',
    /^node:(http|http2|https|net|tls)$|^@hono\/node-server$|\/(portal|program|api|fixture-sources|run-all|ill-portals|judge-\w+)\.ts$/,
  ],
]

/** What the file imports as values, as it is written there. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/^(?:import|export)(?! type\b)[^'"]*?['"]([^'"]+)['"]/gm)].map(
    ([, name]) => name as string,
  )
}

/** The imports of the file, and of each fixture that it imports, however far away. */
function reachedBy(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return []
  seen.add(file)
  return importsOf(file).flatMap((name) =>
    /^\..*\.fixture\.ts$/.test(name) ? reachedBy(join(dirname(file), name), seen) : name,
  )
}

/** The project of a test file, which is named from the root of the checkout. */
export function projectOf(file: string): ProjectName {
  const reached = reachedBy(file)
  return brings.find(([, what]) => reached.some((name) => what.test(name)))?.[0] ?? 'unit'
}

/**
 * Files that take longest, the longest first: begun late, one of them would run on alone. Most of what they do waits, or
 * goes on in processes of their own.
 */
export const longest: readonly string[] = [
  'cli/end-to-end/first-contact.test.ts',
  'cli/end-to-end/logins-alone.test.ts',
  'documentation/documentation.test.ts',
  'cli/end-to-end/end-to-end.test.ts',
  'cli/end-to-end/portal-python.test.ts',
  'cli/end-to-end/networks.test.ts',
  'reporters/cards-of-faults.test.ts',
  'reporters/large-results.test.ts',
  'cli/package/vitest-project.test.ts',
  'cli/secrets/secrets.test.ts',
  'cli/cleanup/killed-runs.test.ts',
  'cli/secrets/secrets-half-way.test.ts',
  'cli/ci/github-fleet.test.ts',
  'cli/fleet/fleet.test.ts',
  'cli/ci/action.test.ts',
  'selftest/read-back.test.ts',
  'selftest/messages.test.ts',
  'runner/sync-portals.test.ts',
  'selftest/hostile/ill-portals.test.ts',
  'documentation/first-deployment.test.ts',
  'cli/fixtures/scarce-fixtures.test.ts',
  'deployment/administration/administration.test.ts',
]

/** Folders with tests that are not the project's own, or with none at all. */
const others = ['dist', 'docs', 'examples', 'node_modules']

/** Every test file, by project. */
export function testFiles(): Record<ProjectName, string[]> {
  const folders = readdirSync(root, { withFileTypes: true }).filter(
    ({ name }) => !name.startsWith('.') && !others.includes(name),
  )
  const files = folders
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: folder }) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.test.ts'))
        .map((name) => `${folder}/${name}`),
    )
  const of = (project: ProjectName) => files.filter((file) => projectOf(file) === project)
  return { unit: of('unit'), portal: of('portal'), 'end-to-end': of('end-to-end'), browser: of('browser') }
}
