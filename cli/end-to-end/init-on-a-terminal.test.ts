/** `init` on a real terminal, which Python creates: the password is hidden, and the terminal is restored. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { testPortal } from '../process/test-portal.fixture.ts'
import { endOf, main, UserFolder } from './command.fixture.ts'

/** Types each answer after its question, and prints the screen, the exit code and whether the terminal echoes. */
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

const lacksPython = spawnSync('python3', ['-c', 'import pty']).status !== 0

it.skipIf(lacksPython)(
  'init exits with 130 at Ctrl-C in a password, writes nothing and restores the terminal',
  async () => {
    const { baseUrl } = (await testPortal()).logins.host
    const { path } = new UserFolder()
    const steps = [
      ['[yes]:', '\r'],
      ['Base URL of the host:', `${baseUrl}\r`],
      ['administrator of the host:', 'me\r'],
      ['(does not show):', 'half\x03'],
    ]
    const script = JSON.stringify([[process.execPath, main, 'init'], steps])
    const child = spawn('python3', ['-c', driver, script], {
      cwd: path,
      env: { PATH: process.env.PATH ?? '', TERM: 'xterm', NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const { stdout, stderr } = await endOf(child)
    expect(stderr).toBe('')
    const session: { code: number; shown: string; echoes: boolean } = JSON.parse(stdout)
    // Without control sequences.
    const shown = stripVTControlCharacters(session.shown).replaceAll('\r', '')
    expect([session.code, session.echoes]).toEqual([130, true])
    expect(shown).toContain('Interrupted; nothing was written.\n')
    expect(shown).not.toContain('half')
    expect(existsSync(join(path, 'portal-conformance.yaml'))).toBe(false)
  },
)
