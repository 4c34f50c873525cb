import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { moduleOf, typedSchemas, typesOf, writeTypes } from './write-types.ts'

it.each(typedSchemas)('the built types of %s match its schema', (name) => {
  const written = readFileSync(new URL(`../${moduleOf(name)}`, import.meta.url), 'utf8')
  expect(written).toBe(typesOf(name))
})

it('writeTypes writes a module per schema and does not rewrite unchanged files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portal-conformance-types-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeTypes(pathToFileURL(`${folder}/`))
  const timesOf = () => typedSchemas.map((name) => statSync(join(folder, moduleOf(name))).mtimeMs)
  const before = timesOf()
  writeTypes(pathToFileURL(`${folder}/`))
  expect(timesOf()).toEqual(before)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.\w+$/.test(name),
  )
  expect(files.sort()).toEqual(typedSchemas.map(moduleOf).sort())
})
