import { describe, expect, test } from 'vitest'
import { ConfigurationError } from '../../deployment/configuration/configuration-error.ts'
import { checkOf, failedCheck } from '../../reporters/results.fixture.ts'
import type { Outcome } from '../../specs/outcomes.ts'
import { applyWaivers, covers, isFor, loadWaivers } from './waiver.ts'
import { inUse, waiverFile, written } from './waiver-file.fixture.ts'

test.each([
  ['https://a.example.com/rest', 'https://a.example.com/rest', true],
  ['https://a.example.com/rest/', 'https://a.example.com/rest', true],
  ['https://*.example.com/**', 'https://a.example.com/sharing/rest', true],
  ['https://*.example.com/*', 'https://a.example.com/sharing/rest', false],
  ['http://127.0.0.1:*/rest', 'http://127.0.0.1:39417/rest', true],
  ['http://[::1]:8080/rest', 'http://[::1]:8080/rest', true],
  ['**', 'https://a.example.com/rest', true],
  ['https://a.example.com', 'https://a.example.com/rest', false],
  ['!https://b.example.com/**', 'https://a.example.com/rest', false],
])('isFor: the target pattern %s matches %s: %j', (target, baseUrl, expected) => {
  expect(isFor(written({ target }), baseUrl)).toBe(expected)
})

test.each([
  [{ requirement: 'a/b' }, 'a/b', true],
  [{ requirement: 'a/b' }, 'a/b:c', true],
  [{ requirement: 'a/b' }, 'a/bc', false],
  [{ check: 'a/b' }, 'a/b', true],
  [{ check: 'a/b' }, 'a/b:c', false],
  [{ check: 'a/b:c' }, 'a/b:c', true],
  [{ requirement: 'a/b', also: ['a/c'] }, 'a/c:d', true],
  [{ requirement: 'a/b', also: ['a/c'] }, 'a/d', false],
])('covers: the waiver %j covers %s: %j', (waiver, id, expected) => {
  expect(covers(written(waiver), id)).toBe(expected)
})

describe('applyWaivers', () => {
  const id = 'add-workspace/creates'
  const waiver = inUse({ requirement: id, link: 'https://tracker.example.com/1' })

  test('keeps the failure of a waived check, and adds the waiver', () => {
    const failed = failedCheck(id, 'no workspace came')
    expect(applyWaivers([failed], [waiver])).toEqual([
      {
        ...failed,
        outcome: 'waived',
        reason: 'waived until 2999-12-31 by portal team: known (https://tracker.example.com/1)',
        waiver: {
          reason: 'known',
          owner: 'portal team',
          link: 'https://tracker.example.com/1',
          expires: '2999-12-31',
        },
      },
    ])
  })

  test.each<[Outcome, Outcome]>([
    ['warned', 'waived'],
    ['inconclusive', 'inconclusive'],
    ['not-tested', 'not-tested'],
    ['not-applicable', 'not-applicable'],
    ['passed', 'passed'],
  ])('turns %s into %s', (outcome, expected) => {
    expect(applyWaivers([checkOf(id, { outcome, reason: 'x' })], [waiver])[0]?.outcome).toBe(expected)
  })
})

describe('loadWaivers', () => {
  const context = {
    checks: ['add-workspace/creates', 'add-workspace/timestamps', 'protocol/form-post:add-workspace'],
    baseUrl: 'https://staging.example.com/rest',
    today: '2026-06-15',
  }
  const creates = written({ requirement: 'add-workspace/creates' })
  const fileOf = (...waivers: object[]): string => waiverFile(JSON.stringify({ waivers }, null, 1))

  function problems(file: string): readonly string[] {
    try {
      loadWaivers(file, context)
    } catch (error) {
      if (error instanceof ConfigurationError)
        return error.problems.map((line) => line.replaceAll(file, 'FILE'))
      throw error
    }
    return []
  }

  test('reads YAML and JSON, and returns the waivers with their places', () => {
    const yaml = `waivers:
  - { check: protocol/form-post:add-workspace, target: https://*.example.com/**, reason: r, owner: o, link: https://t.example.com/1, expires: 2026-06-15 }
  - { requirement: add-workspace/creates, target: https://live.example.com/rest, reason: r, owner: o, expires: 2026-12-31 }
`
    const file = waiverFile(yaml)
    const [first, other] = loadWaivers(file, context)
    expect([first]).toEqual([
      {
        check: 'protocol/form-post:add-workspace',
        target: 'https://*.example.com/**',
        reason: 'r',
        owner: 'o',
        link: 'https://t.example.com/1',
        expires: '2026-06-15',
        place: `${file}:2:5`,
      },
    ])
    expect(other).toMatchObject({ target: 'https://live.example.com/rest', place: `${file}:3:5` })
    expect(loadWaivers(fileOf(creates), context)).toHaveLength(1)
  })

  test.each<[string, object, RegExp]>([
    [
      'an unknown key',
      { ...creates, expire: 'x' },
      /expire: unknown; did you mean expires\? Known are requirement, /,
    ],
    ['a missing date', { ...creates, expires: undefined }, /waivers\[0\]\.expires: missing$/],
    [
      'a date that does not exist',
      { ...creates, expires: '2027-02-30' },
      /expires: a date such as 2026-12-31 expected/,
    ],
    [
      'neither requirement nor check',
      { ...creates, requirement: undefined },
      /exactly one of requirement and check expected, neither found$/,
    ],
    [
      'an unknown requirement',
      { ...creates, requirement: 'add-workspace/create' },
      /requirement add-workspace\/create: there is no such id; near are add-workspace\/creates, /,
    ],
    [
      'the id of a requirement as check',
      { ...creates, requirement: undefined, check: 'protocol/form-post' },
      /check protocol\/form-post: there is no such id; near are protocol\/form-post:add-workspace, /,
    ],
    [
      'an expired waiver',
      { ...creates, expires: '2026-06-14' },
      /requirement add-workspace\/creates: expired: its last day was 2026-06-14 \(UTC\), its owner is portal team/,
    ],
  ])('refuses %s, with its place', (_name, waiver, message) => {
    const found = problems(fileOf(waiver))
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(/^FILE:\d+:\d+: /)
    expect(found[0]).toMatch(message)
  })

  test('reports all problems at once', () => {
    const file = fileOf({ ...creates, expires: '2000-01-01' }, written({ check: 'nope/nope' }))
    expect(problems(file)).toEqual([
      expect.stringContaining('expired'),
      expect.stringContaining('there is no such id'),
    ])
  })
})
