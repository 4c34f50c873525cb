import { expect, onTestFinished, test } from 'vitest'
import { FixtureClient } from './fixture-client.ts'
import { FixtureNotOffered } from './fixture-errors.ts'
import { serveFixtures } from './fixture-server.ts'

test('a provider of this process may say that it does not offer something', async () => {
  const { url, close } = await serveFixtures({
    group: () => ({ notOffered: 'no group is left' }),
    cleanup: () => ({ notOffered: 'made by hand' }),
  })
  onTestFinished(close)
  const client = new FixtureClient(url)
  await expect(client.obtain('group', {})).rejects.toThrow(
    new FixtureNotOffered('group', 'no fixture "group": no group is left'),
  )
  expect(await client.cleanup()).toBe('not-offered')
})

test.each([
  ['items', '{"owner":"nobody","count":1}', 'owner: the name of an actor of the configuration expected'],
  ['items', '{"owner":"itemOwner","count":0}', 'count: a whole number, 1 or more expected'],
  ['scheduledSync', '{}', 'remainingMs is missing: a number of milliseconds, 0 or more expected'],
  ['collaboration', '{"with":"group"}', 'with: participant or workspace expected'],
])('options that make no sense do not reach a provider of this process: %s %s', async (kind, body, wrong) => {
  const never = () => {
    throw new Error('was asked')
  }
  const { url, close } = await serveFixtures({ items: never, scheduledSync: never, collaboration: never })
  onTestFinished(close)
  const answer = await fetch(`${url}/${kind}`, { method: 'POST', body })
  expect([answer.status, await answer.json()]).toEqual([400, { reason: `options: ${wrong}` }])
})
