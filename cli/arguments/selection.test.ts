import { expect, test } from 'vitest'
import type { Selection } from '../../runner/run-input.ts'
import { declaredChecks } from '../../suites/declared-checks.ts'
import { refuseEmptySelection } from './selection.ts'

const checks = await declaredChecks()
const refusal = (selection: Partial<Selection>): string | undefined => {
  try {
    refuseEmptySelection({ operations: [], requirements: [], ...selection }, checks)
    return undefined
  } catch (error) {
    expect(error).toMatchObject({ exitCode: 2 })
    return (error as Error).message
  }
}

test('refuseEmptySelection accepts no options, an operation, and globs over requirements and checks', () => {
  expect(refusal({})).toBeUndefined()
  expect(refusal({ operations: ['sync-workspace', 'lifecycle'] })).toBeUndefined()
  expect(refusal({ requirements: ['add-workspace/*', '**/refuses-anonymous'] })).toBeUndefined()
  expect(refusal({ requirements: ['protocol/form-post:sync-workspace'] })).toBeUndefined()
  expect(refusal({ operations: ['sync-workspace'], requirements: ['protocol/*'] })).toBeUndefined()
})

test('refuseEmptySelection refuses an unknown operation and names similar ones', () => {
  expect(refusal({ operations: ['sync-workspaces'] })).toMatch(
    /^--operation sync-workspaces: there is no such operation; near are sync-workspace, /,
  )
})

test('refuseEmptySelection refuses a glob without matches, even beside one with matches', () => {
  expect(refusal({ requirements: ['add-workspace/*', 'add-workspace/create'] })).toMatch(
    /^--requirement add-workspace\/create: matches nothing; near are add-workspace\/creates, .*portal-conformance requirements$/,
  )
})

test('refuseEmptySelection refuses an operation and a requirement that have no check in common', () => {
  expect(refusal({ operations: ['sync-workspace'], requirements: ['add-workspace/*'] })).toBe(
    'nothing is selected: no check matches both --operation and --requirement',
  )
})
