/** The example for Kubernetes, carried out from its own text. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import {
  type Container,
  documentsOf,
  problemsOf,
  runContainer,
  volumes,
  writable,
} from './cluster.fixture.ts'
import schema from './kubernetes-schema.fixture.json' with { type: 'json' }
import { pipelinePatienceMs, pipelineSetting, resultsIn } from './pipeline.fixture.ts'

vi.setConfig({ testTimeout: pipelinePatienceMs, hookTimeout: pipelinePatienceMs })
const setting = pipelineSetting()

interface Job {
  readonly kind: string
  readonly spec: {
    readonly completions?: number
    readonly template: { readonly spec: { readonly containers: readonly [Container] } }
  }
}

const documents = documentsOf('examples/ci/kubernetes-fleet.yaml') as Job[]
const [judge, merge] = documents.filter(({ kind }) => kind === 'Job') as [Job, Job]
const containerOf = ({ spec }: Job): Container => spec.template.spec.containers[0]

describe('an indexed job of Kubernetes', () => {
  test('is one by the schema that Kubernetes publishes, which knows each of its keys', () => {
    expect(documents.map((document) => problemsOf(schema, document))).toEqual([[], [], []])
    const slip = { ...judge, spec: { ...judge.spec, completionsMode: 'Indexed' } }
    expect(problemsOf(schema, slip).join()).toContain('completionsMode')
  })

  test('each pod judges the target of its index, and the last job puts all together', async () => {
    const folder = volumes(setting())
    const pod = (job: Job, environment?: Record<string, string>) =>
      runContainer(containerOf(job), folder, setting(), environment)
    expect(judge.spec.completions).toBe(3)
    for (let index = 0; index < 3; index += 1) {
      const { code } = await pod(judge, { JOB_COMPLETION_INDEX: String(index) })
      expect(code).toBe(0)
    }
    expect(resultsIn(join(folder, 'results', 'lima')).verdict).toBe('non-conformant')
    const ended = await pod(merge)
    expect(ended.code).toBe(1)
    const table = readFileSync(join(folder, 'results', 'matrix.md'), 'utf8')
    for (const name of ['dead, not judged', 'lima', 'vienna']) expect(table).toContain(name)
    // A job of more indexes than there are targets says so, in red.
    const beyond = await pod(judge, { JOB_COMPLETION_INDEX: '3' })
    expect([beyond.code, beyond.stderr]).toEqual([
      1,
      expect.stringContaining('--index 3: there are 3 targets, counted from 0 to 2'),
    ])
  })

  test('writes only where a volume is', () => {
    for (const container of [judge, merge].map(containerOf)) {
      expect(container.securityContext.readOnlyRootFilesystem).toBe(true)
      expect(writable(container)).toEqual(['/results', '/tmp'])
    }
  })
})
