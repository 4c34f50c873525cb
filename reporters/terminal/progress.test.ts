import { expect, onTestFinished, test } from 'vitest'
import { requirements } from '../../specs/requirements.ts'
import { checkOf, failedCheck, planOf } from '../results.fixture.ts'
import { Progress } from './progress.ts'
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

test('elsewhere than on a terminal there is one line for each operation that is done', () => {
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

test('an operation with only inconclusive checks does not read as if it had passed', () => {
  const stream = streamOf()
  const progress = new Progress(stream, planned)
  const open = { outcome: 'inconclusive', reason: 'the control was refused' } as const
  progress.checkDone(checkOf('add-workspace/creates', open))
  progress.checkDone(checkOf('add-workspace/name-limit-rejects', open))
  progress.close()
  expect(stream.written.join('')).toMatch(/\nAdd workspace \(§4\.1\): 2 checks: all inconclusive\n$/)
})

test('an operation says of each outcome how many checks came to it', () => {
  const stream = streamOf()
  const progress = new Progress(stream, planned)
  progress.checkDone(checkOf('add-workspace/creates', { outcome: 'not-tested', reason: 'no group' }))
  progress.checkDone(checkOf('add-workspace/name-limit-rejects', { outcome: 'warned', reason: 'late' }))
  progress.close()
  expect(stream.written.join('')).toMatch(/\nAdd workspace \(§4\.1\): 2 checks: 1 not tested, 1 warned\n$/)
})

test('failures show as they are found, one of each requirement, and no more than are read', () => {
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

test('failures of an operation in the same words show once', () => {
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

test('on a terminal there is a live view, which notes come before and which is taken away at the end', () => {
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
  progress.checkDone(failedCheck('add-workspace/name-limit-rejects', 'too long'))
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
  ['a terminal', true, true, {}],
  ['a terminal that is reported not to be coloured', true, true, { NO_COLOR: '1', TERM: 'xterm' }],
  ['a terminal where CI is set to nothing', true, true, { CI: '' }],
  ['a terminal where CI is denied', true, true, { CI: 'false' }],
  ['a dumb terminal', true, false, { TERM: 'dumb' }],
  ['a terminal in CI', true, false, { CI: 'true' }],
  ['no terminal', false, false, {}],
  ['no terminal, with colours forced', false, false, { FORCE_COLOR: '1' }],
])('whether it is live on %s', (_, isTTY, live, environment) => {
  const progress = new Progress(streamOf({ isTTY }), planned, environment)
  onTestFinished(() => progress.close())
  expect(progress.live).toBe(live)
})

test('the live view is coloured as reports are', () => {
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

test('on a terminal what is counted has a bar in place of the checks', () => {
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

test('on a terminal nothing shows before the first is counted where there are no checks', () => {
  const window = new Window(60, 24)
  const progress = new Progress(window, [], { NO_COLOR: '1' })
  onTestFinished(() => progress.close())
  expect(window.text).toBe('')
  progress.count('Removing', 400, 1289)
  expect(window.text).toBe('[====          ] Removing 400 of 1,289')
  progress.close()
  expect(window.text).toBe('')
})

test('elsewhere than on a terminal what is counted is reported at each quarter', () => {
  const stream = streamOf()
  const progress = new Progress(stream, planned)
  for (let done = 1; done <= 1289; done += 1) progress.count('Removing', done, 1289)
  expect(stream.written.join('')).toBe(
    ['1', '323', '645', '967', '1,289'].map((done) => `Removing ${done} of 1,289\n`).join(''),
  )
})
