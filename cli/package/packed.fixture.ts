/** Packs the package once for all tests of a project, and unpacks it as npm does. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the unpacked package. Tests link to its files. */
    unpacked: string
  }
}

export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'portal-conformance-pack-'))
  // Without scripts, which would rebuild files that tests are running.
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]
  const env = { ...process.env, npm_config_offline: 'true', npm_config_update_notifier: 'false' }
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  const name = execFileSync('npm', pack, { cwd, encoding: 'utf8', env }).trim()
  execFileSync('tar', ['-xzf', join(folder, name), '-C', folder])
  project.provide('unpacked', join(folder, 'package'))
  return () => rmSync(folder, { recursive: true })
}
