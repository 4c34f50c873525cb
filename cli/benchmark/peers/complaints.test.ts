import { expect, test } from 'vitest'
import * as dredd from './dredd.ts'
import * as ours from './our-suite.ts'
import * as portman from './portman.ts'
import * as schemathesis from './schemathesis.ts'
import * as stepCi from './step-ci.ts'

test('Dredd: the operation of the path and the parts of the answer', () => {
  const output = `pass: POST (200) /sharing/rest/portals/P/collaborations/C/delete duration: 8ms
fail: POST (200) /sharing/rest/portals/P/collaborations/C/addWorkspace duration: 9ms
info: Displaying failed tests...
fail: POST (200) /sharing/rest/portals/P/collaborations/C/addWorkspace duration: 9ms
fail: body: At '/success' Invalid type: string (expected boolean)
statusCode: Expected status code '200', but got '400'.

request:
body: 
f=pjson
complete: 1 passing, 1 failing, 0 errors, 0 skipped, 2 total
`
  const cases = [
    { operation: 'add-workspace', path: '/portals/P/collaborations/C/addWorkspace' },
    { operation: 'delete-collaboration', path: '/portals/P/collaborations/C/delete' },
  ] as const
  expect(new Set(dredd.complaintsIn(output, cases))).toEqual(
    new Set(['add-workspace: failed', 'add-workspace: body', 'add-workspace: statusCode']),
  )
})

test('Step CI: the operation of the test and its failed checks', () => {
  const output = ` PASS  add-workspace-1 ⏲ 0.935s ⬆ 0 bytes ⬇ 0 bytes
 FAIL  reassign-items-1 ⏲ 0.936s ⬆ 0 bytes ⬇ 0 bytes

Summary

  ✕ Reassign items 1 failed after 0.936s

Checks

✕ JSON Schema

✕ Status

 PASS  sync-workspace-2 ⏲ 1.017s ⬆ 0 bytes ⬇ 0 bytes
`
  expect(stepCi.complaintsIn(output)).toEqual([
    'reassign-items: failed',
    'reassign-items: JSON Schema',
    'reassign-items: Status',
  ])
})

test('Portman: the request without its number and the test of Newman', () => {
  const test = '[POST]::/portals/P/collaborations/C/addWorkspace - Schema is valid'
  const failures = [
    { source: { name: 'Add workspace 3' }, error: { name: 'AssertionError', test } },
    { source: { name: 'Sync workspace 1' }, error: { name: 'JSONError' } },
  ]
  expect(portman.complaintsIn(JSON.stringify({ run: { failures } }))).toEqual([
    'Add workspace: Schema is valid',
    'Sync workspace: JSONError',
  ])
})

test('Schemathesis: each operation with each kind of failure', () => {
  const failures = [{ type: 'IgnoredAuth', operations: ['POST /a', 'POST /b'] }]
  expect(schemathesis.complaintsIn(JSON.stringify({ failures }))).toEqual([
    'POST /a: IgnoredAuth',
    'POST /b: IgnoredAuth',
  ])
})

test('our suite: what failed, and not what could not be told', () => {
  const requirements = [
    { id: 'add-workspace/creates', outcome: 'failed' },
    { id: 'sync-workspace/starts', outcome: 'inconclusive' },
  ]
  expect(ours.complaintsIn(JSON.stringify({ requirements }))).toEqual(['add-workspace/creates'])
})
