/** The terminal report of a run. */
import { expect, test } from 'vitest'
import type { CheckId } from '../../runner/check-result.ts'
import { openPoints } from '../../specs/open-points.ts'
import { operationIds } from '../../specs/operations.ts'
import { requirements } from '../../specs/requirements.ts'
import { terminal } from '../rendering.fixture.ts'
import {
  checkOf,
  failedCheck,
  observationOf,
  openCheck,
  resultsOf,
  waivedCheck,
  wholeResults,
} from '../results.fixture.ts'

const tooLong = 'A name of 101 characters was accepted.'

test('the report has findings by cause, inconclusive and untested requirements, counts and the verdict', () => {
  const results = resultsOf(
    [
      checkOf('add-workspace/creates'),
      failedCheck('add-workspace/name-limit-rejects', tooLong),
      openCheck('sync-workspace/starts', 'not-tested', 'no actor syncInitiator: add actors.syncInitiator'),
      openCheck('sync-workspace/unknown-workspace', 'inconclusive', 'the control was refused'),
    ],
    {
      observations: [observationOf('kept')],
    },
  )
  expect(terminal(results)).toBe(`portal-conformance 0.1.0
  Target: https://staging.example.com/rest (release 11.0, self-hosted)
  Run:    pc-0a1b2c3d, 2025-06-15T12:00:00.000Z, seed 42, 25 cases of each generated check, 310
          requests in 5.1 s

Add workspace (§4.1): ✗ 1 failed, ✓ 1 passed
Sync workspace (§4.4): ? 1 inconclusive, – 1 not tested

Failures
  ✗ failed add-workspace/name-limit-rejects
    The contract (§8, must): A name of 101 characters or more is not accepted, whether refused or
                             quietly shortened.
    Found:    A name of 101 characters was accepted.
    Sent:     add-workspace
    Case:     collaborationWorkspaceName of 101 characters
    Expected: refused
    Came:     accepted: HTTP 200
    Seen:     twice in 3 tries
    Request:  POST https://staging.example.com/rest/portals/p/collaborations/c/addWorkspace
      collaborationWorkspaceName=a&f=pjson&token=***
    Answer:   HTTP 200 after 12 ms, application/json
      {"success":true}
    curl -sS -i -g -X POST 'https://staging.example.com/rest' --data-urlencode 'token='"$PORTAL_CREDENTIAL"
    Again:
      portal-conformance run --config staging.yaml --seed 42 --runs 25 --requirement add-workspace/name-limit-rejects

Could not be decided (1 requirement)
  ? inconclusive: the control was refused
      sync-workspace/unknown-workspace

Not tested (1 requirement)
  – not tested: no actor syncInitiator: add actors.syncInitiator
      sync-workspace/starts

Summary of 4 requirements
  ✓ passed       1
  ✗ failed       1
  ? inconclusive 1
  – not tested   1
  Observed: 1 answer to 1 open point; for the list use --verbose or a report

Non-conformant: 1 of 4 must and implied requirements that apply failed; 1 inconclusive, 1 not
tested.
`)
})

/** Answers to every open point, one for each operation. */
const observations = openPoints.flatMap(({ id, question }) =>
  operationIds.map((operation) => ({ id, operation, question, observed: `answered by ${operation}` })),
)

test('a green report is short; --verbose lists requirements and observations', () => {
  const green = wholeResults([], { observations })
  const report = terminal(green)
  // The output around the report: a heading, a line for each operation, and one for the results file.
  const around = operationIds.length + 4
  expect(report.trimEnd().split('\n').length + around).toBeLessThanOrEqual(25)
  const count = observations.length
  const questions = new Set(observations.map(({ question }) => question)).size
  expect(report).toContain(`Observed: ${count} answers to ${questions} open points; `)
  expect(report.replaceAll(/\s+/g, ' ')).toContain('add-workspace 21, ')
  const verbose = terminal(green, { verbose: true })
  for (const { question, observed } of observations) {
    expect(verbose).toContain(question)
    expect(verbose).toContain(observed)
    expect(report).not.toContain(observed)
  }
  expect(verbose).toContain('Add workspace (§4.1) (21 requirements: ✓ 21 passed)')
  expect(verbose).toContain('✓ passed         add-workspace/creates')
  expect(report).not.toContain('add-workspace/creates')
  expect(verbose).not.toContain('Observed: 1')
})

