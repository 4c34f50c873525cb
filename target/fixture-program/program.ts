/** A program in the shell of the system, with all that it starts: none of it outlives this process. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

export interface Program {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves once it has ended and all that it printed was read, with how it ended, in a few words. */
  readonly ended: Promise<string>
  /** Ends its input, and after a while the program. Resolves when it is gone. */
  stop(): Promise<void>
}

/** How long a program may take to end by itself, and then when told to, in milliseconds. */
const patience = { inputEndedMs: 2000, terminatedMs: 1000 }

/** Starts the command line in the folder. A program that cannot be started is one that has ended. */
export function startProgram(
  command: string,
  folder: string,
  { inputEndedMs, terminatedMs } = patience,
): Program {
  // A process group of its own: an interrupt at the terminal must not end what is to clean up.
  const child = spawn(command, { shell: true, cwd: folder, detached: !onWindows, stdio: 'pipe' })
  const { stdin, stdout, stderr } = child
  // That nobody reads what is written shows in how the program ends.
  stdin.on('error', () => undefined)
  const killNow = () => kill(child, 'SIGKILL')
  process.on('exit', killNow)
  const gone = new Promise<void>((resolve) => {
    child.once('exit', resolve).once('error', () => resolve())
  }).then(() => {
    // What it started and left behind goes with it.
    killNow()
    process.off('exit', killNow)
  })
  const ended = new Promise<string>((resolve) => {
    child.once('error', ({ message }) => resolve(`could not be started: ${message}`))
    child.once('close', (code, signal) =>
      resolve(code === null ? `was ended by ${signal}` : `ended with code ${code}`),
    )
  })
  return {
    stdin,
    stdout,
    stderr,
    ended,
    async stop() {
      stdin.end()
      if (!(await within(inputEndedMs, gone))) {
        kill(child, 'SIGTERM')
        if (!(await within(terminatedMs, gone))) killNow()
        await gone
      }
      for (const stream of [stdin, stdout, stderr]) stream.destroy()
    },
  }
}

const onWindows = process.platform === 'win32'

function kill({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    if (onWindows) execFileSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' })
    else process.kill(-pid, signal)
  } catch {
    // It is gone already.
  }
}

async function within(milliseconds: number, gone: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds)
  })
  try {
    return await Promise.race([gone.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
