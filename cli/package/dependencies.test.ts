import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { projectRoot, UserProject } from './installed-package.fixture.ts'

interface Locked {
  readonly license?: string
  readonly dev?: true
  readonly optional?: true
  readonly devOptional?: true
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
}

interface Dependency extends Locked {
  /** Its folder, from the root of the project. */
  readonly folder: string
  readonly name: string
}

/** Those of every platform. */
function productionDependencies(): Dependency[] {
  const { packages } = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, Locked>>
  }
  return Object.entries(packages)
    .filter(([folder, { dev, devOptional }]) => folder !== '' && dev !== true && devOptional !== true)
    .map(([folder, locked]) => ({ ...locked, folder, name: folder.replace(/^.*node_modules\//, '') }))
}

/** What npm has put there on this platform, of all of those. */
function installedHere(dependencies: readonly Dependency[]): Dependency[] {
  return dependencies.filter(({ folder }) => statSync(join(projectRoot, folder), { throwIfNoEntry: false }))
}

/** Bytes of all files in a folder, but for packages inside of it. */
function bytesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .map((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? bytesIn(path) : statSync(path).size
    })
    .reduce((sum, size) => sum + size, 0)
}

const permissive = [
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'CC0-1.0',
  'BlueOak-1.0.0',
]

/** Judged one by one. Each must still be there: a list of exceptions that only grows hides the next one. */
const exceptions = [
  // Its manifest is older than the field; the LICENSE beside it is MIT.
  { name: /^color-convert$/, license: undefined },
]

function isPermissive(license: string | undefined): boolean {
  const choices = (license ?? '').replace(/^\(|\)$/g, '').split(' OR ')
  return choices.some((choice) => permissive.includes(choice))
}

test('whatever is installed with the package is under a permissive licence, on every platform', () => {
  const others = productionDependencies().filter(({ license }) => !isPermissive(license))
  const unknown = others.filter(
    (other) => !exceptions.some(({ name, license }) => name.test(other.name) && license === other.license),
  )
  expect(unknown).toEqual([])
  const idle = exceptions.filter(({ name }) => !others.some((other) => name.test(other.name)))
  expect(idle).toEqual([])
})

test('a package whose manifest names no licence has one beside it', () => {
  const unnamed = productionDependencies().filter(({ license }) => license === undefined)
  expect(unnamed.length).toBeGreaterThan(0)
  for (const { folder } of unnamed) {
    expect(readFileSync(join(projectRoot, folder, 'LICENSE'), 'utf8')).toMatch(/Permission is hereby granted/)
  }
})

test('nothing that is installed runs a script of its own', () => {
  const withScripts = productionDependencies().filter((each) => 'hasInstallScript' in each)
  expect(withScripts.map(({ name }) => name)).toEqual([])
})

test('the README says how much is installed: count and size are within a tenth', () => {
  const said = /(\d+) packages and (\d+) MB/.exec(readFileSync(join(projectRoot, 'README.md'), 'utf8'))
  expect(said, 'README.md: "N packages and M MB"').not.toBeNull()
  const project = new UserProject([])
  onTestFinished(() => project.remove())
  const dependencies = installedHere(productionDependencies())
  const own = bytesIn(join(project.path, 'node_modules', 'portal-conformance'))
  const bytes = dependencies.reduce((sum, { folder }) => sum + bytesIn(join(projectRoot, folder)), own)
  const near = (one: number, other: number) => Math.abs(one - other) <= other / 10
  expect([said?.[0], near(Number(said?.[1]), dependencies.length + 1)]).toEqual([said?.[0], true])
  expect([said?.[0], bytes, near(Number(said?.[2]), bytes / 1e6)]).toEqual([said?.[0], bytes, true])
})

test('the package holds what its exports name, and nothing that is only for its making', () => {
  const project = new UserProject([])
  onTestFinished(() => project.remove())
  const folder = join(project.path, 'node_modules', 'portal-conformance')
  const needless = ['dist/.tsbuildinfo', 'dist/bench', 'dist/documentation', 'cli', 'suites']
  expect(needless.filter((name) => existsSync(join(folder, name)))).toEqual([])
  const needed = [
    'LICENSE',
    'README.md',
    'dist/cli/main.js',
    'docs/getting-started.md',
    'examples/portal-python/__main__.py',
    'examples/vitest-project/package.json',
  ]
  expect(needed.filter((name) => !existsSync(join(folder, name)))).toEqual([])
})
