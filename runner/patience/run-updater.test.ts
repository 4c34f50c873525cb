import { expect, test, vi } from 'vitest'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { OperationId } from '../../specs/operations.ts'
import { answerOf } from '../answers.fixture.ts'
import { RunUpdater } from './patience.ts'

const [done, refused] = [answerOf({ success: true }), answerOf({ success: false })]

const updaterFor = (...names: string[]) =>
  new RunUpdater({
    actors: Object.fromEntries(names.map((name) => [name, {}])),
  } as unknown as Configuration)

/** What was accepted of the owner so far. */
const knowing = (...operations: OperationId[]) => ({ of: () => operations })

test('an administrator who is accepted acts for an owner who is not, and is found once', async () => {
  const updater = updaterFor('hostAdministrator', 'organizationAdministrator')
  const accepted: OperationId[] = []
  const ask = vi.fn(async (name: string) => {
    if (name !== 'organizationAdministrator') return refused
    accepted.push('update-task-run')
    return done
  })
  const known = { of: () => accepted }
  const answers = await Promise.all([updater.find(known, ask), updater.find(known, ask)])
  expect(updater.instead).toBe('organizationAdministrator')
  expect(answers).toEqual([done, undefined])
  expect(ask.mock.calls.map(([name]) => name)).toEqual(['hostAdministrator', 'organizationAdministrator'])
})

test('no one acts for an owner who was accepted once', async () => {
  const updater = updaterFor('hostAdministrator')
  const ask = vi.fn(async () => done)
  expect(await updater.find(knowing('update-task-run'), ask)).toBeUndefined()
  expect([updater.instead, ask.mock.calls.length]).toEqual([undefined, 0])
})

test('what is refused to everybody is asked of administrators three times and no more', async () => {
  const updater = updaterFor('hostAdministrator')
  const ask = vi.fn(async () => refused)
  for (let time = 0; time < 5; time += 1) expect(await updater.find(knowing(), ask)).toBeUndefined()
  expect([updater.instead, ask.mock.calls.length]).toEqual([undefined, 3])
})
