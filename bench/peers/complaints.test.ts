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

test('Portman: the operation of the path and the test that failed', () => {
  const cases = [{ operation: 'add-workspace', path: '/portals/P/collaborations/C/addWorkspace' }] as const
  const at = '[POST]::/portals/P/collaborations/C/addWorkspace'
  const failed = `Newman run failed with: \n${at} - Status code is 2xx, ${at} - Schema is valid\n\n`
  expect(portman.complaintsIn(failed, cases)).toEqual([
    'add-workspace: Status code is 2xx',
    'add-workspace: Schema is valid',
  ])
  expect(portman.complaintsIn('Collection run completed.\n', cases)).toEqual([])
})

test('Portman: a crash is no outcome', () => {
  expect(() => portman.complaintsIn('Error: out of memory', [])).toThrow('did not say')
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
