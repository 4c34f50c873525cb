/** `init` on a real terminal: passwords do not show, and the terminal is as before when it ends. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { portalOfFile } from '../process/test-portal.fixture.ts'
import { UserFolder } from './command.fixture.ts'
import { lacksPython, onTerminal } from './pseudo-terminal.fixture.ts'

describe.skipIf(lacksPython)('init on a terminal', () => {
  const portal = portalOfFile()

  it('asks for two logins and writes the file, and shows no password', async () => {
    const { host, guest } = portal().logins
    const folder = new UserFolder()
    const { code, shown, echoes } = await onTerminal(['init'], folder.path, [
      ['[yes]:', '\r'],
      ['Base URL of the host:', `${host.baseUrl}\r`],
      ['administrator of the host:', `${host.username}\r`],
      ['(does not show):', `${host.password}\r`],
      ['[none]:', `${guest.baseUrl}\r`],
      ['or none:', `${guest.username}\r`],
      ['(does not show):', `${guest.password}\r`],
      ['[yes]:', '\r'],
    ])
    expect([code, echoes]).toEqual([0, true])
    expect(shown).toContain('Wrote portal-conformance.yaml.\n')
    expect(shown).toContain('  export HOST_PASSWORD=...\n  export GUEST_PASSWORD=...\n')
    const text = readFileSync(join(folder.path, 'portal-conformance.yaml'), 'utf8')
    expect(text).toContain(`id: ${portal().store.portals.guest}`)
    for (const secret of [host.password, guest.password]) expect(shown + text).not.toContain(secret)
  })

  it('ends at Ctrl-C within a password: exit code 130, nothing written, the terminal as before', async () => {
    const folder = new UserFolder()
    const { code, shown, echoes } = await onTerminal(['init'], folder.path, [
      ['[yes]:', '\r'],
      ['Base URL of the host:', `${portal().logins.host.baseUrl}\r`],
      ['administrator of the host:', 'me\r'],
      ['(does not show):', 'half\x03'],
    ])
    expect([code, echoes]).toEqual([130, true])
    expect(shown).toContain(`  portal-conformance init --base-url ${portal().logins.host.baseUrl}\n`)
    expect(shown).toContain('Interrupted; nothing was written.\n')
    expect(shown).not.toContain('half')
    expect(existsSync(join(folder.path, 'portal-conformance.yaml'))).toBe(false)
  })
})
