import { describe, expect, test, vi } from 'vitest'
import { isAccepted } from '../../clauses/acceptance.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { type Answer, errorCodeOf } from '../../deployment/http/exchange.ts'
import type { OperationId } from '../../specs/operations.ts'
import { answerOf } from '../answers.fixture.ts'
import { Busy, RunUpdater, saysBusy } from './patience.ts'

const accepted = answerOf({ success: true })
const refused = answerOf({ error: { code: 400 } })
const busy = answerOf({ error: { code: 409 } })

describe('a busy target', () => {
  /** What a request of that operation is answered in the end: accepted, or a code. */
  async function sent(
    known: Busy,
    operation: OperationId,
    ask: () => Promise<Answer>,
  ): Promise<number | 'accepted'> {
    const now = async () => (await ask()).with({ sentAt: performance.now() })
    const first = await known.inTurn(operation, now)
    const last = saysBusy(first) ? await known.again(operation, now, first) : first
    return isAccepted(last) ? 'accepted' : errorCodeOf(last)
  }

  /** Gives these answers in turn, the last one for ever; how often it was asked. */
  function target(...answers: readonly Answer[]) {
    let asked = 0
    return {
      ask: async () => answers[Math.min(asked++, answers.length - 1)] as Answer,
      asked: () => asked,
    }
  }

  /** Does one thing at a time; how often another was asked for meanwhile. */
  function single() {
    const met = { times: 0 }
    let under = 0
    const ask = async () => {
      if (under > 0) {
        met.times += 1
        return busy
      }
      under += 1
      await new Promise((resolve) => setTimeout(resolve, 5))
      under -= 1
      return accepted
    }
    return { met, ask }
  }

  test.each([
    ['is accepted', 'accepted', [busy, accepted], 2],
    ['is refused for another reason', 400, [busy, refused, accepted], 2],
    ['was accepted at once', 'accepted', [accepted], 1],
    ['is refused, and nothing is said of being busy', 400, [refused, accepted], 1],
  ])('is asked again until a request %s', async (_, wanted, answers, times) => {
    const { ask, asked } = target(...answers)
    const known = new Busy()
    expect(await sent(known, 'add-workspace', ask)).toBe(wanted)
    expect([asked(), known.count]).toEqual([times, times - 1])
  })

  test('for ever is asked a few times, and then no more', async () => {
    const known = new Busy()
    const { ask, asked } = target(busy)
    const asking = () => sent(known, 'add-workspace', ask)
    expect(await Promise.all([asking(), asking(), asking(), asking()])).toEqual([409, 409, 409, 409])
    const before = asked()
    expect(await asking()).toBe(409)
    expect(asked()).toBe(before + 1)
  })

  test('that does one thing at a time is asked for one at a time, once that is seen', async () => {
    const known = new Busy()
    const { met, ask } = single()
    const several = () => Promise.all([1, 2, 3, 4, 5].map(() => sent(known, 'add-workspace', ask)))
    expect(await several()).toEqual(Array(5).fill('accepted'))
    met.times = 0
    await several()
    expect(met.times).toBe(0)
  })

  test('accepts all in the end where one operation keeps another away', async () => {
    const known = new Busy()
    const { ask } = single()
    const operations = ['add-workspace', 'update-participant', 'delete-collaboration'] as const
    const twice = [...operations, ...operations]
    for (let round = 0; round < 3; round += 1) {
      const ends = await Promise.all(twice.map((operation) => sent(known, operation, ask)))
      expect(new Set(ends)).toEqual(new Set(['accepted']))
    }
  })
})

describe('an administrator in place of the owner of a run', () => {
  const updaterFor = (...names: string[]) =>
    new RunUpdater({
      actors: Object.fromEntries(names.map((name) => [name, {}])),
    } as unknown as Configuration)
  /** What was accepted of the owner so far. */
  const knowing = (...operations: OperationId[]) => ({ of: () => operations })

  test('acts where one is accepted and the owner is not, and is found once', async () => {
    const updater = updaterFor('hostAdministrator', 'organizationAdministrator')
    const taken: OperationId[] = []
    const ask = vi.fn(async (name: string) => {
      if (name !== 'organizationAdministrator') return refused
      taken.push('update-task-run')
      return accepted
    })
    const known = { of: () => taken }
    const answers = await Promise.all([updater.find(known, ask), updater.find(known, ask)])
    expect(updater.instead).toBe('organizationAdministrator')
    expect(answers).toEqual([accepted, undefined])
    expect(ask.mock.calls.map(([name]) => name)).toEqual(['hostAdministrator', 'organizationAdministrator'])
  })

  test.each<[string, Answer, OperationId[], number]>([
    ['is not asked where the owner was accepted once', accepted, ['update-task-run'], 0],
    ['is asked three times and no more where everybody is refused', refused, [], 3],
  ])('%s', async (_, answer, operations, times) => {
    const updater = updaterFor('hostAdministrator')
    const ask = vi.fn(async () => answer)
    for (let time = 0; time < 5; time += 1)
      expect(await updater.find(knowing(...operations), ask)).toBeUndefined()
    expect([updater.instead, ask.mock.calls.length]).toEqual([undefined, times])
  })
})
