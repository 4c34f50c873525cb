import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type JobEnd, Runner, type Workflow } from './github-runner.fixture.ts'
import { configurationOf, pipelineSetting, shippedYaml } from './pipeline.fixture.ts'

const setting = pipelineSetting()
const outputNames = Object.keys(shippedYaml('action.yml').outputs)
const few = '--runs\n2\n--requirement\nadd-workspace/name-limit-*\n'

interface Use {
  readonly inputs?: Readonly<Record<string, string>>
  /** Files of the repository; one configuration of the good portal where absent. */
  readonly files?: Readonly<Record<string, string>>
  readonly runner?: Runner
}

/** The end of a job that uses the action and has the outputs of it. */
async function use({ inputs = {}, files, runner = new Runner(setting().checkout) }: Use) {
  for (const [name, text] of Object.entries(files ?? { 'staging.yaml': configurationOf(setting().good) })) {
    mkdirSync(join(runner.repository, name, '..'), { recursive: true })
    writeFileSync(join(runner.repository, name), text)
  }
  const { job: [end] = [] } = await runner.run({ jobs: { job: jobUsing(inputs) } })
  return { ...(end as JobEnd), runner, told: end?.outputs ?? {} }
}

function jobUsing(inputs: Readonly<Record<string, string>>) {
  return {
    outputs: Object.fromEntries(outputNames.map((name) => [name, `\${{ steps.it.outputs.${name} }}`])),
    steps: [
      { uses: 'actions/checkout@v5' },
      { id: 'it', uses: 'OWNER/portal-conformance@v0', with: { config: 'staging.yaml', ...inputs } },
    ],
  }
}

describe('judging', () => {
  test.each([
    ['what was not selected allowed', 'good', '--allow-incomplete', 0, 'incomplete'],
    ['incomplete', 'good', '', 3, 'incomplete'],
    ['non-conformant', 'bad', '', 1, 'non-conformant'],
  ] as const)('%s: outputs, summary, reports and exit code', async (_, portal, further, code, verdict) => {
    const files = { 'staging.yaml': configurationOf(setting()[portal]) }
    const ended = await use({ inputs: { arguments: `${few}${further}\n` }, files })
    const report = join(ended.folder, 'portal-conformance-report')
    expect(ended.told).toEqual({
      verdict,
      'exit-code': String(code),
      report,
      results: join(report, 'results.json'),
      junit: join(report, 'junit.xml'),
      html: join(report, 'report.html'),
    })
    expect([ended.code, ended.log]).toEqual([
      code,
      expect.stringMatching(/Add workspace \(§4\.1\): .*(passed|failed)/),
    ])
    expect(ended.summary).toContain(`portal-conformance: ${verdict}`)
    const kept = readdirSync(join(ended.runner.artefacts, 'portal-conformance-report'))
    expect(kept).toEqual(expect.arrayContaining(['results.json', 'junit.xml', 'report.html', 'summary.md']))
    for (const name of ['results', 'junit', 'html']) expect(existsSync(ended.told[name] as string)).toBe(true)
  })

  test('where nothing was judged there is no verdict, and no report of an earlier run', async () => {
    const old = ['results.json', 'junit.xml', 'report.html', 'summary.md']
    const left = Object.fromEntries(old.map((name) => [`out/${name}`, '{"verdict":"conformant"}']))
    const files = { ...left, 'out/notes.txt': 'mine', 'staging.yaml': '{}' }
    const { code, told, folder, runner } = await use({ inputs: { out: 'out' }, files })
    expect([code, told.verdict, told['exit-code']]).toEqual([2, 'none', '2'])
    expect(readdirSync(join(folder, 'out'))).toEqual(['notes.txt'])
    expect(readdirSync(join(runner.artefacts, 'portal-conformance-report'))).toEqual(['notes.txt'])
  })

  test('takes place in the folder that is named, also one with a space', async () => {
    const files = { 'two words/my portal.yaml': configurationOf(setting().good) }
    const inputs = {
      config: 'my portal.yaml',
      'working-directory': 'two words',
      out: 'the report',
      arguments: few,
    }
    const { code, told, folder } = await use({ inputs, files })
    expect([code, told.report]).toEqual([3, join(folder, 'two words', 'the report')])
  })
})

