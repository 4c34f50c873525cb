/** Runs over the networks that deployments stand behind: whole ones where a network may matter to all of it. */
import { expect, test } from 'vitest'
import {
  authority,
  forElsewhere,
  forNames,
  forNumbers,
  forTarget,
} from '../../deployment/http/certificates.fixture.ts'
import {
  filesWith,
  hasIpv6,
  overHttp2,
  proxyServer,
  secured,
} from '../../deployment/http/networks.fixture.ts'
import type { EmbeddedPortal } from '../../reference/portal.ts'
import { testPortal } from '../process/test-portal.fixture.ts'
import { type Ended, UserFolder } from './command.fixture.ts'

type File = EmbeddedPortal['configuration']

interface Way {
  readonly baseUrl?: string
  readonly guestUrl?: string
  readonly http?: Record<string, unknown>
  readonly environment?: Record<string, string>
  readonly args?: readonly string[]
}

interface Run extends Ended {
  readonly folder: UserFolder
}

/** Judges the portal, which is reached in that way. */
async function judged({ configuration }: EmbeddedPortal, way: Way): Promise<Run> {
  const folder = new UserFolder()
  const file: File & { http?: object } = structuredClone(configuration)
  if (way.baseUrl !== undefined) file.target.baseUrl = way.baseUrl
  if (way.guestUrl !== undefined) file.portals.guest.baseUrl = way.guestUrl
  file.http = way.http ?? {}
  folder.write('portal.json', JSON.stringify(file))
  const args = ['run', '--config', 'portal.json', '--runs', '1', ...(way.args ?? [])]
  return { folder, ...(await folder.run(args, way.environment)) }
}

/** On a busy machine timing may not tell whether a request met a scheduled sync: a network has no part in that. */
const reportedByTime = 'sync-workspace/one-at-a-time'

function expectConformant({ code, stdout, stderr, folder }: Run): void {
  const { totals, requirements } = folder.results()
  const open = requirements.filter(({ outcome }) => outcome === 'inconclusive').map(({ id }) => id)
  expect(open.filter((id) => id !== reportedByTime)).toEqual([])
  expect([totals.failed, totals['not-tested']]).toEqual([0, 0])
  if (open.length > 0) return
  expect(stdout + stderr).toContain('Conformant:')
  expect(code).toBe(0)
}

/** Of what was judged all passed; the rest was not selected. */
function expectPassed({ code, folder }: Run): void {
  expect(code).toBe(3)
  const { totals } = folder.results()
  expect([totals.failed, totals.inconclusive]).toEqual([0, 0])
  expect(totals.passed).toBeGreaterThan(15)
}

/** It never began: one line that says what to do. */
function expectUnreached({ code, stderr, folder }: Run, says: RegExp): void {
  expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(says)])
  expect(code).toBe(4)
  expect(folder.reported).toBe(false)
}

const few = ['--operation', 'add-workspace'] as const

test('where certificates are not checked, every report says so', async () => {
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

test('a proxy of the environment that wants a password, which stays secret', async () => {
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

test('IPv6, from the first request to the line that repeats one', async (context) => {
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

test('two portals of one collaboration on two ports, under two names and with two certificates', async () => {
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

test('250 ms to the target and back', async () => {
  const portal = await testPortal({ latencyMs: 250 })
  const timed = 'sync-workspace/{starts,synchronous-blocks,asynchronous-returns,one-at-a-time,after-finish}'
  const { folder, code } = await judged(portal, { args: ['--requirement', timed] })
  const { totals } = folder.results()
  expect([code, totals.failed, totals.inconclusive]).toEqual([3, 0, 0])
  expect(totals.passed).toBeGreaterThanOrEqual(4)
})

test('HTTP/2', async () => {
  const portal = await testPortal()
  const baseUrl = await overHttp2(portal.baseUrl, forTarget)
  const { ca } = filesWith({ ca: authority })
  expectConformant(await judged(portal, { baseUrl, http: { ca, version: '2' } }))
})
