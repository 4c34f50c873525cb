import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { planOf } from '../../reporters/results.fixture.ts'
import { declaredChecks } from '../../suites/declared-checks.ts'
import { command } from '../process/in-process.fixture.ts'
import { testFolder } from '../process/test-folder.fixture.ts'
import {
  addedToListed,
  counts,
  deletionOfListed,
  fixtureNeeds,
  isShort,
  needLines,
  requestsOfRun,
  roughly,
  workspacesOfRun,
} from './run-estimate.ts'

const all = (await declaredChecks()).map(({ id, operations, fixtures }) => ({
  ...planOf(id),
  operations,
  fixtures,
}))

const many = (count: number, entry: (at: number) => object): object[] =>
  Array.from({ length: count }, (_, at) => entry(at))

/** A configuration that lists these fixtures, or names a provider. */
const configurationWith = (runs: number, lists?: Record<string, object[]>): Configuration =>
  ({
    run: { runs },
    effects: ['add-workspace', 'delete-collaboration'],
    actors: { itemOwner: { username: 'alice' } },
    fixtures: lists === undefined ? { url: 'http://provider' } : { static: lists },
  }) as unknown as Configuration

const listing = (count: number) => many(count, (at) => ({ collaborationId: `c${at}` }))

describe('requestsOfRun', () => {
  const kept = planOf('add-workspace/name-kept')
  const counted = counts.requestsOfChecks['add-workspace/name-kept'] as readonly number[]
  const requestsWith = (runs: number) => requestsOfRun([kept], { run: { runs } })

  it('returns the counted requests, and interpolates linearly between and beyond them', () => {
    expect(counts.runs.map(requestsWith)).toEqual(counted)
    const [at25 = 0, at100 = 0, at400 = 0] = counted.slice(-3)
    expect(requestsWith(40)).toBe(Math.round(at25 + ((at100 - at25) * 15) / 75))
    expect(requestsWith(1000)).toBe(Math.round(at400 + ((at400 - at100) * 600) / 300))
  })

  it('omits checks that are not tested, and stays within the request budget', () => {
    const left = planOf('add-workspace/creates', { outcome: 'not-tested', reason: 'no group' })
    expect(requestsOfRun([left, kept], { run: { runs: 25 } })).toBe(counted[2])
    expect(requestsOfRun([kept, kept], { run: { runs: 60, maxRequests: 70 } })).toBe(70)
  })

  it('has counts only for checks of the suite', async () => {
    const checks = (await declaredChecks()).filter(({ profile }) => profile === undefined)
    const ids = checks.map(({ id }) => id as string)
    expect(Object.keys(counts.requestsOfChecks).filter((id) => !ids.includes(id))).toEqual([])
  })
})

it.each([
  [10, '1 s'],
  [42_300, '42 s'],
  [99_700, '2 min'],
  [60 * 60_000, '60 min'],
  [3 * 3_600_000, '3.0 h'],
])('roughly: %i ms is %s', (ms, words) => expect(roughly(ms)).toBe(words))

