/** Writes and loads the configuration file of a test. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderOfFile } from '../../cli/process/test-folder.fixture.ts'
import type { Configuration } from './configuration.ts'
import { ConfigurationError } from './configuration-error.ts'
import { loadConfiguration, type Overrides } from './load-configuration.ts'

let file = ''

/** Creates the folder of the configuration for the tests of one file. */
export function configurationFolder(): string {
  const folder = folderOfFile()
  file = join(folder, 'staging.yaml')
  return folder
}

/** The smallest configuration that is valid. */
export const least = 'target: { baseUrl: http://localhost:1/x// }\nportals: { host: { id: h } }\n'

export function load(
  content: string,
  environment: NodeJS.ProcessEnv = {},
  overrides: Overrides = {},
): Configuration {
  writeFileSync(file, content)
  return loadConfiguration({ file }, overrides, environment)
}

/** The problems in a configuration file, with FILE in place of its path. */
export function problems(
  content: string,
  environment: NodeJS.ProcessEnv = {},
  overrides: Overrides = {},
): string[] {
  try {
    load(content, environment, overrides)
  } catch (error) {
    if (error instanceof ConfigurationError)
      return error.problems.map((text) => text.replaceAll(file, 'FILE'))
    throw error
  }
  return []
}
