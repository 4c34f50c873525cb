import { expect, test } from 'vitest'
import { checkOf, failedCheck, planOf } from '../results.fixture.ts'
import { Progress } from './progress.ts'

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
    'Sync workspace (§4.4): 1 check done, none failed\nAdd workspace (§4.1): 2 checks done, 1 failed\n',
  )
})

test('on a terminal one line is rewritten in place, cut to its columns, and taken away at the end', () => {
  const stream = streamOf({ isTTY: true, columns: 30 })
  const progress = new Progress(stream, planned)
  progress.checkDone(failedCheck('add-workspace/name-limit-rejects', 'too long'))
  progress.note('be\u001bware')
  progress.close()
  expect(stream.written).toEqual([
    '\r\u001b[2K0/3 checks',
    '\r\u001b[2K1/3 checks · add-workspace · ',
    '\r\u001b[2K',
    'be\\u{1b}ware\n',
    '\r\u001b[2K1/3 checks · add-workspace · ',
    '\r\u001b[2K',
  ])
})
