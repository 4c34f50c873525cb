/** Runs over different networks: runs with every requirement if the network can affect every check. */
import { expect, test } from 'vitest'
import { authority, forElsewhere, forNames, forNumbers } from '../../deployment/http/certificates.fixture.ts'
import { filesWith, hasIpv6, proxyServer, secured } from '../../deployment/http/networks.fixture.ts'
import type { EmbeddedPortal } from '../../reference/portal.ts'
import { testPortal } from '../process/test-portal.fixture.ts'
import { type Ended, UserFolder } from './command.fixture.ts'

type File = EmbeddedPortal['configuration']

interface Access {
  readonly baseUrl?: string
  readonly guestUrl?: string
  readonly http?: Record<string, unknown>
  readonly environment?: Record<string, string>
  readonly args?: readonly string[]
}

interface Run extends Ended {
  readonly folder: UserFolder
}

/** Judges the portal with the given access. */
async function judged({ configuration }: EmbeddedPortal, access: Access): Promise<Run> {
  const folder = new UserFolder()
  const file: File & { http?: object } = structuredClone(configuration)
  if (access.baseUrl !== undefined) file.target.baseUrl = access.baseUrl
  if (access.guestUrl !== undefined) file.portals.guest.baseUrl = access.guestUrl
  file.http = access.http ?? {}
  folder.write('portal.json', JSON.stringify(file))
  const args = ['run', '--config', 'portal.json', '--quick', ...(access.args ?? [])]
  return { folder, ...(await folder.run(args, access.environment)) }
}

/** Depends on timing: inconclusive on a busy machine, whatever the network. */
const timingDependent = 'sync-workspace/one-at-a-time'

function expectConformant({ code, stdout, stderr, folder }: Run): void {
  const { totals, requirements } = folder.results()
  const open = requirements.filter(({ outcome }) => outcome === 'inconclusive').map(({ id }) => id)
  expect(open.filter((id) => id !== timingDependent)).toEqual([])
  expect([totals.failed, totals['not-tested']]).toEqual([0, 0])
  if (open.length > 0) return
  expect(stdout + stderr).toContain('Conformant:')
  expect(code).toBe(0)
}

/** All judged checks passed; the others were not selected. */
function expectPassed({ code, folder }: Run): void {
  expect(code).toBe(3)
  const { totals } = folder.results()
  expect([totals.failed, totals.inconclusive]).toEqual([0, 0])
  expect(totals.passed).toBeGreaterThan(15)
}

/** The run did not start, and printed one line with advice. */
function expectUnreached({ code, stderr, folder }: Run, says: RegExp): void {
  expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(says)])
  expect(code).toBe(4)
  expect(folder.reported).toBe(false)
}

const few = ['--operation', 'add-workspace'] as const

test('every report mentions that certificates were not checked', async () => {
  const portal = await testPortal()
  const baseUrl = await secured(portal.baseUrl, forElsewhere)
  const reporters = ['--reporter', 'terminal,json,junit,html,markdown,har']
  const run = await judged(portal, {
    baseUrl,
    http: { insecure: ['127.0.0.1'] },
    args: [...few, ...reporters],
  })
  expect(run.folder.results().target.insecure).toBe(true)
  expect(run.stderr).toContain(`Warning: TLS certificates of ${new URL(baseUrl).host} are not checked`)
  const { 'results.json': _, 'journal.ndjson': __, ...written } = run.folder.written()
  const reports = Object.entries({ terminal: run.stdout, ...written })
  expect(reports.length).toBeGreaterThanOrEqual(5)
  const silent = reports.filter(
    ([, text]) => !/TLS certificates were not checked/.test(text.replace(/\s+/g, ' ')),
  )
  expect(silent.map(([name]) => name)).toEqual([])
})

test('run works through an HTTP_PROXY with a password, and shows no password', async () => {
  const portal = await testPortal()
  const proxy = await proxyServer('me:pr0xy-passw0rd')
  const baseUrl = portal.baseUrl.replace('127.0.0.1', 'portal.invalid')
  const environment = { HTTP_PROXY: proxy.url.replace('//', '//me:pr0xy-passw0rd@') }
  const args = [...few, '--reporter', 'terminal,json,html,har']
  const run = await judged(portal, { baseUrl, environment, args })
  expectPassed(run)
  expect(proxy.asked.length).toBeGreaterThan(run.folder.results().run.requests)
  const reported = `portal.invalid:${new URL(baseUrl).port}: requested through the proxy ${proxy.url} (HTTP_PROXY in the environment`
  expect(run.stderr).toContain(reported)
  expect(run.stdout + run.stderr + run.folder.everythingWritten()).not.toContain('pr0xy-passw0rd')
  expectUnreached(
    await judged(portal, { baseUrl, http: { proxy: proxy.url } }),
    /cannot be reached: the proxy \S+ wants a user name and password, or others than it got \(HTTP 407\)/,
  )
})

test('run works over IPv6, and prints curl commands with the IPv6 address', async (context) => {
  if (!(await hasIpv6())) return context.skip('this machine has no ::1')
  const portal = await testPortal({ host: '::1' })
  expect(portal.baseUrl).toMatch(/^http:\/\/\[::1\]:\d+\//)
  expectPassed(await judged(portal, { args: few }))
  const faulty = await testPortal({ host: '::1', faults: ['guests-add-workspaces'] })
  const run = await judged(faulty, { args: few })
  expect(run.code).toBe(1)
  expect(run.stdout).toContain(`curl -sS -i -g -X POST '${faulty.baseUrl}/portals/`)
  const { host } = new URL(faulty.baseUrl)
  expect(run.folder.results().target.baseUrl).toContain(`http://${host}/`)
})

test('run works with host and guest on two ports, under two names, with two certificates', async () => {
  const portal = await testPortal({ variants: ['portals-apart'] })
  const baseUrl = await secured(portal.baseUrl, forNumbers)
  const guest = portal.configuration.portals.guest.baseUrl as string
  const guestUrl = (await secured(guest, forNames)).replace('127.0.0.1', 'localhost')
  const { ca } = filesWith({ ca: authority })
  expectConformant(await judged(portal, { baseUrl, guestUrl, http: { ca } }))
  expectUnreached(
    await judged(portal, { baseUrl, guestUrl: guestUrl.replace('localhost', '127.0.0.1'), http: { ca } }),
    /\(portals\.guest\.baseUrl\) cannot be reached: TLS failed \(ERR_TLS_CERT_ALTNAME_INVALID\)/,
  )
})
