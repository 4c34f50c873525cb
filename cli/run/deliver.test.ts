import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkOf, planOf } from '../../reporters/results.fixture.ts'
import { command } from '../process/in-process.fixture.ts'
import { testFolder } from '../process/test-folder.fixture.ts'
import { openPartialResults } from './deliver.ts'

const start = {
  planned: [planOf('add-workspace/creates'), planOf('sync-workspace/starts')],
  run: { id: 'pc-1', startedAt: '2025-06-15T12:00:00.000Z', seed: 1, runs: 5 },
  target: { baseUrl: 'https://a.example/rest', profile: 'none' },
}
const [one, other] = [checkOf('add-workspace/creates'), checkOf('sync-workspace/starts')]

const failOnWarning = (message: string) => expect.unreachable(message)

test('openPartialResults deletes earlier results, and writes each result at once', () => {
  const directory = testFolder()
  writeFileSync(join(directory, 'results.json'), 'of an earlier run')
  writeFileSync(join(directory, 'results.partial.ndjson'), 'of an earlier run')
  const partial = openPartialResults(directory, failOnWarning)
  expect(existsSync(join(directory, 'results.json'))).toBe(false)
  partial.add(one)
  partial.add(other)
  const lines = readFileSync(partial.file, 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual([one, other])
  partial.remove()
  expect(existsSync(partial.file)).toBe(false)
})

test('report renders the partial results of a killed run', async () => {
  const folder = testFolder()
  const partial = openPartialResults(folder, failOnWarning)
  partial.begin(start)
  partial.add(checkOf('add-workspace/creates'))
  // Killed in the middle of a line.
  appendFileSync(partial.file, '{"id":"sync-worksp')
  const { code, out: report } = await command('report', partial.file)
  expect(code).toBe(0)
  expect(report).toContain('https://a.example/rest')
  expect(report).toMatch(/✓ passed +1\n/)
  expect(report).toContain('– not tested: the run ended before this check')
  expect(report).toContain('Cut short.')
})

test('openPartialResults rewrites its file at each round', () => {
  const partial = openPartialResults(testFolder(), failOnWarning)
  partial.begin(start)
  const size = readFileSync(partial.file).length
  partial.add(one)
  partial.begin(start)
  expect(readFileSync(partial.file)).toHaveLength(size)
})
