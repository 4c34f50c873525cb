import { expect, it } from 'vitest'
import { schemaOf } from '../schemas/catalogue.ts'
import { manifestAfter, operationSchema } from './derived-files.ts'

it('schemas/operation.schema.json is checked in as it is generated now', () => {
  expect(schemaOf('operation')).toEqual(operationSchema())
})

it('an id that is no more is kept as gone, beside those that went before', async () => {
  const { requirements, checks, gone } = await manifestAfter({
    requirements: ['add-workspace/creates', 'add-workspace/was-once'],
    checks: ['add-workspace/creates', 'add-workspace/creates:was-once'],
    gone: ['sync-workspace/went-before'],
  })
  expect(gone).toEqual([
    'add-workspace/creates:was-once',
    'add-workspace/was-once',
    'sync-workspace/went-before',
  ])
  expect(requirements).toContain('add-workspace/creates')
  expect(checks).toContain('add-workspace/creates')
})
