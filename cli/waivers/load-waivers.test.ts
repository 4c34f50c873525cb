import { expect, test } from 'vitest'
import { ConfigurationError } from '../../deployment/configuration/configuration-error.ts'
import { loadWaivers } from './waiver.ts'
import { waiverFile, written } from './waiver-file.fixture.ts'

const context = {
  checks: ['add-workspace/creates', 'add-workspace/timestamps', 'protocol/form-post:add-workspace'],
  baseUrl: 'https://staging.example.com/rest',
  today: '2026-06-15',
}

function problems(content: string): string[] {
  const file = waiverFile(content)
  try {
    loadWaivers(file, context)
  } catch (error) {
    if (error instanceof ConfigurationError)
      return error.problems.map((line) => line.replaceAll(file, 'FILE'))
    throw error
  }
  return []
}

const fileOf = (...waivers: object[]): string => JSON.stringify({ waivers }, null, 1)
const creates = written({ requirement: 'add-workspace/creates' })

test('loadWaivers reads YAML and JSON, and returns the waivers for the target with their places', () => {
  const yaml = `waivers:
  - { check: protocol/form-post:add-workspace, target: https://*.example.com/**, reason: r, owner: o, link: https://t.example.com/1, expires: 2026-06-15 }
  - { requirement: add-workspace/creates, target: https://live.example.com/rest, reason: r, owner: o, expires: 2026-12-31 }
`
  const file = waiverFile(yaml)
  expect(loadWaivers(file, context)).toEqual([
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
  expect(loadWaivers(waiverFile(fileOf(creates)), context)).toHaveLength(1)
  expect(loadWaivers(waiverFile('waivers: []'), context)).toEqual([])
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
])('loadWaivers refuses %s, with its place', (_name, waiver, message) => {
  const found = problems(fileOf(waiver))
  expect(found).toHaveLength(1)
  expect(found[0]).toMatch(/^FILE:\d+:\d+: /)
  expect(found[0]).toMatch(message)
})

test('loadWaivers reports all problems at once', () => {
  const wrong = [{ ...creates, expires: '2000-01-01' }, written({ check: 'nope/nope' })]
  expect(problems(fileOf(...wrong))).toEqual([
    expect.stringContaining('expired'),
    expect.stringContaining('there is no such id'),
  ])
})

test('loadWaivers refuses a missing file, an empty file and a file without an object', () => {
  expect(() => loadWaivers('none.yaml', context)).toThrow('none.yaml: cannot be read: there is no such file')
  expect(problems('')).toEqual(['FILE: is empty'])
  expect(problems('- a')).toEqual([expect.stringMatching(/^FILE.*: object expected/)])
})
