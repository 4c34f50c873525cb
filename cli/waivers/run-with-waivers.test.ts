import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { changeAccepted } from '../../reference/alterations.ts'
import { subSeed } from '../../runner/seeds.ts'
import { command, resultsIn } from '../process/in-process.fixture.ts'
import { testFolder } from '../process/test-folder.fixture.ts'
import { testPortal } from '../process/test-portal.fixture.ts'
import { waiverFile, written } from './waiver-file.fixture.ts'

const id = 'add-workspace/refuses-guest'
const waiver = written({ requirement: id })

/** Runs one requirement on the embedded portal, and returns its results. */
async function runWith(waivers: object[], more = '--fault guests-add-workspaces') {
  const folder = join(testFolder(), 'out')
  const line = `run --reference --requirement ${id} --allow-incomplete --runs 2 ${more}`
  const ended = await command(line, '--waivers', waiverFile(JSON.stringify({ waivers })), '--out', folder)
  const file = join(folder, 'results.json')
  const results = existsSync(file) ? resultsIn(folder) : undefined
  return { ...ended, file, requirement: results?.requirements.find((each) => each.id === id), results }
}

test('run shows a waived failure and exits with 0, or with 3 if nothing else passes', async () => {
  const more = '--fault guests-add-workspaces --requirement add-workspace/refuses-non-administrator'
  const { code, out, err, requirement, results } = await runWith([waiver], more)
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
  expect(err).toContain(`~ waived ${id}`)
  expect(err).not.toContain('failed')
  expect(out).toMatch(/~ waived +add-workspace\/refuses-guest/)
  expect(out).toContain('until 2999-12-31 by portal team: known')
  expect((await runWith([waiver])).code).toBe(3)
})

test('run keeps a waiver without a recorded case if the check passes', async () => {
  const { code, requirement } = await runWith([waiver], '')
  expect([code, requirement?.outcome]).toEqual([0, 'passed'])
})

test('run keeps a waiver for a failure that only some seeds show, until it is fixed, and then exits with 2', async () => {
  let hasFault = true
  // The same values are always affected; the seed decides whether a run sends one.
  const isOdd = (mail = ''): boolean => hasFault && subSeed(30, mail) % 30 === 0
  const alter = changeAccepted('update-participant', ({ form }) =>
    isOdd(form.get('contactEmailAddress')) ? { portalId: 7 } : {},
  )
  const { configuration } = await testPortal({ alter })
  const folder = testFolder()
  const [config, waivers] = [join(folder, 'portal.json'), join(folder, 'waivers.yaml')]
  writeFileSync(config, JSON.stringify(configuration))
  const run = (seed: number, ...more: string[]) =>
    command(
      `run --operation update-participant --seed ${seed} --runs 4 --allow-incomplete --allow-inconclusive`,
      ...['--config', config, '--out', folder, ...more],
    )
  const seedThatEndsWith = async (wanted: number): Promise<number> => {
    for (let seed = 1; seed <= 60; seed += 1) if ((await run(seed)).code === wanted) return seed
    throw new Error(`no seed ends with ${wanted}`)
  }
  const silent = await seedThatEndsWith(0)
  await seedThatEndsWith(1)
  const fields = ['--owner', 'portal team', '--reason', 'known', '--expires', '2999-12-31']
  await command('report', folder, '--waivers', waivers, ...fields)
  expect(await run(silent, '--waivers', waivers)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/~ waived +update-participant\//),
  })
  hasFault = false
  rmSync(join(folder, 'results.json'))
  expect(await run(silent, '--waivers', waivers)).toMatchObject({
    code: 2,
    out: expect.stringMatching(
      /Exit 2: .*waivers\.yaml:\d+:\d+:\s+requirement \S+: passes now on .*also\s+in\s+the\s+recorded\s+cases/,
    ),
  })
  expect(resultsIn(folder).totals.failed).toBe(0)
})

test('run warns if no waiver of the file is for the target', async () => {
  const elsewhere = { ...waiver, target: 'https://other.example.com/**' }
  const { code, err } = await runWith([elsewhere])
  expect(code).toBe(1)
  expect(err).toMatch(
    /waivers\.yaml:1:\d+: no waiver for this run: target https:\/\/other\S+ does not match http:/,
  )
  expect((await runWith([elsewhere, waiver])).err).not.toContain('no waiver')
})

test.each(['tomorrow', '2001-12-31', '2999-02-30'])(
  'report refuses --expires %s, as run would',
  async (date) => {
    expect(await command('report x --waivers y --expires', date)).toMatchObject({
      code: 2,
      err: expect.stringContaining('today or later (UTC)'),
    })
  },
)

test('report --waivers writes a draft, which run refuses until it is filled in; it overwrites no file', async () => {
  const { file } = await runWith([])
  const out = join(testFolder(), 'waivers.yaml')
  const draft = () => command('report --expires 2999-12-31', file, '--waivers', out, '--owner', 'portal team')
  expect(await draft()).toEqual({
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
  writeFileSync(out, 'mine')
  expect(await draft()).toMatchObject({ code: 2, err: expect.stringContaining('the file exists') })
  expect(readFileSync(out, 'utf8')).toBe('mine')
})
