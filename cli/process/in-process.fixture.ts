/** Runs command lines in this process, each with its own folder and environment. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Results } from '../../reporters/results.ts'
import { runProgram } from '../program.ts'
import { observedContext } from './command-context.fixture.ts'

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The running command. Commands run one after another, since a process has one working directory. */
let before: Promise<unknown> = Promise.resolve()

/** Runs a command after earlier ones have ended; resolves with its output and exit code. */
export function runInProcess(
  words: readonly string[],
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<Ended> {
  const ended = before.then(async () => {
    const home = process.cwd()
    process.chdir(folder)
    try {
      const { code, out, err } = await commandWith(environment, words)
      return { code, stdout: out, stderr: err }
    } finally {
      process.chdir(home)
    }
  })
  before = ended.catch(() => undefined)
  return ended
}

/** Runs a command in the working directory of this process, with the given environment. */
export async function commandWith(environment: NodeJS.ProcessEnv, words: readonly string[]) {
  const commandContext = observedContext(environment)
  const code = await runProgram(words, commandContext)
  return { code, out: commandContext.printed(), err: commandContext.complained() }
}

/** Runs a command line, with further words that may have spaces. */
export const command = (line: string, ...words: string[]) =>
  commandWith({}, [...line.split(' ').filter(Boolean), ...words])

/** The results in a report folder. */
export const resultsIn = (folder: string): Results =>
  JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'))
