import { afterEach, expect, it, vi } from 'vitest'
import { Answer, bodyJson } from '../../deployment/http/exchange.ts'
import { configurationFor } from '../../deployment/http/server.fixture.ts'
import { answerOf } from '../answers.fixture.ts'
import type { CheckResult } from '../check-result.ts'
import { accepted, expectsAcceptance, refused, resultOf, sessionOn, usual } from '../run-check.fixture.ts'
import { type Effect, type RunExchange, RunLog } from './run-log.ts'

const effect: Effect = {
  operation: 'add-workspace',
  actor: 'hostAdministrator',
  at: { collaborationId: 'c1' },
  request: {},
}
const from = { sent: { portal: 'host', path: '', fields: [] }, by: 'a check' } as const

afterEach(() => void vi.restoreAllMocks())

// That folds see each exchange, and that errors are passed on, is shown by all that folds do, such as SyncTimes.
it('folds and returns a large answer whole, and keeps only its beginning', async () => {
  const whole = { success: true, workspace: { id: 'w1' }, padding: 'x'.repeat(300_000) }
  const kept: RunExchange['judged'][] = []
  const came = ({ judged }: RunExchange) => {
    expect(judged.accepted).toEqual(whole)
    kept.push(judged)
  }
  const log = new RunLog(configurationFor('http://127.0.0.1/rest'), [{ came }])
  const exchange = await log.exchange(effect, from, async () => answerOf(whole))
  expect(kept[0]?.accepted).toMatchObject({ success: true, workspace: { id: 'w1' } })
  expect(JSON.stringify(kept[0]?.accepted).length).toBeLessThan(10_000)
  expect(kept[0]?.answer?.body.length).toBeLessThan(70_000)
  expect(kept[0]?.recorded.answer).toBe(kept[0]?.answer)
  // The whole answer is parsed for each reader, and not kept.
  expect([bodyJson(exchange), exchange.judged.accepted]).toEqual([whole, whole])
  const held = Object.values(Object.getOwnPropertyDescriptors(exchange.judged)).map(({ value }) => value)
  expect(held).not.toContainEqual(expect.objectContaining({ padding: expect.anything() }))
})

it('a run parses and classifies each answer once', async () => {
  // Each answer has its own number.
  const numbered = (name: string) => (count: number) => ({
    ...(count % 3 === 1 ? refused : accepted),
    number: `${name} ${count}`,
  })
  const answers = { delete: numbered('delete'), updateInfo: numbered('updateInfo') }
  const session = await sessionOn({ answers, makes: usual })
  const parsed: string[] = []
  const parse = JSON.parse
  vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
    if (String(text).includes('"number":')) parsed.push(text)
    return parse(text, reviver)
  })
  // The objects that classify each body. An object remembers its class, so two would classify twice.
  const classified = new Map<string, Set<Answer>>()
  const once = Answer.prototype.once
  vi.spyOn(Answer.prototype, 'once').mockImplementation(function (this: Answer, read) {
    const text = this.body.toString()
    classified.set(text, (classified.get(text) ?? new Set()).add(this))
    return once.call(this, read)
  })
  const results: CheckResult[] = []
  for (let time = 0; time < 4; time += 1) results.push(await resultOf(expectsAcceptance, session))
  expect(results.map(({ outcome }) => outcome)).toContain('passed')
  expect(parsed.length).toBeGreaterThan(5)
  expect([...new Set(parsed)]).toEqual(parsed)
  expect([...classified.keys()].sort()).toEqual([...parsed].sort())
  expect([...classified.values()].filter(({ size }) => size > 1)).toEqual([])
})
