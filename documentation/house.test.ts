import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { longest, projectNames, projectOf, testFiles } from './test-projects.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

const shipped = ['reference', 'reporters', 'clauses', 'suites', 'runner', 'deployment', 'schemas', 'specs']

/** What the code of each folder may import, beside itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  specs: [],
  schemas: ['specs'],
  deployment: ['schemas', 'specs'],
  clauses: ['deployment', 'schemas', 'specs'],
  runner: ['clauses', 'deployment', 'schemas', 'specs'],
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

describe('suites/', () => {
  const suites = sourcesOf('suites').filter((file) => file.split('/').length === 3)

  it('of one operation import nothing of another: what two share is common', () => {
    const strays = suites.flatMap((file) =>
      filesImportedBy(file)
        .filter((other) => other.startsWith('suites/'))
        .filter((other) => ![posix.dirname(file), 'suites/common', 'suites'].includes(posix.dirname(other)))
        .map((other) => `${file} imports ${other}`),
    )
    expect(strays).toEqual([])
  })

  it('make findings by what they expect, and throw none', () => {
    const throwing = suites.filter((file) => /\bnew Finding\(/.test(readFileSync(root + file, 'utf8')))
    expect(throwing).toEqual([])
  })
})

/** The files that it imports at its start, for their types too. */
const filesImportedBy = (file: string): string[] =>
  [...readFileSync(root + file, 'utf8').matchAll(/^(?:import|export)\s[^'"]*?['"](\.[^'"]+\.ts)['"]/gm)].map(
    ([, path]) => posix.join(posix.dirname(file), path as string),
  )

/** A way of imports that comes back to where it began; undefined where there is none. */
function circleIn(files: readonly string[]): readonly string[] | undefined {
  const done = new Set<string>()
  const from = (file: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file]
    if (done.has(file)) return undefined
    for (const next of filesImportedBy(file)) {
      const circle = from(next, [...way, file])
      if (circle !== undefined) return circle
    }
    done.add(file)
    return undefined
  }
  for (const file of files) {
    const circle = from(file, [])
    if (circle !== undefined) return circle
  }
  return undefined
}

describe('imports', () => {
  it('lead back to no file', () => {
    expect(circleIn(Object.keys(mayImport).flatMap(sourcesOf))).toBeUndefined()
  })

  it('lead back to no folder', () => {
    const folders = Object.entries(mayImport)
    const both = folders.filter(([one, others]) => others.some((other) => mayImport[other]?.includes(one)))
    expect(both).toEqual([])
  })
})

/** A status that is compared, a body that is searched, an id that is taken apart. */
const judging =
  /status\s*(?:[<>]=?|[!=]==?)\s*\d|[/'"\\]success\b|\bid\??\.(?:split|match|startsWith|endsWith)\(/

it.each(['response.status >= 400', '/"success"/', "id.split(':')"])('%s would be judging', (code) => {
  expect(code).toMatch(judging)
})

it('no reporter judges', () => {
  const lines = sourcesOf('reporters').flatMap((file) =>
    readFileSync(root + file, 'utf8')
      .split('\n')
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(lines.filter((line) => judging.test(line))).toEqual([])
})

/** The order that CONTRIBUTING gives: folders that stand between the same arrows do not import each other. */
const orderInWords = (): string[][] => {
  const text = readFileSync(`${root}CONTRIBUTING.md`, 'utf8').replaceAll(/\s+/g, ' ')
  const [, order = ''] = /\*\*Imports point one way\*\*: ([^.]*)\./.exec(text) ?? []
  return order.split(' ← ').map((names) => names.split(' and '))
}

describe('the order of imports in CONTRIBUTING', () => {
  const order = orderInWords()
  const apart = ['reference', 'documentation', 'bench']

  it('names each folder that is shipped, but the one that stands apart', () => {
    const folders = Object.keys(mayImport).filter((folder) => !apart.includes(folder))
    expect(order.flat().sort()).toEqual(folders.sort())
  })

  it.each(order.map((folders, at) => [folders.join(' and '), folders, at] as const))(
    'has before %s all that it may import',
    (_, folders, at) => {
      const before = [...order.slice(0, at).flat(), ...apart]
      const strays = folders
        .flatMap((folder) => mayImport[folder] ?? [])
        .filter((one) => !before.includes(one))
      expect(strays).toEqual([])
    },
  )
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

describe('a project of tests', () => {
  it.each([
    ['unit', 'documentation/house.test.ts'],
    ['portal', 'reference/portal.test.ts'],
    ['portal', 'runner/sync-portals.test.ts'],
    ['end-to-end', 'cli/end-to-end/end-to-end.test.ts'],
    ['end-to-end', 'selftest/hostile/command-run.test.ts'],
    ['browser', 'reporters/html/browser-list.test.ts'],
  ])('is %s for %s', (project, file) => {
    expect(projectOf(file)).toBe(project)
  })

  it('takes each file that is called a test, and no other project does', () => {
    const files = Object.values(testFiles()).flat()
    expect(new Set(files).size).toBe(files.length)
    const folders = readdirSync(root, { withFileTypes: true })
    const all = folders
      .filter((entry) => entry.isDirectory() && !/^(dist|examples|node_modules|\..*)$/.test(entry.name))
      .flatMap(({ name }) =>
        readdirSync(root + name, { recursive: true, encoding: 'utf8' }).map((file) => `${name}/${file}`),
      )
    expect(files.sort()).toEqual(all.filter((file) => /\.test\.[cm]?[jt]s$/.test(file)).sort())
    for (const name of projectNames) expect(testFiles()[name].length).toBeGreaterThan(0)
    expect(longest.filter((file) => !files.includes(file))).toEqual([])
  })

  it('unit lets no file start a process or a server', async () => {
    const [{ createServer }, { execFileSync, spawn }] = await Promise.all([
      import('node:http'),
      import('node:child_process'),
    ])
    const refused = /^A test of the project unit starts a (process|server)/
    expect(() => createServer().listen(0)).toThrow(refused)
    expect(() => spawn('true')).toThrow(refused)
    expect(() => execFileSync('true')).toThrow(refused)
  })
})
