import { describe, expect, it } from 'vitest'
import { configurationFolder, load, problems } from './configuration-file.fixture.ts'

configurationFolder()

const fleet = `portals: { host: { id: shared } }
http: { timeout: 5s, concurrency: 2 }
targets:
  north:
    target: { baseUrl: http://localhost:1/north }
  south:
    target: { baseUrl: http://localhost:2/south }
    portals: { host: { id: south } }
    http: { concurrency: 7 }
`

describe('a configuration of several targets', () => {
  it('gives each what all share, with its own over it', () => {
    const north = load(fleet, {}, { target: 'north' })
    expect(north.target.baseUrl).toBe('http://localhost:1/north')
    expect(north.portals.host.id).toBe('shared')
    const south = load(fleet, {}, { target: 'south' })
    expect(south.portals.host.id).toBe('south')
    expect([south.http.timeoutMs, south.http.concurrency]).toEqual([5000, 7])
  })

  it('names them where none is chosen, or one that is not there', () => {
    expect(problems(fleet)).toEqual([
      'FILE:3:1: the configuration is that of several targets: north, south; choose one with --target NAME, or judge all with "portal-conformance fleet"',
    ])
    expect(problems(fleet, {}, { target: 'west' })).toEqual([
      'FILE:3:1: --target west: not there; the configuration is that of several targets: north, south',
    ])
  })

  it('refuses a name where there is one target', () => {
    const one = 'target: { baseUrl: http://localhost:1 }\nportals: { host: { id: h } }\n'
    expect(problems(one, {}, { target: 'north' })[0]).toMatch(
      /--target north: the configuration has no targets$/,
    )
  })

  it('says where something is wrong: beside the target, or in what is shared', () => {
    const wrong = fleet
      .replace('{ concurrency: 7 }', '{ concurrency: 0 }')
      .replace('timeout: 5s', 'timeout: 5')
    expect(problems(wrong, {}, { target: 'south' })).toEqual([
      expect.stringMatching(/^FILE:2:\d+: http\.timeout: /),
      expect.stringMatching(/^FILE:9:\d+: http\.concurrency: /),
    ])
  })
})
