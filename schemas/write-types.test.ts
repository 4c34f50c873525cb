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

  it('exactly one of several keys is one of several objects', () => {
    expect(linesOf('configuration')).toMatch(
      /^readonly fixtures\?: \{\nreadonly url: string\n\} \| \{\nreadonly module: string\n\} \| \{/m,
    )
  })

  it('an array of a fixed length has that length', () => {
    expect(linesOf('results')).toContain('readonly slices: readonly (readonly [number, number, number])[]')
  })

  it('an id is that of the contract', () => {
    expect(linesOf('results')).toContain('readonly id: RequirementId\n')
    expect(linesOf('results')).toMatch(
      /^import type .*\bRequirementId\b.* from '..\/..\/specs\/requirements.ts'$/m,
    )
  })

  it('what another file defines is imported', () => {
    expect(linesOf('comparison')).toContain("import type { Target, Totals } from './results.ts'\n")
    expect(linesOf('profile')).toContain('readonly authentication?: Authentication\n')
    expect(linesOf('profile')).toContain("import type { Authentication } from './authentication.ts'\n")
    expect(linesOf('profile')).toContain("import type { OperationId } from '../operations.ts'\n")
    expect(linesOf('configuration')).toContain(
      "import type { Settlements } from '../../specs/types/settlements.ts'\n",
    )
  })
})
