import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import ajvFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { occasions } from '../occasions.fixture.ts'
import { failedCheck, resultsOf } from '../results.fixture.ts'
import type { Results } from '../results.ts'
import { ctrfReport } from './report.ts'

const library = createRequire(import.meta.url).resolve('ctrf')
const schema = JSON.parse(readFileSync(new URL('ctrf-schema-0.0.json', `file://${library}`), 'utf8'))
const ajv = new Ajv({ strict: false, allErrors: true })
ajvFormats.default(ajv)
const validate = ajv.compile(schema)

const rendered = (results: Results) => JSON.parse([...ctrfReport(results)].join(''))

describe.each(Object.entries(occasions))('a run: %s', (_name, results) => {
  test('is valid by the published schema', () => {
    validate(rendered(results))
    expect(validate.errors).toBeNull()
  })

  test('its summary counts its tests, and raw statuses are the outcomes', () => {
    const { summary, tests } = rendered(results).results
    const having = (status: string) =>
      tests.filter((each: { status: string }) => each.status === status).length
    for (const status of ['passed', 'failed', 'skipped', 'pending', 'other']) {
      expect([status, summary[status]]).toEqual([status, having(status)])
    }
    expect(summary.tests).toBe(tests.length)
    const raw = tests.map((each: { rawStatus: string }) => each.rawStatus)
    const outcomes = results.requirements.flatMap(({ checks }) => checks.map(({ outcome }) => outcome))
    expect(raw.filter((each: string) => each !== 'error')).toEqual(outcomes)
  })
})

test('the schema refuses what is not of the format', () => {
  expect(validate({ ...rendered(occasions.failing as Results), more: 1 })).toBe(false)
})

test('each outcome has its status', () => {
  const statusOf = (outcome: string) =>
    Object.values(occasions)
      .flatMap((results) => rendered(results).results.tests)
      .filter((each: { rawStatus: string }) => each.rawStatus === outcome)
      .map((each: { status: string }) => each.status)
  const expected = {
    passed: 'passed',
    warned: 'passed',
    failed: 'failed',
    'not-tested': 'skipped',
    'not-applicable': 'skipped',
    waived: 'skipped',
    inconclusive: 'other',
    error: 'other',
  }
  for (const [outcome, status] of Object.entries(expected)) {
    expect([outcome, ...new Set(statusOf(outcome))]).toEqual([outcome, status])
  }
})

test('a failure with all that is known of it', () => {
  const [found] = rendered(resultsOf([failedCheck('add-workspace/refuses-guest', 'a guest was accepted')]))
    .results.tests
  expect(found).toMatchObject({
    testId: 'add-workspace/refuses-guest',
    status: 'failed',
    message: 'a guest was accepted',
    extra: {
      requirement: 'add-workspace/refuses-guest',
      level: 'must',
      replay: expect.stringContaining('portal-conformance run --config staging.yaml --seed 42'),
    },
  })
  expect(found.trace).toMatch(/Acceptable: refused\nCame: accepted: HTTP 200\n/)
  expect(found.extra.section).toMatch(/^\d/)
})

test('a run that is not whole is not healthy and says why', () => {
  const healthy = (name: string) => rendered(occasions[name] as Results).results.environment.healthy
  expect(['conformant', 'failing', 'interrupted', 'broken', 'waived'].map(healthy)).toEqual([
    true,
    false,
    false,
    false,
    true,
  ])
  const messages = rendered(occasions.interrupted as Results).results.tests.map(
    (each: { message?: string }) => each.message,
  )
  expect(messages).toContain('the run was cut short: the rest was not measured')
})

test('what a target sends cannot act on a terminal that shows it', () => {
  const texts: string[] = []
  JSON.stringify(rendered(occasions.hostile as Results), (_key, value) => {
    if (typeof value === 'string') texts.push(value)
    return value
  })
  expect(texts.filter((text) => /[\p{Cf}\p{Cs}\u0000-\u0009\u000b-\u001f\u007f-\u009f]/u.test(text))).toEqual(
    [],
  )
})
