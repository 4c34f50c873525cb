import { expect, test } from 'vitest'
import type { TestCase, TestModule } from 'vitest/node'
import { checkOf, planOf } from '../../reporters/results.fixture.ts'
import type { CheckResult } from '../../runner/check-result.ts'
import { RunErrors } from '../process/run-errors.ts'
import { SuiteReporter } from './run-suite.ts'

function listening(signal = new AbortController().signal) {
  const checks: CheckResult[] = []
  const errors = new RunErrors()
  const planned = [planOf('add-workspace/creates')]
  const reporter = new SuiteReporter({
    planned,
    errors,
    signal,
    onTold: () => undefined,
    onCheck: (check) => void checks.push(check),
  })
  return { reporter, checks, errors }
}

const testCase = (name: string, checkResult?: CheckResult, message?: string): TestCase =>
  ({
    name,
    meta: () => (checkResult === undefined ? {} : { checkResult }),
    result: () => ({ state: 'failed', errors: message === undefined ? [] : [{ message }] }),
  }) as unknown as TestCase

test('what the whole run sent and looked at is told at its end', () => {
  const told: unknown[] = []
  const exchanges = { boundsMs: [], sliceMs: 100, operations: [], callers: [], values: [] }
  const looks = [{ requirement: 'add-workspace/creates', exchanges: 2, kept: 1 }]
  const reporter = new SuiteReporter({
    planned: [],
    errors: new RunErrors(),
    signal: new AbortController().signal,
    onCheck: () => undefined,
    onTold: ({ looks, exchanges }) => void told.push(looks, exchanges),
  })
  reporter.onTestCaseResult({ name: 'the watch', meta: () => ({ looks, exchanges }) } as unknown as TestCase)
  expect(told).toEqual([looks, exchanges])
})

test('a failed test that has a result is no error', () => {
  const { reporter, checks, errors } = listening()
  const result = checkOf('add-workspace/creates', { outcome: 'failed' })
  reporter.onTestCaseResult(testCase('add-workspace/creates', result, 'the finding'))
  expect(checks).toEqual([result])
  expect(errors.lines()).toEqual([])
})

test('a test that ends without a result is an error, and its check inconclusive', () => {
  const { reporter, checks, errors } = listening()
  reporter.onTestCaseResult(testCase('add-workspace/creates', undefined, 'x is not a function\n  at y'))
  expect(errors.lines()).toEqual(['add-workspace/creates: x is not a function'])
  expect(checks).toMatchObject([
    {
      id: 'add-workspace/creates',
      outcome: 'inconclusive',
      reason: 'the check itself broke: x is not a function',
    },
  ])
})

test('after an interruption such a test says nothing', () => {
  const { reporter, checks, errors } = listening(AbortSignal.abort())
  reporter.onTestCaseResult(testCase('add-workspace/creates', undefined, 'cancelled'))
  reporter.onTestRunEnd([], [{ message: 'terminated' }])
  expect([checks, errors.lines()]).toEqual([[], []])
})

test('files that cannot be loaded and errors that nobody caught are errors; equal ones are told once', () => {
  const { reporter, errors } = listening()
  for (const file of ['a.suite.js', 'b.suite.js', 'c.suite.js']) {
    reporter.onTestModuleEnd({
      relativeModuleId: file,
      errors: () => [{ message: 'no such module' }],
    } as unknown as TestModule)
  }
  reporter.onTestRunEnd([], [{ message: 'unhandled' }])
  expect(errors.lines()).toEqual(['a.suite.js and 2 more: no such module', 'the suite: unhandled'])
})
