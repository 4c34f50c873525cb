/** Weakens the suite in twenty ways, one at a time, in a copy of the sources. Tests must notice each: `npm run mutate`. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Mutation, mutations } from './mutations.ts'

/** From `dist/selftest/mutations/`. */
const root = fileURLToPath(new URL('../../../', import.meta.url))
/** A copy of the checkout that links to the same dependencies. */
const copy = mkdtempSync(join(tmpdir(), 'portal-conformance-mutate-'))

/** Runs a program in the copy. True: it exits with 0. */
const runs = (...words: readonly string[]): boolean =>
  spawnSync(process.execPath, words, { cwd: copy, stdio: 'ignore' }).status === 0

/** Tests that pin the suite: the list of ids, the families, and the tests of suites and clauses. */
const tests = ['runner/catalogue', 'runner/plan', 'selftest/families', 'suites', 'clauses']

const pass = (): boolean => runs('node_modules/vitest/vitest.mjs', 'run', ...tests)

/** Whether a test fails with the mutation. */
function isNoticed({ file, from, to }: Mutation): boolean {
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    text.replace(from, () => to),
  )
  // The compiler writes its output even if the mutation has type errors.
  runs('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json')
  const noticed = !pass()
  writeFileSync(path, text)
  return noticed
}

try {
  const left = ['node_modules', '.git'].map((name) => join(root, name))
  cpSync(root, copy, { recursive: true, filter: (path) => !left.includes(path) })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  if (!pass()) throw new Error('a test fails without a mutation')
  const missed = mutations.filter((mutation) => {
    const noticed = isNoticed(mutation)
    process.stdout.write(`${noticed ? 'noticed' : 'missed'}: ${mutation.what} (${mutation.file})\n`)
    return !noticed
  })
  process.stdout.write(`${mutations.length - missed.length} of ${mutations.length} mutations were noticed\n`)
  process.exitCode = missed.length === 0 ? 0 : 1
} finally {
  rmSync(copy, { recursive: true, force: true })
}
