import { describe, expect, it } from 'vitest'
import { configurationFor } from '../../deployment/http/server.fixture.ts'
import { fieldsOf, type Identity, outgoing, type RequestFields } from './calls.ts'

const plain = configurationFor('http://127.0.0.1:1/rest')
const identity = { actor: 'hostAdministrator', portal: 'host' } as const
const at = { collaborationId: 'c/1' }
const operation = 'delete-collaboration' as const

/** A configuration that settles these open points. */
const settling = (contract: object) => ({ ...plain, contract: { ...plain.contract, ...contract } })
const federating = (federation: object) =>
  settling({ federation: { groupsNotation: 'json', parameters: {}, ...federation } }) as never
const async = { parameter: 'async', synchronous: 'false', asynchronous: 'true' }

describe('outgoing', () => {
  it('puts the portal of the caller and the escaped ids into the path, and throws if one is missing', () => {
    const { path, portal } = outgoing(plain, identity, { operation, at })
    expect([path, portal]).toEqual(['/portals/host/collaborations/c%2F1/delete', 'host'])
    const without = (ids: object) => () => outgoing(plain, identity, { operation, at: ids as typeof at })
    expect(without({ ...at, portal: 'guest' })).toThrow('the path needs portalID')
    expect(without({})).toThrow('the path needs collaborationID')
  })

  it('sends a plain request, unless the call asks for another method, gate or style', () => {
    const usual = outgoing(plain, identity, { operation, at })
    expect(usual).toEqual({ ...identity, path: usual.path, fields: [['f', 'pjson']], about: operation })
    const gate = { opened: Promise.resolve(), reached: () => undefined }
    const departures = { method: 'GET', contentType: 'text/plain', urgent: true, style: 'multipart' } as const
    const how = { ...departures, extra: [['more', '1']], gate } as never
    expect(outgoing(plain, { ...identity, credential: 'token' }, { operation, at, how })).toEqual({
      ...usual,
      ...departures,
      fields: [...usual.fields, ['more', '1']],
      credential: 'token',
      gate: gate.opened,
      atGate: gate.reached,
    })
  })
})

describe('the referer', () => {
  const login = { username: 'a', password: 'b', referer: 'https://own.example', expirationMs: 60_000 }
  const hostAdministrator = { portal: 'host', credential: 't', source: { login } } as const
  const refererOf = (who: Identity, actors: (typeof plain)['actors'] = { hostAdministrator }) =>
    outgoing({ ...plain, actors }, who, { operation, at }).referer

  it('of a stranger is that of the permitted caller, if the caller has one', () => {
    const strangers = [
      { actor: 'anonymous', portal: 'host' },
      { actor: 'impostor', credential: 'made up', portal: 'host' },
    ] as const
    for (const stranger of strangers) {
      expect(refererOf(stranger)).toBe(login.referer)
      expect(refererOf(stranger, {})).toBeUndefined()
      expect(refererOf(stranger, { hostAdministrator: { portal: 'host', credential: 't' } })).toBeUndefined()
    }
  })

  it('of an actor is its own', () => {
    const guest = { actor: 'guestAdministrator', portal: 'host' } as const
    expect(refererOf(guest)).toBeUndefined()
    expect(refererOf({ ...guest, referer: 'https://guest.example' })).toBe('https://guest.example')
  })
})

describe('the timeout of a sync', () => {
  const profile = { name: 'x', points: [], errors: {}, longestMs: { synchronousSync: 90_000 } }
  const known = { ...settling({ sync: async }), profile }
  const place = { ...at, workspaceId: 'w' }
  const longestOf = (configuration: typeof known, request: RequestFields, how: object = {}) =>
    outgoing(configuration, identity, { operation: 'sync-workspace', at: place, request, how }).longestMs

  it('is that of the profile, unless the sync is asynchronous', () => {
    expect(longestOf(known, { async: 'false' })).toBe(90_000)
    expect(longestOf(known, {})).toBeUndefined()
    expect(longestOf(known, {}, { extra: [['async', 'false']] })).toBe(90_000)
    // Without contract.sync, the mode is unknown.
    expect(longestOf({ ...plain, profile } as typeof known, {})).toBe(90_000)
  })

  it('is the http timeout if that is longer', () => {
    const patient = { ...known, http: { ...known.http, timeoutMs: 600_000 } }
    expect(longestOf(patient, { async: 'false' })).toBe(600_000)
    expect(outgoing(known, identity, { operation, at }).longestMs).toBeUndefined()
  })
})

describe('fieldsOf', () => {
  it('asks for f=pjson, unless the check sets f', () => {
    expect(fieldsOf(plain, operation, {})).toEqual([['f', 'pjson']])
    expect(fieldsOf(plain, operation, { f: 'html' })).toEqual([['f', 'html']])
  })

  it('adds the sync mode to syncs only, unless the check sets one', () => {
    const settled = settling({ sync: async })
    expect(fieldsOf(settled, 'sync-workspace', {})).toContainEqual(['async', 'true'])
    expect(fieldsOf(settled, 'sync-workspace', { async: 'false' })).toContainEqual(['async', 'false'])
    expect(fieldsOf(settled, 'delete-collaboration', {})).toEqual([['f', 'pjson']])
    expect(fieldsOf(plain, 'sync-workspace', {})).toEqual([['f', 'pjson']])
  })

  it.each([
    ['as JSON', 'json', ['["a","b"]']],
    ['separated by commas', 'comma', ['a,b']],
    ['as repeated fields', 'repeated', ['a', 'b']],
    ['separated by commas by default', undefined, ['a,b']],
  ])('writes groups %s', (_, groupsNotation, expected) => {
    const configuration = groupsNotation === undefined ? plain : federating({ groupsNotation })
    const fields = fieldsOf(configuration, 'update-federation', { groups: ['a', 'b'] })
    expect(fields.filter(([name]) => name === 'groups').map(([, value]) => value)).toEqual(expected)
    expect(fields).toContainEqual(['f', 'pjson'])
  })

  it('encloses a certificate in the configured markers, if there are any', () => {
    const certificateMarkers = { begin: '-----BEGIN X-----', end: '-----END X-----' }
    const settled = federating({ certificateMarkers })
    const request = { certificate: 'TUlJ\nQg==' }
    expect(fieldsOf(settled, 'update-federation', request)).toContainEqual([
      'certificate',
      '-----BEGIN X-----\nTUlJ\nQg==\n-----END X-----',
    ])
    expect(fieldsOf(plain, 'update-federation', request)).toContainEqual(['certificate', 'TUlJ\nQg=='])
    expect(fieldsOf(settled, 'update-federation', {})).toEqual([['f', 'pjson']])
  })

  it('adds contract.federation.parameters to update-federation only', () => {
    const settled = federating({ parameters: { more: 'x' } })
    expect(fieldsOf(settled, 'update-federation', {})).toContainEqual(['more', 'x'])
    expect(fieldsOf(settled, 'delete-collaboration', {})).toEqual([['f', 'pjson']])
  })
})
