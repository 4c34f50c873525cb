import { expect, test } from 'vitest'
import { suiteVersion } from '../deployment/suite-version.ts'
import { requirementsFor, requirements as whole } from '../specs/requirements.ts'
import { buildResults, looksTogether, type Measured, putOffTogether } from './build-results.ts'
import { checkOf, exchangesOf, failedCheck, observationOf, planOf, resultsOf } from './results.fixture.ts'
import type { RequirementResult, Results } from './results.ts'

const requirements = requirementsFor('none')
const run = { id: 'pc-1', startedAt: '2025-06-15T12:00:00.000Z', durationMs: 1, seed: 42, runs: 25 }
const target = { baseUrl: 'http://127.0.0.1:1/rest', profile: 'none' }
const measured = (others: Partial<Measured>): Measured => ({
  checks: [],
  planned: [],
  run,
  target,
  errors: [],
  interrupted: false,
  ...others,
})
const creates = planOf('add-workspace/creates')
const requirement = (results: ReturnType<typeof buildResults>, id: string) =>
  results.requirements.find((each) => each.id === id)

test('requirements of a profile are listed only if the target has a profile', () => {
  const withProfile = buildResults(measured({ target: { ...target, profile: 'arcgis' } }))
  expect(withProfile.requirements.map(({ id }) => id)).toEqual(whole.map(({ id }) => id))
  expect(requirements.length).toBeLessThan(whole.length)
})

test('all requirements are listed in the order of the contract; without a check they are not tested', () => {
  const results = buildResults(measured({ planned: [creates], checks: [checkOf('add-workspace/creates')] }))
  expect(results.requirements.map(({ id }) => id)).toEqual(requirements.map(({ id }) => id))
  expect(requirement(results, 'add-workspace/creates')?.outcome).toBe('passed')
  expect(requirement(results, 'add-workspace/id-is-new')).toMatchObject({
    outcome: 'not-tested',
    reason: 'no check proves it yet',
    checks: [],
  })
  expect(results.totals).toMatchObject({ passed: 1, 'not-tested': requirements.length - 1, failed: 0 })
  expect(results).toMatchObject({
    suite: { version: suiteVersion },
    run: { requests: 1 },
    verdict: 'incomplete',
    complete: true,
  })
  expect(results).not.toHaveProperty('errors')
})

test('a requirement has the outcome and reason of its worst check', () => {
  const planned = [
    planOf('protocol/form-post:add-workspace'),
    planOf('protocol/form-post:sync-workspace', { outcome: 'not-applicable', reason: 'not in this release' }),
    planOf('protocol/form-post:update-participant'),
  ]
  const checks = [
    checkOf('protocol/form-post:update-participant', { outcome: 'inconclusive', reason: 'control refused' }),
    checkOf('protocol/form-post:add-workspace'),
  ]
  const results = buildResults(measured({ planned, checks }))
  expect(requirement(results, 'protocol/form-post')).toMatchObject({
    outcome: 'inconclusive',
    reason: 'control refused',
    checks: [{ outcome: 'passed' }, { outcome: 'not-applicable' }, { outcome: 'inconclusive' }],
  })
  const failed = buildResults(
    measured({ planned, checks: [...checks, failedCheck('protocol/form-post:add-workspace', 'bad')] }),
  )
  expect(requirement(failed, 'protocol/form-post')?.outcome).toBe('failed')
  expect(requirement(failed, 'protocol/form-post')).not.toHaveProperty('reason')
  expect(failed.verdict).toBe('non-conformant')
})

test('a requirement is not applicable only if all of its checks are', () => {
  const without = { outcome: 'not-applicable', reason: 'not in this release' } as const
  const planned = [planOf('add-workspace/creates', without), planOf('add-workspace/creates:again', without)]
  expect(requirement(buildResults(measured({ planned })), 'add-workspace/creates')).toMatchObject(without)
  const one = measured({ planned, checks: [checkOf('add-workspace/creates:again')] })
  expect(requirement(buildResults(one), 'add-workspace/creates')?.outcome).toBe('passed')
})

