import { expect, test } from 'vitest'
import { tryAll } from './conduct-selftest.ts'
import type { Part, Row } from './parts/part.ts'

const part = (changes: Partial<Part> = {}): Part => ({
  name: 'faults',
  trials: () => [],
  summary: () => [],
  sections: () => [],
  ...changes,
})

/** Tries one trial of this part. Returns its row, its runs and its reports. */
async function tried(of: Part, inCompany: Row, alone: Row) {
  const runs: string[] = []
  const log = (run: string, row: Row) => async () => {
    runs.push(run)
    return row
  }
  const trial = { name: 'fault x', company: log('in company', inCompany), run: log('alone', alone) }
  const attempt = { part: of, trial, row: undefined }
  const done: string[] = []
  const { signal } = new AbortController()
  const onDone = (name: string, problems: readonly string[]) => done.push([name, ...problems].join(': '))
  const again = await tryAll([attempt], { jobs: 2, signal, onDone })
  return { again, runs, done, row: attempt.row }
}

const clean: Row = { problems: [] }
const slow: Row = { problems: ['slow'] }

test('a trial without problems in a shared run is not run alone', async () => {
  const { again, runs } = await tried(part({ restsOnTime: () => true }), clean, slow)
  expect([again, runs]).toEqual([0, ['in company']])
})

test('a trial with problems that depend on timing is repeated alone, and its last row counts', async () => {
  expect(await tried(part({ restsOnTime: () => true }), slow, clean)).toEqual({
    again: 1,
    runs: ['in company', 'alone'],
    row: { name: 'fault x', problems: [] },
    done: ['fault x: slow', 'fault x, alone'],
  })
})

test('a trial with other problems is not repeated', async () => {
  const { again, runs, row } = await tried(part(), slow, clean)
  expect([again, runs, row]).toEqual([0, ['in company'], { name: 'fault x', problems: ['slow'] }])
})
