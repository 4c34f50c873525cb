import { expect, test } from 'vitest'
import { baselineOf, differencesFrom } from './differences.ts'

const baseline = baselineOf([['add-workspace: Status', 'sync-workspace: Schema'], ['add-workspace: Status']])

test.each([
  ['nothing new', ['add-workspace: Status'], []],
  ['what comes and goes on the healthy portal', ['add-workspace: Status', 'sync-workspace: Schema'], []],
  ['a new complaint', ['add-workspace: Status', 'delete: Status'], ['+ delete: Status']],
  ['a complaint that is gone', [], ['- add-workspace: Status']],
  ['a complaint that is said twice', ['add-workspace: Status', 'x', 'x'], ['+ x']],
])('%s', (_, complaints, differences) => {
  expect(differencesFrom(baseline, complaints)).toEqual(differences)
})