test('a planned check without a result is not tested, and the results are incomplete', () => {
  const ended = buildResults(measured({ planned: [creates], errors: ['broke'] }))
  expect(requirement(ended, 'add-workspace/creates')).toMatchObject({
    outcome: 'not-tested',
    reason: 'the run ended before this check',
  })
  expect(ended.errors).toEqual(['broke'])
  expect(ended).not.toHaveProperty('complete')
  const interrupted = buildResults(measured({ planned: [creates], interrupted: true }))
  expect(requirement(interrupted, 'add-workspace/creates')?.reason).toBe('interrupted')
  expect(interrupted).not.toHaveProperty('complete')
})

test('observations, also of roles, move from the checks to the results, each once and in the order of the plan', () => {
  const role = { operation: 'add-workspace', actor: 'hostMember' } as const
  const [one, other] = [observationOf('200'), observationOf('400')]
  const checks = [
    checkOf('add-workspace/creates:again', {
      observations: [other, one],
      roles: [{ ...role, observed: 'allowed', wrong: true }],
    }),
    checkOf('add-workspace/creates', { observations: [one], roles: [{ ...role, observed: 'refused' }] }),
  ]
  const planned = [creates, planOf('add-workspace/creates:again')]
  const results = buildResults(measured({ planned, checks }))
  expect(results.observations).toEqual([one, other])
  expect(results.roles).toEqual([{ ...role, observed: 'allowed', wrong: true }])
  expect(JSON.stringify(results.requirements)).not.toMatch(/observations|"observed"/)
  expect(buildResults(measured({}))).not.toHaveProperty('roles')
})

test('a case that was both accepted and refused is observed as "varies", with counts', () => {
  const observations = ['accepted', 'refused', 'accepted', 'kept'].map((end) =>
    observationOf(`a name: ${end}`),
  )
  const results = buildResults(measured({ checks: [checkOf('add-workspace/creates', { observations })] }))
  expect(results.observations.map(({ observed }) => observed)).toEqual([
    'a name: varies (accepted 2 times, refused once)',
    'a name: kept',
  ])
})

test('an operation without an accepted request has no observations', () => {
  const observations = [
    observationOf('refused'),
    observationOf('refused', { operation: 'update-participant' }),
  ]
  const exchanges = exchangesOf(
    { operation: 'add-workspace', slices: [[0, 4, 0]] },
    { operation: 'update-participant', slices: [[1, 4, 0]] },
  )
  const results = buildResults(
    measured({ exchanges, checks: [checkOf('add-workspace/creates', { observations })] }),
  )
  expect(results.observations.map(({ operation }) => operation)).toEqual(['update-participant'])
})

const plain = resultsOf([])

function throttled(putOff?: Results['run']['putOff']): Results {
  return { ...plain, run: { ...plain.run, ...(putOff && { putOff }) } }
}

test('putOffTogether adds up the throttled requests of all rounds, with the slowest pace', () => {
  const rounds = [
    throttled({ throttled: 3, unavailable: 0, perSecond: 40 }),
    throttled(),
    throttled({ throttled: 4, unavailable: 1, busy: 2, perSecond: 20 }),
  ]
  expect(putOffTogether(rounds)).toEqual({
    putOff: { throttled: 7, unavailable: 1, busy: 2, perSecond: 20 },
  })
  expect(putOffTogether([throttled(), throttled()])).toEqual({})
})

test('looksTogether adds up the judged answers of a requirement, by situation', () => {
  const id = 'add-workspace/creates'
  const judged = resultsOf([checkOf(id)])
  const withLooks = (looks?: RequirementResult['looks']): Results => ({
    ...judged,
    requirements: judged.requirements.map((requirement) => ({ ...requirement, ...(looks && { looks }) })),
  })
  const rounds = [
    withLooks({ exchanges: 5, kept: 5, situations: { first: 3, 'after-refused': 2 } }),
    withLooks(),
    withLooks({ exchanges: 4, kept: 3, situations: { first: 4 } }),
  ]
  expect(looksTogether(id, rounds)).toEqual({
    looks: { exchanges: 9, kept: 8, situations: { first: 7, 'after-refused': 2 } },
  })
  expect(looksTogether('add-workspace/id-is-new', rounds)).toEqual({})
})
