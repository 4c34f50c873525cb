import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { suiteVersion } from '../../deployment/suite-version.ts'
import { openapiDocument } from '../../schemas/openapi/document.ts'
import { observedSurroundings } from '../process/surroundings.fixture.ts'
import { runProgram } from '../program.ts'

const document = JSON.parse(JSON.stringify(openapiDocument(suiteVersion)))

async function openapi(...words: string[]) {
  const surroundings = observedSurroundings()
  const code = await runProgram(['openapi', ...words], surroundings)
  return { code, out: surroundings.printed(), err: surroundings.complained() }
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'portal-conformance-openapi-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

it('is checked in as specs/openapi.json: npm run generate writes it anew', async () => {
  const { out } = await openapi()
  expect(readFileSync(new URL('../../specs/openapi.json', import.meta.url), 'utf8')).toBe(out)
})

it.each([
  ['JSON', [], (text: string) => JSON.parse(text)],
  ['JSON, asked for', ['--format', 'json'], (text: string) => JSON.parse(text)],
  ['YAML', ['--format', 'yaml'], (text: string) => parse(text)],
])('prints the document as %s', async (_, words, read) => {
  const { code, out, err } = await openapi(...words)
  expect([code, err]).toEqual([0, ''])
  expect(read(out)).toEqual(document)
})

it('prints YAML that is no JSON and has no anchors', async () => {
  const { out } = await openapi('--format', 'yaml')
  expect(out).toMatch(/^openapi: 3\.1\.0\n/)
  expect(out).not.toMatch(/[&*]a\d/)
})

it.each([
  ['openapi.json', [], /^\{\n {2}"openapi": "3\.1\.0"/],
  ['openapi.yaml', [], /^openapi: 3\.1\.0\n/],
  ['OPENAPI.YML', [], /^openapi: 3\.1\.0\n/],
  ['contract.yaml', ['--format', 'json'], /^\{\n/],
  [join('new', 'folder', 'contract'), [], /^\{\n/],
])('writes %s and says so', async (name, words, start) => {
  const file = join(folder(), name)
  expect(await openapi('--out', file, ...words)).toEqual({ code: 0, out: `${file}\n`, err: '' })
  expect(readFileSync(file, 'utf8')).toMatch(start)
})

it('says which file cannot be written', async () => {
  const path = folder()
  const { code, out, err } = await openapi('--out', path)
  expect([code, out]).toEqual([4, ''])
  expect(err).toMatch(/^\S+ was not written: .+\n$/)
  expect(err).toContain(path)
  expect(existsSync(path)).toBe(true)
})

it('refuses a format that there is none of', async () => {
  const { code, err } = await openapi('--format', 'xml')
  expect(code).toBe(2)
  expect(err).toContain('Allowed choices are json, yaml')
})
