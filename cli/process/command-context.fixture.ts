/** Command contexts that record output, for tests of commands in this process. */
import { EventEmitter } from 'node:events'
import type { CommandContext } from './command-context.ts'

interface Observed extends CommandContext {
  readonly signals: EventEmitter
  /** Everything on stdout so far. */
  readonly printed: () => string
  /** Everything on stderr so far. */
  readonly complained: () => string
  /** The exit codes of requests to end the process at once. */
  readonly left: number[]
}

export function observedContext(environment: NodeJS.ProcessEnv = {}): Observed {
  const out: string[] = []
  const err: string[] = []
  const left: number[] = []
  return {
    stdout: { write: (text: string) => out.push(text) },
    stderr: { write: (text: string) => err.push(text) },
    environment,
    signals: new EventEmitter(),
    leave: (code) => left.push(code),
    printed: () => out.join(''),
    complained: () => err.join(''),
    left,
  }
}
