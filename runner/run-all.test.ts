import { describe, expect, it } from 'vitest'
import { answerJson, configurationFor, serve } from '../deployment/http/server.fixture.ts'
import type { CheckId, CheckResult } from './check-result.ts'
import { chosen, Pulses, type RunNews, runAll } from './run-all.ts'
import { type Body, checkOf, refused } from './run-check.fixture.ts'
import { inputOf } from './run-input.ts'
import { Session } from './session.ts'

const id: CheckId = 'update-participant/updates'

const actors = { hostAdministrator: { credential: 'secret', portal: 'host' } }

/** The input of a run on a target that gives each request to this function. */
async function inputFor(answer: () => object | undefined = () => refused) {
  const baseUrl = await serve((_, response) => {
    const said = answer()
    if (said !== undefined) answerJson(response, said)
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

describe('a check that breaks', () => {
  it('is inconclusive and an error of the suite; the others go on', async () => {
    const input = await inputFor()
    const broken: unknown[] = []
    const asks: Body = async (context) => {
      context.expect(await ask(context)).toBeRefused()
    }
    const { checks } = await runAll(
      [checkOf(breaks, id), checkOf(asks, 'update-participant/refuses-guest')],
      input,
      { onBroken: (...both) => void broken.push(both) },
    )
    expect(broken).toEqual([[id, expect.any(TypeError)]])
    expect(checks[0]).toMatchObject({
      id,
      outcome: 'inconclusive',
      reason: 'the check itself broke: x is not a function',
    })
    expect(checks[1]?.reason ?? '').not.toContain('broke')
  })

  it('rejects the run where its errors are not listened to', async () => {
    await expect(runAll([checkOf(breaks, id)], await inputFor())).rejects.toThrow('x is not a function')
  })
})

describe('a run that is aborted', () => {
  it('ends at once, sends nothing more, and counts no result from then on', async () => {
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

  it('sends nothing where that was before it began', async () => {
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

it('news come at the end also from a run that is over before the first', async () => {
  const heard: RunNews[] = []
  await runAll([], await inputFor(), { onNews: (news) => void heard.push(news) })
  expect(heard).toHaveLength(1)
  expect(heard[0]).toMatchObject({ putOff: { throttled: 0, unavailable: 0 }, facts: { requests: 0 } })
})

it('says why nothing more was sent to a target that has gone, and nothing of one that answers', async () => {
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

describe('the checks that a run names while it is running', () => {
  const [one, two, three, four]: readonly [CheckId, CheckId, CheckId, CheckId] = [
    'add-workspace/creates',
    'sync-workspace/starts',
    'update-task-run/updates',
    'delete-collaboration/deletes',
  ]
  const answers = { [one]: 1, [two]: 9, [three]: 5 }
  const answered = (counts: object) => new Map(Object.entries(counts) as [CheckId, number][])

  it.each<[string, object, CheckId[], CheckId[]]>([
    ['the busiest, and a few only', { ...answers, [four]: 3 }, [], [two, three, four]],
    ['those named before as long as they are busy at all', answers, [four, one], [one, two, three]],
  ])('are %s', (_, counts, before, named) => {
    expect(chosen(answered(counts), before)).toEqual(named)
  })

  it('are those that got answers since the last time, and stay while none does', () => {
    const session = new Session(inputOf(configurationFor('http://127.0.0.1:1/rest'), 'test'))
    for (const id of [one, two, three, four]) session.tally.answered.set(id, 1)
    const pulses = new Pulses(session)
    const first = { requests: 0, current: [one, two, three], others: 1 }
    expect([pulses.next(), pulses.next()]).toEqual([first, first])
    session.tally.answered.set(four, 1)
    expect(pulses.next()).toEqual({ requests: 0, current: [four], others: 0 })
  })
})
