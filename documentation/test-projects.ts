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
