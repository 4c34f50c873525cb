import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Results } from '../../reporters/results.ts'
import { observedContext } from '../process/command-context.fixture.ts'
import { runProgram } from '../program.ts'
import { emptyFolder, waiverFile, written } from './waiver-file.fixture.ts'

const id = 'add-workspace/refuses-guest'
const waiver = written({ requirement: id })

async function program(...words: string[]) {
  const commandContext = observedContext()
  const code = await runProgram(words, commandContext)
  return { code, out: commandContext.printed(), err: commandContext.complained() }
}

/** A run of one requirement on the embedded portal, and what stands in its results. */
async function runWith(
  waivers: object[],
  { faults = ['guests-add-workspaces'], more = [] as string[] } = {},
) {
  const folder = join(emptyFolder(), 'out')
  const words = [
    '--waivers',
    waiverFile(JSON.stringify({ waivers })),
    '--out',
    folder,
    '--runs',
    '2',
    ...more,
  ]
  const altered = faults.flatMap((fault) => ['--fault', fault])
  const ended = await program(
    'run',
    '--reference',
    ...altered,
    '--requirement',
    id,
    '--allow-incomplete',
    ...words,
  )
  const file = join(folder, 'results.json')
  const results = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : undefined
  return { ...ended, file, requirement: results?.requirements.find((each) => each.id === id), results }
}

test('a failure under a waiver is shown and does not gate, unless nothing else proves anything', async () => {
  const more = ['--requirement', 'add-workspace/refuses-non-administrator']
  const { code, out, requirement, results } = await runWith([waiver], { more })
  expect(code).toBe(0)
  expect(requirement).toMatchObject({
    outcome: 'waived',
    checks: expect.arrayContaining([
      expect.objectContaining({
        outcome: 'waived',
        failure: expect.objectContaining({ message: expect.any(String) }),
        waiver: expect.objectContaining({ reason: 'known', owner: 'portal team', expires: '2999-12-31' }),
      }),
    ]),
  })
  expect(results?.totals).toMatchObject({ waived: 1, failed: 0 })
  expect(out).toMatch(/~ waived +add-workspace\/refuses-guest/)
  expect(out).toContain('until 2999-12-31 by portal team: known')
  expect((await runWith([waiver])).code).toBe(3)
})

test('a waiver for another target does nothing', async () => {
  const { code, requirement } = await runWith([{ ...waiver, target: 'https://live.example.com/**' }])
  expect([code, requirement?.outcome]).toEqual([1, 'failed'])
})

test.each<[string, object[], RegExp]>([
  ['expired', [{ ...waiver, expires: '2020-12-31' }], /requirement add-workspace\/refuses-guest: expired/],
  [
    'unknown',
    [{ ...waiver, requirement: 'add-workspace/refuse-guest' }],
    /near are add-workspace\/refuses-guest, /,
  ],
  ['doubled', [waiver, written({ check: id })], /check add-workspace\/refuses-guest: doubled/],
])('%s waivers are refused before the run', async (_name, waivers, message) => {
  const { code, err, results } = await runWith(waivers)
  expect([code, results]).toEqual([2, undefined])
  expect(err).toMatch(message)
})

test('a waiver whose recorded case passes now is named after the run; the results are written all the same', async () => {
  const found = [{ check: id, seed: 1, runs: 2 }] as const
  const { code, err, requirement } = await runWith([{ ...waiver, found }], { faults: [] })
  expect([code, requirement?.outcome]).toEqual([2, 'passed'])
  expect(err).toMatch(/waivers\.yaml:1:\d+: requirement add-workspace\/refuses-guest: passes now on http:/)
})

test('a waiver without a recorded case stays, and the run says so', async () => {
  const { code, err, requirement } = await runWith([waiver], { faults: [] })
  expect([code, requirement?.outcome]).toEqual([0, 'passed'])
  expect(err).toMatch(/passes now on http:.*; the waiver has no recorded case .* stays until 2999-12-31/)
})

test('a waiver of what was not selected is no error', async () => {
  const { code, err } = await runWith([written({ requirement: 'sync-workspace/starts' })], { faults: [] })
  expect([code, err.includes('passes now')]).toEqual([0, false])
})

test('report --waivers: the draft is refused as it is, and waives once it is filled in', async () => {
  const { file } = await runWith([])
  const out = join(emptyFolder(), 'waivers.yaml')
  const fields = ['--owner', 'portal team', '--expires', '2999-12-31']
  expect(await program('report', file, '--waivers', out, ...fields)).toEqual({
    code: 0,
    out: `${out}\n`,
    err: 'Fill in reason of each entry: a run refuses the file until then.\n',
  })
  const { waivers } = parse(readFileSync(out, 'utf8'))
  const refused = await runWith(waivers)
  expect(refused.code).toBe(2)
  expect(refused.err).toContain('waivers[0].reason: a reason in words expected')
  const taken = await runWith([{ ...waivers[0], reason: 'known' }])
  expect(taken.requirement?.outcome).toBe('waived')
})

test('report --waivers: writes over no file', async () => {
  const { file } = await runWith([])
  const out = join(emptyFolder(), 'waivers.yaml')
  writeFileSync(out, 'mine')
  const again = await program('report', file, '--waivers', out)
  expect([again.code, again.err]).toEqual([2, expect.stringContaining('the file exists')])
  expect(readFileSync(out, 'utf8')).toBe('mine')
})

test('report --waivers: a date that is over ends with 2', async () => {
  const { file } = await runWith([])
  const out = join(emptyFolder(), 'waivers.yaml')
  const { code, err } = await program('report', file, '--waivers', out, '--expires', '2020-12-31')
  expect([code, existsSync(out)]).toEqual([2, false])
  expect(err).toMatch(/--expires 2020-12-31: expected today or a later date/)
})

test.each([
  [['--waivers', 'w.yaml', '--expires', '2026-02-30'], /A date is expected, such as 2026-12-31/],
  [['--owner', 'portal team'], /--owner fills in waivers: it needs --waivers FILE/],
  [['--waivers', 'w.yaml'], /none\.json: cannot be read/],
])('report with %j ends with 2', async (words, message) => {
  const { code, err } = await program('report', 'none.json', ...words)
  expect(code).toBe(2)
  expect(err).toMatch(message)
})
