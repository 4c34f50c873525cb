import { describe, expect, it, vi } from 'vitest'
import { patiently } from './patiently.ts'

/** Returns these answers one after the other, and throws errors. */
function answering<T>(...answers: readonly (T | Error)[]) {
  let at = 0
  return vi.fn(async () => {
    const answer = answers[Math.min(at++, answers.length - 1)] as T | Error
    if (answer instanceof Error) throw answer
    return answer
  })
}

const refusal = new Error('not yet')

describe('patiently', () => {
  it('resolves with the first answer that is done', async () => {
    const ask = answering(1, 2, 3)
    expect(await patiently(ask, { isDone: (answer) => answer >= 2 })).toBe(2)
    expect(ask).toHaveBeenCalledTimes(2)
  })

  it('retries after an error that may pass, and rejects at once with others', async () => {
    const mayPass = (error: unknown) => error === refusal
    expect(await patiently(answering<string>(refusal, 'made'), { mayPass })).toBe('made')
    const broken = answering(new Error('broken'), 'made')
    await expect(patiently(broken, { mayPass })).rejects.toThrow('broken')
    expect(broken).toHaveBeenCalledTimes(1)
  })

  it('ends after the maximum of attempts with the last error or answer', async () => {
    const twice = { times: 2, isDone: () => false }
    const ask = answering(refusal)
    await expect(patiently(ask, { ...twice, mayPass: () => true })).rejects.toBe(refusal)
    expect(ask).toHaveBeenCalledTimes(2)
    expect(await patiently(answering(1, 2, 3), twice)).toBe(2)
  })

  it('ends when the time is over, but not before the minimum of attempts', async () => {
    const ask = answering(undefined)
    await patiently(ask, { withinMs: 0, isDone: () => false })
    expect(ask).toHaveBeenCalledTimes(1)
    await patiently(ask, { withinMs: 0, least: 2, isDone: () => false })
    expect(ask).toHaveBeenCalledTimes(3)
  })

  it('ends a pause if the signal is aborted', async () => {
    const policy = { isDone: () => false, pauseMs: () => 60_000, signal: AbortSignal.abort() }
    const ask = answering(1)
    await expect(patiently(ask, policy)).rejects.toThrow(/abort/)
  })
})
