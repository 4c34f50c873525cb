/** Starts a script of this package in a process of its own and waits for it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The program as users start it. */
export const program = fileURLToPath(new URL('../cli/main.js', import.meta.url))

/** The compiled script of that name in this folder. */
export const scriptOf = (name: string): string => fileURLToPath(new URL(`${name}.js`, import.meta.url))

export interface Started {
  readonly child: ChildProcess
  /** When it was started, in milliseconds since the epoch, comparable between processes. */
  readonly startedAt: number
}

export interface Ended {
  readonly startedAt: number
  readonly wallMs: number
  readonly code: number | null
  readonly stderr: string
}

/** The clock that all processes of this machine share, in milliseconds since the epoch, with fractions. */
export const now = (): number => performance.timeOrigin + performance.now()

/** Starts it with a channel for messages; its errors and, unless asked for, its output are kept apart from ours. */
export function start(words: readonly string[], environment: NodeJS.ProcessEnv = {}): Started {
  const startedAt = now()
  const child = spawn(process.execPath, words, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, ...environment },
  })
  return { child, startedAt }
}

/** Resolves once the process has ended, however it did. */
export function ended({ child, startedAt }: Started): Promise<Ended> {
  return new Promise((resolve, reject) => {
    let stderr = ''
    let wallMs = 0
    child.stderr?.on('data', (chunk) => {
      stderr += chunk
    })
    child.once('error', reject)
    child.once('exit', () => {
      wallMs = now() - startedAt
    })
    child.once('close', (code) => resolve({ startedAt, wallMs, code, stderr }))
  })
}
