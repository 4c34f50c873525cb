import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { occasions } from '../../reporters/occasions.fixture.ts'
import { stepSummaryLimit } from '../../reporters/report/report.ts'
import { refusedCheck, resultsOf } from '../../reporters/results.fixture.ts'
import type { Results } from '../../reporters/results.ts'
import type { ReporterName } from '../arguments/option-values.ts'
import { observedContext } from '../process/command-context.fixture.ts'
import { testFolder } from '../process/test-folder.fixture.ts'
import { deliver } from '../run/deliver.ts'
import { withoutCommands } from './github.ts'

const failing = occasions.failing as Results

async function delivered(
  results: Results,
  environment: Record<string, string>,
  reporters: readonly ReporterName[] = ['terminal', 'json'],
) {
  const commandContext = observedContext(environment)
  const whole = await deliver(results, { out: join(testFolder(), 'out'), reporters }, commandContext)
  return { whole, out: commandContext.printed(), err: commandContext.complained() }
}

test.each([
  ['', ''],
  ['no line end', 'no line end\n\n'],
])('deliver appends one summary to the step summary, after the text %j', async (before, kept) => {
  const file = join(testFolder(), 'summary')
  writeFileSync(file, before)
  const { whole, err } = await delivered(failing, { GITHUB_STEP_SUMMARY: file }, ['json'])
  const text = readFileSync(file, 'utf8')
  expect(text.startsWith(`${kept}# ✗ portal-conformance 0.1.0: non-conformant\n`)).toBe(true)
  expect(text.match(/^# /gm)).toHaveLength(1)
  expect([whole, err]).toEqual([
    true,
    'Non-conformant: 2 of 3 must and implied requirements that apply failed.\n',
  ])
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
  const { whole, err, out } = await delivered(failing, { GITHUB_STEP_SUMMARY: testFolder() })
  expect(err).toMatch(/^GITHUB_STEP_SUMMARY: the summary was not written: a file is expected/)
  expect(whole).toBe(true)
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
