/** Validates the cluster examples against the published schemas, and runs their scripts. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import type { Ended } from '../end-to-end/command.fixture.ts'
import { resultsIn } from '../process/in-process.fixture.ts'
import { testFolder } from '../process/test-folder.fixture.ts'
import argoSchema from './argo-schema.fixture.json' with { type: 'json' }
import kubernetesSchema from './kubernetes-schema.fixture.json' with { type: 'json' }
import { expectThreeTargets, pipelineSetting, shipped, threeTargets } from './pipeline.fixture.ts'

const setting = pipelineSetting()

/** The parts of a container that these tests use. */
interface Container {
  readonly command: readonly string[]
  readonly args: readonly [string]
  readonly volumeMounts: readonly { readonly mountPath: string; readonly readOnly?: boolean }[]
  readonly securityContext: { readonly readOnlyRootFilesystem: boolean }
}

const documentsOf = (file: string) => parseAllDocuments(shipped(file)).map((document) => document.toJS())

const [volumeClaim, judge, merge] = documentsOf('examples/ci/kubernetes-fleet.yaml')
const [claim, workflow] = documentsOf('examples/ci/argo-fleet.yaml')
const [judging, merging]: Container[] = [judge, merge].map(({ spec }) => spec.template.spec.containers[0])
const { entrypoint, templates } = workflow.spec
const templateOf = (wanted: string) => templates.find(({ name }: { name: string }) => name === wanted)

/** Schema errors of a document, including unknown keys. */
function problemsOf(schema: object, document: unknown): string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  const fits = ajv.compile(schema)
  fits(document)
  return (fits.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

test.each([
  ['Kubernetes', kubernetesSchema, [volumeClaim, judge, merge]],
  ['Argo', argoSchema, [workflow]],
  ['Kubernetes, volume claim of the Argo example', kubernetesSchema, [claim]],
])('the published schema accepts the example, and refuses an unknown key: %s', (_, schema, documents) => {
  expect(documents.flatMap((document) => problemsOf(schema, document))).toEqual([])
  const slip = { ...documents.at(-1), spec: { paralelism: 2 } }
  expect(problemsOf(schema, slip).join()).toContain('paralelism')
})

test('containers of the cluster examples write only to volumes', () => {
  const ofArgo = templates.flatMap(({ container }: { container?: Container }) => container ?? [])
  const containers: Container[] = [judging, merging, ...ofArgo]
  expect(containers).toHaveLength(3)
  for (const { securityContext, volumeMounts } of containers) {
    expect(securityContext.readOnlyRootFilesystem).toBe(true)
    const writable = volumeMounts.filter(({ readOnly }) => readOnly !== true)
    expect(writable.map(({ mountPath }) => mountPath)).toEqual(['/results', '/tmp'])
  }
})

/** Folders in place of volumes, with three targets: two unreachable and one broken. */
function volumes(): string {
  const folder = testFolder()
  for (const mount of ['targets', 'results']) mkdirSync(join(folder, mount))
  for (const [name, text] of Object.entries(threeTargets(setting())))
    writeFileSync(join(folder, 'targets', `${name}.yaml`), text)
  return folder
}

/** Runs the script of a container, with folders in `folder` as its mounts. */
function runContainer(
  { command, args, volumeMounts }: Container,
  folder: string,
  environment: Record<string, string> = {},
): Promise<Ended> {
  const { checkout } = setting()
  // The image has the program in /opt; this machine has it on its PATH.
  const installed = args[0].replaceAll('node /opt/portal-conformance/dist/cli/main.js', 'portal-conformance')
  const mounts = new RegExp(` (${volumeMounts.map(({ mountPath }) => mountPath).join('|')})(?=[ /]|$)`, 'g')
  const script = installed.replace(mounts, (_, mountPath: string) => ` ${join(folder, mountPath)}`)
  return checkout.shell(script, {
    shell: [...command],
    environment,
    first: [join(checkout.path, 'node_modules', '.bin')],
  })
}

/** The targets were judged, and the matrix has each. */
function expectMatrix(results: string): void {
  expect(resultsIn(join(results, 'lima')).verdict).toBe('non-conformant')
  expectThreeTargets(join(results, 'matrix.md'))
}

test('Kubernetes: each pod judges the target of its index, and the last job merges the results', async () => {
  const folder = volumes()
  const judgeIn = (index: string) => runContainer(judging!, folder, { JOB_COMPLETION_INDEX: index })
  expect(judge.spec.completions).toBe(3)
  const judged = await Promise.all(['0', '1', '2'].map(judgeIn))
  expect(judged.map(({ code }) => code)).toEqual([0, 0, 0])
  expect((await runContainer(merging!, folder)).code).toBe(1)
  expectMatrix(join(folder, 'results'))
  // A pod whose index has no target fails.
  expect(await judgeIn('3')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--index 3: there are 3 targets, counted from 0'),
  })
})

/** Replaces placeholders by values; throws for an unknown one, as Argo does. */
const filledIn = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{\{(.*?)\}\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`there is no {{${name}}}`)
    return value
  })

test('Argo: a step counts the targets, a pod judges each, and the last step merges the results', async () => {
  const folder = volumes()
  const known: Record<string, string> = { 'workflow.name': 'portal-conformance-x7k2p' }
  const codes: Record<string, Ended['code'][]> = {}
  // Groups of steps run one after another; a step runs one pod per entry of its sequence.
  for (const [step] of templateOf(entrypoint).steps) {
    const [{ name: parameter, value }] = step.arguments.parameters
    const { container } = templateOf(step.template)
    const count = step.withSequence === undefined ? 1 : Number(filledIn(step.withSequence.count, known))
    const pods = Array.from({ length: count }, (_, item) => {
      const script = filledIn(value, { ...known, item: String(item) })
      const args = [filledIn(container.args[0], { [`inputs.parameters.${parameter}`]: script })]
      return runContainer({ ...container, args }, folder)
    })
    const ends = await Promise.all(pods)
    codes[step.name] = ends.map(({ code }) => code)
    known[`steps.${step.name}.outputs.result`] = ends[0]!.stdout.trim()
    if (ends.some(({ code }) => code !== 0) && step.continueOn?.failed !== true) break
  }
  expect(codes).toEqual({ count: [0], judge: [0, 0, 0], merge: [1] })
  expectMatrix(join(folder, 'results', 'portal-conformance-x7k2p'))
})
