import { expect, it } from 'vitest'
import { suiteVersion } from '../../deployment/suite-version.ts'
import { schemaComment } from './configuration-text.ts'

it('schemaComment names the published schema if the package is not installed in the project', () => {
  expect(schemaComment('staging.yaml')).toBe(
    `# yaml-language-server: $schema=https://unpkg.com/portal-conformance@${suiteVersion}/dist/schemas/configuration.schema.json`,
  )
})
