import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { answerJson, configurationFor, serve } from '../deployment/http/server.fixture.ts'
import type { CheckId, CheckResult } from './check-result.ts'
import { chosen, Pulses, type RunNews, runAll } from './run-all.ts'
import { type Body, checkOf, refused } from './run-check.fixture.ts'
import { inputOf } from './run-input.ts'
import { Session } from './session.ts'

const id: CheckId = 'update-participant/updates'

const actors = { hostAdministrator: { credential: 'secret', portal: 'host' } }

/** The input of a run on a target that answers with the results of this function. */
async function inputFor(answer: () => object | undefined = () => refused) {
  const baseUrl = await serve((_, response) => {
    const body = answer()
    if (body !== undefined) answerJson(response, body)
  })
  return inputOf(configurationFor(baseUrl, { actors }), 'test')
}

type Context = Parameters<Body>[0]

const ask = (context: Context) =>
  context.as.hostAdministrator('update-participant', {
    collaborationId: 'c1',
    participantPortalId: 'guest',
  })

const breaks: Body = async () => {
  throw new TypeError('x is not a function\n  at y')
}

it('a check that breaks is inconclusive, an error of the suite, and other checks go on', async () => {
  const broken: unknown[] = []
  const asks: Body = async (context) => void context.expect(await ask(context)).toBeRefused()
  const both = [checkOf(breaks, id), checkOf(asks, 'update-participant/refuses-guest')]
  const { checks } = await runAll(both, await inputFor(), {
    onBroken: (...these) => void broken.push(these),
  })
  expect(broken).toEqual([[id, expect.any(TypeError)]])
  expect(checks[0]).toMatchObject({
    id,
    outcome: 'inconclusive',
    reason: 'the check itself broke: x is not a function',
  })
  expect(checks[1]?.reason ?? '').not.toContain('broke')
  await expect(runAll([checkOf(breaks, id)], await inputFor())).rejects.toThrow('x is not a function')
})

it('with listed fixtures, the first requirement of an operation is judged before others begin', async () => {
  const { configuration } = await inputFor()
  const order: string[] = []
  const noted =
    (what: string): Body =>
    async () => {
      order.push(`${what} begins`)
      await sleep(5)
      order.push(`${what} ends`)
    }
  const both = [
    checkOf(noted('another'), 'update-participant/refuses-guest'),
    checkOf(noted('the first'), id),
  ]
  const run = async (fixtures: object) => {
    await runAll(both, inputOf({ ...configuration, ...fixtures }, 'test'), { onBroken: () => undefined })
    return order.splice(0)
  }
  const listed = { fixtures: { static: { participant: [] } } }
  expect(await run(listed)).toEqual(['the first begins', 'the first ends', 'another begins', 'another ends'])
  expect((await run({})).slice(0, 2)).toEqual(['another begins', 'the first begins'])
})

describe('an aborted run', () => {
  it('ends at once, sends nothing more and reports no more results', async () => {
    const over = new AbortController()
    let requests = 0
    const input = await inputFor(() => {
      requests += 1
      over.abort()
      return undefined
    })
    const reported: CheckResult[] = []
    let ended = (): void => undefined
    const bodyEnded = new Promise<void>((resolve) => {
      ended = resolve
    })
    const body: Body = async (context) => {
      await ask(context).catch(() => undefined)
      await ask(context).catch(ended)
    }
    const { checks } = await runAll([checkOf(body, id)], input, {
      signal: over.signal,
      onCheck: (result) => void reported.push(result),
    })
    expect([checks, reported]).toEqual([[], []])
    await bodyEnded
    expect(requests).toBe(1)
  })

  it('sends nothing if it is aborted before it begins', async () => {
    let requests = 0
    const input = await inputFor(() => {
      requests += 1
      return refused
    })
    const body: Body = async (context) => void (await ask(context))
    const { checks } = await runAll([checkOf(body, id)], input, { signal: AbortSignal.abort() })
    expect([checks, requests]).toEqual([[], 0])
  })
})

it('a run that ends before its first news still sends news at the end', async () => {
  const heard: RunNews[] = []
  await runAll([], await inputFor(), { onNews: (news) => void heard.push(news) })
  expect(heard).toHaveLength(1)
  expect(heard[0]).toMatchObject({ putOff: { throttled: 0, unavailable: 0 }, facts: { requests: 0 } })
})

it('gives the reason if it stopped sending to an unreachable target', async () => {
  const asksOften: Body = async (context) => {
    for (let time = 0; time < 21; time += 1) await ask(context).catch(() => undefined)
    context.expect(await ask(context)).toBeRefused()
  }
  const answering = await inputFor()
  expect((await runAll([checkOf(asksOften, id)], answering)).stopped).toBeUndefined()
  const http = answering.configuration.http
  const unreachable = configurationFor('http://127.0.0.1:1/rest', { actors })
  const { stopped } = await runAll([checkOf(asksOften, id)], inputOf({ ...unreachable, http }, 'test'))
  expect(stopped).toMatch(/^the run stopped sending after 20 broken exchanges in a row; the last: /)
})

describe('the current checks in the news of a run', () => {
  const [one, two, three, four]: readonly [CheckId, CheckId, CheckId, CheckId] = [
    'add-workspace/creates',
    'sync-workspace/starts',
    'update-task-run/updates',
    'delete-collaboration/deletes',
  ]
  const answers = { [one]: 1, [two]: 9, [three]: 5 }
  const answered = (counts: object) => new Map(Object.entries(counts) as [CheckId, number][])

  it.each<[string, object, CheckId[], CheckId[]]>([
    ['the three with the most answers', { ...answers, [four]: 3 }, [], [two, three, four]],
    ['first those named before, while they get answers', answers, [four, one], [one, two, three]],
  ])('are %s', (_, counts, before, named) => {
    expect(chosen(answered(counts), before)).toEqual(named)
  })

  it('are those with answers since the last news, or the previous ones if there are none', () => {
    const session = new Session(inputOf(configurationFor('http://127.0.0.1:1/rest'), 'test'))
    for (const id of [one, two, three, four]) session.tally.answered.set(id, 1)
    const pulses = new Pulses(session)
    const first = { requests: 0, current: [one, two, three], others: 1 }
    expect([pulses.next(), pulses.next()]).toEqual([first, first])
    session.tally.answered.set(four, 1)
    expect(pulses.next()).toEqual({ requests: 0, current: [four], others: 0 })
  })
})
