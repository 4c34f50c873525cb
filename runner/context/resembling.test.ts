import { describe, expect, it, test } from 'vitest'
import { credentialLike } from './resembling.ts'

const known = 'Zq3x9LmTAb7yR2kW'

test('an empty credential resembles every other', () => {
  expect(credentialLike(known, 'empty')).toBe('')
})

describe('without its end', () => {
  it.each([
    [known, 'Zq3x9LmTAb7y'],
    ['v2.Zq3x9LmTAb7yR2kWpQ1IhobPIld7HuoW', 'v2.Zq3x9LmTAb7yR2kWpQ1IhobPIld7'],
    ['eyJzdWIiOiJhZG1pbiJ9.4pQ1IhobPIld7HuoHDYvBtVW', 'eyJzdWIiOiJhZG1pbiJ9.4pQ1IhobPIld7HuoHDYv'],
  ])('%s is cut short', (real, made) => {
    expect(credentialLike(real, 'without its end')).toBe(made)
  })

  it.each(['Zq3x9LmTAb7yR2kW.node1', 'jvm1.portal-web-server-01-of-the-north', 'Zq3x9LmT'])(
    '%s may be as good',
    (real) => {
      expect(credentialLike(real, 'without its end')).toBeUndefined()
    },
  )
})

describe('without its signature', () => {
  it('the claims of a signed one stay', () => {
    expect(credentialLike('eyJh.eyJz.c2ln', 'without its signature')).toBe('eyJh.eyJz.')
  })

  it('one in one piece has none', () => {
    expect(credentialLike(known, 'without its signature')).toBeUndefined()
  })
})

describe('with the end of another', () => {
  const like = (real: string, ...others: readonly string[]) =>
    credentialLike(real, 'with the end of another', [real, ...others])

  it('the claims of a signed one get the signature of another', () => {
    expect(like('eyJh.eyJz.c2ln', 'eyJh.eyJ0.bG9n')).toBe('eyJh.eyJz.bG9n')
  })

  it('one in one piece gets the last quarter of another of its length', () => {
    expect(like(known, 'too-short', 'aB3dE6gH9jKlMnOp')).toBe('Zq3x9LmTAb7yMnOp')
  })

  it.each([
    ['no other is known', known],
    ['the other claims the same', 'v4.local.Zq3x9LmTAb7yR2kW', 'v4.local.pQ1IhobPIld7HuoH'],
    ['the other has the same end', known, 'aB3dE6gH9jKlR2kW'],
    ['the other has another form', known, 'aB3d.6gH9jKlM.Op'],
    ['its end may be a name', 'Zq3x9LmTAb7yR2kW.node1', 'aB3dE6gH9jKlMnOp.node2'],
  ])('%s: none', (_, real, ...others) => {
    expect(like(real, ...others)).toBeUndefined()
  })

  it('none that is itself the credential of somebody', () => {
    expect(like(known, 'aB3dE6gH9jKlMnOp', 'Zq3x9LmTAb7yMnOp')).toBeUndefined()
  })
})