test('a narrow terminal wraps text and keeps commands on one line', () => {
  const results = resultsOf([failedCheck('add-workspace/name-limit-rejects', tooLong)])
  const report = terminal(results, { width: 40 })
  expect(report).toContain(`
  ✗ failed
  add-workspace/name-limit-rejects
    The contract (§8, must):
        A name of 101 characters or more
        is not accepted, whether refused
        or quietly shortened.
    Found:    A name of 101 characters
              was accepted.
`)
  expect(report).toContain(
    "\n    curl -sS -i -g -X POST 'https://staging.example.com/rest' --data-urlencode 'token='\"$PORTAL_CREDENTIAL\"\n",
  )
  const proseTooLong = report
    .split('\n')
    .filter((line) => line.length > 40 && !/curl|portal-conformance/.test(line))
  expect(proseTooLong).toEqual([])
})

test('an answer is cut after ten lines, a form after four, and a huge command is omitted', () => {
  const lines = (what: string) => Array.from({ length: 30 }, (_, at) => `${what} ${at + 1}`).join('\n')
  const { evidence, ...check } = failedCheck('add-workspace/creates', 'wrong', lines('line'))
  const [exchange] = evidence as [NonNullable<typeof evidence>[number]]
  const request = { ...exchange.request, body: lines('field') }
  const long = { ...exchange, request, curl: `curl ${'a'.repeat(5000)}` }
  const report = terminal(resultsOf([{ ...check, evidence: [long] }]))
  expect(report).toContain('      line 10\n      … (20 more lines)\n')
  expect(report).toContain('      field 4\n      … (26 more lines)\n')
  expect(report).not.toMatch(/line 11|field 5/)
  expect(report).toContain('(the curl line has 5005 characters; results.json holds it)')
})

test('waived failures have their own section, with the waiver and the other findings, and without exchanges', () => {
  const ids: CheckId[] = ['protocol/form-post:add-workspace', 'protocol/form-post:sync-workspace']
  const report = terminal(resultsOf(ids.map((id) => waivedCheck(id))), { width: 220 })
  for (const line of [
    'Waived: failed, but does not count',
    '  ~ waived protocol/form-post:add-workspace (2 findings of 1 requirement)',
    '    Where:    add-workspace, sync-workspace',
    `    Waived:   until 2999-12-31 by portal team: mended in the next release (https://tracker.example.com/1); of ${ids.join(', ')}`,
    '    Also:     broken: protocol/form-post:sync-workspace',
  ])
    expect(report).toContain(`\n${line}\n`)
  expect(report).not.toMatch(/Request:|\nFailures/)
})

test('a card has the sentence of each other requirement once', () => {
  const ids: CheckId[] = [
    'add-workspace/name-kept',
    'add-workspace/description-kept',
    'add-workspace/description-kept:again',
  ]
  expect(terminal(resultsOf(ids.map((id) => failedCheck(id, 'changed'))), { width: 200 })).toContain(
    'Also:     changed: add-workspace/description-kept (§2, implied: A description of printable text comes back as it was sent.), add-workspace/description-kept:again\n',
  )
})

test('a card lists the actual value of each finding and the exchange of the first', () => {
  const failing = (id: CheckId, message: string, actual: string) => {
    const check = failedCheck(id, message)
    return { ...check, failure: { ...check.failure!, actual } }
  }
  const fields = ['id', 'name', 'created', 'modified', 'state']
  const results = resultsOf(
    fields.map((field) =>
      failing(`add-workspace/workspace-fields:${field}`, 'wrong shape', `${field}: missing`),
    ),
  )
  const report = terminal(results)
  expect(report).toContain('Came:     id: missing')
  for (const field of fields.slice(1)) expect(report).toContain(`wrong shape (came: ${field}: missing)`)
  expect(report.match(/Request: +POST/g)).toHaveLength(1)
})

test('reasons that differ only in incident ids are reported once', () => {
  const open = requirements.map(({ id }, at) =>
    openCheck(id, 'inconclusive', `HTTP 500, incident ${(at * 7919 + 12345678).toString(36)}0a1b`),
  )
  expect(terminal(resultsOf(open)).match(/HTTP 500/g)).toHaveLength(1)
})
