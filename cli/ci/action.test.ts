import { chmodSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type EmbeddedPortal, startPortal } from '../../reference/portal.ts'
import { Checkout, shippedYaml } from './pipeline.fixture.ts'

const action = shippedYaml('action.yml')
const [install, run, upload] = action.runs.steps

let checkout: Checkout
let [good, bad]: EmbeddedPortal[] = []

beforeAll(async () => {
  checkout = new Checkout()
  good = await startPortal()
  bad = await startPortal({ faults: ['name-limit-99'] })
})
beforeEach(() => {
  rmSync(join(checkout.path, 'portal-conformance-report'), { recursive: true, force: true })
  checkout.write('outputs', '')
})
afterAll(async () => {
  checkout.remove()
  await Promise.all([good?.close(), bad?.close()])
})

/** Runs a step as the runner does: its environment from inputs and outputs, and its outputs from the file for them. */
async function step(
  { run: script, env }: { run: string; env: Readonly<Record<string, string>> },
  values: Readonly<Record<string, string>>,
  first: readonly string[] = [],
) {
  const defaults = Object.entries<{ default?: string }>(action.inputs).map(([name, input]) => [
    `inputs.${name}`,
    input.default ?? '',
  ])
  const known: Readonly<Record<string, string>> = { ...Object.fromEntries(defaults), ...values }
  const filled = Object.entries(env).map(([name, text]) => [
    name,
    text.replace(/\$\{\{ (\S+) \}\}/g, (_, expression: string) => known[expression] ?? `no ${expression}`),
  ])
  const ended = await checkout.shell(script, {
    shell: ['bash', '--noprofile', '--norc', '-eo', 'pipefail'],
    environment: {
      ...Object.fromEntries(filled),
      GITHUB_OUTPUT: join(checkout.path, 'outputs'),
      GITHUB_ACTION_PATH: checkout.packageFolder,
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: join(checkout.path, 'summary.md'),
      RUNNER_TEMP: checkout.path,
    },
    first,
  })
  const lines = readFileSync(join(checkout.path, 'outputs'), 'utf8').trimEnd().split('\n')
  return { ...ended, outputs: Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2))) }
}

const judge = (inputs: Readonly<Record<string, string>>) =>
  step(run, {
    'steps.install.outputs.main': join(checkout.packageFolder, 'dist', 'cli', 'main.js'),
    'inputs.config': 'staging.yaml',
    ...inputs,
  })

describe('judging', () => {
  const few = { 'inputs.arguments': '--runs\n2\n--requirement\nadd-workspace/name-limit-*\n' }

  test.each([
    ['conformant, with what was not selected allowed', () => good, '--allow-incomplete', 0, 'incomplete'],
    ['incomplete', () => good, '', 3, 'incomplete'],
    ['non-conformant', () => bad, '', 1, 'non-conformant'],
  ])('%s', async (_, portal, further, code, verdict) => {
    checkout.write('staging.yaml', JSON.stringify(portal()?.configuration))
    const ended = await judge({ 'inputs.arguments': `${few['inputs.arguments']}${further}\n` })
    const report = join(checkout.path, 'portal-conformance-report')
    expect(ended.outputs).toEqual({ verdict, 'exit-code': String(code), report })
    expect([ended.code, ended.stdout]).toEqual([code, expect.stringContaining('name-limit-accepts')])
    for (const file of ['results.json', 'junit.xml', 'report.html', 'summary.md'])
      readFileSync(join(report, file))
    expect(readFileSync(join(checkout.path, 'summary.md'), 'utf8')).toContain('#')
  })

  test('where nothing was judged there is no verdict, even if an earlier run left one', async () => {
    checkout.write('staging.yaml', JSON.stringify(good?.configuration))
    await judge(few)
    checkout.write('outputs', '')
    checkout.write('staging.yaml', '{}')
    const { code, outputs } = await judge(few)
    expect([code, outputs.verdict, outputs['exit-code']]).toEqual([2, 'none', '2'])
  })

  test('inputs are words, whatever stands in them', async () => {
    checkout.write('staging.yaml', JSON.stringify(good?.configuration))
    const { code, stderr } = await judge({
      'inputs.arguments': '--requirement\n$(touch broken); `touch broken`\n',
    })
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('$(touch broken); `touch broken`: matches nothing'),
    ])
    expect(() => readFileSync(join(checkout.path, 'broken'))).toThrow(/ENOENT/)
  })
})

describe('getting the program', () => {
  /** A folder with an npm that only notes what it is asked for. */
  function notingNpm(): string {
    const folder = join(checkout.path, 'programs')
    mkdirSync(folder, { recursive: true })
    const file = join(
      checkout.path,
      checkout.write('programs/npm', '#!/bin/sh\nprintf "%s\\n" "$*" >>npm.log\n'),
    )
    chmodSync(file, 0o755)
    checkout.write('npm.log', '')
    return folder
  }
  const noted = () => readFileSync(join(checkout.path, 'npm.log'), 'utf8')

  test('of this release: what is built already is taken as it is', async () => {
    const { code, outputs } = await step(install, {}, [notingNpm()])
    const main = join(checkout.packageFolder, 'dist', 'cli', 'main.js')
    expect([code, noted(), outputs]).toEqual([0, '', { main }])
  })

  test('of this release: sources are installed, which builds them', async () => {
    const { code } = await step(
      { ...install, run: install.run.replaceAll('$GITHUB_ACTION_PATH', '$RUNNER_TEMP/sources') },
      {},
      [notingNpm()],
    )
    expect([code, noted()]).toEqual([0, expect.stringMatching(/^ci .*--prefix .*sources\n$/)])
  })

  test('of another release: from the registry', async () => {
    const { code, outputs } = await step(install, { 'inputs.version': '0.1.0' }, [notingNpm()])
    expect([code, noted()]).toEqual([0, expect.stringMatching(/^install .* portal-conformance@0\.1\.0\n$/)])
    const folder = join(checkout.path, 'portal-conformance', 'node_modules', 'portal-conformance')
    expect(outputs).toEqual({ main: join(folder, 'dist', 'cli', 'main.js') })
  })
})

test('the reports are kept whatever the verdict', () => {
  expect([upload.if, upload.with.path]).toEqual([
    expect.stringContaining('always()'),
    expect.stringContaining('steps.run.outputs.report'),
  ])
})
