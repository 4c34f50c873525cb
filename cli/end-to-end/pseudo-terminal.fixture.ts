/** Runs the built command on a terminal of its own, which Python makes, and types on it. */
import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { endOf } from './command.fixture.ts'

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

/** Types each answer once its question shows, and prints what showed, the exit code and whether the terminal echoes. */
const driver = `
import json, os, pty, select, subprocess, sys, termios
command, steps = json.loads(sys.argv[1])
master, terminal = pty.openpty()
process = subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True)
shown, seen = '', 0
while True:
    ended = process.poll() is not None
    if select.select([master], [], [], 0 if ended else 0.05)[0]:
        shown += os.read(master, 65536).decode(errors='replace')
    elif ended:
        break
    if steps and steps[0][0] in shown[seen:]:
        seen = len(shown)
        os.write(master, steps.pop(0)[1].encode())
modes = termios.tcgetattr(terminal)[3]
print(json.dumps({'code': process.returncode, 'shown': shown, 'echoes': bool(modes & termios.ECHO and modes & termios.ICANON)}))
`

export const lacksPython = spawnSync('python3', ['-c', 'import pty']).status !== 0

export interface TerminalSession {
  readonly code: number
  /** Without what moves the cursor. */
  readonly shown: string
  /** Whether the terminal is as it was: it shows what is typed, and hands over whole lines. */
  readonly echoes: boolean
}

/** `steps`: a text that shows, and the keys that are typed then. */
export async function onTerminal(
  args: readonly string[],
  cwd: string,
  steps: readonly (readonly [text: string, keys: string])[],
): Promise<TerminalSession> {
  const script = JSON.stringify([[process.execPath, main, ...args], steps])
  const child = spawn('python3', ['-c', driver, script], {
    cwd,
    env: { PATH: process.env.PATH ?? '', TERM: 'xterm', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { stdout, stderr } = await endOf(child)
  if (stdout === '') throw new Error(stderr)
  const session: TerminalSession = JSON.parse(stdout)
  return { ...session, shown: stripVTControlCharacters(session.shown).replaceAll('\r', '') }
}
