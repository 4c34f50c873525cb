/** Gives each test run its own folder for temporary files, and fails the run if a test leaves files in it. */
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Cache of Node for compiled programs such as npm, not created by tests. */
const ofNode = 'node-compile-cache'

/** Vitest calls this before the first test, and the returned function after the last. */
export default function setup(): () => void {
  const before = process.env.TMPDIR
  const folder = mkdtempSync(join(tmpdir(), 'portal-conformance-tests-'))
  // Tests run programs as another user, who needs access to folders in here.
  chmodSync(folder, 0o755)
  process.env.TMPDIR = folder
  return () => {
    const left = leftIn(folder)
    rmSync(folder, { recursive: true, force: true })
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    if (left.length === 0) return
    // Vitest prints an error thrown here, but exits with 0.
    process.exitCode = 1
    throw new Error(
      `tests left temporary files, which each of them must remove at its end:\n${left.join('\n')}`,
    )
  }
}

/** One line per entry: its name and some of its content, which shows its origin. */
function leftIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== ofNode)
    .map((entry) => {
      if (!entry.isDirectory()) return entry.name
      const inside = readdirSync(join(folder, entry.name), { recursive: true, encoding: 'utf8' })
      return `${entry.name}: ${inside.slice(0, 5).join(', ') || 'empty'}${inside.length > 5 ? ', …' : ''}`
    })
}
