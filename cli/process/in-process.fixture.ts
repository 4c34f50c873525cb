/** Runs command lines in this process as if each had one of its own: with a folder and an environment of its own. */
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

/** The one that runs: a process has one folder to work in. */
let before: Promise<unknown> = Promise.resolve()

/** Resolves with what was printed, and with what the process would have ended with; one begins when the last has ended. */
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

/** Runs a command in the folder of this process, with that environment. */
export async function commandWith(environment: NodeJS.ProcessEnv, words: readonly string[]) {
  const commandContext = observedContext(environment)
  const code = await runProgram(words, commandContext)
  return { code, out: commandContext.printed(), err: commandContext.complained() }
}

/** Runs a command: the words of the line, and further words that may have spaces. */
export const command = (line: string, ...words: string[]) =>
  commandWith({}, [...line.split(' ').filter(Boolean), ...words])

/** The results in a report folder. */
export const resultsIn = (folder: string): Results =>
  JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'))
