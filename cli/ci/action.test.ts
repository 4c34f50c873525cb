/** The scripts of the action, run by the shell that it names. actionlint checks the expressions around them. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runStep, type Step, type StepEnd, type Values } from './github-step.fixture.ts'
import { configurationOf, pipelineSetting, shippedYaml } from './pipeline.fixture.ts'

const setting = pipelineSetting()
const { inputs: declared, outputs: published, runs } = shippedYaml('action.yml')
const [install, judge, keep] = runs.steps as [Step, Step, Step]
const few = '--runs\n2\n--requirement\nadd-workspace/name-limit-*\n'

interface Use {
  readonly inputs?: Values
  /** Files of the repository; one configuration of the good portal where absent. */
  readonly files?: Values
  /** A folder of programs that precede those of the system. */
  readonly programs?: string
  /** Where the action is: the built package where absent. */
  readonly action?: string
}

/** A folder for a runner; its path has a space. */
const newFolder = () => mkdtempSync(join(setting().checkout.path, 'a runner '))

/** Gets the program and, where that succeeded, judges. */
async function use({ inputs = {}, files, programs, action }: Use): Promise<StepEnd & { folder: string }> {
  const { checkout, good } = setting()
  const temporary = newFolder()
  const folder = join(temporary, 'work')
  for (const [name, text] of Object.entries(files ?? { 'staging.yaml': configurationOf(good) })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const values: Values = { 'inputs.config': 'staging.yaml' }
  for (const [name, { default: text }] of Object.entries<{ default?: string }>(declared))
    if (text !== undefined) values[`inputs.${name}`] = text
  for (const [name, text] of Object.entries(inputs)) values[`inputs.${name}`] = text
  const environment = { GITHUB_ACTION_PATH: action ?? checkout.packageFolder }
  const place = { checkout, folder, temporary, environment, first: programs === undefined ? [] : [programs] }
  const got = await runStep(install, values, place)
  if (got.code !== 0) return { ...got, folder }
  for (const [name, text] of Object.entries(got.outputs)) values[`steps.install.outputs.${name}`] = text
  const judged = await runStep(judge, values, place)
  return { ...judged, log: got.log + judged.log, folder }
}

test('the steps follow each other, and the reports are kept where the run fails too', () => {
  expect([install.id, judge.id, runs.steps.length]).toEqual(['install', 'run', 3])
  expect(keep).toMatchObject({
    if: expect.stringContaining('always()'),
    with: {
      name: expect.stringContaining('inputs.artefact'),
      path: expect.stringContaining('steps.run.outputs.report'),
    },
  })
})

describe('judging', () => {
  test.each([
    ['what was not selected allowed', 'good', '--allow-incomplete', 0, 'incomplete'],
    ['incomplete', 'good', '', 3, 'incomplete'],
    ['non-conformant', 'bad', '', 1, 'non-conformant'],
  ] as const)('%s: outputs, summary, reports and exit code', async (_, portal, further, code, verdict) => {
    const files = { 'staging.yaml': configurationOf(setting()[portal]) }
    const ended = await use({ inputs: { arguments: `${few}${further}\n` }, files })
    const report = join(ended.folder, 'portal-conformance-report')
    expect([ended.code, ended.outputs]).toEqual([code, { verdict, 'exit-code': String(code), report }])
    expect(ended.log).toMatch(/Add workspace \(§4\.1\): .*(passed|failed)/)
    expect(ended.summary).toMatch(new RegExp(`^# . portal-conformance \\S+: ${verdict}\n`))
    const written = readdirSync(report)
    expect(written).toEqual(
      expect.arrayContaining(['results.json', 'junit.xml', 'report.html', 'summary.md']),
    )
    const named = Object.values<{ value: string }>(published).flatMap(
      ({ value }) => /'\{0\}\/(.+?)'/.exec(value)?.[1] ?? [],
    )
    expect(named).toEqual(['results.json', 'junit.xml', 'report.html'])
    expect(written).toEqual(expect.arrayContaining(named))
  })

  test('with the inputs of the example, it is red where the target is non-conformant', async () => {
    const { steps } = shippedYaml('examples/ci/github-gate.yml').jobs.staging as { steps: Step[] }
    const gate = steps.find(({ uses }) => uses?.startsWith('OWNER/portal-conformance@'))?.with
    const files = { 'staging.yaml': configurationOf(setting().bad), 'waivers.yaml': 'waivers: []\n' }
    const { code, outputs } = await use({ inputs: gate as Values, files })
    expect([code, outputs.verdict]).toEqual([1, 'non-conformant'])
  })

  test('where nothing was judged there is no verdict, and no report of an earlier run', async () => {
    const old = ['results.json', 'junit.xml', 'report.html', 'summary.md']
    const left = Object.fromEntries(old.map((name) => [`out/${name}`, '{"verdict":"conformant"}']))
    const files = { ...left, 'out/notes.txt': 'mine', 'staging.yaml': '{}' }
    const { code, outputs, folder } = await use({ inputs: { out: 'out' }, files })
    expect([code, outputs.verdict, outputs['exit-code']]).toEqual([2, 'none', '2'])
    expect(readdirSync(join(folder, 'out'))).toEqual(['notes.txt'])
  })

  test('takes place in the folder that is named, also one with a space', async () => {
    const files = { 'two words/my portal.yaml': configurationOf(setting().good) }
    const inputs = {
      config: 'my portal.yaml',
      'working-directory': 'two words',
      out: 'the report',
      arguments: few,
    }
    const { code, outputs, folder } = await use({ inputs, files })
    expect([code, outputs.report]).toEqual([3, join(folder, 'two words', 'the report')])
  })
})

describe('inputs are words, whatever stands in them:', () => {
  const hostile = '$(touch broken); `touch broken` "\' * > broken'

  test.each<[string, Values, number, string]>([
    ['arguments', { arguments: `--requirement\n${hostile}\n` }, 2, `${hostile}: matches nothing`],
    ['config', { config: hostile }, 2, 'cannot be read: there is no such file'],
    ['version', { version: hostile }, 2, 'version: a version such as 0.1.0 is expected'],
    ['a version that is another package', { version: 'npm:other@1' }, 2, 'version: a version such as'],
    [
      'out with a line for the outputs',
      { out: 'x\nverdict=conformant' },
      2,
      'out: the name of a folder is expected',
    ],
    ['an empty out', { out: '' }, 2, 'out: the name of a folder is expected'],
    ['no config', { config: '' }, 2, 'config: the configuration of the deployment is expected'],
    [
      'another out among the arguments',
      { arguments: `${few}--out\nelsewhere` },
      3,
      'Results: portal-conformance-report',
    ],
  ])('%s', async (_, inputs, code, message) => {
    const ended = await use({ inputs })
    expect([ended.code, ended.log]).toEqual([code, expect.stringContaining(message)])
    expect(ended.outputs.verdict ?? 'none').toBe(code === 3 ? 'incomplete' : 'none')
    expect(readdirSync(ended.folder)).not.toContain('broken')
    expect(readdirSync(ended.folder)).not.toContain('elsewhere')
  })

  test('out with all of them, and as an option', async () => {
    for (const out of ['-rf $(touch broken); "\'', '--help']) {
      const ended = await use({ inputs: { out, arguments: few } })
      expect([ended.code, ended.outputs.report?.endsWith(out)]).toEqual([3, true])
    }
  })
})

describe('getting the program', () => {
  /** An `npm` that only notes its arguments, and a `node` of that version. */
  function notingPrograms(node?: string): { programs: string; noted: () => string } {
    const programs = newFolder()
    const log = join(programs, 'npm.log')
    const program = (name: string, text: string) => {
      writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`)
      chmodSync(join(programs, name), 0o755)
    }
    program('npm', `printf '%s\\n' "$*" >>'${log}'`)
    if (node !== undefined) {
      const versions = `Object.defineProperty(process.versions, 'node', { value: '${node}' })`
      writeFileSync(join(programs, 'version.cjs'), versions)
      program(
        'node',
        `[ "$1" = --version ] && echo v${node} && exit\nexec '${process.execPath}' --require '${programs}/version.cjs' "$@"`,
      )
    }
    return { programs, noted: () => (existsSync(log) ? readFileSync(log, 'utf8') : '') }
  }

  test('of this release: what is built already is taken as it is', async () => {
    const { programs, noted } = notingPrograms()
    const { code } = await use({ programs, inputs: { arguments: few } })
    expect([code, noted()]).toEqual([3, ''])
  })

  test('of this release: sources are installed, which builds them, whatever is left out elsewhere', async () => {
    const { programs, noted } = notingPrograms()
    await use({ programs, action: join(programs, 'sources of it') })
    expect(noted()).toMatch(/^ci .*--include=dev --prefix .*sources of it\n$/)
  })

  test('of another release: from the registry', async () => {
    const { programs, noted } = notingPrograms()
    const { log } = await use({ programs, inputs: { version: '0.1.0' } })
    expect(noted()).toMatch(/^install .* portal-conformance@0\.1\.0\n$/)
    expect(log).toContain(
      join('portal-conformance', 'node_modules', 'portal-conformance', 'dist', 'cli', 'main.js'),
    )
  })

  test.each(['18.20.8', '20.18.3'])('Node %s is too old, and what to do is said', async (version) => {
    const { programs, noted } = notingPrograms(version)
    const { code, log } = await use({ programs })
    expect([code, noted()]).toEqual([4, ''])
    expect(log).toContain(`Node 20.19 or later is expected, v${version} found: put actions/setup-node before`)
  })
})
