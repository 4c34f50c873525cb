import { describe, expect, it } from 'vitest'
import { schemaSettings } from './schema-settings.ts'

const target = { baseUrl: 'https://portal.example/x/' }

describe('the settings of a configuration', () => {
  it('have the defaults of the schema where the file says nothing', () => {
    expect(schemaSettings({ target }, '/folder')).toMatchObject({
      target: { profile: 'none', offers: [] },
      http: { timeoutMs: 10_000, insecure: false },
      run: { settleMs: 2000 },
    })
    expect(schemaSettings({ target }, '/folder')).not.toHaveProperty('administration')
  })

  it('have durations in milliseconds, paths seen from the folder, and addresses without a slash at the end', () => {
    const http = { timeout: '1m', ca: 'ca.pem' }
    const fixtures = { module: './fixtures.mjs' }
    expect(schemaSettings({ target, http, fixtures }, '/folder')).toMatchObject({
      target: { baseUrl: 'https://portal.example/x' },
      http: { timeoutMs: 60_000, ca: '/folder/ca.pem' },
      fixtures: { module: '/folder/fixtures.mjs' },
    })
  })

  it('reach into a value that may be a text or an object', () => {
    const login = { username: 'a', password: 'b' }
    const actors = {
      hostMember: { credential: 'token' },
      itemOwner: { credential: { file: 'token.txt' } },
      outsider: { credential: { login } },
    }
    expect(schemaSettings({ target, actors }, '/folder')).toMatchObject({
      actors: {
        hostMember: { credential: 'token' },
        itemOwner: { credential: { file: '/folder/token.txt' } },
        outsider: { credential: { login: { ...login, expirationMs: 3_600_000 } } },
      },
    })
  })

  it('are the reader’s own: no default is shared', () => {
    const [first, second] = [schemaSettings({ target }, '/'), schemaSettings({ target }, '/')] as unknown as {
      target: { offers: string[] }
    }[]
    first?.target.offers.push('x')
    expect(second?.target.offers).toEqual([])
  })
})
