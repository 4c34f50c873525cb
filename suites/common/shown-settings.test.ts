import { describe, expect, it } from 'vitest'
import { enclosed, pemMarkers, plainCertificate, usualCertificates } from '../../specs/certificates.ts'
import { certificateIn, groupsIn } from './shown-settings.ts'

describe('a certificate on a page', () => {
  const lines = plainCertificate.replace(/.{64}(?=.)/g, '$&\n')

  it.each([
    ['in one line', plainCertificate],
    ['in lines', lines],
    ['between markers', enclosed(lines, pemMarkers)],
    ['with escaped ends of lines', enclosed(lines, pemMarkers).replaceAll('\n', '\\n')],
  ])('is the same %s', (_, shown) => {
    expect(certificateIn(shown)).toBe(plainCertificate)
  })

  it('is distinguished from another one', () => {
    expect(certificateIn(enclosed(usualCertificates[0] as string, pemMarkers))).toBe(usualCertificates[0])
  })

  it.each([[undefined], [null], [''], ['uploaded'], ['a1b2c3d4e5f6'], [{ subject: 'CN=a' }]])(
    'is not shown by %j',
    (shown) => {
      expect(certificateIn(shown)).toBeUndefined()
    },
  )
})

describe('groups on a page', () => {
  const [one, other, another] = ['0a'.repeat(16), '1b'.repeat(16), '2c'.repeat(16)] as [
    string,
    string,
    string,
  ]
  const sent = [one, other]

  it.each([
    ['joined', `${one},${other}`],
    ['in capitals', `${one}, ${other}`.toUpperCase()],
    ['as JSON in a text', JSON.stringify(sent)],
    ['as a list', [other, one]],
    ['as objects', [{ id: one, title: 'Roads' }, { id: other }, { id: another }]],
  ])('are all shown %s', (_, shown) => {
    expect(groupsIn(shown, sent)).toEqual(sent)
  })

  it('are shown in part, or not, if others are', () => {
    expect(groupsIn(one, sent)).toEqual([one])
    expect(groupsIn([another], sent)).toEqual([])
  })

  it.each([[undefined], [null], [''], ['[]'], [[]], ['Roads and parks, Schools of the northern regions']])(
    'are not shown by %j',
    (shown) => {
      expect(groupsIn(shown, sent)).toBeUndefined()
    },
  )
})
