import { execFile, execFileSync } from 'node:child_process'
import { lstatSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { writeDocument } from './document.ts'

it('writeDocument writes into an existing named pipe and does not replace the pipe', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'document-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'pipe')
  execFileSync('mkfifo', [file])
  const reading = promisify(execFile)('cat', [file])
  await writeDocument(file, ['one', ' two'])
  expect((await reading).stdout).toBe('one two')
  expect(lstatSync(file).isFIFO()).toBe(true)
})
