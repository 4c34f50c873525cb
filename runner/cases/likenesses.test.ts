import { describe, expect, it } from 'vitest'
import { inTurn } from '../effort.ts'
import { showsItsKind } from '../ledger.ts'
import { credentialLike, namesLike, nobodysLike, partlyResembling, unknownLike } from './likenesses.ts'

const seeds = Array.from({ length: 300 }, (_, seed) => seed)

describe('unknownLike', () => {
  it.each([
    ['hexadecimal', '0f3a5b7c9d1e4f60a2b4', /^([0-9][a-f]){7}[0-9]{2}([a-f][0-9]){2}$/],
    ['in capitals', 'AB12-CDEF', /^[A-F]{2}[0-9]{2}-[A-F]{4}$/],
    ['digits alone', '7000000000', /^[1-9][0-9]{9}$/],
    ['words', 'Zebra_42.x', /^[A-Z][a-z]{4}_[0-9]{2}\.[a-z]$/],
    ['a credential', 'secret-of-1', /^[a-z]{6}-[a-z]{2}-[0-9]$/],
  ])('keeps the form of an id: %s', (_, id, form) => {
    for (const seed of seeds) {
      expect(unknownLike(id, seed)).toMatch(form)
      expect(unknownLike(id, seed)).not.toBe(id)
    }
  })

  it('uses the whole alphabet of the form', () => {
    const used = (id: string): string =>
      [...new Set(seeds.flatMap((seed) => [...unknownLike(id, seed).slice(1)]))].sort().join('')
    expect(used('a00000000')).toBe('0123456789')
    expect(used('0aaaaaaaa')).toBe('abcdef')
    expect(used('0zzzzzzzz')).toBe('abcdefghijklmnopqrstuvwxyz')
    expect(used('0ZZZZZZZZ')).toBe('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
  })

  it.each([
    ['12345', /^[1-9][0-9]{4}[1-9][0-9]{3}$/],
    ['123456', /^[1-9][0-9]{5}$/],
    ['------', /^------[1-9][0-9]{3}$/],
    ['№12-ключ-鍵', /^№[1-9][0-9]-ключ-鍵[1-9][0-9]{3}$/],
  ])('lengthens a short id, so that no fixture has that id: %s', (id, form) => {
    expect(unknownLike(id, 1)).toMatch(form)
  })

  it('returns the same id for the same seed, and another for another seed', () => {
    expect(unknownLike('0f3a5b7c', 5)).toBe(unknownLike('0f3a5b7c', 5))
    expect(new Set(seeds.map((seed) => unknownLike('0f3a5b7c9d1e', seed))).size).toBe(seeds.length)
  })
})

it.each([
  ['7000', /^[0-9]{15,}$/],
  ['c1', /^[a-f]?[a-z]?[0-9]{12,}$/],
  ['AB12-CDEF', /^[A-F]{2}[0-9]{2}-[A-F]{4}[0-9]{7,}$/],
  ['0123456789abcdef0123456789abcdef', /^[0-9]{10}[a-f]{6}[0-9]{10}[a-f]{6}$/],
  ['Uybtt9N2wHVUemso', /^[A-Z][a-z]{4}[0-9][A-Z][0-9][a-z][A-Z]{3}[a-z]{4}$/],
])('nobodysLike makes the same id like %s each time, longer if its form has few ids', (id, form) => {
  for (const seed of seeds.slice(0, 20)) {
    expect(nobodysLike(id, seed)).toMatch(form)
    expect(nobodysLike(id, seed)).toBe(nobodysLike(id, seed))
  }
})

it('partlyResembling varies the end, middle and start of a random id, and no short id or counter', () => {
  for (const seed of seeds.slice(0, 20))
    expect(partlyResembling('Uybtt9N2wHVUemso', seed)).toEqual([
      expect.stringMatching(/^Uybtt9N2wHVU(?!emso)[a-z]{4}$/),
      expect.stringMatching(/^Uybtt9N2wHVUemso[a-z]{4}$/),
      'Uybtt9N2wHVU',
      expect.stringMatching(/^Uybtt9N2(?!w)[a-z]HVUemso$/),
      expect.stringMatching(/^(?!U)[A-Z]ybtt9N2wHVUemso$/),
    ])
  const padded = ['000000000000000000000000000002f1', '019365e2-7c3a-7000-8000-0000000002f1']
  for (const id of ['Uybtt9N2w', '1000000000000017', 'workspace-000017', ...padded])
    expect(partlyResembling(id, 1)).toEqual([])
})

it('namesLike varies every part of a long name, and appends to a short one', () => {
  expect(namesLike('receiver_17', 3)).toEqual([
    expect.stringMatching(/^receive[a-z]{4}$/),
    expect.stringMatching(/^receiver_17[a-z]{8}$/),
    expect.stringMatching(/^[a-z]{4}iver_17$/),
    expect.stringMatching(/^rec[a-z]{4}r_17$/),
  ])
  expect(namesLike('anna', 3)).toEqual([expect.stringMatching(/^anna[a-z]{8}$/)])
})

it('partlyResembling changes one digit at the end of 32 hexadecimal digits, four of a shorter id', () => {
  expect(partlyResembling('0f3a5b7c9d1e4f60a2b40f3a5b7c9d1e', 1)[0]).toBe('0f3a5b7c9d1e4f60a2b40f3a5b7c9d16')
  expect(partlyResembling('67ab0f3a5b7c9d1e4f60a2b4', 1)[0]).toMatch(
    /^67ab0f3a5b7c9d1e4f60(?!a2b4)[0-9a-f]{4}$/,
  )
})

it('inTurn returns the next entries and starts again at the end', () => {
  expect([0, 1, 2].map((from) => inTurn(['a', 'b', 'c'], from, 2).join(''))).toEqual(['ab', 'bc', 'ca'])
  expect([inTurn(['a'], 5, 3), inTurn([], 1, 3)]).toEqual([['a'], []])
})

it('showsItsKind is false for ids that are counters', () => {
  const ids = ['7', '1000000000000017', 'c1', 'tk.17x', 'Uybtt9N2wHVUemso']
  expect(ids.filter(showsItsKind)).toEqual(['tk.17x', 'Uybtt9N2wHVUemso'])
})

describe('credentialLike', () => {
  const known = 'Zq3x9LmTAb7yR2kW'

  const signed = 'eyJzdWIiOiJhZG1pbiJ9.4pQ1IhobPIld7HuoHDYvBtVW'

  it.each([
    [known, 'empty', ''],
    [known, 'without its end', 'Zq3x9LmTAb7y'],
    ['v2.Zq3x9LmTAb7yR2kWpQ1IhobPIld7HuoW', 'without its end', 'v2.Zq3x9LmTAb7yR2kWpQ1IhobPIld7'],
    [signed, 'without its end', 'eyJzdWIiOiJhZG1pbiJ9.4pQ1IhobPIld7HuoHDYv'],
    // The rest of these credentials may still be valid.
    ['Zq3x9LmTAb7yR2kW.node1', 'without its end', undefined],
    ['jvm1.portal-web-server-01-of-the-north', 'without its end', undefined],
    ['Zq3x9LmT', 'without its end', undefined],
    ['eyJh.eyJz.c2ln', 'without its signature', 'eyJh.eyJz.'],
    [known, 'without its signature', undefined],
  ] as const)('%s %s is %j', (real, how, made) => {
    expect(credentialLike(real, how)).toBe(made)
  })

  it.each<[string, string | undefined, string, ...string[]]>([
    ['a signed credential keeps its claims', 'eyJh.eyJz.bG9n', 'eyJh.eyJz.c2ln', 'eyJh.eyJ0.bG9n'],
    ['the last quarter of one with equal length', 'Zq3x9LmTAb7yMnOp', known, 'too-short', 'aB3dE6gH9jKlMnOp'],
    ['none without another credential', undefined, known],
    ['none if the claims are equal', undefined, 'v4.local.Zq3x9LmTAb7yR2kW', 'v4.local.pQ1IhobPIld7HuoH'],
    ['none if the ends are equal', undefined, known, 'aB3dE6gH9jKlR2kW'],
    ['none if the forms differ', undefined, known, 'aB3d.6gH9jKlM.Op'],
    ['none if the end may be a node name', undefined, 'Zq3x9LmTAb7yR2kW.node1', 'aB3dE6gH9jKlMnOp.node2'],
    ['none if the result is a known credential', undefined, known, 'aB3dE6gH9jKlMnOp', 'Zq3x9LmTAb7yMnOp'],
  ])('with the end of another: %s', (_, made, real, ...others) => {
    expect(credentialLike(real, 'with the end of another', [real, ...others])).toBe(made)
  })
})
