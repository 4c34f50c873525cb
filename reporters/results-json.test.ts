import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../cli/process/test-folder.fixture.ts'
import { checkOf, failedCheck, resultsOf } from './results.fixture.ts'
import { readResults, writeResults } from './results-json.ts'

test('readResults returns what writeResults wrote; complete is last; no temporary file remains', async () => {
  const { format, ...others } = resultsOf([
    checkOf('add-workspace/creates'),
    failedCheck('add-workspace/id-is-new', 'x'),
  ])
  const results = { complete: true as const, format, ...others }
  const out = join(testFolder(), 'new', 'out')
  const file = await writeResults(out, results)
  expect(await readResults(file)).toEqual(results)
  const { complete, ...before } = results
  expect(await readFile(file, 'utf8')).toBe(`${JSON.stringify({ ...before, complete }, null, 2)}\n`)
  expect(await readdir(out)).toEqual(['results.json'])
})

test('writeResults refuses invalid results and keeps the old file', async () => {
  const directory = testFolder()
  const file = await writeResults(directory, resultsOf([checkOf('add-workspace/creates')]))
  const before = await readFile(file, 'utf8')
  const wrong = resultsOf([checkOf('add-workspace/creates', { requests: -1 })])
  await expect(writeResults(directory, wrong)).rejects.toThrow(
    /results\.json was not written: the results do not match their schema:\n {2}requirements\[0\]\.checks\[0\]\.requests: /,
  )
  expect(await readFile(file, 'utf8')).toBe(before)
})

test('writeResults names the file if its folder cannot be created', async () => {
  const blocked = join(testFolder(), 'a-file')
  await writeFile(blocked, '')
  await expect(writeResults(blocked, resultsOf([]))).rejects.toThrow(
    /a-file\/results\.json was not written: /,
  )
})

test.each([
  ['not json', /is not JSON; did it come from/],
  ['{"formatVersion":2}', /has format version 2; this version reads format version 1/],
  ['{"formatVersion":1}', /is no results\.json of portal-conformance:\n {2}format: missing/],
])('readResults refuses a file with %s', async (content, message) => {
  const file = join(testFolder(), 'results.json')
  await writeFile(file, content)
  await expect(readResults(file)).rejects.toThrow(message)
})

test('readResults refuses a missing file', async () => {
  await expect(readResults(join(testFolder(), 'none.json'))).rejects.toThrow(
    /none\.json: cannot be read: there is no such file/,
  )
})
