import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { isAccepted } from '../../clauses/acceptance.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { type Answer, errorCodeOf } from '../../deployment/http/exchange.ts'
import type { OperationId } from '../../specs/operations.ts'
import { answerOf } from '../answers.fixture.ts'
import { Busy, RunUpdater, saysBusy } from './patience.ts'

const accepted = answerOf({ success: true })
const refused = answerOf({ error: { code: 400 } })
const busy = answerOf({ error: { code: 409 } })

describe('Busy', () => {
  /** The last answer to a request: accepted, or its error code. */
  async function sent(known: Busy, ask: () => Promise<Answer>): Promise<number | 'accepted'> {
    const first = await known.inTurn(ask)
    const last = saysBusy(first) ? await known.again(ask, first) : first
    return isAccepted(last) ? 'accepted' : errorCodeOf(last)
  }

  /** Gives these answers in turn, the last one for ever, and counts the requests. */
  function target(...answers: readonly Answer[]) {
    let asked = 0
    return {
      ask: async () => answers[Math.min(asked++, answers.length - 1)] as Answer,
      asked: () => asked,
    }
  }

  /** Performs one request at a time, and counts the others that came meanwhile. */
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
    ['retries until the request is accepted', 'accepted', [busy, accepted], 2],
    ['retries until the request is refused for another reason', 400, [busy, refused, accepted], 2],
  ])('%s', async (_, wanted, answers, times) => {
    const { ask, asked } = target(...answers)
    const known = new Busy()
    expect(await sent(known, ask)).toBe(wanted)
    expect([asked(), known.count]).toEqual([times, times - 1])
  })

  /** Lets all pauses of this test end at once. */
  function withoutPauses(): void {
    const pause = vi.spyOn(timers, 'setTimeout').mockResolvedValue(undefined)
    syncBuiltinESMExports()
    onTestFinished(() => {
      pause.mockRestore()
      syncBuiltinESMExports()
    })
  }

  test('stops retrying on a target that is always busy', async () => {
    withoutPauses()
    const known = new Busy()
    const { ask, asked } = target(busy)
    const asking = () => sent(known, ask)
    expect(await Promise.all([asking(), asking(), asking(), asking()])).toEqual([409, 409, 409, 409])
    const before = asked()
    expect(await asking()).toBe(409)
    expect(asked()).toBe(before + 1)
  })

  test('sends one request at a time once the target shows that it performs only one', async () => {
    const known = new Busy()
    const { met, ask } = single()
    const several = () => Promise.all([1, 2, 3, 4, 5].map(() => sent(known, ask)))
    expect(await several()).toEqual(Array(5).fill('accepted'))
    met.times = 0
    await several()
    expect(met.times).toBe(0)
  })
})

describe('RunUpdater', () => {
  const updaterFor = (...names: string[]) =>
    new RunUpdater({
      actors: Object.fromEntries(names.map((name) => [name, {}])),
    } as unknown as Configuration)
  /** The operations that were accepted from the owner so far. */
  const knowing = (...operations: OperationId[]) => ({ of: () => operations })

  test('finds, once, the administrator who is accepted in place of the owner', async () => {
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
    ['asks no administrator if the owner was accepted before', accepted, ['update-task-run'], 0],
    ['gives up after three tries if every administrator is refused', refused, [], 3],
  ])('%s', async (_, answer, operations, times) => {
    const updater = updaterFor('hostAdministrator')
    const ask = vi.fn(async () => answer)
    for (let time = 0; time < 5; time += 1)
      expect(await updater.find(knowing(...operations), ask)).toBeUndefined()
    expect([updater.instead, ask.mock.calls.length]).toEqual([undefined, times])
  })
})
