/** The Vitest project of a test file, by the most expensive thing that the file or its fixtures import. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const projectNames = ['unit', 'portal', 'end-to-end', 'browser'] as const

export type ProjectName = (typeof projectNames)[number]

const root = fileURLToPath(new URL('..', import.meta.url))

/** The project of a file that imports such a module, the most expensive first. All other files are unit tests. */
const brings: readonly (readonly [ProjectName, RegExp])[] = [
  ['browser', /^playwright-core$/],
  // Processes, above all the built command.
  ['end-to-end', /^node:child_process$|\/(command-run|program-fixtures|credential-keeper)\.ts$/],
  // Servers in this process: a portal, a command line, a run from code.
  [
    'portal',
    /^node:(http|https|net|tls)$|^@hono\/node-server$|\/(portal|program|api|fixture-sources|run-all|judge-\w+)\.ts$/,
  ],
]

/** The modules whose values the file imports, as written. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/^(?:import|export)(?! type\b)[^'"]*?['"]([^'"]+)['"]/gm)].map(
    ([, name]) => name as string,
  )
}

/** The imports of the file and, recursively, of its fixtures. */
function reachedBy(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return []
  seen.add(file)
  return importsOf(file).flatMap((name) =>
    /^\..*\.fixture\.ts$/.test(name) ? reachedBy(join(dirname(file), name), seen) : name,
  )
}

/** The project of a test file, given by its path from the root of the checkout. */
export function projectOf(file: string): ProjectName {
  const reached = reachedBy(file)
  return brings.find(([, what]) => reached.some((name) => what.test(name)))?.[0] ?? 'unit'
}

/**
 * The slowest files, slowest first. One that started late would run on alone. Most of their time they wait, or their
 * work runs in other processes.
 */
export const longest: readonly string[] = [
  'cli/end-to-end/first-contact.test.ts',
  'cli/end-to-end/logins-alone.test.ts',
  'documentation/documentation.test.ts',
  'cli/end-to-end/end-to-end.test.ts',
  'cli/package/vitest-project.test.ts',
  'cli/end-to-end/networks.test.ts',
  'cli/end-to-end/portal-python.test.ts',
  'cli/secrets/secrets-half-way.test.ts',
  'cli/secrets/secrets.test.ts',
  'reporters/large-results.test.ts',
  'cli/ci/github-fleet.test.ts',
  'cli/ci/action.test.ts',
  'runner/sync-portals.test.ts',
  'selftest/families.test.ts',
  'reporters/html/browser.test.ts',
  'reporters/html/safety.test.ts',
  'reporters/cards-of-faults.test.ts',
  'documentation/first-deployment.test.ts',
  'deployment/administration/administration.test.ts',
]

/** Folders without tests of this project. */
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
