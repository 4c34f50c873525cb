import { expect, it } from 'vitest'
import { participants, refused, sessionOn } from '../run-check.fixture.ts'
import { whyFlaky } from './flakiness.ts'

const accepted = { success: true, collaborationId: 'p1', portalId: 'guest' }

type Updates = (count: number, asked: { readonly body: string }) => object

/** Why updates of participants prove nothing, tried thoroughly and without refusals before them. */
async function whyOn(updateInfo: Updates): Promise<(string | undefined)[]> {
  const session = await sessionOn({ answers: { updateInfo }, makes: { participant: participants } })
  const effect = { operation: 'update-participant', request: {} } as const
  const ends = []
  for (const thoroughly of [true, false]) ends.push(await whyFlaky(session, effect, { thoroughly }))
  const findings = session.watch
    .results()
    .flatMap(
      ({ requirement, failure }) => (requirement === 'update-participant/updates' && failure?.message) || [],
    )
  await session.close()
  return [...ends, ...findings]
}

/** Refuses strangers, and after each of them the next request as well. */
function refusingAfterRefusals(): Updates {
  let locked = false
  return (_, { body }) => {
    const isStranger = !body.includes('token=')
    const isRefused = isStranger || locked
    locked = isStranger
    return isRefused ? refused : accepted
  }
}

it('an operation that refuses only after refusals is not flaky in other situations', async () => {
  const [thoroughly, otherwise, finding] = await whyOn(refusingAfterRefusals())
  expect(thoroughly).toMatch(/refused 6 of 16 valid requests, each right after a refused one/)
  expect(otherwise).toBeUndefined()
  expect(finding).toMatch(/^plain valid requests are refused right after a refused request, and no others/)
})

it('an operation that accepts everything is not flaky', async () => {
  expect(await whyOn(() => accepted)).toEqual([undefined, undefined])
})
