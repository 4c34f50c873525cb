/** The check of an expired credential, which the configuration holds or a command prints. */
import { expect, it } from 'vitest'
import type { EmbeddedPortal } from '../reference/portal.ts'
import { resultsOn } from './judged-portal.fixture.ts'

const check = 'add-workspace/refuses-invalid-credential:expired'

/** The result of the check with this `expired` credential, on a portal with these faults. */
async function judged(expiredOf: (known: unknown) => unknown, faults: readonly string[] = []) {
  const sections = ({ configuration: { actors } }: EmbeddedPortal) => {
    const { expired: known, ...others } = actors.hostAdministrator
    const expired = expiredOf(known)
    const hostAdministrator = { ...others, ...(expired === undefined ? {} : { expired }) }
    return { actors: { ...actors, hostAdministrator } }
  }
  const options = { faults, variants: ['short-lived-tokens'] }
  const results = await resultsOn(options, { requirements: [check], seed: 1, sections })
  return results.find(({ id }) => id === check)
}

it.each([
  ['of the configuration', (known: unknown) => known],
  ['printed by a command', (known: unknown) => ({ command: `echo ${known}` })],
])('an expired credential %s must be refused', async (_, expiredOf) => {
  expect(await judged(expiredOf)).toMatchObject({ outcome: 'passed' })
  expect(await judged(expiredOf, ['ended-credential-let-in'])).toMatchObject({
    outcome: 'failed',
    failure: { message: 'an expired credential was accepted' },
  })
})

it('the check is not applicable without an expired credential', async () => {
  expect(await judged(() => undefined)).toMatchObject({
    outcome: 'not-applicable',
    reason: 'no expired credential of hostAdministrator: add actors.hostAdministrator.expired',
  })
})

it('the check is not tested if the command for the credential fails', async () => {
  expect(await judged(() => ({ command: 'false' }))).toMatchObject({
    outcome: 'not-tested',
    add: ['actors.hostAdministrator.expired'],
  })
})

it('the configuration refuses a login as the source of an expired credential', async () => {
  await expect(judged(() => ({ login: { username: 'a', password: 'x' } }))).rejects.toThrow(
    'actors.hostAdministrator.expired.login: a login gives what has not ended',
  )
})
