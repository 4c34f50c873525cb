import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPrintable } from '../../clauses/texts.ts'
import { decodeForm, encodeForm } from '../../deployment/http/outgoing-request.ts'
import { type Limit, limitsOf, type RequestSchema, requestSchema } from '../../schemas/catalogue.ts'
import { formFields, fromFormFields } from '../../schemas/form-values.ts'
import { violationsOf } from '../../schemas/validators.ts'
import { operationIds } from '../../specs/operations.ts'
import { assertViolates, beyondTextLimit, withinTextLimit } from './boundaries.ts'
import { validRequest } from './requests.ts'
import { delicateTexts, joinedTexts, printableText, textOfLength } from './text.ts'

const fixed = { items: ['a'], targetUsername: 'user', portalGroupId: 'group', groups: ['group'] }
const sample = <T>(arbitrary: fc.Arbitrary<T>, numRuns = 300): T[] =>
  fc.sample(arbitrary, { seed: 7, numRuns })

/** What the request breaks of the schema once it was written as a form and read again. */
const brokenOnTheWire = (schema: RequestSchema, request: Readonly<Record<string, unknown>>) =>
  violationsOf(schema, fromFormFields(schema, decodeForm(encodeForm(formFields(schema, request)))))

describe('printable text', () => {
  it('holds nothing that the contract leaves open, by every way of counting characters', () => {
    for (const text of sample(printableText(100), 2000)) {
      expect(isPrintable(text), JSON.stringify(text)).toBe(true)
      expect(text.length).toBeGreaterThan(0)
      expect(text.length).toBeLessThanOrEqual(100)
    }
  })

  it.each([
    ' a',
    'a ',
    'a\n',
    'a\u200d',
    'e\u0301',
    '\ue000',
    'a\u0000',
    '<b>',
    "'Brien",
    "the 'city's",
    '"quoted"',
    '1+1=2',
    '1 = 1',
    'a--b',
    'drop table users',
    '../up',
    '/etc/passwd',
    'C:\\new',
    '{{name}}',
    `$\{name}`,
    '%00',
    'a%3Cb',
    'AT&amp;T',
    'https://example.org',
  ])('does not take %j for printable', (text) => {
    expect(isPrintable(text)).toBe(false)
  })

  it.each([
    ...delicateTexts,
    'R&D',
    'C++',
    'a=b&c=d',
    '#1; 50% of x',
    'and/or',
    "O'Brien",
    'Region (north), 2020-2021',
  ])('takes %j for printable', (text) => {
    expect(isPrintable(text)).toBe(true)
    expect(text.normalize('NFKC')).toBe(text)
  })

  it.each([90, 250])(
    'joins delicate texts up to %i characters, each of them printable and none lost',
    (most) => {
      const joined = joinedTexts(delicateTexts, most)
      expect(joined.length).toBeLessThan(delicateTexts.length / 2)
      expect(joined.filter((text) => text.length > most || !isPrintable(text))).toEqual([])
      expect(delicateTexts.filter((text) => !joined.some((each) => each.includes(text)))).toEqual([])
    },
  )

  it.each([
    ['astral characters', /[\u{10000}-\u{10ffff}]/u],
    ['right-to-left scripts', /[\u0590-\u06ff]/],
    ['combining characters', /\u0302/],
    ['reserved characters', /[&=+%#;]/],
    ['percent sequences', /%[0-9A-F]{2}/],
    ['leading zeros', /^00/],
    ['inner spaces', /\S \S/],
    ['characters beyond ASCII', /[^\u0000-\u007f]/],
  ])('comes with %s', (_, pattern) => {
    expect(sample(printableText(100), 500).some((text) => pattern.test(text))).toBe(true)
  })

  it('has exactly the length asked for, in code points and in UTF-16 units', () => {
    for (const text of sample(textOfLength(101))) expect([text.length, [...text].length]).toEqual([101, 101])
  })
})

describe.each(operationIds)('requests of %s', (operation) => {
  const schema = requestSchema(operation)

  it('keep their schema, on the wire', () => {
    for (const request of sample(validRequest(schema, { fixed }), 100)) {
      expect(violationsOf(schema, { ...request, f: 'pjson' })).toEqual([])
      expect(brokenOnTheWire(schema, request)).toEqual([])
    }
  })

  it('leave out optional parameters only, now and then, each of them', () => {
    const made = sample(validRequest(schema, { fixed }), 100)
    for (const [name, property] of Object.entries(schema.properties)) {
      const present = made.filter((request) => Object.hasOwn(request, name)).length
      if (property['x-realistic'] === 'settled') expect(present).toBe(0)
      else if (property['x-presence'] === 'optional')
        expect(present).toSatisfy((count: number) => count > 0 && count < 100)
      else expect(present).toBe(100)
    }
  })
})

/** A schema of its own: a limit that the contract does not know. */
const noted: RequestSchema = {
  type: 'object',
  properties: {
    status: { type: 'string', examples: ['executing'], 'x-presence': 'required' },
    note: {
      type: 'string',
      minLength: 1,
      maxLength: 40,
      'x-presence': 'optional',
      'x-realistic': 'sentence',
    },
  },
  required: ['status'],
}

describe('an optional field with a maxLength, added to a schema', () => {
  const limit = limitsOf(noted)[0] as Limit
  const valid = validRequest(noted)

  it('has its limit found', () => {
    expect(limitsOf(noted)).toEqual([{ field: 'note', keyword: 'maxLength', most: 40 }])
  })

  it('is tested up to the limit and at it', () => {
    const lengths = sample(withinTextLimit(valid, limit)).map(({ note }) => [...(note as string)].length)
    expect(Math.max(...lengths)).toBe(40)
    expect(Math.min(...lengths)).toBe(1)
  })

  it('is tested one above the limit, near it and far above it, with a control at the limit', () => {
    const cases = sample(beyondTextLimit(valid, limit))
    const sizes = cases.map(({ size }) => size)
    expect(sizes).toContain(41)
    expect(sizes.some((size) => size > 41 && size < 60)).toBe(true)
    expect(sizes.some((size) => size > 1000)).toBe(true)
    for (const { control, probe } of cases) {
      expect(brokenOnTheWire(noted, control)).toEqual([])
      assertViolates(noted, formFields(noted, probe), { field: 'note', keyword: 'maxLength' })
    }
  })
})

describe('assertViolates', () => {
  const fault = { field: 'note', keyword: 'maxLength' } as const

  it.each([
    ['breaks nothing', { status: 'executing', note: 'short' }, 'breaks nothing'],
    ['breaks something else as well', { note: 'x'.repeat(41) }, 'nothing else'],
  ])('refuses a probe that %s', (_, probe, message) => {
    expect(() => assertViolates(noted, formFields(noted, probe), fault)).toThrow(message)
  })
})
