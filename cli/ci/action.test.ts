/** Runs the scripts of the action in the shell that it names. actionlint checks the expressions around them. */
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
const few = '--quick\n--requirement\nadd-workspace/name-limit-*\n'

interface Use {
  readonly inputs?: Values
  /** Files of the repository; by default one configuration of the good portal. */
  readonly files?: Values
  /** A folder that comes first on PATH. */
  readonly programs?: string
  /** The folder of the action; by default the built package. */
  readonly action?: string
}

/** A folder for a runner; its path has a space. */
const newFolder = () => mkdtempSync(join(setting().checkout.path, 'a runner '))

/** Runs the install step and, if it succeeds, the run step. */
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

/** An `npm` that only records its arguments, and a `node` of that version. */
function recordingPrograms(node?: string): { programs: string; npmCalls: () => string } {
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
  return { programs, npmCalls: () => (existsSync(log) ? readFileSync(log, 'utf8') : '') }
}

test('the example of a gate uses only inputs that exist', () => {
  const { steps } = shippedYaml('examples/ci/github-gate.yml').jobs.staging as { steps: Step[] }
  const gate = steps.find(({ uses }) => uses?.startsWith('OWNER/portal-conformance@'))?.with ?? {}
  expect(Object.keys(declared)).toEqual(expect.arrayContaining(Object.keys(gate)))
})

test('the action installs, runs, and keeps the reports even if the run fails', () => {
  expect([install.id, judge.id, runs.steps.length]).toEqual(['install', 'run', 3])
  expect(keep).toMatchObject({
    if: expect.stringContaining('always()'),
    with: {
      name: expect.stringContaining('inputs.artefact'),
      path: expect.stringContaining('steps.run.outputs.report'),
    },
  })
})

describe('the run step of the action', () => {
  test.each([
    ['incomplete, with --allow-incomplete', 'good', '--allow-incomplete', 0, 'incomplete'],
    ['non-conformant', 'bad', '', 1, 'non-conformant'],
  ] as const)('sets outputs, reports and exit code: %s', async (_, portal, further, code, verdict) => {
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

  test('sets the verdict none and deletes earlier reports if nothing was judged', async () => {
    const old = ['results.json', 'junit.xml', 'report.html', 'summary.md']
    const left = Object.fromEntries(old.map((name) => [`out/${name}`, '{"verdict":"conformant"}']))
    const files = { ...left, 'out/notes.txt': 'mine', 'staging.yaml': '{}' }
    const { code, outputs, folder, log } = await use({ inputs: { out: 'out' }, files })
    expect(log).toMatch(/^::error title=exit 2::staging\.yaml\S*: .+%0A.+$/m)
    expect([code, outputs.verdict, outputs['exit-code']]).toEqual([2, 'none', '2'])
    expect(readdirSync(join(folder, 'out'))).toEqual(['notes.txt'])
  })
})

describe('the action executes no text of its inputs', () => {
  const hostile = '$(touch broken); `touch broken` "\' * > broken'

  test.each<[string, Values, number, string]>([
    ['arguments', { arguments: `--requirement\n${hostile}\n` }, 2, `${hostile}: matches nothing`],
    ['config', { config: hostile }, 2, 'cannot be read: there is no such file'],
    ['version', { version: hostile }, 2, 'version: a version such as 0.1.0 is expected'],
    [
      'out with a line break that would set an output',
      { out: 'x\nverdict=conformant' },
      2,
      'out: the name of a folder is expected',
    ],
    ['empty config', { config: '' }, 2, 'config: the configuration of the deployment is expected'],
    [
      '--out among the arguments, and an out that looks like an option',
      { arguments: `${few}--out\nelsewhere`, out: '--help' },
      3,
      'Results: --help',
    ],
  ])('%s', async (_, inputs, code, message) => {
    const ended = await use({ inputs })
    expect([ended.code, ended.log]).toEqual([code, expect.stringContaining(message)])
    expect(ended.outputs.verdict ?? 'none').toBe(code === 3 ? 'incomplete' : 'none')
    expect(readdirSync(ended.folder)).not.toContain('broken')
    expect(readdirSync(ended.folder)).not.toContain('elsewhere')
  })

  test('working directory, config and out with spaces and shell syntax', async () => {
    const [place, config, out] = ['two words', 'my $(touch broken) portal.yaml', '-rf $(touch broken); "\'']
    const files = { [`${place}/${config}`]: configurationOf(setting().good) }
    const inputs = { config, 'working-directory': place, out, arguments: few }
    const { programs, npmCalls } = recordingPrograms()
    const { code, outputs, folder } = await use({ inputs, files, programs })
    expect([code, outputs.report]).toEqual([3, join(folder, place, out)])
    expect(readdirSync(join(folder, place)).sort()).toEqual([out, config])
    // This release was already built.
    expect(npmCalls()).toBe('')
  })
})

describe('the install step of the action', () => {
  test('builds this release from sources, always with development dependencies', async () => {
    const { programs, npmCalls } = recordingPrograms()
    await use({ programs, action: join(programs, 'sources of it') })
    expect(npmCalls()).toMatch(/^ci .*--include=dev --prefix .*sources of it\n$/)
  })

  test('installs another release from the registry', async () => {
    const { programs, npmCalls } = recordingPrograms()
    const { log } = await use({ programs, inputs: { version: '0.1.0' } })
    expect(npmCalls()).toMatch(/^install .* portal-conformance@0\.1\.0\n$/)
    expect(log).toContain(
      join('portal-conformance', 'node_modules', 'portal-conformance', 'dist', 'cli', 'main.js'),
    )
  })

  test.each(['18.20.8', '20.18.3'])('refuses Node %s and suggests actions/setup-node', async (version) => {
    const { programs, npmCalls } = recordingPrograms(version)
    const { code, log } = await use({ programs })
    expect([code, npmCalls()]).toEqual([4, ''])
    expect(log).toContain(`Node 20.19 or later is expected, v${version} found: put actions/setup-node before`)
  })
})
