import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { suiteVersion } from '../../deployment/suite-version.ts'
import { testFolder } from '../process/test-folder.fixture.ts'
import { schemaComment } from './configuration-text.ts'

const schema = 'node_modules/portal-conformance/dist/schemas/configuration.schema.json'

const project = (): string => realpathSync(testFolder())

it.each([
  ['staging.yaml', `./${schema}`],
  ['targets/eu/staging.yaml', `../../${schema}`],
])('schemaComment names the schema of the installed package in %s', (file, expected) => {
  const folder = project()
  mkdirSync(dirname(join(folder, schema)), { recursive: true })
  writeFileSync(join(folder, schema), '{}')
  expect(schemaComment(join(folder, file))).toBe(`# yaml-language-server: $schema=${expected}`)
  expect(resolve(folder, dirname(file), expected)).toBe(join(folder, schema))
})

it('schemaComment names the published schema if no package is installed', () => {
  expect(schemaComment(join(project(), 'staging.yaml'))).toBe(
    `# yaml-language-server: $schema=https://unpkg.com/portal-conformance@${suiteVersion}/dist/schemas/configuration.schema.json`,
  )
})
