import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { htmlPage, portalBehindProxy, userOf } from './portal-behind-proxy.fixture.ts'

type ProxiedPortal = Awaited<ReturnType<typeof portalBehindProxy>>
type Logins = ProxiedPortal['logins']

const moved = (location: (path: string) => string) => (request: { path: string }) => ({
  status: 302,
  headers: { location: location(request.path) },
})

/** Runs doctor, run and init; returns the one line that each prints. None of them creates, writes or sends much. */
async function linesOfAll(
  { portal, proxied, logins }: ProxiedPortal,
  at: (logins: Logins) => Logins = (same) => same,
) {
  const user = userOf(at(logins))
  const ended = [await user.doctor(), await user.run()]
  expect(ended.map(({ code, out }) => [code, out])).toEqual([
    [4, ''],
    [4, ''],
  ])
  const init = await user.init()
  expect(init.code).toBe(2)
  expect([existsSync(user.out), existsSync(user.written), portal.requests]).toEqual([false, false, 0])
  expect(proxied.length).toBeLessThan(30)
  const lines = [...ended, init].map(({ err }) => err.trimEnd())
  for (const line of lines) expect(line.split('\n')).toHaveLength(1)
  return lines
}

/** The logins with another path in the base URL of the host. */
const below =
  (path: string) =>
  ({ host, guest }: Logins): Logins => ({
    host: { ...host, baseUrl: new URL(host.baseUrl).origin + path },
    guest,
  })

describe('doctor, run and init report in one line', () => {
  it('a firewall that blocks requests', async () => {
    const door = await portalBehindProxy(() => htmlPage(403, 'Request blocked'))
    for (const line of await linesOfAll(door))
      expect(line).toContain('answered HTTP 403 with the HTML page "Request blocked"; a firewall or a proxy')
  })

  it('a redirect to another host, without sending it a request', async () => {
    const other = await portalBehindProxy()
    const door = await portalBehindProxy(moved((path) => other.origin + path))
    for (const line of await linesOfAll(door))
      expect(line).toMatch(/it is at another host: .* set the base URL to/)
    expect(other.proxied).toEqual([])
  })

  it('a base URL without /sharing/rest', async () => {
    const door = await portalBehindProxy()
    const { pathname } = new URL(door.logins.host.baseUrl)
    expect(pathname).toMatch(/\/sharing\/rest$/)
    const lines = await linesOfAll(door, below(pathname.replace(/\/sharing\/rest$/, '')))
    for (const line of lines)
      expect(line).toContain(`set the base URL to ${door.logins.host.baseUrl}, where a portal answers`)
  })
})

it('doctor accepts a portal that has no page at its base URL', async () => {
  const { portal, logins } = await portalBehindProxy(({ path }) =>
    /\/sharing\/rest\?/.test(path) ? htmlPage(404, 'Not Found') : undefined,
  )
  const { hostAdministrator } = portal.configuration.actors
  const { code, out } = await userOf(logins, ({ administration: _, ...others }) => ({
    ...others,
    portals: portal.configuration.portals,
    actors: { hostAdministrator },
  })).doctor()
  expect([code, out]).toEqual([
    0,
    expect.stringContaining('✓ hostAdministrator: signed in, with the rights of the role'),
  ])
})

describe('a proxy that drops Referer', () => {
  const dropped = (request: { headers: { referer?: string | undefined } }) => {
    const { referer: _, ...headers } = request.headers
    return { ...request, headers } as never
  }

  it('is suspected by run and doctor, which create nothing and report no working login', async () => {
    const { logins, portal } = await portalBehindProxy(dropped)
    const user = userOf(logins)
    // Both ask for a while, since a new token may not be known everywhere at once.
    const [run, doctor] = await Promise.all([user.run(), user.doctor()])
    expect([run.code, existsSync(user.out), portal.requests]).toEqual([4, false, 0])
    expect(run.err).toMatch(
      /error code 498 directly after the login: a proxy probably drops the Referer header/,
    )
    expect(doctor.code).toBe(3)
    expect(doctor.out.replace(/\s+/g, ' ')).toContain('a proxy probably drops the Referer header')
    expect(doctor.out).not.toContain('signed in')
  })
})

it('a user name in another letter case works, since the suite uses the spelling of the deployment', async () => {
  /** Accepts logins in another letter case. */
  const anyCase = (request: { path: string; body: string }) =>
    /\/generateToken/.test(request.path)
      ? ({ ...request, body: request.body.replace(/Host_Administrator/, 'host_administrator') } as never)
      : undefined
  const { logins } = await portalBehindProxy(anyCase)
  const misspelt = { ...logins.host, username: 'Host_Administrator' }
  expect((await userOf({ ...logins, host: misspelt }).doctor()).code).toBe(0)
})

describe('an unreachable /portaladmin', () => {
  const closed = ({ path }: { path: string }) =>
    /\/(?:portal)?admin\b/.test(path) ? htmlPage(403, 'Administrative access disabled') : undefined
  const reason =
    /portaladmin answered HTTP 403 with the HTML page "Administrative access disabled", so a run cannot make users; open \S+\/portaladmin/

  it('is reported by doctor, which then announces no users', async () => {
    const { logins } = await portalBehindProxy(closed)
    const { code, out } = await userOf(logins).doctor()
    const text = out.replace(/\s+/g, ' ')
    expect(code).toBe(0)
    expect(text).toMatch(new RegExp(`– hostMember, .*: ${reason.source}`))
    expect(text).toMatch(new RegExp(`– no users: ${reason.source}`))
    expect(text).not.toMatch(/\d+ users of the host|the run makes them/)
  })

  it('is the reason for checks that run does not test, and run creates no user', async () => {
    const { logins, proxied } = await portalBehindProxy(closed)
    const { code, out } = await userOf(logins).run('--requirement', 'reassign-items/reassigns')
    expect(code).toBe(3)
    expect(out.replace(/\s+/g, ' ')).toMatch(reason)
    expect(proxied.filter(({ path }) => /createUser/.test(path))).toEqual([])
  })

  it('is reported by init', async () => {
    const { logins } = await portalBehindProxy(closed)
    const { code, out } = await userOf(logins).init(['--users', 'create'])
    expect([code, out]).toEqual([0, expect.stringMatching(reason)])
  })
})
