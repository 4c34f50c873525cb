/** examples/portal-python: an independent implementation of the contract, in Python. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, type TestContext } from 'vitest'
import { UserFolder } from './command.fixture.ts'

const program = fileURLToPath(new URL('../../examples/portal-python', import.meta.url))
const missing = spawnSync('python3', ['--version']).status !== 0
const withPython = describe.skipIf(missing)

const deleteRefusals = ['guest', 'non-administrator', 'anonymous', 'invalid-credential'].map(
  (caller) => `delete-collaboration/refuses-${caller}`,
)

/** Independent faults, exactly the requirements that fail with them, and the judged operations (default: all). */
const broken: readonly (readonly [
  faults: readonly string[],
  breaks: readonly string[],
  judged?: readonly string[],
])[] = [
  [
    ['names-cut', 'ids-swapped', 'items-unlimited', 'syncs-overlap', 'delete-for-anyone'],
    [
      'add-workspace/name-limit-rejects',
      'add-workspace/description-limit-rejects',
      'update-task-run/identifiers',
      'reassign-items/items-limit-rejects',
      'sync-workspace/one-at-a-time',
      ...deleteRefusals,
    ],
  ],
  [
    ['guests-add'],
    ['add-workspace', 'update-participant', 'delete-collaboration'].map((id) => `${id}/refuses-guest`),
    ['add-workspace', 'update-participant', 'delete-collaboration'],
  ],
  [
    ['first-detail-only', 'delete-does-nothing', 'seconds'],
    [
      'reassign-items/error-details-items',
      'delete-collaboration/gone-after-delete',
      'delete-collaboration/sharing-stops',
      'add-workspace/timestamps',
    ],
    ['reassign-items', 'delete-collaboration', 'add-workspace'],
  ],
  [['ids-by-clock'], ['add-workspace/id-is-new', 'add-workspace/concurrent-ids-distinct'], ['add-workspace']],
]

/**
 * Starts the portal for a test; its configuration is portal.yaml in the folder. The test passes its own `onTestFinished`:
 * the global one may belong to another concurrent test.
 */
async function started(
  onTestFinished: TestContext['onTestFinished'],
  ...words: string[]
): Promise<UserFolder> {
  const folder = new UserFolder()
  const child: ChildProcess = spawn('python3', [program, '--write', 'portal.yaml', ...words], {
    cwd: folder.path,
    stdio: 'ignore',
  })
  onTestFinished(async () => {
    const closed = new Promise((resolve) => child.on('close', resolve))
    child.kill()
    await closed
  })
  const file = join(folder.path, 'portal.yaml')
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') {
    expect(child.exitCode).toBeNull()
    await sleep(20)
  }
  return folder
}

// Runs wait most of their time, so each has its own process beside the others.
withPython.concurrent('the portal in Python', () => {
  it('is conformant, with nothing open and no warnings', async ({ onTestFinished }) => {
    const folder = await started(onTestFinished)
    const { code, stdout } = await folder.start('run --config portal.yaml --runs 1').ended
    expect(stdout).toContain('Conformant:')
    expect(code).toBe(0)
    const { totals } = folder.results()
    expect(totals).toMatchObject({ failed: 0, warned: 0, inconclusive: 0, 'not-tested': 0 })
  })

  it.for(broken)('fails as expected: %s', async ([faults, breaks, judged = []], { onTestFinished }) => {
    const folder = await started(onTestFinished, ...faults.flatMap((name) => ['--break', name]))
    const selected = judged.map((operation) => ` --operation ${operation}`).join('')
    const { code, stderr } = await folder.start(`run --config portal.yaml --quick${selected}`).ended
    expect(code, stderr).toBe(1)
    const failed = folder.results().requirements.filter(({ outcome }) => outcome === 'failed')
    // lifecycle/consistent combines all operations, and finds most of these faults too.
    const ids = failed.map(({ id }) => id).filter((id) => id !== 'lifecycle/consistent')
    expect(ids.sort()).toEqual([...breaks].sort())
  })

  it('lists exactly the faults that are tested here', () => {
    const { stdout } = spawnSync('python3', [program, '--list'], { encoding: 'utf8' })
    const names = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(':')[0])
    expect(names.sort()).toEqual(broken.flatMap(([faults]) => faults).sort())
  })
})
