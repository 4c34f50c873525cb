import { describe, expect, it } from 'vitest'
import type { Answer } from '../../deployment/http/exchange.ts'
import { answerOf } from '../answers.fixture.ts'
import { Finding, Unproven } from '../findings.ts'
import {
  lookInSituations,
  type Situation,
  SituationOfAttempt,
  sentInSituation,
  situationsOf,
} from './situations.ts'

const accepted = answerOf({ success: true })
const refused = answerOf({ error: { code: 403 } })

describe('the situation of a request', () => {
  const orderIn = async (situation: Situation): Promise<string[]> => {
    const order: string[] = []
    const sent = async (what: string, answer: Answer) => {
      order.push(what)
      return answer
    }
    const attempt = new SituationOfAttempt()
    const ask = () => sent('request', accepted)
    const refuse = (what: string) => sent(`refused ${what}`, refused)
    await attempt.during(situation, () => sentInSituation(attempt.now, ask, refuse))
    return order
  }

  it.each<[Situation, string[]]>([
    ['plain', ['request']],
    ['after-refusal', ['refused empty', 'request']],
    ['in-company', ['refused empty', 'request']],
    ['both', ['refused empty', 'refused empty', 'request']],
    ['after-the-same', ['refused the same', 'request']],
  ])('%s: sends its refused requests before and beside the request', async (situation, wanted) => {
    expect(await orderIn(situation)).toEqual(wanted)
  })

  it('lasts for its own try, also during a plain try within', async () => {
    const attempt = new SituationOfAttempt()
    expect(await attempt.during('both', () => attempt.during('plain', async () => attempt.now))).toBe('both')
    expect(attempt.now).toBe('plain')
  })

  it('must not overlap another situation of the same attempt', async () => {
    const attempt = new SituationOfAttempt()
    let end = (): void => undefined
    const first = attempt.during('both', () => new Promise<void>((resolve) => (end = resolve)))
    const second = attempt.during('after-refusal', () => new Promise<void>((resolve) => setTimeout(resolve)))
    end()
    await expect(first).rejects.toThrow('a situation (both) met another one of the same attempt')
    await second
  })

  it('proves nothing if the target accepts the request that must be refused', async () => {
    const accepting = async () => accepted
    await expect(sentInSituation('after-refusal', accepting, accepting)).rejects.toBeInstanceOf(Unproven)
  })
})

describe('lookInSituations', () => {
  /** Tries all situations of a long run. Tries with these numbers fail. Returns the number of tries. */
  async function triesFailing(errors: Readonly<Record<number, Error>>, goesOn = () => true): Promise<number> {
    let tries = 0
    const look = async (): Promise<void> => {
      const error = errors[++tries]
      if (error !== undefined) throw error
    }
    await lookInSituations(situationsOf(30, 10), look, { during: new SituationOfAttempt().during, goesOn })
    return tries
  }
  const finding = new Finding('it was accepted', { expected: [], actual: '', answers: [] })
  const unproven = new Unproven('no control')

  it('situationsOf returns fewer in a short run, and one in a very short run', () => {
    expect([1, 8, 30].map((runs) => situationsOf(runs, 10).length)).toEqual([1, 3, 6])
    expect(situationsOf(30, 4)).toHaveLength(4)
  })

  const where = 'it was accepted, right after a refused request on the same path'

  it.each([
    ['a finding, with its situation', 2, finding, where],
    ['a first try that proves nothing', 1, unproven, 'no control'],
    ['an error of the suite', 3, new TypeError('a bug'), 'a bug'],
  ])('rejects with %s', async (_, at, error, message) => {
    await expect(triesFailing({ [at]: error })).rejects.toThrow(message)
  })

  it('ignores a further try that proves nothing', async () => {
    expect(await triesFailing({ 2: unproven })).toBe(6)
  })

  it('ends once the run may send no more', async () => {
    expect(await triesFailing({}, () => false)).toBe(1)
  })
})
