import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { moduleOf, typedSchemas, typesOf, writeTypes } from './write-types.ts'

it.each(typedSchemas)('the types of %s are those of its schema, once the project is built', (name) => {
  const written = readFileSync(new URL(`../${moduleOf(name)}`, import.meta.url), 'utf8')
  expect(written).toBe(typesOf(name))
})

it('writes a module for each schema, and leaves alone what has not changed', () => {
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

/** The lines of the types of a schema, without comments. */
const linesOf = (name: (typeof typedSchemas)[number]): string =>
  typesOf(name)
    .replace(/^ *\/\*\*.*\*\/\n/gm, '')
    .replace(/\n *(?=[^\n])/g, '\n')

describe('the type of', () => {
  it.each([
    ['a key that is required', 'baseUrl: string'],
    ['a key with a default: a configuration is read with it', 'profile: string'],
    ['a key without a default', 'version?: string'],
    ['a duration: it is read in milliseconds', 'timeoutMs: number'],
    ['a duration without a default', 'headersTimeoutMs?: number'],
    ['a list of values', "users: 'none' | 'create'"],
    ['a value in one of two forms', 'insecure: readonly string[] | boolean'],
    ['a list of either', "effects?: 'all' | readonly ('administration' | Operation)[]"],
    ['values by name', 'headers: Readonly<Record<string, string>>'],
    ['what another schema says and the defaults are set in', 'authentication: Authentication'],
    ['what is kept as it was written', 'contract?: Settlements'],
  ])('%s', (_, line) => {
    expect(linesOf('configuration').split('\n')).toContain(`readonly ${line}`)
  })

  it.each<[string, (typeof typedSchemas)[number], string | RegExp]>([
    [
      'exactly one of several keys is one of several objects',
      'configuration',
      /^readonly fixtures\?: \{\nreadonly url: string\n\} \| \{\nreadonly module: string\n\} \| \{/m,
    ],
    [
      'an array of a fixed length',
      'results',
      'readonly slices: readonly (readonly [number, number, number])[]',
    ],
    ['an id of the contract', 'results', 'readonly id: RequirementId\n'],
    [
      'an id that is imported',
      'results',
      /^import type .*\bRequirementId\b.* from '..\/..\/specs\/requirements.ts'$/m,
    ],
    ['what results define', 'comparison', "import type { Target, Totals } from './results.ts'\n"],
    ['what has a file of its own', 'profile', 'readonly authentication?: Authentication\n'],
    ['what is imported from there', 'profile', "import type { Authentication } from './authentication.ts'\n"],
    ['an id of an operation', 'profile', "import type { OperationId } from '../operations.ts'\n"],
    [
      'what a lower room defines',
      'configuration',
      "import type { Settlements } from '../../specs/types/settlements.ts'\n",
    ],
  ])('%s, in the types of %s', (_, name, text) => {
    expect(linesOf(name)).toMatch(text)
  })
})
