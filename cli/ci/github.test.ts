import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Ending } from '../../reporters/exit-codes.ts'
import { occasions } from '../../reporters/occasions.fixture.ts'
import { stepSummaryLimit } from '../../reporters/report/report.ts'
import { checkOf, failedCheck, refusedCheck, resultsOf } from '../../reporters/results.fixture.ts'
import type { Results } from '../../reporters/results.ts'
import { requirements } from '../../specs/requirements.ts'
import type { ReporterName } from '../arguments/option-values.ts'
import { observedContext } from '../process/command-context.fixture.ts'
import { testFolder } from '../process/test-folder.fixture.ts'
import { deliver } from '../run/deliver.ts'
import { annotations, withoutCommands } from './github.ts'

describe('annotations', () => {
  /** Without `consequences`: findings of that kind share one cause per operation. */
  const direct = requirements.filter(({ kind }) => kind !== 'consequences').map(({ id }) => id)

  test('has an error for a failed check, with clause, finding and repeat command', () => {
    const results = resultsOf([failedCheck('add-workspace/refuses-guest', '100% a, b: c')])
    expect(annotations(results)).toEqual([
      "::error title=failed%3A add-workspace/refuses-guest::Only the host creates workspaces: a guest's administrator is refused.%0A100%25 a, b: c (came: accepted: HTTP 200)%0AAgain: portal-conformance run --config staging.yaml --seed 42 --runs 25 --requirement add-workspace/refuses-guest",
    ])
  })

  test('warns of inconclusive checks and advice, and omits passed, waived and not tested checks', () => {
    const kinds = (name: string) => annotations(occasions[name] as Results).map((line) => line.split('::')[1])
    expect(kinds('conformant')).toEqual([])
    expect(kinds('waived')).toEqual([])
    expect(kinds('failing')).toEqual([
      'error title=failed%3A add-workspace/refuses-guest',
      'error title=failed%3A add-workspace/name-limit-accepts',
      'warning title=warned%3A update-federation/bad-input',
    ])
    expect(kinds('incomplete')).toEqual(['warning title=inconclusive%3A add-workspace/id-is-new'])
    expect(kinds('interrupted')[0]).toBe('error title=the run itself')
  })

  test('has no more of a kind than GitHub shows', () => {
    const failed = 11
    const reported = annotations(
      resultsOf([
        ...direct.slice(0, failed).map((id) => refusedCheck(id, id)),
        ...direct
          .slice(failed, failed * 2)
          .map((id) => checkOf(id, { outcome: 'inconclusive', reason: 'y' })),
      ]),
    )
    for (const kind of ['error', 'warning'])
      expect(reported.filter((line) => line.startsWith(`::${kind} title=`))).toHaveLength(10)
  })

  test('has one error per cause, and no warning for checks that the cause blocks', () => {
    const open = refusedCheck('add-workspace/name-kept', 'HTTP 500')
    const { failure: _, ...blocked } = open
    const results = resultsOf([
      refusedCheck('add-workspace/creates', 'HTTP 500'),
      refusedCheck('add-workspace/name-limit-accepts', 'HTTP 500'),
      { ...blocked, outcome: 'inconclusive', reason: 'the control was refused' },
    ])
    expect(annotations(results)).toEqual([
      expect.stringMatching(
        /^::error title=failed%3A add-workspace.*2 findings of 2 requirements show this\./,
      ),
    ])
  })

  test('lets no text of the target start another workflow command', () => {
    for (const line of annotations(occasions.hostile as Results)) {
      expect(line).toMatch(/^::(?:error|warning) title=[^:,\n\r]*::[^\n\r]*$/)
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u)
    }
  })

  test('shortens a long message and keeps the repeat command', () => {
    const [line = ''] = annotations(resultsOf([failedCheck('add-workspace/creates', 'a'.repeat(5000))]))
    expect(line.length).toBeLessThan(1500)
    expect(line).toContain('…%0AAgain: ')
  })

  test('has an error for a finding about a recorded client, and omits a note', () => {
    const plain = resultsOf([])
    const request = { method: 'PUT', url: 'https://a.example', headers: {}, body: '' }
    const came = { expected: 'POST', actual: 'PUT', count: 1, places: [], evidence: { request, curl: '' } }
    const sent = { ...came, operation: 'sync-workspace' }
    const client = [
      { ...sent, id: 'client/method', level: 'finding', message: 'not asked for by POST' },
      { ...sent, id: 'client/query', level: 'note', message: 'in the query' },
    ]
    const results = { ...plain, run: { ...plain.run, traffic: { client } as never } }
    expect(annotations(results)).toEqual([
      '::error title=client/method%3Async-workspace::not asked for by POST',
    ])
  })
})

const failing = occasions.failing as Results

