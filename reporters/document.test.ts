import { execFile, execFileSync } from 'node:child_process'
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { testFolder } from '../cli/process/test-folder.fixture.ts'
import { writeDocument } from './document.ts'

it('writeDocument writes into an existing named pipe and does not replace the pipe', async () => {
  const file = join(testFolder(), 'pipe')
  execFileSync('mkfifo', [file])
  const reading = promisify(execFile)('cat', [file])
  await writeDocument(file, ['one', ' two'])
  expect((await reading).stdout).toBe('one two')
  expect(lstatSync(file).isFIFO()).toBe(true)
})
