import { describe, expect, it } from 'vitest'
import type { CheckId, CheckResult, Observation, RoleObservation } from '../../runner/check-result.ts'
import { inAnotherShard } from '../../runner/run-input.ts'
import { violations } from '../../schemas/validators.ts'
import { checkOf, failedCheck, resultsOf } from '../results.fixture.ts'
import type { Results } from '../results.ts'
import type { ResultsOfFile } from '../results-json.ts'
import { mergeShards } from './merge-shards.ts'

const all: readonly CheckResult[] = [
  checkOf('add-workspace/creates', { requests: 3 }),
  failedCheck('add-workspace/creates:again', 'no id'),
  checkOf('sync-workspace/starts', { requests: 4 }),
  checkOf('delete-collaboration/deletes', { outcome: 'not-tested', reason: 'no fixture' }),
]

/** A shard that judged the checks at those places; what others judged stands in it without an outcome. */
function shard(
  index: number,
  count: number,
  places: readonly number[],
  others: Partial<Results> = {},
): ResultsOfFile {
  const checks = all.map((check, at) =>
    places.includes(at)
      ? check
      : checkOf(check.id, { outcome: 'not-tested', reason: inAnotherShard, durationMs: 0, requests: 0 }),
  )
  const { run, ...results } = resultsOf(checks)
  const startedAt = `2025-06-15T12:00:0${index}.000Z`
  const own = {
    ...run,
    id: `pc-${index}`,
    startedAt,
    durationMs: index * 1000,
    requests: 0,
    shard: { index, count },
  }
  return { file: `shards/${index}/results.json`, results: { ...results, run: own, ...others } }
}

const three = (): ResultsOfFile[] => [shard(3, 3, [3]), shard(1, 3, [0]), shard(2, 3, [1, 2])]

const merging = (inputs: readonly ResultsOfFile[]) => () => mergeShards(inputs)

describe('shards of one run, in any order', () => {
  const merged = mergeShards(three())
  const whole = resultsOf(all)

  it('are what one run says: outcomes, reasons, totals and verdict', () => {
    expect(merged.requirements).toEqual(whole.requirements)
    expect(merged.totals).toEqual(whole.totals)
    expect(merged).toMatchObject({ verdict: 'non-conformant', complete: true, target: whole.target })
    expect(merged).not.toHaveProperty('errors')
  })

  it('are one run: the earliest start, the longest duration, all requests, the ids of all', () => {
    expect(merged.run).toEqual({
      id: expect.stringMatching(/^pc-[0-9a-f]{8}$/),
      startedAt: '2025-06-15T12:00:01.000Z',
      durationMs: 3000,
      seed: 42,
      runs: 25,
      requests: 9,
      mergedFrom: ['pc-1', 'pc-2', 'pc-3'],
    })
    expect(mergeShards(three().reverse())).toEqual(merged)
  })

  it('are results by the published schema', () => {
    expect(violations('results', merged)).toEqual([])
  })
})

it('one shard of one is the run itself', () => {
  const { requirements, run } = mergeShards([shard(1, 1, [0, 1, 2, 3])])
  expect(requirements).toEqual(resultsOf(all).requirements)
  expect(run).not.toHaveProperty('shard')
})

it('observations are put together without doubles; of roles the allowed and the wrong are kept', () => {
  const observation = (observed: string): Observation => ({
    id: 'markup',
    operation: 'add-workspace',
    question: 'Which?',
    observed,
  })
  const role = (
    actor: RoleObservation['actor'],
    observed: RoleObservation['observed'],
    wrong?: true,
  ): RoleObservation => ({
    operation: 'add-workspace',
    actor,
    observed,
    ...(wrong === undefined ? {} : { wrong }),
  })
  const { observations, roles } = mergeShards([
    shard(1, 2, [0, 1], {
      observations: [observation('kept')],
      roles: [role('hostMember', 'refused'), role('guestAdministrator', 'allowed', true)],
    }),
    shard(2, 2, [2, 3], {
      observations: [observation('kept'), observation('removed')],
      roles: [role('hostMember', 'allowed'), role('guestAdministrator', 'refused')],
    }),
  ])
  expect(observations).toEqual([observation('kept'), observation('removed')])
  expect(roles).toHaveLength(2)
  expect(roles).toEqual(
    expect.arrayContaining([role('hostMember', 'allowed'), role('guestAdministrator', 'allowed', true)]),
  )
})

it('errors of a shard are errors of the run, with its name; a shard that was cut short leaves the run incomplete', () => {
  const [third, first, second] = three() as [ResultsOfFile, ResultsOfFile, ResultsOfFile]
  const { complete: _, ...cutShort } = second.results
  const merged = mergeShards([third, first, { ...second, results: { ...cutShort, errors: ['broke'] } }])
  expect(merged.errors).toEqual(['shard 2/3: broke'])
  expect(merged).not.toHaveProperty('complete')
})

const changed = (change: (results: Results) => Results): ResultsOfFile[] => {
  const [third, first, second] = three() as [ResultsOfFile, ResultsOfFile, ResultsOfFile]
  return [first, { file: 'other.json', results: change(second.results) }, third]
}
const withRun = (others: Partial<Results['run']>) =>
  changed((results) => ({ ...results, run: { ...results.run, ...others } }))