async function delivered(
  results: Results,
  environment: Record<string, string>,
  reporters: readonly ReporterName[] = ['terminal', 'json'],
  ending: Ending = { code: 1 },
) {
  const commandContext = observedContext(environment)
  const out = join(testFolder(), 'out')
  const code = await deliver(results, { out, reporters, ending }, commandContext)
  return { code, out: commandContext.printed(), err: commandContext.complained() }
}

test.each([
  ['', ''],
  ['no line end', 'no line end\n\n'],
])('deliver appends one summary to the step summary, after the text %j', async (before, kept) => {
  const file = join(testFolder(), 'summary')
  writeFileSync(file, before)
  const { code, err } = await delivered(failing, { GITHUB_STEP_SUMMARY: file }, ['json'])
  const text = readFileSync(file, 'utf8')
  expect(text.startsWith(`${kept}# ✗ portal-conformance 0.1.0: non-conformant\n`)).toBe(true)
  expect(text.match(/^# /gm)).toHaveLength(1)
  expect([code, err]).toEqual([
    1,
    'Non-conformant: 2 of 3 must and implied requirements that apply failed.\n',
  ])
})

test('deliver gives the reason of an exit code that the verdict does not explain, wherever the verdict is', async () => {
  const file = join(testFolder(), 'summary')
  const why = 'waivers.yaml:2:5: passes now'
  const github = { GITHUB_STEP_SUMMARY: file, GITHUB_ACTIONS: 'true' }
  const ending: Ending = { code: 2, why }
  const { code, out } = await delivered(occasions.conformant as Results, github, ['terminal'], ending)
  expect(code).toBe(2)
  expect(out).toMatch(
    new RegExp(`\\nConformant: .*\\n+Exit 2: ${why}\\n::\\w+::\\n::error title=exit 2::${why}\\n$`),
  )
  expect(readFileSync(file, 'utf8')).toContain(`> **Exit 2:** ${why}`)
  const { err } = await delivered(occasions.conformant as Results, {}, ['json'], ending)
  expect(err).toMatch(new RegExp(`^Conformant: .*\\nExit 2: ${why}\\n$`))
})

test('deliver keeps all summaries of a step within the size limit', async () => {
  const file = join(testFolder(), 'summary')
  writeFileSync(file, 'x'.repeat(stepSummaryLimit - 40_000))
  const ids = Array.from({ length: 200 }, (_, index) => `add-workspace/name-limit-accepts:${index}` as const)
  const many = resultsOf(ids.map((id, at) => refusedCheck(id, `HTTP ${100 + at}`)))
  await delivered(many, { GITHUB_STEP_SUMMARY: file })
  const text = readFileSync(file, 'utf8')
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(stepSummaryLimit)
  expect(text).toMatch(/Left out, since this summary may have at most 39998 bytes: \d+ failed checks\./)
  const again = await delivered(many, { GITHUB_STEP_SUMMARY: file })
  expect(readFileSync(file, 'utf8')).toBe(text)
  expect(again.err).toMatch(
    /GITHUB_STEP_SUMMARY: the summary was not written: .*summary holds \d+ bytes already/,
  )
})

test('deliver reports a step summary that it cannot write, and still succeeds', async () => {
  const { code, err, out } = await delivered(failing, { GITHUB_STEP_SUMMARY: testFolder() })
  expect(err).toMatch(/^GITHUB_STEP_SUMMARY: the summary was not written: a file is expected/)
  expect(code).toBe(1)
  expect(out).toContain('Non-conformant: ')
})

test('deliver writes annotations to stdout beside the report, or to stderr if stdout lists paths', async () => {
  const beside = await delivered(failing, { GITHUB_ACTIONS: 'true' })
  expect(beside.out.match(/^::error title=/gm)).toHaveLength(2)
  expect(beside.err).not.toContain('::error')
  const alone = await delivered(failing, { GITHUB_ACTIONS: 'true' }, ['json'])
  expect(alone.out).toMatch(/^\S+results\.json\n$/)
  expect(alone.err.match(/^::(?:error|warning) /gm)).toHaveLength(3)
})

test('deliver disables workflow commands around the report with an unpredictable token', async () => {
  const { out } = await delivered(occasions.hostile as Results, { GITHUB_ACTIONS: 'true' })
  const [, token] = /^::stop-commands::([0-9a-f]{32})\n/.exec(out) ?? []
  const [guarded, after] = out.split(`\n::${token}::\n`)
  expect(guarded).toMatch(/^ +::stop-commands::x/m)
  expect(after?.split('\n').filter((line) => !/^::(?:error|warning) title=/.test(line))).toEqual([''])
  const tokens = [1, 2].map(() => withoutCommands('a', { GITHUB_ACTIONS: 'true' }))
  expect(tokens[0]).not.toBe(tokens[1])
  expect(tokens[0]).toMatch(/^::stop-commands::\w+\na\n::\w+::\n$/)
})
