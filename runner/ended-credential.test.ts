/** A credential that has ended: given as it is, or made by a login and waited for. */
import { expect, it } from 'vitest'
import type { EmbeddedPortal } from '../reference/portal.ts'
import { resultsOn } from './judged-portal.fixture.ts'

const check = 'add-workspace/refuses-invalid-credential:expired'

/** What comes of the check where that is known of a credential that has ended; `faults`: of the portal. */
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
  ['that is given', (known: unknown) => known],
  ['that a command prints', (known: unknown) => ({ command: `echo ${known}` })],
])('is refused, one %s', async (_, expiredOf) => {
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
