/** Starts the portal of examples/portal-python, an implementation that shares no code with the suite. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? '../examples/portal-python' : '../../examples/portal-python',
    import.meta.url,
  ),
)

/** Whether this machine can run it. */
export function hasPython(): boolean {
  return spawnSync('python3', ['--version']).status === 0
}

/** Starts it on a free port. It does not count its requests. */
export async function startPythonPortal() {
  const folder = await mkdtemp(join(tmpdir(), 'portal-conformance-python-'))
  const file = join(folder, 'portal.yaml')
  const child = spawn('python3', ['-B', program, '--write', file], { stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const close = async () => {
    child.kill()
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  // It is written once the portal listens.
  while ((await readFile(file, 'utf8').catch(() => '')) === '') {
    if (child.exitCode !== null) {
      await close()
      throw new Error(`the portal in Python ended with exit code ${child.exitCode} before it listened`)
    }
    await sleep(20)
  }
  return { source: { file }, requests: () => 0, close }
}
