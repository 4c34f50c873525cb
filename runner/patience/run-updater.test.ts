import { expect, test, vi } from 'vitest'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { answerOf } from '../answers.fixture.ts'
import { RunUpdater } from './run-updater.ts'

const [done, refused] = [answerOf({ success: true }), answerOf({ success: false })]

const updaterFor = (...names: string[]) =>
  new RunUpdater({
    actors: Object.fromEntries(names.map((name) => [name, {}])),
  } as unknown as Configuration)

test('an administrator who is let in acts for an owner who is not, and is found once', async () => {
  const updater = updaterFor('hostAdministrator', 'organizationAdministrator')
  const ask = vi.fn(async (name: string) => (name === 'organizationAdministrator' ? done : refused))
  const answers = await Promise.all([updater.answered(refused, ask), updater.answered(refused, ask)])
  expect(updater.instead).toBe('organizationAdministrator')
  expect(answers).toEqual([done, refused])
  expect(ask.mock.calls.map(([name]) => name)).toEqual(['hostAdministrator', 'organizationAdministrator'])
})

test('nobody acts for an owner who was let in once', async () => {
  const updater = updaterFor('hostAdministrator')
  const ask = vi.fn(async () => done)
  await updater.answered(done, ask)
  expect(await updater.answered(refused, ask)).toBe(refused)
  expect([updater.instead, ask.mock.calls.length]).toEqual([undefined, 0])
})

test('what is refused to everybody is asked of administrators three times and no more', async () => {
  const updater = updaterFor('hostAdministrator')
  const ask = vi.fn(async () => refused)
  for (let time = 0; time < 5; time += 1) expect(await updater.answered(refused, ask)).toBe(refused)
  expect([updater.instead, ask.mock.calls.length]).toEqual([undefined, 3])
})
