/** Gives a run of the tests a folder for temporary files of its own, and fails it where a test leaves something there. */
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Node keeps compiled programs, such as npm, there for later processes: no test made it. */
const ofNode = 'node-compile-cache'

/** Vitest calls it before the first test, and what it returns after the last one. */
export default function setup(): () => void {
  const before = process.env.TMPDIR
  const folder = mkdtempSync(join(tmpdir(), 'portal-conformance-tests-'))
  // Tests run programs as another user, who must come through to folders that are meant for him.
  chmodSync(folder, 0o755)
  process.env.TMPDIR = folder
  return () => {
    const left = leftIn(folder)
    rmSync(folder, { recursive: true, force: true })
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    if (left.length === 0) return
    // Vitest prints what is thrown here, but ends with 0 anyway.
    process.exitCode = 1
    throw new Error(
      `tests left temporary files, which each of them must remove at its end:\n${left.join('\n')}`,
    )
  }
}

/** One line for each: its name, and some of what is in it, which says whose it is. */
function leftIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== ofNode)
    .map((entry) => {
      if (!entry.isDirectory()) return entry.name
      const inside = readdirSync(join(folder, entry.name), { recursive: true, encoding: 'utf8' })
      return `${entry.name}: ${inside.slice(0, 5).join(', ') || 'empty'}${inside.length > 5 ? ', …' : ''}`
    })
}
