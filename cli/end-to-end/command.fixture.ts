/** Runs the command as a user does, in its own folder and, if a test needs that, in its own process. */
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Results } from '../../reporters/results.ts'
import { type Ended, resultsIn, runInProcess } from '../process/in-process.fixture.ts'

export type { Ended }

export const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

/** The output and the exit code of a process, once it has ended. */
export function endOf(child: ChildProcessByStdio<null, Readable, Readable>): Promise<Ended> {
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
}

/** Splits a command line into its words. */
const wordsOf = (args: string | readonly string[]): readonly string[] =>
  typeof args === 'string' ? args.split(' ') : args

const userFolders: string[] = []

/** Removes the folders of all users; called after the tests of a file. */
export function removeUserFolders(): void {
  for (const folder of userFolders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

/** A folder in which a user works; removed after the tests of the file. */
export class UserFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'portal-conformance-user-'))

  constructor() {
    userFolders.push(this.path)
  }

  write(name: string, content: string): string {
    writeFileSync(join(this.path, name), content)
    return name
  }

  #environment(more: Record<string, string>): Record<string, string> {
    return { PATH: process.env.PATH ?? '', TMPDIR: tmpdir(), NO_COLOR: '1', ...more }
  }

  /** Starts the command, with `asGroup` in its own process group; `ended` resolves with its output. */
  start(
    args: string | readonly string[],
    environment: Record<string, string> = {},
    asGroup = false,
  ): { process: ChildProcess; ended: Promise<Ended> } {
    const child = spawn(process.execPath, [main, ...wordsOf(args)], {
      cwd: this.path,
      env: this.#environment(environment),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: asGroup,
    })
    return { process: child, ended: endOf(child) }
  }

  /** Runs the command in this process, once earlier calls have ended. */
  run(args: string | readonly string[], environment: Record<string, string> = {}): Promise<Ended> {
    return runInProcess(wordsOf(args), this.path, this.#environment(environment))
  }

  get reported(): boolean {
    return existsSync(join(this.path, 'portal-conformance-report', 'results.json'))
  }

  results(): Results {
    return resultsIn(join(this.path, 'portal-conformance-report'))
  }

  /** The content of the report folder, by file name. */
  written(): Record<string, string> {
    const folder = join(this.path, 'portal-conformance-report')
    const names = readdirSync(folder)
    return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'latin1')]))
  }

  /** The content of all files in the report folder. */
  everythingWritten(): string {
    return Object.values(this.written()).join('\n')
  }
}
