/** The example for Kubernetes, carried out from its own text. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { parseAllDocuments } from 'yaml'
import {
  configurationOf,
  pipelinePatienceMs,
  pipelineSetting,
  resultsIn,
  shipped,
} from './pipeline.fixture.ts'

vi.setConfig({ testTimeout: pipelinePatienceMs, hookTimeout: pipelinePatienceMs })
const setting = pipelineSetting()

interface Job {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels: { readonly step: string } }
  readonly spec: {
    readonly completions?: number
    readonly template: {
      readonly spec: {
        readonly containers: readonly [
          {
            readonly command: readonly string[]
            readonly args: readonly [string]
            readonly volumeMounts: readonly { readonly mountPath: string; readonly readOnly?: boolean }[]
            readonly securityContext: { readonly readOnlyRootFilesystem: boolean }
          },
        ]
        readonly volumes: readonly { readonly name: string }[]
      }
    }
  }
}

const jobs = parseAllDocuments(shipped('examples/ci/kubernetes-fleet.yaml'))
  .map((document) => document.toJS() as Job)
  .filter(({ kind }) => kind === 'Job')

describe('an indexed job of Kubernetes', () => {
  /** Runs the container of a job: its mounts are folders of this machine. */
  function container(job: Job, folder: string, environment: Record<string, string> = {}) {
    const [{ command, args, volumeMounts }] = job.spec.template.spec.containers
    // What the image has in that place, this machine has on its path.
    const installed = args[0].replace('node /opt/portal-conformance/dist/cli/main.js', 'portal-conformance')
    const script = volumeMounts.reduce(
      (text, { mountPath }) => text.replaceAll(` ${mountPath} `, ` ${join(folder, mountPath)} `),
      `${installed} `,
    )
    const { checkout } = setting()
    return checkout.shell(script, {
      shell: [...command],
      environment,
      first: [join(checkout.path, 'node_modules', '.bin')],
    })
  }

  test('each pod judges the target of its index, and the last job puts all together', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pc-kubernetes-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    for (const mount of ['targets', 'results']) mkdirSync(join(folder, mount))
    const { good, bad } = setting()
    const dead = configurationOf(good).replaceAll(new URL(good.baseUrl).host, '127.0.0.1:1')
    const targets = { dead, lima: configurationOf(bad), vienna: configurationOf(good) }
    for (const [name, text] of Object.entries(targets))
      writeFileSync(join(folder, 'targets', `${name}.yaml`), text)
    const [judge, merge] = jobs as [Job, Job]
    expect(judge.spec.completions).toBe(3)
    for (let index = 0; index < 3; index += 1) {
      const { code } = await container(judge, folder, { JOB_COMPLETION_INDEX: String(index) })
      expect(code).toBe(0)
    }
    expect(resultsIn(join(folder, 'results', 'lima')).verdict).toBe('non-conformant')
    const ended = await container(merge, folder)
    expect(ended.code).toBe(1)
    const table = readFileSync(join(folder, 'results', 'matrix.md'), 'utf8')
    for (const name of ['dead, not judged', 'lima', 'vienna']) expect(table).toContain(name)
    // A job of more indexes than there are targets says so, in red.
    const beyond = await container(judge, folder, { JOB_COMPLETION_INDEX: '3' })
    expect([beyond.code, beyond.stderr]).toEqual([
      1,
      expect.stringContaining('--index 3: there are 3 targets, counted from 0 to 2'),
    ])
  })

  test('writes only where a volume is', () => {
    for (const { spec } of jobs) {
      const [{ securityContext, volumeMounts }] = spec.template.spec.containers
      expect(securityContext.readOnlyRootFilesystem).toBe(true)
      expect(
        volumeMounts.filter(({ readOnly }) => readOnly !== true).map(({ mountPath }) => mountPath),
      ).toEqual(['/results', '/tmp'])
    }
  })
})
