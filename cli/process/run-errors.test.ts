import { expect, test } from 'vitest'
import { alsoHide, lastWords } from './run-errors.ts'

test('the last words hold one line, without secrets of open targets and without addresses', () => {
  const forget = alsoHide((text) => text.replace('hunter2', '***'))
  const error = new Error('anna@stadt-amt.de used hunter2\nand more')
  expect(lastWords(error)).toBe('portal-conformance broke: ***@*** used ***; please report\n')
  forget()
  expect(lastWords(error)).toContain('hunter2')
  expect(lastWords(undefined)).toBe('portal-conformance broke: undefined; please report\n')
})
