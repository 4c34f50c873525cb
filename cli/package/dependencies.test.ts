import { readdirSync, readFileSync, statSync } from 'node:fs'
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

/** The dependencies for all platforms. */
function productionDependencies(): Dependency[] {
  const { packages } = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, Locked>>
  }
  return Object.entries(packages)
    .filter(([folder, { dev, devOptional }]) => folder !== '' && dev !== true && devOptional !== true)
    .map(([folder, locked]) => ({ ...locked, folder, name: folder.replace(/^.*node_modules\//, '') }))
}

/** The dependencies that npm installed on this platform. */
function installedHere(dependencies: readonly Dependency[]): Dependency[] {
  return dependencies.filter(({ folder }) => statSync(join(projectRoot, folder), { throwIfNoEntry: false }))
}

/** Bytes of all files in a folder, without nested packages. */
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

/** Reviewed exceptions. Unused entries fail the test, so that the list does not grow unnoticed. */
const exceptions = [
  // Its manifest is older than the field; the LICENSE beside it is MIT.
  { name: /^color-convert$/, license: undefined },
]

function isPermissive(license: string | undefined): boolean {
  const choices = (license ?? '').replace(/^\(|\)$/g, '').split(' OR ')
  return choices.some((choice) => permissive.includes(choice))
}

test('every dependency has a permissive licence, on every platform', () => {
  const others = productionDependencies().filter(({ license }) => !isPermissive(license))
  const unknown = others.filter(
    (other) => !exceptions.some(({ name, license }) => name.test(other.name) && license === other.license),
  )
  expect(unknown).toEqual([])
  const idle = exceptions.filter(({ name }) => !others.some((other) => name.test(other.name)))
  expect(idle).toEqual([])
})

test('every dependency without a licence in its manifest has a LICENSE file', () => {
  const unnamed = productionDependencies().filter(({ license }) => license === undefined)
  expect(unnamed.length).toBeGreaterThan(0)
  for (const { folder } of unnamed) {
    expect(readFileSync(join(projectRoot, folder, 'LICENSE'), 'utf8')).toMatch(/Permission is hereby granted/)
  }
})

test('no dependency runs an install script', () => {
  const withScripts = productionDependencies().filter((each) => 'hasInstallScript' in each)
  expect(withScripts.map(({ name }) => name)).toEqual([])
})

test('the README has the number and size of installed packages, within a tenth', () => {
  const stated = /(\d+) packages and (\d+) MB/.exec(readFileSync(join(projectRoot, 'README.md'), 'utf8'))
  expect(stated, 'README.md: "N packages and M MB"').not.toBeNull()
  const project = new UserProject([])
  onTestFinished(() => project.remove())
  const dependencies = installedHere(productionDependencies())
  const own = bytesIn(join(project.path, 'node_modules', 'portal-conformance'))
  const bytes = dependencies.reduce((sum, { folder }) => sum + bytesIn(join(projectRoot, folder)), own)
  const near = (one: number, other: number) => Math.abs(one - other) <= other / 10
  expect([stated?.[0], near(Number(stated?.[1]), dependencies.length + 1)]).toEqual([stated?.[0], true])
  expect([stated?.[0], bytes, near(Number(stated?.[2]), bytes / 1e6)]).toEqual([stated?.[0], bytes, true])
})
