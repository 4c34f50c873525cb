/** The line by which editors check and complete a configuration. */
import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { suiteVersion } from '../../deployment/suite-version.ts'

const schema = join('portal-conformance', 'dist', 'schemas', 'configuration.schema.json')

/** Names the schema of the package that is installed for the folder of the file, else the published schema. */
export function schemaComment(file: string): string {
  const folder = dirname(resolve(file))
  const installed = foldersFrom(folder)
    .map((above) => join(above, 'node_modules', schema))
    .find((path) => existsSync(path))
  return `# yaml-language-server: $schema=${installed === undefined ? published : fromFolder(folder, installed)}`
}

const published = `https://unpkg.com/portal-conformance@${suiteVersion}/dist/schemas/configuration.schema.json`

function foldersFrom(folder: string): string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...foldersFrom(above)]
}

function fromFolder(folder: string, path: string): string {
  const way = relative(folder, path).split(sep).join('/')
  return way.startsWith('.') ? way : `./${way}`
}
