import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeForm, encodeForm, type FormField, type FormStyle } from './outgoing-request.ts'

const text = fc.string({ unit: 'binary' })
const fields = fc.array(fc.tuple(text, text), { minLength: 1 })
const style: fc.Arbitrary<FormStyle> = fc.record(
  {
    space: fc.constantFrom('+', '%20'),
    escapes: fc.constantFrom('upper', 'lower'),
    safe: fc.constantFrom('plain', 'escaped'),
    order: fc.constantFrom('given', 'reversed', 'rotated'),
  },
  { requiredKeys: [] },
)

test('every form style decodes to the same fields, also with URLSearchParams', () => {
  fc.assert(
    fc.property(fields, style, (given, notation) => {
      const encoded = encodeForm(given, notation)
      const sorted = (some: readonly FormField[]) => some.map((field) => JSON.stringify(field)).sort()
      expect(sorted(decodeForm(encoded))).toEqual(sorted(given))
      expect(sorted([...new URLSearchParams(encoded)])).toEqual(sorted(given))
      if (notation.order === undefined || notation.order === 'given')
        expect(decodeForm(encoded)).toEqual(given)
    }),
  )
})

test.each<[FormStyle, string]>([
  [{}, 'n=a+%C3%A9%7E%2C&f=1'],
  [{ space: '%20' }, 'n=a%20%C3%A9%7E%2C&f=1'],
  [{ escapes: 'lower' }, 'n=a+%c3%a9%7e%2c&f=1'],
  [{ safe: 'plain' }, 'n=a+%C3%A9~,&f=1'],
  [{ safe: 'escaped' }, '%6E=%61+%C3%A9%7E%2C&%66=%31'],
  [{ order: 'reversed' }, 'f=1&n=a+%C3%A9%7E%2C'],
])('encodeForm with style %j', (notation, encoded) => {
  const given = { n: 'a é~,', f: '1' }
  expect(encodeForm(Object.entries(given), notation)).toBe(encoded)
})

test.each<FormStyle>([{}, { safe: 'escaped' }])('encodeForm refuses a lone surrogate (%j)', (notation) => {
  expect(() => encodeForm([['name', 'a\ud800b']], notation)).toThrow('lone surrogate')
})

test('decodeForm refuses escapes that are not UTF-8', () => {
  expect(() => decodeForm('a=%FF')).toThrow('not valid UTF-8')
})

test('decodeForm keeps empty names and values, stray percent signs and a byte order mark', () => {
  expect(decodeForm('a&=b&&c=%zz&d=%EF%BB%BF')).toEqual([
    ['a', ''],
    ['', 'b'],
    ['c', '%zz'],
    ['d', '\ufeff'],
  ])
})
