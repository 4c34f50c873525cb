import { expect, onTestFinished, test } from 'vitest'
import { LastWords, originOf, takeUncaughtErrors } from './uncaught-errors.ts'

/** Calls takeUncaughtErrors without other listeners; returns the errors it takes. */
function taking(ownProcess: boolean): unknown[] {
  const events = ['uncaughtException', 'unhandledRejection'] as const
  const others = events.map((event) => [event, process.listeners(event as 'uncaughtException')] as const)
  for (const event of events) process.removeAllListeners(event)
  const taken: unknown[] = []
  const stop = takeUncaughtErrors(ownProcess, (error) => void taken.push(error))
  onTestFinished(() => {
    stop()
    expect(events.map((event) => process.listenerCount(event))).toEqual([0, 0])
    for (const [event, listeners] of others)
      for (const listener of listeners) process.on(event, listener as () => void)
  })
  return taken
}

const foreign = Object.assign(new Error('of the program'), { stack: 'Error: of the program\n at /app.js' })
const own = new Error('of the suite')

test('takeUncaughtErrors takes all errors in a process of the suite', async () => {
  const taken = taking(true)
  process.emit('unhandledRejection', foreign, Promise.resolve())
  process.emit('uncaughtException', own)
  expect(taken).toEqual([foreign, own])
})

test('takeUncaughtErrors takes errors of this package in another program', async () => {
  const taken = taking(false)
  process.emit('unhandledRejection', own, Promise.resolve())
  expect(taken).toEqual([own])
})

test("takeUncaughtErrors leaves another program's errors to its listeners, or lets them end it", async () => {
  const taken = taking(false)
  const seen: unknown[] = []
  const listener = (error: unknown) => void seen.push(error)
  process.on('unhandledRejection', listener)
  process.emit('unhandledRejection', foreign, Promise.resolve())
  process.off('unhandledRejection', listener)
  expect([taken, seen]).toEqual([[], [foreign]])

  const thrown = new Promise((resolve) => process.once('uncaughtException', resolve))
  process.removeAllListeners('unhandledRejection')
  expect(taken).toEqual([])
  process.emit('uncaughtException', foreign)
  expect(await thrown).toBe(foreign)
})

test.each([
  ['fixtures.module /pools/of ours.mjs', ' at setTimeout (file:///pools/of%20ours.mjs:3:7)'],
  ['the suite', ' at setTimeout (file:///pools/of%20ours.mjs.js:3:7)'],
  ['the suite', ' at send (file:///suite/client.js:3:7)'],
])('originOf names %s for the stack "%s"', (where, frame) => {
  const error = Object.assign(new Error('no more'), { stack: `Error: no more\n${frame}` })
  expect(originOf(error, { module: '/pools/of ours.mjs' })).toBe(where)
  expect(originOf(error, { url: 'http://127.0.0.1/pools' })).toBe('the suite')
})

test('LastWords has one line, without secrets and email addresses', () => {
  const lastWords = new LastWords()
  const forget = lastWords.hide((text) => text.replace('hunter2', '***'))
  const error = new Error('anna@stadt-amt.de used hunter2\nand more')
  expect(lastWords.of(error)).toBe('portal-conformance broke: ***@*** used ***; please report\n')
  forget()
  expect(lastWords.of(error)).toContain('hunter2')
  expect(lastWords.of(undefined)).toBe('portal-conformance broke: undefined; please report\n')
})
