import { describe, expect, it } from 'vitest'
import { Shares, Sharing } from './sharing.ts'

/** Hands out 1, 2, 3 … */
function counter() {
  let count = 0
  return async () => ++count
}

const always = () => true
const never = () => false
const together = (all: Sharing) => new Shares(all, { alone: false })

describe('what is made once', () => {
  it('is made for all who ask, also at the same moment', async () => {
    const all = new Sharing(1)
    const make = counter()
    const [one, other] = [together(all), together(all)]
    const made = await Promise.all([one.once('a', make, always), other.once('a', make, always)])
    expect(made.map((each) => each.made)).toEqual([1, 1])
    expect([one.secondHand, other.secondHand]).toEqual([false, true])
  })

  it('is made anew where it does not hold or could not be made', async () => {
    const all = new Sharing(1)
    const make = counter()
    const failing = async () => Promise.reject(new Error('broken'))
    await expect(together(all).once('a', failing, always)).rejects.toThrow('broken')
    expect((await together(all).once('a', make, (n) => n > 1)).made).toBe(1)
    expect((await together(all).once('a', make, (n) => n > 1)).made).toBe(2)
    expect((await together(all).once('a', make, (n) => n > 1)).made).toBe(2)
  })
})

describe('what is used in turn', () => {
  it('goes to the next as long as it is not spent, one at a time', async () => {
    const all = new Sharing(1)
    const draw = counter()
    let under = 0
    const use = async (drawn: number) => {
      under += 1
      expect(under).toBe(1)
      await Promise.resolve()
      under -= 1
      return drawn
    }
    const [one, other] = [together(all), together(all)]
    expect(
      await Promise.all([one.inTurn('a', draw, use, never), other.inTurn('a', draw, use, always)]),
    ).toEqual([1, 1])
    expect([one.secondHand, other.secondHand]).toEqual([false, true])
    expect(await together(all).inTurn('a', draw, use, never)).toBe(2)
  })

  it('is another one after a use that was rejected', async () => {
    const all = new Sharing(1)
    const draw = counter()
    const reject = async () => Promise.reject(new Error('found'))
    await expect(together(all).inTurn('a', draw, reject, never)).rejects.toThrow('found')
    expect(await together(all).inTurn('a', draw, async (drawn) => drawn, never)).toBe(2)
  })
})

it('shares nothing alone', async () => {
  const all = new Sharing(1)
  const make = counter()
  const alone = () => new Shares(all, { alone: true })
  await together(all).once('a', make, always)
  expect((await alone().once('a', make, always)).made).toBe(2)
  expect(await alone().inTurn('a', make, async (drawn) => drawn, never)).toBe(3)
  expect(await alone().inTurn('a', make, async (drawn) => drawn, never)).toBe(4)
})
