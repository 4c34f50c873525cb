/** The example for Argo Workflows, carried out from its own text. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { Ended } from '../end-to-end/command.fixture.ts'
import schema from './argo-schema.fixture.json' with { type: 'json' }
import {
  type Container,
  documentsOf,
  problemsOf,
  runContainer,
  volumes,
  writable,
} from './cluster.fixture.ts'
import claims from './kubernetes-schema.fixture.json' with { type: 'json' }
import { pipelinePatienceMs, pipelineSetting, resultsIn } from './pipeline.fixture.ts'

vi.setConfig({ testTimeout: pipelinePatienceMs, hookTimeout: pipelinePatienceMs })
const setting = pipelineSetting()

interface Step {
  readonly name: string
  readonly template: string
  readonly withSequence?: { readonly count: string }
  readonly continueOn?: { readonly failed: boolean }
  readonly arguments: { readonly parameters: readonly [{ readonly name: string; readonly value: string }] }
}

interface Template {
  readonly name: string
  readonly steps?: readonly (readonly Step[])[]
  readonly container?: Container
}

interface Workflow {
  readonly spec: { readonly entrypoint: string; readonly templates: readonly Template[] }
}

const [claim, workflow] = documentsOf('examples/ci/argo-fleet.yaml') as [unknown, Workflow]

/** A text with those values in the place of its placeholders; one that is not known is an error, as it is to Argo. */
const filledIn = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{\{(.*?)\}\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`there is no {{${name}}}`)
    return value
  })

describe('a workflow of Argo', () => {
  test('is one by the schema that Argo publishes, which knows each of its keys', () => {
    expect([problemsOf(claims, claim), problemsOf(schema, workflow)]).toEqual([[], []])
    const slip = { ...workflow, spec: { ...workflow.spec, paralelism: 2 } }
    expect(problemsOf(schema, slip).join()).toContain('paralelism')
  })

  test('counts the targets, judges each in a pod of its own, and puts all together', async () => {
    const folder = volumes(setting())
    const { entrypoint, templates } = workflow.spec
    const templateOf = (name: string): Template | undefined => templates.find((each) => each.name === name)
    const known: Record<string, string> = { 'workflow.name': 'portal-conformance-x7k2p' }
    const codes: Record<string, Ended['code'][]> = {}
    // Groups of steps follow each other; one step has a pod for each entry of its sequence.
    for (const [step] of templateOf(entrypoint)!.steps as readonly (readonly [Step])[]) {
      const { name, template, withSequence, continueOn } = step
      const [{ name: parameter, value }] = step.arguments.parameters
      const container = templateOf(template)!.container!
      const count = withSequence === undefined ? 1 : Number(filledIn(withSequence.count, known))
      const ends = []
      for (let item = 0; item < count; item += 1) {
        const script = filledIn(value, { ...known, item: String(item) })
        const args = [filledIn(container.args[0], { [`inputs.parameters.${parameter}`]: script })] as const
        ends.push(await runContainer({ ...container, args }, folder, setting()))
      }
      codes[name] = ends.map(({ code }) => code)
      known[`steps.${name}.outputs.result`] = ends[0]!.stdout.trim()
      if (ends.some(({ code }) => code !== 0) && continueOn?.failed !== true) break
    }
    expect(codes).toEqual({ count: [0], judge: [0, 0, 0], merge: [1] })
    const results = join(folder, 'results', 'portal-conformance-x7k2p')
    expect(resultsIn(join(results, 'lima')).verdict).toBe('non-conformant')
    const table = readFileSync(join(results, 'matrix.md'), 'utf8')
    for (const name of ['dead, not judged', 'lima', 'vienna']) expect(table).toContain(name)
  })

  test('writes only where a volume is', () => {
    const containers = workflow.spec.templates.flatMap(({ container }) => container ?? [])
    expect(containers.map((each) => [each.securityContext.readOnlyRootFilesystem, writable(each)])).toEqual([
      [true, ['/results', '/tmp']],
    ])
  })
})
