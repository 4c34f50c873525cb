/** The shipped pipelines: reads their files, and runs their scripts as a CI server does. */
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { parse } from 'yaml'
import { suiteVersion } from '../../deployment/suite-version.ts'
import { type EmbeddedPortal, startPortal } from '../../reference/portal.ts'
import type { Ended } from '../end-to-end/command.fixture.ts'
import { projectRoot, UserProject } from '../package/installed-package.fixture.ts'

export function shipped(file: string): string {
  return readFileSync(join(projectRoot, file), 'utf8')
}

export const shippedYaml = (file: string) => parse(shipped(file))

/** Two deployments, and a checkout in which pipelines judge them, for the tests of a file. */
interface PipelineSetting {
  readonly checkout: Checkout
  readonly good: EmbeddedPortal
  /** Shortens names at their limit: `add-workspace/name-limit-accepts` fails. */
  readonly bad: EmbeddedPortal
}

/** Returns the setting, which exists while the tests of the file run. Gives these tests time for a whole pipeline. */
export function pipelineSetting(): () => PipelineSetting {
  vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })
  let setting: PipelineSetting | undefined
  beforeAll(async () => {
    const [good, bad] = await Promise.all([startPortal(), startPortal({ faults: ['name-limit-99'] })])
    setting = { checkout: new Checkout(), good, bad }
  })
  afterAll(async () => {
    setting?.checkout.remove()
    await Promise.all([setting?.good.close(), setting?.bad.close()])
  })
  return () => setting as PipelineSetting
}

/**
 * An npx that runs the command directly: npm takes longer to find the command than most commands run. A version, as the
 * examples name it, must be that of the package.
 */
export const npxScript = (main: string) => `#!/bin/sh
[ "$1" = --yes ] && shift
[ "\${1%@${suiteVersion}}" = portal-conformance ] || { echo "npx $1: not in a test" >&2; exit 127; }
shift
exec '${process.execPath}' '${main}' "$@"
`

/** The configuration of a portal as JSON, for a quick run of one operation. */
export function configurationOf({ configuration }: EmbeddedPortal): string {
  const run = { ...configuration.run, runs: 0 }
  const { hostAdministrator } = configuration.actors
  return JSON.stringify({ ...configuration, run, actors: { hostAdministrator }, effects: ['add-workspace'] })
}

/** Configurations of three targets: two cannot be reached, and the other is broken. */
export function threeTargets({ good, bad }: PipelineSetting): Record<'dead' | 'lima' | 'vienna', string> {
  const dead = configurationOf(good).replaceAll(new URL(good.baseUrl).host, '127.0.0.1:1')
  return { dead, lima: configurationOf(bad), vienna: dead }
}

/** The matrix has each of the three targets. */
export function expectThreeTargets(matrix: string): void {
  const table = readFileSync(matrix, 'utf8')
  for (const name of ['| dead, vienna | not judged |', 'lima']) expect(table).toContain(name)
}

/** A checkout on a CI server, in which `npx portal-conformance` runs the built package without a registry. */
export class Checkout extends UserProject {
  /** The folder of the installed package. */
  readonly packageFolder = join(this.path, 'node_modules', 'portal-conformance')
  /** The folder of programs that come first on PATH. */
  readonly programs = join(this.path, 'programs')

  constructor() {
    super()
    mkdirSync(this.programs)
    const installed = join(this.path, 'node_modules', '.bin')
    mkdirSync(installed, { recursive: true })
    // npm also makes an installed program executable.
    const main = join(this.packageFolder, 'dist', 'cli', 'main.js')
    chmodSync(main, 0o755)
    writeFileSync(join(this.programs, 'npx'), npxScript(main), { mode: 0o755 })
    symlinkSync('../portal-conformance/dist/cli/main.js', join(installed, 'portal-conformance'))
  }

  /** Runs a script in a shell, such as `bash -e`; the folders in `first` come first on PATH. */
  shell(
    script: string,
    { shell, environment = {}, first = [], folder = this.path }: ShellOptions,
  ): Promise<Ended> {
    const [program, ...flags] = shell as [string, ...string[]]
    const path = [...first, this.programs, dirname(process.execPath), process.env.PATH ?? ''].join(delimiter)
    const env = {
      PATH: path,
      HOME: this.path,
      TMPDIR: tmpdir(),
      npm_config_offline: 'true',
      npm_config_update_notifier: 'false',
      NO_COLOR: '1',
      ...environment,
    }
    return new Promise((resolve) => {
      execFile(program, [...flags, '-c', script], { cwd: folder, env }, (error, stdout, stderr) => {
        const code = error === null ? 0 : Number(error.code)
        resolve({ code, stdout, stderr })
      })
    })
  }
}

interface ShellOptions {
  readonly shell: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** Folders that come first on PATH. */
  readonly first?: readonly string[]
  /** The working directory; by default the checkout. */
  readonly folder?: string
}
