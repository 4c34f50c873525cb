/** The packages that an installation of this one brings along, as package-lock.json says. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './installed-package.fixture.ts'

interface Locked {
  readonly license?: string
  readonly dev?: true
  readonly optional?: true
  readonly devOptional?: true
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
}

export interface Dependency extends Locked {
  /** Its folder, from the root of the project. */
  readonly folder: string
  readonly name: string
}

/** Those of every platform. */
export function productionDependencies(): Dependency[] {
  const { packages } = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, Locked>>
  }
  return Object.entries(packages)
    .filter(([folder, { dev, devOptional }]) => folder !== '' && dev !== true && devOptional !== true)
    .map(([folder, locked]) => ({ ...locked, folder, name: folder.replace(/^.*node_modules\//, '') }))
}

/** What npm has put there on this platform, of all of those. */
export function installedHere(dependencies: readonly Dependency[]): Dependency[] {
  return dependencies.filter(({ folder }) => statSync(join(projectRoot, folder), { throwIfNoEntry: false }))
}

/** Bytes of all files in a folder, but for packages inside of it. */
export function bytesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .map((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? bytesIn(path) : statSync(path).size
    })
    .reduce((sum, size) => sum + size, 0)
}
