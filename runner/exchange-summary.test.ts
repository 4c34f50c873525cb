import { describe, expect, it } from 'vitest'
import { Answer, TransportError } from '../deployment/http/exchange.ts'
import { classesOf, ExchangeTally } from './exchange-summary.ts'

const answerOf = (body: string, sentAt: number, durationMs: number): Answer =>
  new Answer({
    request: { method: 'POST', url: 'https://a.example/x', headers: {}, body: '' },
    status: 200,
    headers: {},
    body: Buffer.from(body),
    sentAt,
    answeredAt: sentAt + durationMs,
  })

const sent = {
  operation: 'add-workspace',
  actor: 'hostAdministrator',
  check: 'add-workspace/creates',
  request: { portal: 'host', fields: [['collaborationWorkspaceName', 'Zoë']] },
} as const

const accepted = '{"success":true}'

describe('what was sent and how it was answered', () => {
  it('is counted by operation, caller and value', async () => {
    const tally = new ExchangeTally(0)
    await tally.watch(sent, async () => answerOf(accepted, 50, 3))
    await tally.watch(sent, async () => answerOf('{"error":{}}', 150, 30_000))
    const broken = new TransportError('broken', 'cut', answerOf('', 0, 0).request)
    await expect(tally.watch(sent, () => Promise.reject(broken))).rejects.toBe(broken)
    const summary = tally.summary()
    expect(summary?.callers).toEqual([
      {
        operation: 'add-workspace',
        actor: 'hostAdministrator',
        portal: 'host',
        accepted: 1,
        refused: 1,
        broken: 1,
      },
    ])
    const [of] = summary!.operations
    expect(of?.times.reduce((sum, count) => sum + count)).toBe(2)
    expect([of?.times[2], of?.times.at(-1)]).toEqual([1, 1])
    expect(of?.slowest.map(({ durationMs }) => durationMs)).toEqual([30_000, 3])
    expect(summary?.values.find((each) => each.class === 'beyond ASCII')).toMatchObject({
      parameter: 'collaborationWorkspaceName',
      accepted: 1,
      refused: 1,
    })
  })

  it('stays as long as it is however long the run is', async () => {
    const tally = new ExchangeTally(0)
    for (let at = 0; at < 5000; at += 1) await tally.watch(sent, async () => answerOf(accepted, at * 1000, 1))
    const summary = tally.summary()!
    const slices = summary.operations[0]!.slices
    expect(slices.length).toBeLessThanOrEqual(60)
    expect(slices.reduce((sum, [count]) => sum + count, 0)).toBe(5000)
    expect(JSON.stringify(summary).length).toBeLessThan(3000)
  })

  it('is absent where nothing was sent', () => {
    expect(new ExchangeTally(0).summary()).toBeUndefined()
  })
})

it.each([
  [[], ['left out']],
  [[['name', '']], ['empty']],
  [[['name', 'abc']], ['at the limit', 'ASCII']],
  [[['name', 'ab']], ['within the limit', 'ASCII']],
  [[['name', 'a&bc']], ['one over', 'ASCII', 'reserved characters']],
  [[['name', '漢字漢字漢字']], ['far over', 'beyond ASCII']],
  [[['name', '𠀀']], ['within the limit', 'astral']],
  [
    [
      ['name', 'a'],
      ['name', 'b'],
    ],
    ['within the limit', 'sent twice', 'ASCII'],
  ],
] as const)('%j are of the classes %j', (fields, classes) => {
  expect(classesOf(fields as never, 'name', 3, false)).toEqual(classes)
})
