/** Temporary folders for tests. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'portal-conformance-test-'))

/** A folder that is removed after the test. */
export function testFolder(): string {
  const folder = newFolder()
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** A folder that is removed after the tests of the file. */
export function folderOfFile(): string {
  const folder = newFolder()
  afterAll(() => rmSync(folder, { recursive: true }))
  return folder
}
