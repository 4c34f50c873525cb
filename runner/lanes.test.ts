import { expect, it } from 'vitest'
import { Lanes } from './lanes.ts'

/** Starts tasks that end on request, and records the order in which they begin. */
function work(lanes: Lanes) {
  const begun: string[] = []
  const start = (name: string, wide?: number) => {
    let end: (error?: Error) => void = () => undefined
    const over = lanes.run(
      () =>
        new Promise<string>((resolve, reject) => {
          begun.push(name)
          end = (error) => (error === undefined ? resolve(name) : reject(error))
        }),
      wide,
    )
    return { over, end: (error?: Error) => end(error) }
  }
  return { begun, start }
}

const soon = () => new Promise((resolve) => setImmediate(resolve))

it('runs one task per lane, and the others follow in order', async () => {
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

it('a task that takes several lanes waits for all of them, and no later task overtakes', async () => {
  const { begun, start } = work(new Lanes(3))
  const [a, b] = [start('a'), start('b')]
  const [two, c, wide] = [start('two', 2), start('c'), start('too wide', 4)]
  const order = ['a', 'b', 'two', 'c', 'too wide']
  // The number of tasks begun before any ends, and then after each end.
  const counts = [2, 3, 4, 4, 5]
  for (const [at, each] of [a, b, two, c, wide].entries()) {
    await soon()
    expect(begun).toEqual(order.slice(0, counts[at]))
    each.end()
  }
  await Promise.all([a, b, two, c, wide].map(({ over }) => over))
})

it('frees the lane of a failed task', async () => {
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

it('has at least one lane', async () => {
  expect(await new Lanes(0).run(async () => 'done')).toBe('done')
})
