import { expect, onTestFinished, test } from 'vitest'
import type { CheckId } from '../../runner/check-result.ts'
import { requirements } from '../../specs/requirements.ts'
import { checkOf, failedCheck, planOf } from '../results.fixture.ts'
import { liveLines, Progress, RunState } from './progress.ts'
import { plain } from './sheet.ts'
import { Window } from './window.fixture.ts'

function streamOf(terminal: { isTTY?: boolean; columns?: number } = {}) {
  const written: string[] = []
  return { ...terminal, written, write: (text: string) => written.push(text) }
}

const planned = [
  planOf('add-workspace/creates'),
  planOf('add-workspace/name-limit-rejects'),
  planOf('sync-workspace/starts'),
  planOf('sync-workspace/unknown-workspace', { outcome: 'not-tested', reason: 'no actor' }),
]

test('without a terminal Progress writes a line for each finished operation and failure', () => {
  const stream = streamOf()
  const progress = new Progress(stream, planned)
  progress.checkDone(checkOf('add-workspace/creates'))
  progress.checkDone(
    checkOf('sync-workspace/unknown-workspace', { outcome: 'not-tested', reason: 'no actor' }),
  )
  expect(stream.written).toEqual([])
  progress.checkDone(checkOf('sync-workspace/starts'))
  progress.checkDone(failedCheck('add-workspace/name-limit-rejects', 'too long'))
  progress.close()
  expect(stream.written.join('')).toBe(
    `Checks of each operation, as it ends:
Sync workspace (§4.4): 1 check: 1 passed
✗ failed add-workspace/name-limit-rejects: too long: accepted: HTTP 200
Add workspace (§4.1): 2 checks: 1 failed, 1 passed
`,
  )
})

const late = { outcome: 'warned', reason: 'late' } as const
const missing = { outcome: 'not-tested', reason: 'no group' } as const
const unclear = { outcome: 'inconclusive', reason: 'the control was refused' } as const

test.each([
  ['all inconclusive', unclear, unclear],
  ['1 not tested, 1 warned', missing, late],
])('the line of an operation counts the checks of each outcome: %s', (words, one, other) => {
  const stream = streamOf()
  const progress = new Progress(stream, planned)
  progress.checkDone(checkOf('add-workspace/creates', one))
  progress.checkDone(checkOf('add-workspace/name-limit-rejects', other))
  expect(stream.written.at(-1)).toBe(`Add workspace (§4.1): 2 checks: ${words}\n`)
})

test('Progress shows failures at once: one per requirement, at most 20, shortened', () => {
  const ids = requirements.slice(0, 30).map(({ id }) => id)
  const stream = streamOf()
  const progress = new Progress(
    stream,
    ids.flatMap((id) => [planOf(id), planOf(`${id}:again`)]),
  )
  for (const id of ids) {
    progress.checkDone(failedCheck(id, `wrong in ${id} ${'x'.repeat(500)}`))
    progress.checkDone(failedCheck(`${id}:again`, 'again'))
  }
  progress.close()
  const lines = stream.written.join('').split('\n')
  expect(lines.filter((line) => line.startsWith('✗ failed ')).length).toBe(20)
  expect(lines.filter((line) => line.startsWith('More checks failed'))).toHaveLength(1)
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(300)
  expect(stream.written.join('')).not.toContain('again')
})

test('Progress shows equal failures of an operation once', () => {
  const ids = ['add-workspace/creates', 'add-workspace/name-limit-accepts', 'sync-workspace/starts'] as const
  const stream = streamOf()
  const progress = new Progress(
    stream,
    ids.map((id) => planOf(id)),
  )
  for (const id of ids) progress.checkDone(failedCheck(id, 'not accepted'))
  progress.close()
  const failures = stream.written.filter((line) => line.startsWith('✗ failed '))
  expect(failures.map((line) => line.split(' ')[2])).toEqual([
    'add-workspace/creates:',
    'sync-workspace/starts:',
  ])
})

