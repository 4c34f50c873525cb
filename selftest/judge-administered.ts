/** Runs the whole suite on a portal with logins only, and compares its contents before and after. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Needs } from '../deployment/administration/announcement.ts'
import { findDeployment } from '../deployment/administration/find-deployment.ts'
import { AdministrationFixtures } from '../deployment/administration/provider.ts'
import { loadConfiguration } from '../deployment/configuration/load-configuration.ts'
import { readyActors } from '../deployment/credentials/ready-actors.ts'
import { SignIns } from '../deployment/credentials/sign-ins.ts'
import { openFixtures } from '../deployment/fixtures/fixture-sources.ts'
import { furnish, inventoryOf } from '../reference/administration/inventory.ts'
import { loginsConfiguration } from '../reference/configuration.ts'
import { type EmbeddedPortal, startPortal } from '../reference/portal.ts'
import { runAll } from '../runner/run-all.ts'
import { inputOf } from '../runner/run-input.ts'
import { withoutUndefined } from '../schemas/values.ts'
import { declaredChecks } from '../suites/declared-checks.ts'
import { judgementOf, type PortalJudgement } from './judge-portal.ts'
import type { Alteration, Logins } from './trial.ts'

/** About what a short run uses up. Everything else is made on demand. */
const ahead: Needs = {
  places: true,
  collaborations: 40,
  workspaces: 340,
  taskRuns: 40,
  receivers: true,
  items: { itemOwner: 400, itemOwnerUnprivileged: 20 },
  federation: true,
}

/** Until guests have lost deleted collaborations. */
const settleMs = 1000

const nobodysToken = 'a-token-that-was-never-issued'

/** Starts the portal, judges it and stops it. Rejects if the suite itself breaks. */
export async function judgeAdministered(alteration: Alteration, logins: Logins): Promise<PortalJudgement> {
  const { faults = [], variants = [], requirements = [], seed, runs } = alteration
  const began = performance.now()
  const portal = await startPortal({ faults, variants })
  try {
    furnish(portal.store)
    const before = inventoryOf(portal.store)
    const source = { value: written(portal, logins), name: 'two logins' }
    const loaded = loadConfiguration(source, { seed, runs }, {})
    const signIns = new SignIns()
    const found = await readyActors(await findDeployment(loaded, signIns), nobodysToken, signIns)
    const administration = new AdministrationFixtures(found, signIns)
    const fixtures = await openFixtures(found, administration)
    try {
      const { signal } = new AbortController()
      const configuration = await administration.begin({ needs: ahead, signal })
      const runId = configuration.administration?.runId ?? 'selftest'
      const selection = { operations: [], requirements }
      const others = withoutUndefined({ selection, provider: fixtures.provider, signIns })
      const end = await runAll(await declaredChecks(), inputOf(configuration, runId, others))
      await fixtures.cleanup(runId)
      await sleep(settleMs)
      return {
        ...judgementOf(end),
        wrongs: difference(before, inventoryOf(portal.store)),
        durationMs: Math.round(performance.now() - began),
      }
    } finally {
      await fixtures.close()
    }
  } finally {
    await portal.close()
  }
}

function written({ logins }: EmbeddedPortal, { guest, otherGuest, users }: Logins) {
  const { portals, administration, ...rest } = loginsConfiguration(logins)
  const { baseUrl, username, password } = logins.otherGuest
  const others = otherGuest === true ? { otherGuest: { username, password } } : {}
  return {
    ...rest,
    portals: { ...portals, ...(otherGuest === true ? { otherGuest: { baseUrl } } : {}) },
    administration: {
      host: administration.host,
      ...(guest ? { guest: administration.guest } : {}),
      ...others,
      users,
      runsWithin: '2s',
    },
    run: { settle: '300ms' },
  }
}

/** Leftovers, and what is gone or changed, one line each. */
function difference(before: readonly string[], after: readonly string[]): string[] {
  const lines = (those: readonly string[], other: readonly string[], what: string) =>
    those.filter((line) => !other.includes(line)).map((line) => `${what}: ${line.slice(0, 160)}`)
  return [...lines(after, before, 'left'), ...lines(before, after, 'gone or changed')]
}