it.each<[string, ResultsOfFile[], RegExp]>([
  ['a gap', three().slice(0, 2), /^missing: shard 2\/3\. .*--shard 2\/3 --seed 42 --runs 25$/],
  [
    'an overlap',
    [...three(), { ...shard(1, 3, [0]), file: 'twice.json' }],
    /^shard 1\/3 is there 2 times: shards\/1\/results\.json, twice\.json$/,
  ],
  [
    'another seed',
    withRun({ seed: 43 }),
    /^other\.json: the seed is 43, that of shards\/1\/results\.json is 42; give all shards the same --seed$/,
  ],
  ['another number of cases', withRun({ runs: 3 }), /^other\.json: the number of cases is 3, /],
  [
    'another number of shards',
    withRun({ shard: { index: 2, count: 4 } }),
    /^other\.json: the number of shards is 4, /,
  ],
  [
    'another selection',
    withRun({ selection: { operations: ['sync-workspace'], requirements: [] } }),
    /^other\.json: the selection is \{"operations":\["sync-workspace"\],"requirements":\[\]\}, that of .* is everything; /,
  ],
  [
    'other effects',
    withRun({ options: { effects: ['add-workspace'] } }),
    /^other\.json: the set of allowed effects is \["add-workspace"\], that of .* is that of the configuration; give all/,
  ],
  [
    'another release of the suite',
    changed((results) => ({ ...results, suite: { version: '9.0.0' } })),
    /^other\.json: the suite release is 9\.0\.0, /,
  ],
  [
    'another target',
    changed((results) => ({
      ...results,
      target: { ...results.target, baseUrl: 'https://other.example.com' },
    })),
    /^other\.json: the target is \{"baseUrl":"https:\/\/other\.example\.com"/,
  ],
  [
    'another profile',
    changed((results) => ({ ...results, target: { ...results.target, profile: 'p' } })),
    /^other\.json: the target is /,
  ],
  [
    'a whole run',
    [...three(), { file: 'whole.json', results: resultsOf(all) }],
    /^whole\.json: is of a whole run, not of a shard/,
  ],
  [
    'a shard beyond the last',
    [...three(), { ...shard(4, 3, []), file: 'x.json' }],
    /^shard 4\/3: there is no such shard$/,
  ],
  [
    'a check that two shards judged',
    [shard(1, 2, [0, 1, 2]), shard(2, 2, [2, 3])],
    /^sync-workspace\/starts: judged by more than one shard\nWere the shards /,
  ],
  [
    'a check that no shard judged',
    [shard(1, 2, [0, 1]), shard(2, 2, [3])],
    /^sync-workspace\/starts: judged by no shard\nWere the shards /,
  ],
])('%s is refused, and named', (_, inputs, message) => {
  expect(merging(inputs)).toThrow(message)
})

it('the file that is not as most are is named, also where it is the first', () => {
  const shards = [1, 2, 3, 4].map((index) => shard(index, 4, [index - 1]))
  const [first, ...others] = shards as [ResultsOfFile, ...ResultsOfFile[]]
  const { run } = first.results
  const odd = { ...first, results: { ...first.results, run: { ...run, seed: 7, runs: 3 } } }
  expect(merging([odd, ...others])).toThrow(
    /^shards\/1\/results\.json: the seed is 7, that of shards\/2\/results\.json is 42; .*\nshards\/1\/results\.json: the number of cases is 3, that of [^\n]*$/,
  )
})

it('a file that claims a million shards costs no million lines', () => {
  expect(merging([shard(1, 1_000_000_000, [0])])).toThrow(
    /^missing: shard 2\/1000000000, 3\/.* and 999999979 more\. /,
  )
})

describe('shards on embedded portals', () => {
  const onPortal =
    (port: number, options: Record<string, unknown>) =>
    (input: ResultsOfFile): ResultsOfFile => ({
      ...input,
      results: {
        ...input.results,
        target: { ...input.results.target, baseUrl: `http://127.0.0.1:${port}/rest` },
        run: { ...input.results.run, options: { reference: true, ...options } },
      },
    })

  it('are of one target wherever the portal listened, where it was altered in the same way', () => {
    const [one, two] = [shard(1, 2, [0, 1]), shard(2, 2, [2, 3])]
    const altered = { fault: ['name-shortened'] }
    expect(merging([onPortal(1, altered)(one), onPortal(2, altered)(two)])).not.toThrow()
    expect(merging([onPortal(1, altered)(one), onPortal(2, {})(two)])).toThrow(/the target is /)
    expect(merging([onPortal(1, {})(one), two])).toThrow(/the target is /)
  })
})

it('ids that somebody put in twice are not taken for two results', () => {
  const [first, second] = [shard(1, 2, [0, 1]), shard(2, 2, [2, 3])]
  const doubled = {
    ...first,
    results: {
      ...first.results,
      requirements: [...first.results.requirements, ...first.results.requirements],
    },
  }
  const id: CheckId = 'add-workspace/creates'
  expect(merging([doubled, second])).toThrow(new RegExp(`${id}: judged by more than one shard`))
})

it('what all shards put off is told together, with the slowest pace', () => {
  const puttingOff = (index: number, checks: [number, number], putOff: Results['run']['putOff']) => {
    const { file, results } = shard(index, 2, checks)
    return { file, results: { ...results, run: { ...results.run, putOff } } as Results }
  }
  const one = puttingOff(1, [0, 1], { throttled: 3, unavailable: 0, perSecond: 40 })
  const two = puttingOff(2, [2, 3], { throttled: 4, unavailable: 1, perSecond: 20 })
  expect(mergeShards([one, two]).run.putOff).toEqual({ throttled: 7, unavailable: 1, perSecond: 20 })
})
