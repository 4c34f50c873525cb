/** HAR files are read within a bound, and what is none is reported without quoting it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { HarError, readHarEntries } from './recordings.ts'

function fileWith(text: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'pc-har-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'a.har')
  writeFileSync(file, text)
  return file
}

test.each([
  ['1.2', '{"log":{"version":"1.2","entries":[1]}}'],
  ['1.1 with a byte order mark', '\uFEFF{"log":{"version":"1.1","entries":[1]}}'],
  ['without a version', '{"log":{"entries":[1]}}'],
  ['with keys twice: the last counts', '{"log":7,"log":{"entries":[0],"entries":[1]}}'],
])('HAR %s', async (_, text) => {
  expect(await readHarEntries(fileWith(text))).toEqual([1])
})

test('larger files than the limit are not read', async () => {
  const file = fileWith(`{"log":{"entries":[${' '.repeat(3 * 1024 * 1024)}]}}`)
  const refused = readHarEntries(file, 2 * 1024 * 1024)
  await expect(refused).rejects.toThrow(/a\.har: is 4 MB, and at most 2 MB are read; record less at a time/)
  await expect(refused).rejects.toBeInstanceOf(HarError)
  expect(await readHarEntries(file, 4 * 1024 * 1024)).toEqual([])
})

test.each([
  [
    'no JSON, without quoting it',
    '{"token": s3cr3t-t0ken}',
    /a\.har: is not JSON \(a syntax error.*\); save the recording again/,
  ],
  [
    'cut off',
    '{"log":{"version":"1.2","entries":[{"request":',
    /is not JSON \(it ends too early\); save the recording again/,
  ],
])('a recording is reported that is %s', async (_, text, message) => {
  const error = await readHarEntries(fileWith(text)).catch((thrown: Error) => thrown)
  expect((error as Error).message).toMatch(message)
  expect((error as Error).message).not.toMatch(/s3cr/)
})

test('a folder cannot be read as a file', async () => {
  await expect(readHarEntries(tmpdir())).rejects.toThrow(/cannot be read: /)
})
