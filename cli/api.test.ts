import { expect, test } from 'vitest'
import { type CheckResult, ConformanceError, type ConformanceOptions, runConformance } from './api.ts'
import { portalOfFile, testPortal } from './process/test-portal.fixture.ts'

const portal = portalOfFile()

const few = { runs: 2, seed: 7, requirements: ['add-workspace/name-limit-*'] }

test('runConformance returns the content of results.json, and passes each check to onCheck once', async () => {
  const { configuration } = await testPortal({ faults: ['name-shortened'] })
  const { target } = configuration
  const reported: CheckResult[] = []
  const results = await runConformance({
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the notation of configurations
    configuration: { ...configuration, target: { ...target, baseUrl: '${PORTAL}' } },
    environment: { PORTAL: target.baseUrl },
    ...few,
    onCheck: (result) => reported.push(result),
  })
  expect(results.target.baseUrl).toBe(target.baseUrl)
  expect(results).toMatchObject({ verdict: 'non-conformant', complete: true, run: { seed: 7, runs: 2 } })
  const failed = results.requirements.filter(({ outcome }) => outcome === 'failed')
  expect(failed.map(({ id }) => id)).toEqual(['add-workspace/name-limit-rejects'])
  const found = failed[0]?.checks.find(({ outcome }) => outcome === 'failed')
  expect(found?.failure?.repeat).toMatch(/^portal-conformance run --config CONFIGURATION --seed 7 /)
  const ids = reported
    .filter(({ outcome }) => outcome === 'passed' || outcome === 'failed')
    .map(({ id }) => id)
  expect(ids.sort()).toEqual(['add-workspace/name-limit-accepts', 'add-workspace/name-limit-rejects'])
})

test('runConformance gets fixtures from functions of the caller, and calls their cleanup last', async () => {
  const { configuration } = portal()
  const { fixtures, ...others } = configuration
  const given: string[] = []
  const forwarded = (kind: string) => async (options: object) => {
    given.push(kind)
    const answer = await fetch(`${fixtures.url}/${kind}`, { method: 'POST', body: JSON.stringify(options) })
    return answer.json() as never
  }
  const results = await runConformance({
    configuration: others,
    ...few,
    fixtures: {
      collaboration: forwarded('collaboration'),
      group: forwarded('group'),
      cleanup: () => void given.push('cleanup'),
    },
  })
  expect(results.totals).toMatchObject({ passed: 2, failed: 0 })
  expect(given).toContain('collaboration')
  expect(given.at(-1)).toBe('cleanup')
})

test('two calls of runConformance in one process run one after the other', async () => {
  const { configuration } = portal()
  const order: string[] = []
  const run = async (name: string) => {
    await runConformance({
      configuration,
      ...few,
      onCheck: () => void (order.at(-1) !== name && order.push(name)),
    })
  }
  await Promise.all([run('first'), run('second')])
  expect(order).toEqual(['first', 'second'])
})

test('an aborted signal ends the run with the verdict incomplete, and the other checks not tested', async () => {
  const { configuration } = portal()
  const controller = new AbortController()
  const results = await runConformance({
    configuration,
    runs: 2,
    signal: controller.signal,
    onCheck: () => controller.abort(),
  })
  expect(results).toMatchObject({ verdict: 'incomplete' })
  expect(results).not.toHaveProperty('complete')
  expect(results.totals['not-tested']).toBeGreaterThan(10)
})

test('an error thrown by onCheck ends the run and rejects runConformance', async () => {
  const { configuration } = portal()
  const broken = new Error('the listener broke')
  const run = runConformance({
    configuration,
    ...few,
    onCheck: () => {
      throw broken
    },
  })
  await expect(run).rejects.toBe(broken)
})

test('onWarning gets a warning about leftover fixtures, without secrets', async () => {
  const { configuration } = portal()
  const warnings: string[] = []
  const { credential } = configuration.actors.hostAdministrator
  await runConformance({
    configuration,
    ...few,
    fixtures: {
      group: () => ({ groupId: 'one' }),
      cleanup: () => {
        throw new Error(`no more ${credential}`)
      },
    },
    onWarning: (message) => warnings.push(message),
  })
  expect(warnings.join('\n')).toMatch(/fixtures may be left over: .*no more/)
  expect(warnings.join('\n')).not.toContain(credential)
})

test.each<[string, Partial<ConformanceOptions>, string, RegExp]>([
  ['invalid configuration', { configuration: { target: {} } }, 'configuration', /target\.baseUrl: missing/],
  [
    'missing configuration file',
    { configuration: 'none.yaml' },
    'configuration',
    /none\.yaml: cannot be read/,
  ],
  ['selection that matches nothing', { requirements: ['nope/*'] }, 'usage', /nope\/\*: matches nothing/],
  ['empty glob', { requirements: [''] }, 'usage', /matches nothing/],
  [
    'text in place of a list',
    { operations: 'add-workspace' as never },
    'usage',
    /^operations: a list is expected, such as \['add-workspace'\]$/,
  ],
  ['missing waiver file', { waivers: 'none.yaml' }, 'configuration', /none\.yaml: cannot be read/],
  ['unreachable target', { baseUrl: 'http://127.0.0.1:1/' }, 'unreachable', /cannot be reached/],
  ['signal aborted before the run', { signal: AbortSignal.abort() }, 'interrupted', /interrupted/],
])('runConformance rejects without judging: %s', async (_, options, code, message) => {
  const { configuration } = portal()
  const reported: unknown[] = []
  const run = runConformance({ configuration, ...options, onCheck: (result) => reported.push(result) })
  const error = await run.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ConformanceError)
  expect(error).toMatchObject({ code, message: expect.stringMatching(message) })
  expect(reported).toEqual([])
})
