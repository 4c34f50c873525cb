import { describe, expect, it } from 'vitest'
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
const finding = () => new Finding('it was accepted', { expected: [], actual: '', answers: [] })
const looking = () => ({ during: new SituationOfAttempt().during, goesOn: () => true })

describe('what goes before a request, or beside it', () => {
  const asked = async (situation: Situation): Promise<string[]> => {
    const order: string[] = []
    const attempt = new SituationOfAttempt()
    await attempt.during(situation, () =>
      sentInSituation(
        attempt.now,
        async () => {
          order.push('request')
          return accepted
        },
        async (what) => {
          order.push(what === 'the same' ? 'refused for the same' : `refused ${what}`)
          return refused
        },
      ),
    )
    return order
  }

  it('is nothing in the plain situation', async () => expect(await asked('plain')).toEqual(['request']))

  it('is a refused request before it', async () =>
    expect(await asked('after-refusal')).toEqual(['refused before', 'request']))

  it('is a refused request beside it', async () =>
    expect((await asked('in-company')).sort()).toEqual(['refused beside', 'request']))

  it('is one before it and one beside it', async () => {
    const [first, ...others] = await asked('both')
    expect([first, ...others.sort()]).toEqual(['refused before', 'refused beside', 'request'])
  })

  it('is a refused request for the same', async () =>
    expect(await asked('after-the-same')).toEqual(['refused for the same', 'request']))

  it('stays what it is for plain looks, and ends with its look', async () => {
    const attempt = new SituationOfAttempt()
    expect(await attempt.during('both', () => attempt.during('plain', async () => attempt.now))).toBe('both')
    expect(attempt.now).toBe('plain')
  })

  it('is one at a time: looks that meet are a mistake of their check', async () => {
    const attempt = new SituationOfAttempt()
    let end = (): void => undefined
    const first = attempt.during('both', () => new Promise<void>((resolve) => (end = resolve)))
    const second = attempt.during('after-refusal', () => new Promise<void>((resolve) => setTimeout(resolve)))
    end()
    await expect(first).rejects.toThrow('a situation (both) met another one of the same attempt')
    await second
  })

  it('proves nothing where what must be refused is accepted', async () => {
    const letIn = async () => accepted
    await expect(sentInSituation('after-refusal', letIn, letIn)).rejects.toBeInstanceOf(Unproven)
  })
})

describe('looks in several situations', () => {
  it('are fewer in a short run, and one in a very short one', () => {
    expect([1, 8, 30].map((runs) => situationsOf(runs, 10).length)).toEqual([1, 3, 6])
    expect(situationsOf(30, 4)).toHaveLength(4)
  })

  it('say in which one something was found', async () => {
    let looks = 0
    const look = async (): Promise<void> => {
      looks += 1
      if (looks === 2) throw finding()
    }
    await expect(lookInSituations(situationsOf(30, 10), look, looking())).rejects.toThrow(
      'it was accepted, right after a refused request on the same path',
    )
  })

  it('leave aside what proves nothing, but for the first', async () => {
    let looks = 0
    const unproven = async (at: number): Promise<void> => {
      looks += 1
      if (looks === at) throw new Unproven('no control')
    }
    await expect(
      lookInSituations(situationsOf(30, 10), () => unproven(2), looking()),
    ).resolves.toBeUndefined()
    looks = 0
    await expect(lookInSituations(situationsOf(30, 10), () => unproven(1), looking())).rejects.toThrow(
      'no control',
    )
  })

  it('pass on an error of the suite', async () => {
    let looks = 0
    const look = async (): Promise<void> => {
      looks += 1
      if (looks === 3) throw new TypeError('a bug')
    }
    await expect(lookInSituations(situationsOf(30, 10), look, looking())).rejects.toThrow(TypeError)
  })

  it('end where the run may send no more', async () => {
    let looks = 0
    await lookInSituations(
      situationsOf(30, 10),
      async () => {
        looks += 1
      },
      { ...looking(), goesOn: () => false },
    )
    expect(looks).toBe(1)
  })
})
