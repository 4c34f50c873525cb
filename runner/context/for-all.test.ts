import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requestSchema } from '../../schemas/catalogue.ts'
import { answerOf } from '../answers.fixture.ts'
import { validRequest } from '../cases/requests.ts'
import { Discarded, Finding, NotTested, Unproven } from '../findings.ts'
import { type ForAllSettings, forAll, generatedValues } from './for-all.ts'
import type { FindingRetries } from './record.ts'

const provedAtOnce: FindingRetries = { isProvedAtOnce: () => true, beforeRetry: async () => undefined }
/** One exchange proves no finding. */
const provedByRetry: FindingRetries = { ...provedAtOnce, isProvedAtOnce: () => false }

const settings = (rest: Partial<ForAllSettings> = {}): ForAllSettings => ({
  generation: 1,
  seed: 5,
  runs: 50,
  width: 4,
  exhausted: () => false,
  again: provedAtOnce,
  ...rest,
})

const finding = (message: string): Finding =>
  new Finding(message, { expected: ['less'], actual: 'more', answers: [answerOf({})] })

describe('forAll', () => {
  /** The error of a run whose cases fail from 17 on. */
  const foundFrom17 = () => {
    const body = async (value: number) => {
      if (value >= 17) throw finding(`at ${value}`)
    }
    return forAll(fc.nat({ max: 1000 }), body, settings()).catch((error: unknown) => error)
  }

  it('replays only the case that a finding names', async () => {
    const found = await foundFrom17()
    const only = (found as Finding).grounds.path?.split('/')[1] as string
    const seen: number[] = []
    await forAll(fc.nat({ max: 1000 }), async (value) => void seen.push(value), settings({ only }))
    expect(seen).toEqual([17])
  })

  it('draws each case only when it runs, and ends early once the budget is used up', async () => {
    const seen: number[] = []
    const rest = { runs: 1e9, width: 1, exhausted: () => seen.length >= 100 }
    const { cases } = await forAll(fc.nat(), async (value) => void seen.push(value), settings(rest))
    expect([cases, seen.length]).toEqual([100, 100])
  })

  it('runs the same cases for the same seed, and others for another seed', async () => {
    const cases = async (seed: number): Promise<number[]> => {
      const seen: number[] = []
      await forAll(fc.nat(), async (value) => void seen.push(value), settings({ seed, width: 1 }))
      return seen
    }
    expect(await cases(1)).toEqual(await cases(1))
    expect(await cases(1)).not.toEqual(await cases(2))
    expect(await cases(1)).toHaveLength(50)
  })

  it('shrinks a finding to its smallest case and names its path', async () => {
    const error = await foundFrom17()
    expect(error).toBeInstanceOf(Finding)
    expect(error).toMatchObject({
      message: 'at 17',
      grounds: { counterexample: '17', path: expect.stringMatching(/^1\//), seen: { times: 2, tries: 2 } },
    })
  })

  /** The error of a run in which these tries fail, counted from 1. */
  const findingIn = (again: FindingRetries, ...failing: number[]) => {
    let tries = 0
    const judged = forAll(
      fc.constant('x'),
      async () => {
        tries += 1
        if (failing.includes(tries)) throw finding(`in try ${tries}`)
      },
      settings({ again, runs: 1 }),
    )
    return judged.catch((reason: unknown) => reason)
  }

  it.each([
    ['one exchange proves it, and it never shows again', provedAtOnce, [1], { times: 1, tries: 5 }],
    ['one exchange proves it, and it shows again later', provedAtOnce, [1, 4], { times: 2, tries: 4 }],
    ['it needs a retry, and never shows again', provedByRetry, [1], { times: 1, tries: 2 }],
    ['it needs a retry, and shows again at once', provedByRetry, [1, 2], { times: 2, tries: 2 }],
  ])('counts how often a finding shows: %s', async (_, again, failing, seen) => {
    const error = await findingIn(again, ...failing)
    expect(error).toMatchObject({ grounds: { seen } })
    // A replay of a finding that showed once runs all cases.
    expect((error as Finding).grounds.path).toBe(seen.times === 2 ? '1/0' : undefined)
  })

  it.each([
    ['does not count a retry that proves nothing', new Unproven('no control'), 'once'],
    ['rethrows an error of the suite in a retry', new TypeError('a bug'), 'a bug'],
  ])('%s', async (_, second, message) => {
    let tries = 0
    const body = async (): Promise<void> => {
      tries += 1
      throw tries === 1 ? finding('once') : second
    }
    const end = forAll(fc.constant('x'), body, settings({ runs: 1 }))
    const seen = message === 'once' ? { grounds: { seen: { times: 1, tries: 1 } } } : {}
    await expect(end).rejects.toMatchObject({ message, ...seen })
  })

  it('does not retry a finding if the target is gone', async () => {
    const dead = new Unproven('nothing is accepted any more')
    const again = { ...provedByRetry, beforeRetry: () => Promise.reject(dead) }
    expect(await findingIn(again, 1, 2)).toBe(dead)
  })

  it('does not replace a finding that one exchange proves by a weaker one', async () => {
    const mixed: FindingRetries = { ...provedAtOnce, isProvedAtOnce: ({ message }) => message === 'in try 1' }
    expect(await findingIn(mixed, 1, 2, 3, 4, 5)).toMatchObject({ message: 'in try 1' })
  })

  it('returns the first case that proves nothing, and runs the others', async () => {
    let count = 0
    const body = async () => {
      count += 1
      if (count === 3) throw new Unproven('the control failed')
    }
    const { cases, unproven } = await forAll(fc.nat(), body, settings())
    expect([cases, unproven?.message]).toEqual([49, 'the control failed'])
  })

  it('does not count a discarded case', async () => {
    const body = async (value: boolean) => {
      if (value) throw new Discarded('no probe')
    }
    const outcome = await forAll(fc.boolean(), body, settings({ examples: [true, false], runs: 2 }))
    expect(outcome).toEqual({ cases: 1 })
  })

  it('judges at least one case, even if the budget is used up', async () => {
    const { cases } = await forAll(fc.nat(), () => Promise.resolve(), settings({ exhausted: () => true }))
    expect(cases).toBe(1)
  })

  it('keeps the cases that held where no more requests are allowed', async () => {
    let asked = 0
    const body = async (_: number, index: number) => {
      asked += 1
      if (index >= 3) throw new NotTested('none left', [])
    }
    const few = settings({ width: 1, exhausted: () => asked > 3 })
    expect(await forAll(fc.nat(), body, few)).toEqual({ cases: 3 })
  })

  it.each([
    ['stops at an error of the suite and rethrows the error', new TypeError('a bug'), 1],
    ['runs all cases if they prove nothing', new Unproven('no control'), 50],
  ])('%s', async (_, error, expected) => {
    let count = 0
    const body = (): Promise<void> => {
      count += 1
      return Promise.reject(error)
    }
    const end = await forAll(fc.nat(), body, settings({ width: 1 })).catch((thrown: unknown) => thrown)
    expect(count).toBe(expected)
    expect(end === error).toBe(error instanceof TypeError)
  })

  it('reports the first failing case, even if a later one fails sooner', async () => {
    let thrown = 0
    const body = async (value: string): Promise<void> => {
      if (thrown === 2) return
      if (value === 'slow') await new Promise((resolve) => setImmediate(resolve))
      thrown += 1
      throw finding(value)
    }
    const two = settings({ examples: ['slow', 'quick'], width: 2, runs: 2 })
    await expect(forAll(fc.constant('x'), body, two)).rejects.toMatchObject({ message: 'slow' })
  })

  it('reports a failing example as the counterexample, with its path', async () => {
    const body = async (value: number): Promise<void> => {
      if (value === 5000) throw finding('the example')
    }
    const judged = forAll(fc.nat({ max: 10 }), body, settings({ examples: [1, 5000] }))
    await expect(judged).rejects.toMatchObject({ grounds: { counterexample: '5000', path: '1/1' } })
  })

  it('stops shrinking after 80 tries', async () => {
    let count = 0
    const body = async (values: readonly number[]): Promise<void> => {
      count += 1
      if (values.every((value) => value >= 12_345)) throw finding('all are large')
    }
    const large = fc.array(fc.noBias(fc.nat({ max: 1_000_000 })), { minLength: 60, maxLength: 60 })
    const judged = forAll(large, body, settings({ width: 1 }))
    await expect(judged).rejects.toMatchObject({ message: 'all are large' })
    expect(count).toBe(1 + 80)
  })
})

const text = fc.string({ maxLength: 200 })
const request = validRequest(requestSchema('add-workspace'), { text: 'ordinary' })

it.each([
  ['one example', text, ['first', 'second'], 1],
  ['one full portion', text, [], 64],
  ['one value more than a portion', text, ['first'], 65],
  ['many portions', text, ['first', 'second', 'third'], 300],
  ['more examples than a portion', text, Array.from({ length: 70 }, (_, at) => String(at)), 150],
  ['requests', request, [], 200],
] as const)('generatedValues yields the values of one large sample: %s', (_, arbitrary, examples, count) => {
  for (const seed of [1, -77, 2 ** 30]) {
    const sample = { seed, examples: [...examples] as never[] }
    const whole = fc.sample(arbitrary as fc.Arbitrary<unknown>, { ...sample, numRuns: count })
    expect([...generatedValues(arbitrary as fc.Arbitrary<unknown>, sample, count)]).toEqual(whole)
  }
})
