import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { resultsIn } from '../process/in-process.fixture.ts'
import { htmlPage, portalBehindProxy, userOf } from './portal-behind-proxy.fixture.ts'

const wrong = 'not-the-password-1'

const refused = (detail: string) => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ error: { code: 400, message: 'Unable to generate token.', details: [detail] } }),
})

/** Replaces passwords of the configuration by a wrong one. */
const mistyped =
  (...names: readonly ('host' | 'guest')[]) =>
  (written: { administration: { host: object; guest: object } }) => {
    const { administration, ...others } = written
    const changed = names.map((name) => [name, { ...administration[name], password: wrong }])
    return { ...others, administration: { ...administration, ...Object.fromEntries(changed) } }
  }

it('run tries the refused login of a created user fewer than five times, so no account is locked', async () => {
  const isMade = /username=pc_/
  const { logins, proxied } = await portalBehindProxy(({ path, body }) =>
    /\/generateToken/.test(path) && isMade.test(body) ? refused('Invalid username or password.') : undefined,
  )
  await userOf(logins).run('--requirement', 'reassign-items/reassigns', '--reporter', 'json')
  const users = proxied.flatMap(({ path, body }) =>
    /\/generateToken/.test(path) && isMade.test(body) ? [new URLSearchParams(body).get('username')] : [],
  )
  const tries = [...new Set(users)].map((name) => users.filter((each) => each === name).length)
  expect(tries.length).toBeGreaterThan(1)
  for (const count of tries) expect(count).toBeLessThan(5)
})

describe('a wrong password', () => {
  const commands = [
    ['doctor', 3],
    ['run', 4],
  ] as const

  it.each(commands)('of both administrators is sent once each by %s', async (name, expected) => {
    const { portal, logins, proxied, failedLogins } = await portalBehindProxy()
    const user = userOf(logins, mistyped('host', 'guest'))
    const { code, out, err } = await user[name]()
    expect(code).toBe(expected)
    expect(failedLogins).toEqual(['host_administrator', 'guest_administrator'])
    // Lines may wrap at any word.
    expect((out + err).replace(/\s+/g, ' ')).toContain('says that the user name or the password is wrong')
    expect(out + err).not.toContain(wrong)
    // Nothing is created or written.
    expect([portal.requests, existsSync(user.out)]).toEqual([0, false])
    expect(proxied.length).toBeLessThan(15)
    if (name === 'run')
      expect([out, err]).toEqual([
        '',
        expect.stringMatching(
          /^no login or credential works at \S+, so nothing is judged: administration\.host: .*\n$/,
        ),
      ])
  })

  it('of the host alone ends run, and doctor says what to correct and promises no removal', async () => {
    const { portal, logins } = await portalBehindProxy()
    const user = userOf(logins, mistyped('host'))
    const doctor = await user.doctor()
    expect(doctor.code).toBe(3)
    expect(doctor.out).toMatch(/most useful first\s+\+ administration\.host: \d+ more checks/)
    expect(doctor.out).not.toMatch(/is\s+removed at the end/)
    const before = portal.requests
    expect(await user.run()).toMatchObject({
      code: 4,
      err: expect.stringMatching(
        /^no fixtures can be made at \S+, so nothing is judged: administration\.host: /,
      ),
    })
    expect([portal.requests, existsSync(user.out)]).toEqual([before, false])
  })

  it('of the guest is sent once by run and cleanup, which judge and clean up the rest', async () => {
    const { logins, failedLogins } = await portalBehindProxy()
    const user = userOf(logins, mistyped('guest'))
    const { code, err } = await user.run('--requirement', 'add-workspace/creates', '--reporter', 'json')
    const created = resultsIn(user.out).requirements.find(({ id }) => id === 'add-workspace/creates')
    expect(created?.outcome).toBe('passed')
    expect([code, err]).toEqual([3, expect.not.stringContaining('left')])
    expect(failedLogins).toEqual(['guest_administrator'])
    expect(await user.cleanup()).toMatchObject({ code: 0, out: expect.stringContaining('Nothing is left') })
    expect(failedLogins).toEqual(['guest_administrator'])
  })

  it('of the host is sent once by init, which reports the refusal', async () => {
    const { logins, failedLogins } = await portalBehindProxy()
    const { code, err } = await userOf(logins).init([], { HOST_PASSWORD: wrong })
    expect(code).toBe(2)
    expect(err).toMatch(/administration\.host: the login was not accepted: .* the password is wrong/)
    expect(failedLogins).toEqual(['host_administrator'])
  })

  it('after a password change during the run is sent only once', async () => {
    let changed = false
    const { portal, logins, failedLogins } = await portalBehindProxy(({ path }) => {
      // Once a workspace is added, the password changes and all tokens end.
      if (!changed && /\/addWorkspace$/.test(path)) {
        changed = true
        const user = portal.store.users.get('host_administrator')
        if (user !== undefined)
          portal.store.users.set('host_administrator', { ...user, password: 'new-one-1' })
        portal.store.tokens.clear()
      }
      return undefined
    })
    const user = userOf(logins, ({ administration: { host }, portals: _, ...others }) => ({
      ...others,
      administration: { host, users: 'none' },
    }))
    const { code, err } = await user.run('--requirement', 'add-workspace/creates', '--reporter', 'json')
    expect([changed, code]).toEqual([true, 3])
    expect(err).toMatch(
      /fixtures may be left over: [\s\S]* is wrong[\s\S]*to clean up later: portal-conformance cleanup/,
    )
    expect(failedLogins).toEqual(['host_administrator'])
    const { err: again } = await user.cleanup()
    expect(again).toContain('not tried, because the login was not accepted')
    expect(err + again).not.toContain('answered nothing more')
  })

  it('that a page in front of the portal repeats is not shown', async () => {
    const { logins } = await portalBehindProxy(({ path, body }) =>
      /\/generateToken/.test(path) ? htmlPage(403, `Blocked: ${body}`) : undefined,
    )
    const { code, err } = await userOf(logins, mistyped('host', 'guest')).run()
    expect([code, err]).toEqual([
      4,
      expect.stringContaining('generateToken answered HTTP 403 with an HTML page;'),
    ])
    expect(err).not.toContain(wrong)
  })
})