test('on a terminal Progress shows a live view below notes and failures, removed at the end', () => {
  const window = new Window(80, 24)
  const progress = new Progress(window, planned, { NO_COLOR: '1' })
  onTestFinished(() => progress.close())
  expect([progress.live, window.text]).toEqual([
    true,
    `  Add workspace (§4.1)   0/2
  Sync workspace (§4.4)  0/1
[                   ] 0%, 0/3 checks, starting`,
  ])
  progress.heard({ requests: 7, current: ['sync-workspace/starts'], others: 0 })
  // Each check counts once.
  for (const message of ['too long', 'again'])
    progress.checkDone(failedCheck('add-workspace/name-limit-rejects', message))
  progress.note('be\u001bware')
  expect(window.text).toBe(`✗ failed add-workspace/name-limit-rejects: too long: accepted: HTTP 200
be\\u{1b}ware
✗ Add workspace (§4.1)   1/2  1 failed
  Sync workspace (§4.4)  0/1
  sync-workspace/starts
[======             ] 33%, 1/3 checks, 1 failed, 7 requests`)
  progress.close()
  progress.note('at the end')
  expect(window.text).toBe(
    '✗ failed add-workspace/name-limit-rejects: too long: accepted: HTTP 200\nbe\\u{1b}ware\nat the end\n',
  )
})

test.each<[string, boolean, boolean, NodeJS.ProcessEnv]>([
  ['on for a terminal', true, true, {}],
  ['on for a terminal with NO_COLOR', true, true, { NO_COLOR: '1', TERM: 'xterm' }],
  ['on for a terminal with an empty CI', true, true, { CI: '' }],
  ['on for a terminal with CI=false', true, true, { CI: 'false' }],
  ['off for a dumb terminal', true, false, { TERM: 'dumb' }],
  ['off for a terminal in CI', true, false, { CI: 'true' }],
  ['off without a terminal', false, false, {}],
  ['off without a terminal, with FORCE_COLOR', false, false, { FORCE_COLOR: '1' }],
])('the live view is %s', (_, isTTY, live, environment) => {
  const progress = new Progress(streamOf({ isTTY }), planned, environment)
  onTestFinished(() => progress.close())
  expect(progress.live).toBe(live)
})

test('the live view respects NO_COLOR and FORCE_COLOR=0', () => {
  const coloured = (environment: NodeJS.ProcessEnv): boolean => {
    const stream = streamOf({ isTTY: true })
    const progress = new Progress(stream, planned, environment)
    progress.checkDone(failedCheck('add-workspace/name-limit-rejects', 'too long'))
    progress.note('now')
    progress.close()
    return stream.written.join('').includes('\u001b[31m')
  }
  expect([coloured({}), coloured({ NO_COLOR: '1' }), coloured({ FORCE_COLOR: '0' })]).toEqual([
    true,
    false,
    false,
  ])
})

test('on a terminal a count replaces the bar of the checks until it ends', () => {
  const window = new Window(60, 24)
  const progress = new Progress(window, planned, { NO_COLOR: '1' })
  onTestFinished(() => progress.close())
  progress.count('Making fixtures:', 400, 1086)
  progress.note('a note')
  expect(window.text).toBe('a note\n[=====         ] Making fixtures: 400 of 1,086')
  progress.counted()
  progress.note('another')
  expect(window.text).toContain('0/3 checks, starting')
})

test('on a terminal a count without checks shows nothing before its first step', () => {
  const window = new Window(60, 24)
  const progress = new Progress(window, [], { NO_COLOR: '1' })
  onTestFinished(() => progress.close())
  expect(window.text).toBe('')
  progress.count('Removing', 400, 1289)
  expect(window.text).toBe('[====          ] Removing 400 of 1,289')
  progress.close()
  expect(window.text).toBe('')
})

test('without a terminal a count is reported at each quarter', () => {
  const stream = streamOf()
  const progress = new Progress(stream, planned)
  for (let done = 1; done <= 1289; done += 1) progress.count('Removing', done, 1289)
  expect(stream.written.join('')).toBe(
    ['1', '323', '645', '967', '1,289'].map((done) => `Removing ${done} of 1,289\n`).join(''),
  )
})

const adds = Array.from({ length: 9 }, (_, at) => planOf(`add-workspace/creates:${at}`))
const many = [
  ...adds,
  planOf('sync-workspace/starts'),
  planOf('sync-workspace/unknown-workspace', { outcome: 'not-tested', reason: 'no actor' }),
]
const done = (at: number) => checkOf(`add-workspace/creates:${at}`, { requests: 4 })