describe('inputs are words, whatever stands in them:', () => {
  const hostile = '$(touch broken); `touch broken` "\' * > broken'

  test.each([
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
    expect(ended.told.verdict).toBe(code === 3 ? 'incomplete' : 'none')
    expect(readdirSync(ended.folder)).not.toContain('broken')
    expect(readdirSync(ended.folder)).not.toContain('elsewhere')
  })

  test('out with all of them, and as an option', async () => {
    for (const out of ['-rf $(touch broken); "\'', '--help']) {
      const ended = await use({ inputs: { out, arguments: few } })
      expect([ended.code, ended.told.report?.endsWith(out)]).toEqual([3, true])
    }
  })
})

describe('what is uploaded', () => {
  const matrixOf = (inputs: Readonly<Record<string, string>>): Workflow => {
    const job = jobUsing({ arguments: few, ...inputs })
    return { jobs: { job: { ...job, strategy: { matrix: { one: ['a', 'b'] } } } } }
  }
  const runner = () => {
    const made = new Runner(setting().checkout)
    writeFileSync(join(made.repository, 'staging.yaml'), configurationOf(setting().good))
    return made
  }

  test('has a name of its own for each job of a matrix', async () => {
    const one = runner()
    await one.run(matrixOf({}))
    expect(readdirSync(one.artefacts).sort()).toEqual([
      'portal-conformance-report-0',
      'portal-conformance-report-1',
    ])
  })

  test('has the name that is given, and is nothing where that is empty', async () => {
    const one = runner()
    await one.run(matrixOf({ artefact: '' }))
    expect(readdirSync(one.artefacts)).toEqual([])
    const named = await use({ inputs: { artefact: 'mine', arguments: few } })
    expect(readdirSync(named.runner.artefacts)).toEqual(['mine'])
  })
})

describe('getting the program', () => {
  /** A runner on which `npm` only notes what it is asked for, and `node` is of that version. */
  function runnerNoting(node?: string): { runner: Runner; noted: () => string } {
    const runner = new Runner(setting().checkout)
    const programs = join(runner.repository, '..', 'programs')
    mkdirSync(programs)
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
    runner.first = [programs]
    return { runner, noted: () => (existsSync(log) ? readFileSync(log, 'utf8') : '') }
  }

  test('of this release: what is built already is taken as it is', async () => {
    const { runner, noted } = runnerNoting()
    const { code } = await use({ runner, inputs: { arguments: few } })
    expect([code, noted()]).toEqual([3, ''])
  })

  test('of this release: sources are installed, which builds them, whatever is left out elsewhere', async () => {
    const { runner, noted } = runnerNoting()
    runner.actionFolder = join(runner.repository, '..', 'sources of it')
    await use({ runner })
    expect(noted()).toMatch(/^ci .*--include=dev --prefix .*sources of it\n$/)
  })

  test('of another release: from the registry', async () => {
    const { runner, noted } = runnerNoting()
    const { log } = await use({ runner, inputs: { version: '0.1.0' } })
    expect(noted()).toMatch(/^install .* portal-conformance@0\.1\.0\n$/)
    expect(log).toContain(
      join('portal-conformance', 'node_modules', 'portal-conformance', 'dist', 'cli', 'main.js'),
    )
  })

  test.each(['18.20.8', '20.18.3'])('Node %s is too old, and what to do is said', async (version) => {
    const { runner, noted } = runnerNoting(version)
    const { code, log } = await use({ runner })
    expect([code, noted()]).toEqual([4, ''])
    expect(log).toContain(`Node 20.19 or later is expected, v${version} found: put actions/setup-node before`)
  })
})

test('the workflow that uses it is a gate', async () => {
  const runner = new Runner(setting().checkout)
  writeFileSync(join(runner.repository, 'staging.yaml'), configurationOf(setting().bad))
  writeFileSync(join(runner.repository, 'waivers.yaml'), 'waivers: []\n')
  const { staging: [staging] = [] } = await runner.run(shippedYaml('examples/ci/github-gate.yml'))
  expect(staging).toMatchObject({
    code: 1,
    log: expect.stringContaining('The verdict is non-conformant'),
    summary: expect.stringContaining('non-conformant'),
  })
})
