/** Weakens the suite in twenty ways, one at a time, in a copy of the sources. Tests or the self-test must notice each: `npm run mutate`. */
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

/** Whether the self-test finds these faults and blames each exactly. */
function findsAll(faults: readonly string[]): boolean {
  const named = faults.flatMap((id) => ['--id', id])
  return runs('dist/cli/main.js', 'selftest', '--part', 'faults', ...named, '--out', join(copy, 'out'))
}

/** Tests that pin the suite: the list of ids, the families, and the tests of suites and clauses. */
const tests = ['runner/catalogue', 'runner/plan', 'selftest/families', 'suites', 'clauses']

/** What notices the mutation. Undefined: nothing. */
function noticedBy({ file, from, to, fault }: Mutation): string | undefined {
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    text.replace(from, () => to),
  )
  // The compiler writes its output even if the mutation has type errors.
  runs('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json')
  const passes = runs('node_modules/vitest/vitest.mjs', 'run', ...tests)
  const noticed = passes ? (findsAll([fault]) ? undefined : 'the self-test') : 'a test'
  writeFileSync(path, text)
  return noticed
}

try {
  const left = ['node_modules', '.git'].map((name) => join(root, name))
  cpSync(root, copy, { recursive: true, filter: (path) => !left.includes(path) })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  if (!findsAll(mutations.map(({ fault }) => fault))) throw new Error('the suite misses a fault as it is')
  const missed = mutations.filter((mutation) => {
    const by = noticedBy(mutation)
    const verdict = by === undefined ? 'missed' : `noticed by ${by}`
    process.stdout.write(`${verdict}: ${mutation.what} (${mutation.file}; ${mutation.fault})\n`)
    return by === undefined
  })
  process.stdout.write(`${mutations.length - missed.length} of ${mutations.length} mutations were noticed\n`)
  process.exitCode = missed.length === 0 ? 0 : 1
} finally {
  rmSync(copy, { recursive: true, force: true })
}
