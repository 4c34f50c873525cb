import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { suiteVersion } from '../deployment/suite-version.ts'
import { schemaOf } from '../schemas/catalogue.ts'
import { openapiDocument } from '../schemas/openapi/document.ts'
import { manifestAfter, operationSchema, pagesWithTable, withTable } from './pages.ts'

it('schemas/operation.schema.json is checked in as it is generated now', () => {
  expect(schemaOf('operation')).toEqual(operationSchema())
})

it('specs/openapi.json is checked in as it is generated now', () => {
  const checkedIn = readFileSync(new URL('../specs/openapi.json', import.meta.url), 'utf8')
  expect(checkedIn).toBe(`${JSON.stringify(openapiDocument(suiteVersion), null, 2)}\n`)
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

it.each(pagesWithTable)('docs/$file has its table as it is now', async (page) => {
  const text = readFileSync(new URL(`../docs/${page.file}`, import.meta.url), 'utf8')
  expect(await withTable(text, page)).toBe(text)
  const [before, after = ''] = text.split(page.notice)
  const stale = `${before}${page.notice}${after.replace(/\|\s/, '| stale ')}`
  expect(stale).not.toBe(text)
  expect(await withTable(stale, page)).toBe(text)
})
