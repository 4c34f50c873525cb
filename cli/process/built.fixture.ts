/** Builds before the tests of a project that runs the build, if a source is newer than the build. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Written by each build. */
const mark = join(root, 'dist', '.tsbuildinfo')

export default function setup(): void {
  const builtAt = existsSync(mark) ? statSync(mark).mtimeMs : 0
  const { include } = JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8')) as {
    readonly include: readonly string[]
  }
  const isNewer = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => !/\.(test|fixture)\.\w+$/.test(name))
      .some((name) => statSync(join(root, folder, name)).mtimeMs > builtAt)
  if (!include.some(isNewer)) return
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' })
  // The compiler does not rewrite the file if only times have changed.
  const now = new Date()
  utimesSync(mark, now, now)
}
