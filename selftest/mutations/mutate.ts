/**
 * Weakens the suite in twenty ways, one at a time, in a copy of the sources. A test or the self-test must notice each
 * mutation: `npm run mutate`.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Mutation, mutations } from './mutations.ts'

/** From `dist/selftest/mutations/`. */
const root = fileURLToPath(new URL('../../../', import.meta.url))

/** A copy of the checkout that links to the same dependencies. */
function copyOf(from: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'portal-conformance-mutate-'))
  const left = ['node_modules', '.git'].map((name) => join(from, name))
  cpSync(from, copy, { recursive: true, filter: (path) => !left.includes(path) })
  symlinkSync(join(from, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** Runs a program in the copy. True: it exits with 0. */
const runs = (copy: string, ...words: readonly string[]): boolean =>
  spawnSync(process.execPath, words, { cwd: copy, stdio: 'ignore' }).status === 0

/** Whether the self-test finds these faults and blames each exactly. */
const findsAll = (copy: string, faults: readonly string[]): boolean => {
  const named = faults.flatMap((id) => ['--id', id])
  return runs(copy, 'dist/cli/main.js', 'selftest', '--part', 'faults', ...named, '--out', join(copy, 'out'))
}

/** Tests that pin the suite: the list of ids, the families, and the tests of suites and clauses. */
const tests = [
  'runner/catalogue.test.ts',
  'runner/plan.test.ts',
  'selftest/families.test.ts',
  'suites',
  'clauses',
]

/** What notices the mutation. Undefined: nothing. */
function noticedBy(
  copy: string,
  { file, from, to, fault }: Mutation,
): 'a test' | 'the self-test' | undefined {
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    text.replace(from, () => to),
  )
  // The compiler writes its output even if the mutation has type errors.
  runs(copy, 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json')
  const passes = runs(copy, 'node_modules/vitest/vitest.mjs', 'run', ...tests)
  const noticed = passes ? (findsAll(copy, [fault]) ? undefined : 'the self-test') : 'a test'
  writeFileSync(path, text)
  return noticed
}

const copy = copyOf(root)
try {
  if (
    !findsAll(
      copy,
      mutations.map(({ fault }) => fault),
    )
  )
    throw new Error('the suite misses a fault as it is')
  let missed = 0
  for (const mutation of mutations) {
    const by = noticedBy(copy, mutation)
    if (by === undefined) missed += 1
    const verdict = by === undefined ? 'missed' : `noticed by ${by}`
    process.stdout.write(`${verdict}: ${mutation.what} (${mutation.file}; ${mutation.fault})\n`)
  }
  process.stdout.write(`${mutations.length - missed} of ${mutations.length} mutations were noticed\n`)
  process.exitCode = missed === 0 ? 0 : 1
} finally {
  rmSync(copy, { recursive: true, force: true })
}
