import { describe, expect, it } from 'vitest'
import { issuesOf, violations } from './validators.ts'

describe('the configuration', () => {
  const smallest = { target: { baseUrl: 'http://127.0.0.1:8080' }, portals: { host: { id: 'h' } } }
  const wrong = (more: object) => violations('configuration', { ...smallest, ...more })

  it('says what the keys are where one is unknown', () => {
    expect(issuesOf('configuration', { ...smallest, authentication: { nmae: 'token' } })).toEqual([
      {
        path: 'authentication.nmae',
        keyword: 'additionalProperties',
        message: 'authentication.nmae: unknown; known are in, name, prefix, check',
        key: 'nmae',
        allowed: ['in', 'name', 'prefix', 'check'],
      },
    ])
  })

  it('says how a value should be written', () => {
    expect(wrong({ http: { timeout: 10 } })).toEqual([
      'http.timeout: a duration such as 250ms, 10s, 2m or 1d expected, 10 found',
    ])
    expect(wrong({ effects: 'al' })).toEqual([
      'effects: the word all, or a list of operation ids expected, "al" found',
    ])
    expect(wrong({ fixtures: { url: 'http://127.0.0.1', module: 'x' } })).toEqual([
      'fixtures: exactly one of url, module, command and static expected, url, module found',
    ])
    expect(wrong({ target: { ...smallest.target, version: 11 } })).toEqual([
      'target.version: a release in quotes, such as "11.0" expected, 11 found',
    ])
  })

  it.each(['10', '10 s', 's', '-1s', '1w', '1e3s', '10s\n'])('does not take %j for a duration', (settle) => {
    expect(wrong({ run: { settle } })).toHaveLength(1)
  })

  it('never shows a secret', () => {
    const messages = [
      wrong({ actors: { itemOwner: 'hunter2' } }),
      wrong({ actors: ['hunter2'] }),
      wrong({ actors: { itemOwner: { credential: ['hunter2'] } } }),
      wrong({ http: { headers: { Authorization: ['hunter2'] }, proxy: 'me:hunter2@proxy' } }),
    ].flat()
    expect(messages).toHaveLength(5)
    expect(messages.join()).not.toContain('hunter2')
  })
})