test('RunState takes requests from progress messages and the rate from the last three seconds', () => {
  const state = new RunState(many)
  const hear = (requests: number, at: number) => state.heard({ requests, current: [], others: 0 }, at)
  expect(state.rate).toBeUndefined()
  hear(0, 0)
  expect(state.rate).toBeUndefined()
  hear(100, 1000)
  expect(state.rate).toBe(100)
  state.checkDone(done(0), 1500)
  expect(state.requests).toBe(100)
  hear(160, 4000)
  expect(state.rate).toBe(20)
})

test('RunState estimates the time left from finished checks, after the first ones', () => {
  const state = new RunState(many)
  state.heard({ requests: 0, current: [], others: 0 }, 1000)
  expect(state.timeLeft(9000)).toBeUndefined()
  state.checkDone(done(0), 2000)
  expect(state.timeLeft(2400)).toBeUndefined()
  expect(state.timeLeft(3000)).toBe(18_000)
  for (let at = 1; at < 5; at += 1) state.checkDone(done(at), 4000)
  expect(state.timeLeft(5000)).toBe(4000)
  // No check ended for 40 seconds, so expect another 40 seconds.
  for (let at = 5; at < many.length - 1; at += 1) state.checkDone(done(at), 5000)
  expect(state.timeLeft(45_000)).toBe(40_000)
})

const current: CheckId[] = [
  'sync-workspace/one-at-a-time:together',
  'reassign-items/refuses-owner-without-privilege',
  'protocol/form-post:sync-workspace',
]

/** A run of twelve checks after 3 seconds: six have ended, one of them failed. */
function halfway(): RunState {
  const several = Array.from({ length: 8 }, (_, at): CheckId => `add-workspace/creates:${at}`)
  const state = new RunState(
    [...several, ...current, 'delete-collaboration/deletes' as const].map((id) => planOf(id)),
  )
  state.heard({ requests: 0, current: [], others: 0 }, 0)
  for (const id of several.slice(0, 4)) state.checkDone(checkOf(id), 1000)
  state.checkDone(checkOf('delete-collaboration/deletes'), 1000)
  state.checkDone(failedCheck(several[4] as CheckId, 'wrong'), 1000)
  // The first of these checks has ended already.
  state.heard({ requests: 1234, current: [several[0] as CheckId, ...current], others: 2 }, 3000)
  return state
}

const lines = (columns: number, rows: number, state = halfway()) =>
  liveLines(state, { columns, rows }, plain, 3000).join('\n')

test('a wide window shows titles of operations, running checks, and totals in one line', () => {
  expect(lines(120, 30)).toBe(`✗ Add workspace (§4.1)                 5/8  1 failed
  Sync workspace (§4.4)                0/1
  Reassign items (§4.3)                0/1
  Common rules of all operations (§4)  0/1
✓ Delete collaboration (§4.6)          1/1
  sync-workspace/one-at-a-time:together, reassign-items/refuses-owner-without-privilege and 3 more
[============            ] 50%, 6/12 checks, 1 failed, 1234 requests, 411/s, about 3 s left`)
})

test('a narrow window shows ids of operations and wraps the totals', () => {
  expect(lines(45, 20)).toBe(`✗ add-workspace         5/8  1 failed
  sync-workspace        0/1
  reassign-items        0/1
  protocol              0/1
✓ delete-collaboration  1/1
  sync-workspace/one-at-a-time:together
[=====      ] 50%, 6/12 checks, 1 failed
1234 requests, 411/s, about 3 s left`)
})

test('a low window shows only unfinished operations, or only the totals', () => {
  expect(lines(45, 7)).toBe(`✗ add-workspace   5/8  1 failed
  sync-workspace  0/1
  reassign-items  0/1
  protocol        0/1
[=====      ] 50%, 6/12 checks, 1 failed
1234 requests, 411/s, about 3 s left`)
  expect(lines(45, 4)).toBe('[=====      ] 50%, 6/12 checks, 1 failed\n1234 requests, 411/s, about 3 s left')
})

test('the live view has fewer lines and columns than any window', () => {
  for (let columns = 10; columns <= 130; columns += 5) {
    for (let rows = 2; rows <= 14; rows += 1) {
      const all = lines(columns, rows).split('\n')
      expect(all.length).toBeLessThan(rows)
      expect(Math.max(...all.map((line) => line.length))).toBeLessThan(columns)
    }
  }
})

test('the live view shows "starting" before the first progress message', () => {
  expect(lines(100, 20, new RunState([planOf('add-workspace/creates')]))).toBe(
    '  Add workspace (§4.1)  0/1\n[                        ] 0%, 0/1 checks, starting',
  )
})
