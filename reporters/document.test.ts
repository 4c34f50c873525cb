import { execFile, execFileSync } from 'node:child_process'
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { testFolder } from '../cli/process/test-folder.fixture.ts'
import { DocumentError, type FormatName, writeDocument, writeFormat } from './document.ts'
import { wholeResults } from './results.fixture.ts'

it('writeDocument writes into an existing named pipe and does not replace the pipe', async () => {
  const file = join(testFolder(), 'pipe')
  execFileSync('mkfifo', [file])
  const reading = promisify(execFile)('cat', [file])
  await writeDocument(file, ['one', ' two'])
  expect((await reading).stdout).toBe('one two')
  expect(lstatSync(file).isFIFO()).toBe(true)
})

it('writeFormat names the known formats if it is asked for another', async () => {
  const written = writeFormat('pdf' as FormatName, wholeResults(), join(testFolder(), 'report.pdf'))
  const message = 'there is no format pdf; known are html, junit, markdown, har'
  await expect(written).rejects.toThrow(new DocumentError(message))
})
