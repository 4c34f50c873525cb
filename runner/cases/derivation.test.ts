import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPrintable } from '../../clauses/texts.ts'
import { decodeForm, encodeForm } from '../../deployment/http/outgoing-request.ts'
import { type Limit, limitsOf, type RequestSchema, requestSchema } from '../../schemas/catalogue.ts'
import { formFields, fromFormFields } from '../../schemas/form-values.ts'
import { violationsOf } from '../../schemas/validators.ts'
import { operationIds } from '../../specs/operations.ts'
import { beyondTextLimit, eachLeftOut, validRequest, withinTextLimit } from './requests.ts'
import { delicateTexts, joinedTexts, printableText, textOfLength } from './text.ts'

const fixed = { items: ['a'], targetUsername: 'user', portalGroupId: 'group', groups: ['group'] }
const sample = <T>(arbitrary: fc.Arbitrary<T>, numRuns = 300): T[] =>
  fc.sample(arbitrary, { seed: 7, numRuns })

/** Schema violations of the request after form encoding and decoding. */
const violationsOnTheWire = (schema: RequestSchema, request: Readonly<Record<string, unknown>>) =>
  violationsOf(schema, fromFormFields(schema, decodeForm(encodeForm(formFields(schema, request)))))

describe('printable text', () => {
  it('has 1 to 100 characters, and no text whose handling the contract leaves open', () => {
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
  ])('isPrintable rejects %j', (text) => {
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
  ])('isPrintable accepts %j, in NFKC form', (text) => {
    expect(isPrintable(text)).toBe(true)
    expect(text.normalize('NFKC')).toBe(text)
  })

  it.each([90, 250])('joinedTexts packs all delicate texts into printable ones of at most %i', (most) => {
    const joined = joinedTexts(delicateTexts, most)
    expect(joined.length).toBeLessThan(delicateTexts.length / 2)
    expect(joined.filter((text) => text.length > most || !isPrintable(text))).toEqual([])
    expect(delicateTexts.filter((text) => !joined.some((each) => each.includes(text)))).toEqual([])
  })

  it.each([
    ['astral characters', /[\u{10000}-\u{10ffff}]/u],
    ['right-to-left scripts', /[\u0590-\u06ff]/],
    ['combining characters', /\u0302/],
    ['reserved characters', /[&=+%#;]/],
    ['percent sequences', /%[0-9A-F]{2}/],
    ['leading zeros', /^00/],
    ['inner spaces', /\S \S/],
    ['characters beyond ASCII', /[^\u0000-\u007f]/],
  ])('sometimes has %s', (_, pattern) => {
    expect(sample(printableText(100), 500).some((text) => pattern.test(text))).toBe(true)
  })

  it('textOfLength has exactly that length in code points and in UTF-16 units', () => {
    for (const text of sample(textOfLength(101))) expect([text.length, [...text].length]).toEqual([101, 101])
  })
})

describe.each(operationIds)('validRequest for %s', (operation) => {
  const schema = requestSchema(operation)

  it('matches the schema, also after form encoding and decoding', () => {
    for (const request of sample(validRequest(schema, { fixed }), 100)) {
      expect(violationsOf(schema, { ...request, f: 'pjson' })).toEqual([])
      expect(violationsOnTheWire(schema, request)).toEqual([])
    }
  })

  it('sometimes omits each optional parameter, and never any other', () => {
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

/** A schema with a limit that the contract does not have. */
const schemaWithNote: RequestSchema = {
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

describe('a maxLength of a new optional field', () => {
  const limit = limitsOf(schemaWithNote)[0] as Limit
  const valid = validRequest(schemaWithNote)

  it('withinTextLimit generates lengths from 1 up to the limit', () => {
    const lengths = sample(withinTextLimit(valid, limit)).map(({ note }) => [...(note as string)].length)
    expect(Math.max(...lengths)).toBe(40)
    expect(Math.min(...lengths)).toBe(1)
  })

  it('beyondTextLimit generates lengths just above and far above the limit, each with a valid control', () => {
    const cases = sample(beyondTextLimit(valid, limit))
    const sizes = cases.map(({ probe }) => [...(probe.note as string)].length)
    expect(sizes).toContain(41)
    expect(sizes.some((size) => size > 41 && size < 60)).toBe(true)
    expect(sizes.some((size) => size > 1000)).toBe(true)
    for (const { control, probe } of cases) {
      expect(violationsOnTheWire(schemaWithNote, control)).toEqual([])
      expect(violationsOnTheWire(schemaWithNote, probe)).toMatchObject([{ keyword: 'maxLength' }])
    }
  })
})

it('eachLeftOut omits one optional parameter per request, and neither required ones nor f', () => {
  const gift = { items: ['a'], targetUsername: 'b', targetFoldername: 'c', f: 'pjson' }
  expect(eachLeftOut('reassign-items', gift)).toEqual([{ ...gift, targetFoldername: undefined }])
  const workspace = { collaborationWorkspaceName: 'a', portalGroupId: 'c' }
  expect(eachLeftOut('add-workspace', workspace)).toEqual([
    { ...workspace, collaborationWorkspaceName: undefined },
    { ...workspace, portalGroupId: undefined },
  ])
})
