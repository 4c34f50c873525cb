import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { requirements } from '../../specs/requirements.ts'
import { checkOf, failedCheck, planOf } from '../results.fixture.ts'
import { Progress } from './progress.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function streamOf(terminal: { isTTY?: boolean; columns?: number } = {}) {
  const written: string[] = []
  return { ...terminal, written, write: (text: string) => written.push(text) }
}

/** What a person sees: each line after its last redrawing. */
const seen = ({ written }: ReturnType<typeof streamOf>): string[] =>
  written
    .join('')
    .split('\n')
    .map((line) => stripVTControlCharacters(line.split('\r').at(-1) as string))

const planned = [
  planOf('add-workspace/creates'),
  planOf('add-workspace/name-limit-rejects'),
  planOf('sync-workspace/starts'),
  planOf('sync-workspace/unknown-workspace', { outcome: 'not-tested', reason: 'no actor' }),
]

test('without a terminal Progress writes a line at each quarter, and each failure', () => {
  const stream = streamOf()
  const progress = new Progress(stream, planned)
  progress.checkDone(
    checkOf('sync-workspace/unknown-workspace', { outcome: 'not-tested', reason: 'no actor' }),
  )
  expect(stream.written).toEqual([])
  progress.checkDone(checkOf('sync-workspace/starts'))
  progress.checkDone(failedCheck('add-workspace/name-limit-rejects', 'too long'))
  // Each check counts once.
  progress.checkDone(failedCheck('add-workspace/name-limit-rejects', 'again'))
  progress.close()
  expect(stream.written.join('')).toBe(
    `Checks: 1 of 3
✗ failed add-workspace/name-limit-rejects: too long: accepted: HTTP 200
Checks: 2 of 3, 1 failed
`,
  )
})

test('Progress shows a waived failure as waived, counts only the others, and hides none behind it', () => {
  const stream = streamOf()
  const id = 'add-workspace/name-limit-rejects'
  const progress = new Progress(stream, [planOf(id), planOf(`${id}:again`)])
  progress.checkDone({ ...failedCheck(id, 'too long'), outcome: 'waived' })
  progress.checkDone(failedCheck(`${id}:again`, 'too long'))
  expect(stream.written.join('')).toBe(
    `~ waived ${id}: too long: accepted: HTTP 200
Checks: 1 of 2
✗ failed ${id}:again: too long: accepted: HTTP 200
Checks: 2 of 2, 1 failed
`,
  )
})

test.each([
  ['too early for an estimate', 1000, 0, ''],
  ['by the checks that ended', 10_000, 0, ', about 20 s left'],
  ['at least as long as no check has ended', 10_000, 25_000, ', about 70 s left'],
  ['in minutes', 300_000, 0, ', about 10 min left'],
])('the time left is shown on a terminal: %s', (_, beforeMs, afterMs, words) => {
  const stream = streamOf({ isTTY: true, columns: 80 })
  const progress = new Progress(stream, planned)
  vi.advanceTimersByTime(beforeMs)
  progress.checkDone(checkOf('sync-workspace/starts'))
  vi.advanceTimersByTime(afterMs + 100)
  expect(seen(stream).at(-1)).toBe(`[======              ] Checks: 1 of 3${words}`)
  progress.close()
})

test('without a terminal a count is reported at each quarter', () => {
  const stream = streamOf()
  const progress = new Progress(stream, planned)
  for (let done = 1; done <= 1289; done += 1) progress.count('Removing', done, 1289)
  expect(stream.written.join('')).toBe(
    ['1', '323', '645', '967', '1,289'].map((done) => `Removing ${done} of 1,289\n`).join(''),
  )
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
  const lines = stream.written.join('').split('\n')
  expect(lines.filter((line) => line.startsWith('✗ failed ')).length).toBe(20)
  expect(lines.filter((line) => line.startsWith('More checks failed'))).toHaveLength(1)
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(300)
  expect(stream.written.join('')).not.toContain('again')
})

test('on a terminal Progress redraws one line below notes and failures, and removes it at the end', () => {
  const stream = streamOf({ isTTY: true, columns: 80 })
  const progress = new Progress(stream, planned)
  expect([progress.live, seen(stream)]).toEqual([true, ['[                    ] Checks: 0 of 3']])
  progress.checkDone(failedCheck('add-workspace/name-limit-rejects', 'too long'))
  progress.heard({ requests: 1234, current: ['sync-workspace/starts'], others: 0 })
  progress.note('be\u001bware')
  const above = ['✗ failed add-workspace/name-limit-rejects: too long: accepted: HTTP 200', 'be\\u{1b}ware']
  expect(seen(stream)).toEqual([
    ...above,
    '[======              ] Checks: 1 of 3, 1 failed, 1,234 requests, sync-workspac…',
  ])
  progress.count('Removing', 3, 4)
  expect(seen(stream).at(-1)).toBe('[===============     ] Removing 3 of 4')
  progress.close()
  progress.note('at the end')
  expect(seen(stream)).toEqual([...above, 'at the end', ''])
})

test('Progress redraws only changes, at most ten times a second, and nothing after its end', () => {
  const stream = streamOf({ isTTY: true })
  const set = vi.spyOn(globalThis, 'setInterval')
  const progress = new Progress(stream, planned)
  expect(set.mock.results[0]?.value.hasRef()).toBe(false)
  vi.advanceTimersByTime(500)
  expect(stream.written).toHaveLength(1)
  for (let requests = 0; requests < 200; requests += 1) {
    progress.heard({ requests, current: [], others: 0 })
    vi.advanceTimersByTime(5)
  }
  expect(stream.written).toHaveLength(1 + 10)
  progress.close()
  expect(vi.getTimerCount()).toBe(0)
  const silent = streamOf({ isTTY: true })
  new Progress(silent, [])
  expect(silent.written).toEqual([])
})

test.each<[string, boolean, boolean, NodeJS.ProcessEnv]>([
  ['on for a terminal', true, true, {}],
  ['on for a terminal with an empty CI', true, true, { CI: '' }],
  ['on for a terminal with CI=false', true, true, { CI: 'false' }],
  ['off for a dumb terminal', true, false, { TERM: 'dumb' }],
  ['off for a terminal in CI', true, false, { CI: 'true' }],
  ['off without a terminal', false, false, {}],
])('redrawing is %s', (_, isTTY, live, environment) => {
  const progress = new Progress(streamOf({ isTTY }), planned, environment)
  progress.close()
  expect(progress.live).toBe(live)
})
