/** Commands that name no target use the portal-conformance.yaml of the current folder. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runInProcess } from '../process/in-process.fixture.ts'
import { testFolder } from '../process/test-folder.fixture.ts'

/** On port 1 nothing listens. */
const configuration = 'target: { baseUrl: "http://127.0.0.1:1/rest" }\nportals: { host: { id: h } }\n'

function folderWith(files: readonly string[]): string {
  const folder = testFolder()
  for (const name of files) writeFileSync(join(folder, name), configuration)
  return folder
}

test.each([
  [['run', '--dry-run'], 0],
  [['doctor'], 4],
  [['run'], 4],
])('%s uses portal-conformance.yaml, and says so in one line on stderr', async (words, expected) => {
  const folder = folderWith(['portal-conformance.yaml'])
  const { code, stdout, stderr } = await runInProcess(words, folder, {})
  expect(stderr).toMatch(/^Using portal-conformance\.yaml\n/)
  expect(stdout).not.toContain('Using')
  expect(code).toBe(expected)
})

test.each([
  ['--config', 'other.yaml'],
  ['--reference', '--requirement', 'protocol/json-format'],
])('run ignores portal-conformance.yaml if a target is named: %s', async (...words) => {
  const folder = folderWith(['portal-conformance.yaml', 'other.yaml'])
  const { code, stderr } = await runInProcess(['run', '--dry-run', ...words], folder, {})
  expect([code, stderr]).toEqual([0, ''])
})

test.each(['doctor', 'run'])('%s explains how to name a target in a folder without it', async (command) => {
  const { code, stderr } = await runInProcess([command], folderWith([]), {})
  expect(code).toBe(2)
  expect(stderr).toMatch(
    /^no target\. There is no portal-conformance\.yaml in this folder\. Name the target:\n/,
  )
  expect(stderr).toContain('portal-conformance init writes')
})
