import { expect, it } from 'vitest'
import { wrongInPath } from './callers.ts'
import { entryOf, exchangeOfEntry } from './exchange.fixture.ts'
import { Knowledge } from './facts.ts'

it.each<[string, (knowledge: Knowledge) => void, string | undefined]>([
  ['nothing', () => undefined, undefined],
  [
    'a workspace of another collaboration',
    (knowledge) =>
      knowledge.handedOut('workspace', { collaborationId: 'c2', workspaceId: 'w1', minimumSyncMs: 0 }),
    'its workspaceID is known to belong to something else than its path says',
  ],
  ['a made-up id', (knowledge) => knowledge.madeUp('w1'), 'its path holds an id that was made up'],
])('finds %s in a path', async (_, known, wrong) => {
  const knowledge = new Knowledge({ run: { clockToleranceMs: 0, settleMs: 0 } })
  known(knowledge)
  const exchange = await exchangeOfEntry(entryOf({ to: 'sync', answer: { success: true } }))
  expect(wrongInPath(exchange, knowledge)).toBe(wrong)
})

it('finds a collaboration that was deleted before', async () => {
  const knowledge = new Knowledge({ run: { clockToleranceMs: 0, settleMs: 0 } })
  knowledge.came(await exchangeOfEntry(entryOf({ to: 'delete', answer: { success: true } })))
  const exchange = await exchangeOfEntry(entryOf({ to: 'add', answer: { success: true } }))
  expect(wrongInPath(exchange, knowledge)).toBe('its collaboration had been deleted before')
})
