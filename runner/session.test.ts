import { expect, test } from 'vitest'
import { FixtureNotOffered } from '../deployment/fixtures/fixture-kinds.ts'
import { sessionOn } from './run-check.fixture.ts'

/** Two of each, and none afterwards. */
const two = (made: (count: number) => object) => (count: number) =>
  (count <= 2 ? made(count) : undefined) as object

test('what serves again is handed out in turn where the provider has no other', async () => {
  const session = await sessionOn({
    answers: {},
    makes: {
      federation: two((count) => ({ federationId: `f${count}` })),
      group: two((count) => ({ groupId: `g${count}`, reusable: count === 1 })),
    },
  })
  const federations: string[] = []
  for (let time = 0; time < 5; time += 1)
    federations.push((await session.obtain('federation', {})).federationId)
  expect(federations).toEqual(['f1', 'f2', 'f1', 'f2', 'f1'])
  const groups: string[] = []
  for (let time = 0; time < 4; time += 1) groups.push((await session.obtain('group', {})).groupId)
  // The second one has room for one workspace alone.
  expect(groups).toEqual(['g1', 'g2', 'g1', 'g1'])
  await session.close()
})

test('what is used up is not handed out again', async () => {
  const session = await sessionOn({
    answers: {},
    makes: { collaboration: two((count) => ({ collaborationId: `c${count}` })) },
  })
  await session.obtain('collaboration', {})
  await session.obtain('collaboration', {})
  await expect(session.obtain('collaboration', {})).rejects.toThrow(FixtureNotOffered)
  await session.close()
})
