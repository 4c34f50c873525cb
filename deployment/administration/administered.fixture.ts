/** An embedded portal that is configured only by logins, and its contents before and after a run. */
import { onTestFinished, vi } from 'vitest'
import { furnish, inventoryOf } from '../../reference/administration/inventory.ts'
import { loginsConfiguration } from '../../reference/configuration.ts'
import { type EmbeddedPortal, type PortalOptions, startPortal } from '../../reference/portal.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { loadConfiguration } from '../configuration/load-configuration.ts'
import { readyActors } from '../credentials/ready-actors.ts'
import { SignIns } from '../credentials/sign-ins.ts'
import type { FixtureKind } from '../fixtures/fixture-kinds.ts'
import { Things } from '../journal/journal.ts'
import type { Needs } from './announcement.ts'
import { findDeployment } from './find-deployment.ts'
import { AdministrationFixtures } from './provider.ts'

/** A portal with contents. Closes at the end of the test. */
export async function portalWith(options: PortalOptions = {}): Promise<EmbeddedPortal> {
  const portal = await startPortal(options)
  onTestFinished(() => portal.close())
  furnish(portal.store)
  return portal
}

/** A configuration with the logins of the host and of a guest; `changes` override `administration`. */
export function writtenFor({ logins }: EmbeddedPortal, changes: object = {}) {
  const written = loginsConfiguration(logins)
  return {
    ...written,
    ...('otherGuest' in changes
      ? { portals: { ...written.portals, otherGuest: { baseUrl: logins.otherGuest.baseUrl } } }
      : {}),
    administration: { ...written.administration, runsWithin: '2s', ...changes },
    run: { settle: '600ms', guestRefresh: '400ms', seed: 1 },
  }
}

export const configurationFor = (portal: EmbeddedPortal, changes: object = {}): Configuration =>
  loadConfiguration({ value: writtenFor(portal, changes), name: 'the test' }, {}, {})

/** All contents of the portal. */
export const contentsOf = ({ store }: EmbeddedPortal): string[] => inventoryOf(store)

export const few: Needs = {
  places: true,
  collaborations: 2,
  workspaces: 20,
  taskRuns: 3,
  receivers: true,
  items: { itemOwner: 5 },
  federation: true,
}

/** Lets the clock of this process run ten times as fast until the end of the test: waits for nothing end soon. */
export function hurry(): void {
  const now = performance.now.bind(performance)
  const from = now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => from + 10 * (now() - from))
  onTestFinished(() => clock.mockRestore())
}

export const neverAborted = new AbortController().signal

/** Starts fixtures like a run, with the journal in memory. */
export async function beginRun(written: Configuration, needs: Needs = few) {
  const signIns = new SignIns()
  const found = await readyActors(await findDeployment(written, signIns), 'no-one', signIns)
  const fixtures = new AdministrationFixtures(found, signIns)
  const things = new Things()
  const configuration = await fixtures.begin({ needs, things, signal: neverAborted })
  const obtain = (kind: FixtureKind, options: object = {}) =>
    fixtures.provider[kind]?.(options as never, {}) as Promise<Record<string, unknown>>
  return { fixtures, configuration, things, obtain }
}
