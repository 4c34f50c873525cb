/** Which targets a fleet has: configurations in files and folders, each of one target or of several. */
import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { readSource } from '../../deployment/configuration/configuration-source.ts'
import { targetNames } from '../../deployment/configuration/load-configuration.ts'
import { usageError } from '../command-error.ts'

/** One target: its name in the fleet, which is that of its folder too, and the options of `run` that choose it. */
export interface FleetTarget {
  readonly name: string
  readonly config: string
  /** Where the configuration has several. */
  readonly target?: string
}

const endings = ['.yaml', '.yml', '.json']

/** Also what GitHub takes as a part of the name of an artefact. */
const fitName = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._-]*$/u

/**
 * The targets of those files and folders, in their order. Throws a usage error where a path cannot be read, a folder
 * has no configuration, two targets have one name, or one that no folder can have; a ConfigurationError where a file is
 * no YAML.
 */
export async function fleetTargets(paths: readonly string[]): Promise<FleetTarget[]> {
  const files = (await Promise.all(paths.map(configurationsIn))).flat()
  const targets = files.flatMap((config): FleetTarget[] => {
    const name = basename(config, extname(config))
    const names = targetNames(readSource({ file: config }))
    return names.length === 0 ? [{ name, config }] : names.map((target) => ({ name: target, config, target }))
  })
  const unfit = targets.find(({ name }) => !fitName.test(name))
  if (unfit !== undefined) {
    const { config, name } = unfit
    throw usageError(
      `${config}: the target ${JSON.stringify(name)}: its name is that of a folder too: letters, digits, spaces and ._- are expected, the first one a letter or a digit`,
    )
  }
  const doubled = targets.find(({ name }, at) => targets.findIndex((other) => other.name === name) !== at)
  if (doubled !== undefined) {
    const where = targets.filter(({ name }) => name === doubled.name).map(({ config }) => config)
    throw usageError(`two targets are called ${doubled.name}: ${where.join(', ')}; rename one`)
  }
  return targets
}

async function configurationsIn(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => {
    throw usageError(`${path}: cannot be read: there is no such file or folder`)
  })
  if (!found.isDirectory()) return [path]
  const entries = await readdir(path, { withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && endings.includes(extname(entry.name)))
    .map((entry) => join(path, entry.name))
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
  if (files.length === 0) throw usageError(`${path}: there is no configuration in it (${endings.join(', ')})`)
  return files
}
