import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { longest, projectNames, testFiles } from './test-projects.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

const shipped = ['reference', 'reporters', 'clauses', 'suites', 'runner', 'deployment', 'schemas', 'specs']

/** The folders that the code of each folder may import, beside itself. */
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

/** The other folders that a file imports from. */
function importedBy(file: string): string[] {
  const text = readFileSync(root + file, 'utf8')
  const depth = file.split('/').length - 2
  const above = [...text.matchAll(/(?:from|import\()\s*['"`](?:\.\.\/)+([a-z]+)\//g)]
  return above
    .filter(([whole]) => (whole.match(/\.\.\//g) ?? []).length > depth)
    .map(([, folder]) => folder as string)
}

describe.each(Object.entries(mayImport))('%s/', (folder, allowed) => {
  it(`imports only ${allowed.join(', ') || 'itself'}`, () => {
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

  it('of one operation import nothing of another operation, except suites/common', () => {
    const strays = suites.flatMap((file) =>
      filesImportedBy(file)
        .filter((other) => other.startsWith('suites/'))
        .filter((other) => ![posix.dirname(file), 'suites/common', 'suites'].includes(posix.dirname(other)))
        .map((other) => `${file} imports ${other}`),
    )
    expect(strays).toEqual([])
  })

  it('construct no Finding themselves', () => {
    const throwing = suites.filter((file) => /\bnew Finding\(/.test(readFileSync(root + file, 'utf8')))
    expect(throwing).toEqual([])
  })
})

/** The files that a file imports statically, including types. */
const filesImportedBy = (file: string): string[] =>
  [...readFileSync(root + file, 'utf8').matchAll(/^(?:import|export)\s[^'"]*?['"](\.[^'"]+\.ts)['"]/gm)].map(
    ([, path]) => posix.join(posix.dirname(file), path as string),
  )

/** A cycle of imports, if there is one. */
function cycleIn(files: readonly string[]): readonly string[] | undefined {
  const done = new Set<string>()
  const from = (file: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return undefined
    for (const next of filesImportedBy(file)) {
      const cycle = from(next, [...path, file])
      if (cycle !== undefined) return cycle
    }
    done.add(file)
    return undefined
  }
  for (const file of files) {
    const cycle = from(file, [])
    if (cycle !== undefined) return cycle
  }
  return undefined
}

describe('imports', () => {
  it('have no cycle between files', () => {
    expect(cycleIn(Object.keys(mayImport).flatMap(sourcesOf))).toBeUndefined()
  })

  it('have no cycle between folders', () => {
    const folders = Object.entries(mayImport)
    const both = folders.filter(([one, others]) => others.some((other) => mayImport[other]?.includes(one)))
    expect(both).toEqual([])
  })
})

/** Code that compares a status, searches a body or splits an id. */
const judging =
  /status\s*(?:[<>]=?|[!=]==?)\s*\d|[/'"\\]success\b|\bid\??\.(?:split|match|startsWith|endsWith)\(/

it.each(['response.status >= 400', '/"success"/', "id.split(':')"])(
  'the pattern for judging code matches %s',
  (code) => {
    expect(code).toMatch(judging)
  },
)

/** The lines of a folder's code, each with its file. */
const linesIn = (folder: string): string[] =>
  sourcesOf(folder).flatMap((file) =>
    readFileSync(root + file, 'utf8')
      .split('\n')
      .map((line) => `${file}: ${line.trim()}`),
  )

it('reporters contain no judging code', () => {
  expect(linesIn('reporters').filter((line) => judging.test(line))).toEqual([])
})

/** Code that reads a meaning out of the id of a requirement, check, fault or variant. */
const readingIds =
  /\.test\((?:id|one|other|requirement)\)|\b(?:id|check|requirement)\??\.(?:split|match|startsWith|endsWith|includes)\(/

it.each(["id.split('/')", "requirement.startsWith('sync')", 'kind.test(one)'])(
  'the pattern for code that reads ids matches %s',
  (code) => {
    expect(code).toMatch(readingIds)
  },
)

it.each(['suites', 'selftest', 'bench', 'reference/faults', 'reference/variants'])(
  '%s chooses requirements, checks, faults and variants by properties',
  (folder) => {
    expect(linesIn(folder).filter((line) => readingIds.test(line))).toEqual([])
  },
)

/** The order in CONTRIBUTING: folders between the same arrows do not import each other. */
const orderInWords = (): string[][] => {
  const text = readFileSync(`${root}CONTRIBUTING.md`, 'utf8').replaceAll(/\s+/g, ' ')
  const [, order = ''] = /\*\*Imports point one way\*\*: ([^.]*)\./.exec(text) ?? []
  return order.split(' ← ').map((names) => names.split(' and '))
}

describe('the order of imports in CONTRIBUTING.md', () => {
  const order = orderInWords()
  const apart = ['reference', 'documentation', 'bench']

  it('names every folder, except reference, documentation and bench', () => {
    const folders = Object.keys(mayImport).filter((folder) => !apart.includes(folder))
    expect(order.flat().sort()).toEqual(folders.sort())
  })

  it.each(order.map((folders, at) => [folders.join(' and '), folders, at] as const))(
    'lists every folder that %s may import before it',
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
  '%s names only existing files',
  (file) => {
    const named = [...readFileSync(root + file, 'utf8').matchAll(/`((?:[a-z-]+\/)+[\w.-]*)`/g)].map(
      ([, path]) => path as string,
    )
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((path) => !existsSync(root + path))).toEqual([])
  },
)

describe('test projects', () => {
  it('include each test file exactly once', () => {
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

  it('of unit tests refuse to start a process or a server', async () => {
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
