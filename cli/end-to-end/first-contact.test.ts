import { expect, it, onTestFinished } from 'vitest'
import { furnish, inventoryOf } from '../../reference/administration/inventory.ts'
import { loginsConfiguration } from '../../reference/configuration.ts'
import type { Alter } from '../../reference/parts.ts'
import { startPortal } from '../../reference/portal.ts'
import { handshakesTake, syncsTake } from '../../reference/variants/administration.ts'
import { UserFolder } from './command.fixture.ts'

/** Variants with symptoms of real deployments, from public documents and reports. New ones are added here. */
const symptoms = [
  'guests-hear-at-configuration-syncs',
  'guest-has-another-address',
  'times-out-in-the-body-though-done',
]

/** Reports mention handshakes of 13 s and syncs of 12 s or more. Here both, and the timeout below them, are shorter. */
const slow: Alter = (parts) => {
  handshakesTake(1600)(parts)
  syncsTake(1500)(parts)
}
const http = { timeout: '1200ms' }
/** Shorter than a sync, as the default is in reports. */
const run = { settle: '250ms' }

const leastJudged = 90

interface Result {
  readonly id: string
  readonly level: string
  readonly outcome: string
  readonly reason?: string
}

it('a deployment with all symptoms of real ones gets no false finding and keeps no leftovers', {
  timeout: 900_000,
}, async () => {
  const portal = await startPortal({ variants: symptoms, alter: slow })
  onTestFinished(() => portal.close())
  furnish(portal.store)
  const before = inventoryOf(portal.store)
  const folder = new UserFolder()
  const written = { ...loginsConfiguration(portal.logins), http, run }
  written.administration.host.password = `\${HOST_PASSWORD}`
  written.administration.guest.password = `\${GUEST_PASSWORD}`
  folder.write('portal.json', JSON.stringify(written))
  const { host, guest } = portal.logins
  const { code, stderr } = await folder.start(
    ['run', '--config', 'portal.json', '--runs', '1', '--reporter', 'json'],
    {
      HOST_PASSWORD: host.password,
      GUEST_PASSWORD: guest.password,
    },
  ).ended
  const { totals, requirements } = folder.results()
  expect(totals, stderr).toMatchObject({ failed: 0, warned: 0 })
  const musts = (requirements as readonly Result[]).filter(({ level }) => level !== 'advice')
  const open = musts.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'not-applicable')
  // A request that timed out may still have had its effect: checks that depend on it are inconclusive, with a reason.
  for (const { id, reason } of open)
    expect([id, reason]).toEqual([id, expect.stringMatching(/50[24]|no complete answer|repeated|seen once/i)])
  expect(code, stderr).toBe(open.length === 0 ? 0 : 3)
  expect(musts.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThanOrEqual(leastJudged)
  expect(inventoryOf(portal.store)).toEqual(before)
})