describe('fixtureNeeds', () => {
  it.each([
    [1, 1],
    [25, 3],
  ])('needs no more fixtures than a run with --runs %i can use', (runs, times) => {
    const needs = fixtureNeeds(all, configurationWith(runs))
    const needed = Object.fromEntries(needs.map((need) => [need.kind, need.needed]))
    expect(needed.collaboration).toBeLessThanOrEqual(28 * times)
    expect(needed.workspace).toBeLessThanOrEqual(14 * times)
    expect(needed.taskRun).toBeLessThanOrEqual(24 * times)
    const items = (needed['items of itemOwner'] ?? 0) + (needed['items of itemOwnerUnprivileged'] ?? 0)
    expect(items).toBeLessThanOrEqual(410 * times)
  })

  it('counts the offered fixtures, and says if there are too few', () => {
    const lists = {
      collaboration: listing(2),
      taskRun: many(200, (at) => ({ runId: `r${at}` })),
      items: [
        { owner: 'alice', itemIds: ['1', '2'] },
        { actor: 'itemOwner', owner: 'x', itemIds: ['3'] },
      ],
    }
    const needs = fixtureNeeds(all, configurationWith(1, lists))
    expect(needs.find(({ kind }) => kind === 'items of itemOwner')?.offered).toBe(3)
    expect(needs.filter((need) => !isShort(need)).map(({ kind }) => kind)).toEqual(['taskRun'])
    expect(needLines(needs).join('\n')).toMatch(
      /collaboration: about \d+ needed, 2 offered; some checks are left untested/,
    )
  })

  it('describes a provider in one line', () => {
    expect(needLines(fixtureNeeds(all, configurationWith(1)))).toHaveLength(1)
  })
})

describe('workspaces added to listed collaborations', () => {
  const group = [{ groupId: 'g' }]
  const withGroup = (count: number) => configurationWith(25, { group, collaboration: listing(count) })

  it('are announced with the limit that the run keeps', () => {
    expect(workspacesOfRun(all, 25)).toBe((counts.workspacesOfWholeRun as readonly number[]).at(-3))
    expect(addedToListed(all, withGroup(1))).toBe(
      'at most 1,040 workspaces are added to 1 listed collaboration: about 500, and more if findings are repeated',
    )
    expect(addedToListed(all, withGroup(0))).toBeUndefined()
  })

  it('are fewer if fewer checks are selected, and none if no check adds any', () => {
    const left = { outcome: 'not-tested', reason: 'not selected for this run' } as const
    const selected = all.map((plan) =>
      plan.id === 'add-workspace/name-kept' ? plan : { ...plan, without: left },
    )
    const some = workspacesOfRun(selected, 25)
    expect(some).toBeGreaterThan(5)
    expect(some).toBeLessThan(60)
    expect(addedToListed([planOf('update-task-run/updates')], withGroup(1))).toBeUndefined()
  })
})

describe('deletionOfListed', () => {
  it.each([
    [2, 'adds to it: c0, c1. To keep'],
    [8, 'c3, c4 and 3 more.'],
  ])('names the listed collaborations that a run deletes: %i', (count, words) => {
    expect(deletionOfListed(configurationWith(1, { collaboration: listing(count) }))).toContain(words)
  })

  it.each<[string, Partial<Configuration>]>([
    ['effects does not allow deleting', { effects: ['add-workspace'] }],
    ['no collaboration is listed', { fixtures: { static: {} } }],
    ['a provider creates the collaborations', { fixtures: { url: 'http://provider' } }],
  ])('returns undefined if %s', (_, changes) => {
    const configuration = configurationWith(1, { collaboration: listing(1) })
    expect(deletionOfListed({ ...configuration, ...changes })).toBeUndefined()
  })
})

it.each([
  ['announces deletions, and workspaces if a group is listed', [{ groupId: 'g' }], true],
  ['announces deletions, and no workspaces if no group is listed', [], false],
])('run --dry-run %s', async (_, group, announced) => {
  const file = join(testFolder(), 'staging.json')
  const value = {
    target: { baseUrl: 'https://staging.example.com/rest' },
    portals: { host: { id: 'h' } },
    actors: { hostAdministrator: { credential: 'a-credential' } },
    fixtures: { static: { collaboration: listing(1), group } },
    effects: 'all',
  }
  writeFileSync(file, JSON.stringify(value))
  const { code, out } = await command('run --dry-run --config', file)
  const text = out.replace(/\s+/g, ' ')
  const line = /at most [\d,]+ workspaces are added to 1 listed collaboration/
  expect([code, line.test(text)]).toEqual([0, announced])
  expect(text).toContain('! a run deletes every collaboration that it takes')
  expect(text).toContain('adds to it: c0')
})
