import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))

const shipped = ['reference', 'reporters', 'clauses', 'suites', 'runner', 'deployment', 'schemas', 'specs']

/** What the code of each folder may import, beside itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  specs: [],
  schemas: ['specs'],
  deployment: ['schemas', 'specs'],
  clauses: ['deployment', 'schemas', 'specs'],
  runner: ['suites', 'clauses', 'deployment', 'schemas', 'specs'],
  suites: ['runner', 'clauses', 'deployment', 'schemas', 'specs'],
  reporters: ['clauses', 'runner', 'deployment', 'schemas', 'specs'],
  reference: ['specs'],
  selftest: shipped,
  cli: ['selftest', ...shipped],
  documentation: ['cli', 'selftest', ...shipped],
  bench: ['cli', 'selftest', ...shipped],
}

const sourcesOf = (folder: string): string[] =>
  readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(name))
    .map((name) => `${folder}/${name}`)

/** The folders that a file imports from, its own left out. */
function importedBy(file: string): string[] {
  const text = readFileSync(root + file, 'utf8')
  const depth = file.split('/').length - 2
  const above = [...text.matchAll(/(?:from|import\()\s*['"`](?:\.\.\/)+([a-z]+)\//g)]
  return above
    .filter(([whole]) => (whole.match(/\.\.\//g) ?? []).length > depth)
    .map(([, folder]) => folder as string)
}

describe.each(Object.entries(mayImport))('%s/', (folder, allowed) => {
  it(`imports nothing but ${allowed.join(', ') || 'itself'}`, () => {
    const strays = sourcesOf(folder).flatMap((file) =>
      importedBy(file)
        .filter((other) => !allowed.includes(other))
        .map((other) => `${file} imports ${other}/`),
    )
    expect(strays).toEqual([])
  })
})

it.each(['docs/architecture.md', 'CONTRIBUTING.md', 'SECURITY.md'])(
  '%s names only files that are there',
  (file) => {
    const named = [...readFileSync(root + file, 'utf8').matchAll(/`((?:[a-z-]+\/)+[\w.-]*)`/g)].map(
      ([, path]) => path as string,
    )
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((path) => !existsSync(root + path))).toEqual([])
  },
)
