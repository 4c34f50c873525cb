import { expect, it } from 'vitest'
import { Lanes } from './lanes.ts'

/** Work that ends when asked to, and notes in which order it began. */
function work(lanes: Lanes) {
  const begun: string[] = []
  const start = (name: string) => {
    let end: (error?: Error) => void = () => undefined
    const over = lanes.run(
      () =>
        new Promise<string>((resolve, reject) => {
          begun.push(name)
          end = (error) => (error === undefined ? resolve(name) : reject(error))
        }),
    )
    return { over, end: (error?: Error) => end(error) }
  }
  return { begun, start }
}

const soon = () => new Promise((resolve) => setImmediate(resolve))

it('lets one go on for each lane, and the others follow in their order', async () => {
  const { begun, start } = work(new Lanes(2))
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(start)
  await soon()
  expect(begun).toEqual(['a', 'b'])
  b!.end()
  expect(await b!.over).toBe('b')
  await soon()
  expect(begun).toEqual(['a', 'b', 'c'])
  for (const one of [a, c]) one!.end()
  await soon()
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
  d!.end()
  await Promise.all([a!.over, c!.over, d!.over])
})

it('lets what takes several lanes wait for all of them, and nothing go before it', async () => {
  const lanes = new Lanes(3)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const start = (name: string, wide?: number) =>
    lanes.run(() => {
      begun.push(name)
      return new Promise<void>((end) => ends.push(end))
    }, wide)
  const all = [start('a'), start('b'), start('two', 2), start('c'), start('too wide', 4)]
  await soon()
  expect(begun).toEqual(['a', 'b'])
  ends[0]!()
  await soon()
  expect(begun).toEqual(['a', 'b', 'two'])
  ends[1]!()
  await soon()
  expect(begun).toEqual(['a', 'b', 'two', 'c'])
  ends[2]!()
  await soon()
  expect(begun).toHaveLength(4)
  ends[3]!()
  await soon()
  expect(begun).toEqual(['a', 'b', 'two', 'c', 'too wide'])
  ends[4]!()
  await Promise.all(all)
})

it('frees the lane of work that fails', async () => {
  const { begun, start } = work(new Lanes(1))
  const fails = start('fails')
  fails.end(new Error('gone'))
  await expect(fails.over).rejects.toThrow('gone')
  const next = start('next')
  await soon()
  expect(begun).toEqual(['fails', 'next'])
  next.end()
  await next.over
})

it('has one lane at the least', async () => {
  expect(await new Lanes(0).run(async () => 'done')).toBe('done')
})
