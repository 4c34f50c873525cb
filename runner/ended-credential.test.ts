/** A credential that has ended: given as it is, or made by a login and waited for. */
import { expect, it, onTestFinished } from 'vitest'
import { loadConfiguration } from '../deployment/configuration/load-configuration.ts'
import { startPortal } from '../reference/portal.ts'
import { declaredChecks } from '../suites/declared-checks.ts'
import { runAll } from './run-all.ts'
import { inputOf } from './run-input.ts'

const check = 'add-workspace/refuses-invalid-credential:expired'

/** What comes of the check where that is known of a credential that has ended; `faults`: of the portal. */
async function judged(
  expiredOf: (portal: Awaited<ReturnType<typeof startPortal>>) => unknown,
  faults: readonly string[] = [],
) {
  const portal = await startPortal({ faults, variants: ['short-lived-tokens'] })
  onTestFinished(() => portal.close())
  const { hostAdministrator, ...others } = portal.configuration.actors
  const { expired: _left, ...known } = hostAdministrator
  const expired = expiredOf(portal)
  const actors = {
    ...others,
    hostAdministrator: { ...known, ...(expired === undefined ? {} : { expired }) },
  }
  const value = { ...portal.configuration, actors }
  const configuration = loadConfiguration({ value, name: 'the test' }, { seed: 1 }, {})
  const selection = { operations: [], requirements: [check] }
  const { checks: all } = await runAll(await declaredChecks(), inputOf(configuration, 'test', { selection }))
  return all.find(({ id }) => id === check)
}

const printed = ({ configuration }: Awaited<ReturnType<typeof startPortal>>) => ({
  command: `echo ${configuration.actors.hostAdministrator.expired}`,
})
const given = ({ configuration }: Awaited<ReturnType<typeof startPortal>>) =>
  configuration.actors.hostAdministrator.expired

it.each([
  ['that is given', given],
  ['that a command prints', printed],
] as const)('is refused, one %s', async (_, expiredOf) => {
  expect(await judged(expiredOf)).toMatchObject({ outcome: 'passed' })
  expect(await judged(expiredOf, ['ended-credential-let-in'])).toMatchObject({
    outcome: 'failed',
    failure: { message: 'an expired credential was accepted' },
  })
})

it('is not looked for where none is known', async () => {
  expect(await judged(() => undefined)).toMatchObject({
    outcome: 'not-applicable',
    reason: 'no expired credential of hostAdministrator: add actors.hostAdministrator.expired',
  })
})

it('is not tested where a command gives none', async () => {
  expect(await judged(() => ({ command: 'false' }))).toMatchObject({
    outcome: 'not-tested',
    add: ['actors.hostAdministrator.expired'],
  })
})

it('is none that a login gives', async () => {
  await expect(judged(() => ({ login: { username: 'a', password: 'x' } }))).rejects.toThrow(
    'actors.hostAdministrator.expired.login: a login gives what has not ended',
  )
})
