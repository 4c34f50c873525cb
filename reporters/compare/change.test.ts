import { expect, test } from 'vitest'
import type { Outcome } from '../../specs/outcomes.ts'
import { changeOf, isLost } from './compare.ts'

test.each<[Outcome | null, Outcome | null, string, boolean]>([
  ['passed', 'failed', 'broken', true],
  ['passed', 'warned', 'broken', true],
  ['passed', 'inconclusive', 'lost', true],
  ['passed', 'not-tested', 'lost', true],
  ['passed', 'not-applicable', 'lost', true],
  ['passed', null, 'gone', true],
  ['passed', 'waived', 'changed', false],
  ['passed', 'passed', 'same', false],
  ['failed', 'passed', 'fixed', false],
  ['warned', 'passed', 'fixed', false],
  ['waived', 'passed', 'fixed', false],
  ['failed', 'failed', 'still-failing', false],
  ['failed', 'inconclusive', 'changed', false],
  ['not-tested', 'passed', 'changed', false],
  ['not-tested', 'failed', 'changed', false],
  ['warned', 'warned', 'same', false],
  ['failed', null, 'gone', false],
  [null, 'failed', 'new', false],
  [null, 'passed', 'new', false],
  [null, null, 'same', false],
])('from %s to %s is %s', (before, after, change, lost) => {
  expect({ change: changeOf(before, after), lost: isLost(before, after) }).toEqual({ change, lost })
})
