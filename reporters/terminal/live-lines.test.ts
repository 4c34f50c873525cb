import { expect, test } from 'vitest'
import type { CheckId } from '../../runner/check-result.ts'
import { checkOf, failedCheck, planOf } from '../results.fixture.ts'
import { liveLines, RunState } from './progress.ts'
import { plain } from './sheet.ts'

const current: CheckId[] = [
  'sync-workspace/one-at-a-time:together',
  'reassign-items/refuses-owner-without-privilege',
  'protocol/form-post:sync-workspace',
]

/** A run of twelve checks after 3 seconds: six are over, one of them failed. */
function halfway(): RunState {
  const several = Array.from({ length: 8 }, (_, at): CheckId => `add-workspace/creates:${at}`)
  const state = new RunState(
    [...several, ...current, 'delete-collaboration/deletes' as const].map((id) => planOf(id)),
  )
  state.heard({ requests: 0, current: [], others: 0 }, 0)
  for (const id of several.slice(0, 4)) state.checkDone(checkOf(id), 1000)
  state.checkDone(checkOf('delete-collaboration/deletes'), 1000)
  state.checkDone(failedCheck(several[4] as CheckId, 'wrong'), 1000)
  state.heard({ requests: 1234, current, others: 2 }, 3000)
  return state
}

const lines = (columns: number, rows: number, state = halfway()) =>
  liveLines(state, { columns, rows }, plain, 3000).join('\n')

test('a wide window shows operations by title, checks under way, and all totals in one line', () => {
  expect(lines(120, 30)).toBe(`✗ Add workspace (§4.1)                 5/8  1 failed
  Sync workspace (§4.4)                0/1
  Reassign items (§4.3)                0/1
  Common rules of all operations (§4)  0/1
✓ Delete collaboration (§4.6)          1/1
  sync-workspace/one-at-a-time:together, reassign-items/refuses-owner-without-privilege and 3 more
[============            ] 50%, 6/12 checks, 1 failed, 1234 requests, 411/s, about 3 s left`)
})

test('a narrow one shows them by id, and breaks the totals between their parts', () => {
  expect(lines(45, 20)).toBe(`✗ add-workspace         5/8  1 failed
  sync-workspace        0/1
  reassign-items        0/1
  protocol              0/1
✓ delete-collaboration  1/1
  sync-workspace/one-at-a-time:together
[=====      ] 50%, 6/12 checks, 1 failed
1234 requests, 411/s, about 3 s left`)
})

test('a low one shows what is left to do, or the totals alone', () => {
  expect(lines(45, 7)).toBe(`✗ add-workspace   5/8  1 failed
  sync-workspace  0/1
  reassign-items  0/1
  protocol        0/1
[=====      ] 50%, 6/12 checks, 1 failed
1234 requests, 411/s, about 3 s left`)
  expect(lines(45, 4)).toBe('[=====      ] 50%, 6/12 checks, 1 failed\n1234 requests, 411/s, about 3 s left')
})

test('whatever the window, there are fewer lines than it has, and none reaches its last column', () => {
  for (let columns = 10; columns <= 130; columns += 5) {
    for (let rows = 2; rows <= 14; rows += 1) {
      const all = lines(columns, rows).split('\n')
      expect(all.length).toBeLessThan(rows)
      expect(Math.max(...all.map((line) => line.length))).toBeLessThan(columns)
    }
  }
})

test('before anything is heard of the checks it says that the run is starting', () => {
  expect(lines(100, 20, new RunState([planOf('add-workspace/creates')]))).toBe(
    '  Add workspace (§4.1)  0/1\n[                        ] 0%, 0/1 checks, starting',
  )
})
