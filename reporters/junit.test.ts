import { readFileSync } from 'node:fs'
import { XMLParser } from 'fast-xml-parser'
import { describe, expect, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { occasions } from './occasions.fixture.ts'
import { parsedJUnit, recorded, junit as rendered } from './rendering.fixture.ts'
import { checkOf, failedCheck, resultsOf } from './results.fixture.ts'
import type { Results } from './results.ts'

const schema = readFileSync(new URL('junit-10.fixture.xsd', import.meta.url), 'utf8')

/** The test cases of the JUnit report, with attributes and children. */
function cases(results: Results) {
  const parser = new XMLParser({
    ignoreAttributes: false,
    isArray: (name) => /^test(suite|case)$/.test(name),
  })
  const { testsuite = [] } = parser.parse(rendered(results)).testsuites
  return testsuite.flatMap((suite: { testcase: object[] }) => suite.testcase)
}

describe.each(Object.entries({ ...occasions, recorded }))('JUnit report of a run (%s)', (name, results) => {
  test('is valid by the JUnit schema', async () => {
    const xml = [{ fileName: `${name}.xml`, contents: rendered(results) }]
    const { errors } = await validateXML({ xml, schema: [schema] })
    expect(errors).toEqual([])
  })
})

describe.each(Object.entries(occasions))('JUnit report of a run (%s)', (_name, results) => {
  test('has the counts of the checks in a JUnit parser', () => {
    const checks = results.requirements.flatMap((requirement) => requirement.checks)
    const having = (...outcomes: string[]) =>
      checks.filter(({ outcome }) => outcomes.includes(outcome)).length
    const runErrors = (results.errors?.length ?? 0) + (results.complete ? 0 : 1)
    const { suites, total, failed, errors, passed, skipped } = parsedJUnit(results)
    const statuses = suites.flatMap((suite) => suite.cases.map(({ status }) => status))
    const counted = (status: string) => statuses.filter((each) => each === status).length
    const skips = having('not-tested', 'not-applicable', 'waived')
    expect({ total, failed, errors, passed, skipped }).toEqual({
      total: checks.length + runErrors - skips,
      failed: having('failed'),
      errors: having('inconclusive') + runErrors,
      passed: having('passed', 'warned'),
      skipped: skips,
    })
    expect([counted('FAIL'), counted('SKIP'), counted('PASS')]).toEqual([
      having('failed', 'inconclusive') + runErrors,
      skips,
      having('passed', 'warned'),
    ])
  })
})

test('the times of the suites add up to that of the run, although checks run at once', () => {
  const checks = (['add-workspace/creates', 'sync-workspace/starts'] as const).map((id) =>
    checkOf(id, { durationMs: 4000 }),
  )
  const { run, ...others } = resultsOf(checks)
  const report = rendered({ ...others, run: { ...run, durationMs: 5000 } })
  const timesOf = (tag: string) =>
    [...report.matchAll(new RegExp(`<${tag} [^>]*\\btime="([^"]*)"`, 'g'))].map(([, time]) => Number(time))
  expect([timesOf('testsuites'), timesOf('testsuite'), timesOf('testcase')]).toEqual([
    [5],
    [2.5, 2.5],
    [4, 4],
  ])
})

test('a failure shows requirement, request, expected and actual answer, and the command to repeat', () => {
  const results = resultsOf([failedCheck('add-workspace/refuses-guest', 'a guest\nwas accepted')])
  const [{ failure }] = cases(results)
  expect(failure['@_type']).toBe('failed')
  expect(failure['@_message']).toBe('a guest\\u{a}was accepted (came: accepted: HTTP 200)')
  const text = failure['#text']
  for (const part of [
    `must): ${results.requirements[0]?.text}`,
    'Sent:     add-workspace',
    'Expected: refused',
    'Came:     accepted: HTTP 200',
    'Case:     collaborationWorkspaceName of 101 characters',
    'Request:  POST https://staging.example.com/',
    'Answer:   HTTP 200 after 12 ms, application/json',
    'curl -sS',
    'Again:\n  portal-conformance run --config staging.yaml --seed 42',
  ]) {
    expect(text).toContain(part)
  }
})

test('a failure names the first test case with the same cause', () => {
  const results = resultsOf([
    failedCheck('add-workspace/refuses-guest:again', 'let in'),
    failedCheck('add-workspace/refuses-guest', 'let in'),
    failedCheck('add-workspace/name-limit-rejects', 'too long'),
  ])
  const causes = parsedJUnit(results).suites.flatMap((suite) =>
    suite.cases.map(({ name, metadata }) => [name, (metadata as { cause?: string }).cause]),
  )
  expect(causes).toEqual([
    ['add-workspace/refuses-guest:again', 'add-workspace/refuses-guest'],
    ['add-workspace/refuses-guest', undefined],
    ['add-workspace/name-limit-rejects', undefined],
  ])
  expect(cases(results)[0].failure['#text']).toContain('The same cause as add-workspace/refuses-guest\n')
})

test('a waived failure is skipped, with owner, reason and finding', () => {
  const waived = cases(occasions.waived as Results).find(
    (each: object) => 'skipped' in each && JSON.stringify(each).includes('"waived"'),
  )
  expect(waived.skipped['@_message']).toBe(
    'waived until 2999-12-31 by portal team: mended in the next release (https://tracker.example.com/1)',
  )
  expect(waived['system-out']).toContain('Found:    a guest was accepted')
})

test('a test case has requirement, level, section, outcome, target and seed as metadata', () => {
  const { suites } = parsedJUnit(resultsOf([failedCheck('add-workspace/name-limit-accepts:100', 'x')]))
  const requirement = resultsOf([checkOf('add-workspace/name-limit-accepts')]).requirements[0]
  expect(suites[0]?.cases[0]?.metadata).toMatchObject({
    requirement: 'add-workspace/name-limit-accepts',
    level: 'implied',
    section: requirement?.section,
    outcome: 'failed',
    target: 'https://staging.example.com/rest',
    seed: 42,
  })
})

test('a requirement without a check is a skipped test case', () => {
  const [requirement] = resultsOf([checkOf('add-workspace/creates')]).requirements
  const bare = {
    ...requirement!,
    checks: [],
    outcome: 'not-tested' as const,
    reason: 'no check proves it yet',
  }
  const [{ skipped }] = cases(resultsOf([], { requirements: [bare] }))
  expect(skipped['@_message']).toBe('no check proves it yet')
})

test('each finding about clients fails a test case, each note passes', () => {
  const { suites, failed } = parsedJUnit(recorded)
  const cases = suites.find(({ name }) => name.startsWith('Client'))?.cases ?? []
  const name = 'client/required-parameter:update-task-run'
  expect(failed).toBe(2)
  expect(cases.map((each) => [each.name, each.status])).toEqual([
    [name, 'FAIL'],
    [`${name}:2`, 'FAIL'],
    [`${name}:3`, 'PASS'],
  ])
  expect(rendered(resultsOf([]))).not.toContain('no conforming server')
})
