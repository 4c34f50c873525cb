import { expect, test } from 'vitest'
import { LastWords, takeUncaughtErrors } from './command-error.ts'

test('takeUncaughtErrors takes all errors until it is stopped', () => {
  const events = ['uncaughtException', 'unhandledRejection'] as const
  const count = () => events.map((event) => process.listenerCount(event))
  const before = count()
  const taken: unknown[] = []
  const stop = takeUncaughtErrors((error) => void taken.push(error))
  const listeners = events.map((event) => process.listeners(event as 'uncaughtException').at(-1))
  const broke = new Error('broke')
  for (const listener of listeners) listener?.(broke, 'uncaughtException')
  stop()
  expect([taken, count()]).toEqual([[broke, broke], before])
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
