/** Does with workflows what GitHub does: jobs after jobs, matrices, expressions, scripts in their environment, artefacts. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { Lanes } from '../../runner/lanes.ts'
import { type Checkout, shippedYaml } from './pipeline.fixture.ts'

interface Step {
  readonly id?: string
  readonly if?: string
  readonly uses?: string
  readonly with?: Readonly<Record<string, string | boolean>>
  readonly run?: string
  readonly shell?: string
  readonly env?: Readonly<Record<string, string>>
  readonly 'working-directory'?: string
}

interface Job {
  readonly needs?: string
  readonly if?: string
  readonly strategy?: { readonly matrix: Readonly<Record<string, string | readonly unknown[]>> }
  readonly env?: Readonly<Record<string, string>>
  readonly outputs?: Readonly<Record<string, string>>
  readonly steps: readonly Step[]
}

export interface Workflow {
  readonly env?: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, Job>>
}

export interface JobEnd {
  readonly result: 'success' | 'failure' | 'skipped'
  /** Of the first step that failed. */
  readonly code: number
  readonly log: string
  readonly summary: string
  readonly outputs: Readonly<Record<string, string>>
  /** Where it worked. */
  readonly folder: string
}

/** What a job knows, and what came of it so far. */
interface Scope {
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  /** Of `steps`, `matrix` and so on, by their dotted names. */
  readonly values: Record<string, unknown>
  log: string
}

/** Jobs of a matrix run side by side, so many at once. */
const atOnce = 3

export class Runner {
  readonly #checkout: Checkout
  readonly #lanes = new Lanes(atOnce)
  /** Everything it does takes place here; a path with a space, as on a machine of somebody. */
  readonly #folder: string
  /** What actions/checkout brings. */
  readonly repository: string
  /** A folder for each artefact. */
  readonly artefacts: string
  /** Programs that go before those of the system. */
  first: readonly string[] = []
  /** Where our action is: the built package, unless a test says otherwise. */
  actionFolder: string

  constructor(checkout: Checkout) {
    this.#checkout = checkout
    this.actionFolder = checkout.packageFolder
    this.#folder = mkdtempSync(join(checkout.path, 'a runner '))
    this.repository = this.#made('repository')
    this.artefacts = this.#made('artefacts')
  }

  /** Runs the jobs in the order of the file. `values`: what GitHub and the repository know, by dotted names. */
  async run({ env = {}, jobs }: Workflow, values: Values = {}): Promise<Record<string, readonly JobEnd[]>> {
    const ends: Record<string, readonly JobEnd[]> = {}
    for (const [name, job] of Object.entries(jobs)) {
      const needed = job.needs === undefined ? [] : (ends[job.needs] ?? [])
      const met = needed.every(({ result }) => result === 'success')
      const known = { ...values, ...valuesBelow(`needs.${job.needs}.outputs`, needed[0]?.outputs ?? {}) }
      const cells = isTrue(job.if, met, known) ? cellsOf(job, known) : []
      ends[name] = await Promise.all(
        cells.map((cell) => this.#lanes.run(() => this.job(job, env, { ...known, ...cell }))),
      )
      if (!isTrue(job.if, met, known)) ends[name] = [skipped]
    }
    return ends
  }

  async job({ env = {}, outputs = {}, steps }: Job, shared: Values, values: Values): Promise<JobEnd> {
    const scope: Scope = {
      folder: this.#made('work'),
      environment: { ...filled(shared, values), ...filled(env, values) },
      values: { ...values },
      log: '',
    }
    const code = await this.#steps(steps, scope)
    const summary = join(scope.folder, '..', `${basename(scope.folder)}.md`)
    return {
      result: code === 0 ? 'success' : 'failure',
      code,
      log: scope.log,
      summary: existsSync(summary) ? readFileSync(summary, 'utf8') : '',
      outputs: filled(outputs, scope.values),
      folder: scope.folder,
    }
  }

  async #steps(steps: readonly Step[], scope: Scope): Promise<number> {
    let first = 0
    for (const step of steps) {
      if (!isTrue(step.if, first === 0, scope.values)) continue
      const code = step.run === undefined ? await this.#use(step, scope) : await this.#script(step, scope)
      first ||= code
    }
    return first
  }

  async #script(step: Step, scope: Scope): Promise<number> {
    const { folder, values } = scope
    const outputs = join(this.#folder, `${basename(folder)}-${step.id}.outputs`)
    writeFileSync(outputs, '')
    const { code, stdout, stderr } = await this.#checkout.shell(step.run as string, {
      shell: step.shell === 'bash' ? ['bash', '--noprofile', '--norc', '-eo', 'pipefail'] : ['bash', '-e'],
      environment: {
        ...scope.environment,
        ...filled(step.env ?? {}, values),
        CI: 'true',
        GITHUB_ACTIONS: 'true',
        GITHUB_ACTION_PATH: this.actionFolder,
        GITHUB_OUTPUT: outputs,
        GITHUB_STEP_SUMMARY: join(folder, '..', `${basename(folder)}.md`),
        RUNNER_TEMP: this.#folder,
      },
      first: this.first,
      folder: join(folder, evaluated(step['working-directory'] ?? '.', values)),
    })
    scope.log += stdout + stderr
    const lines = readFileSync(outputs, 'utf8').split('\n').filter(Boolean)
    const told = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2) as [string, string]))
    Object.assign(values, valuesBelow(`steps.${step.id}.outputs`, told))
    return code ?? 1
  }

  async #use(step: Step, scope: Scope): Promise<number> {
    const inputs = filled(step.with ?? {}, scope.values)
    const { name = '', path = '', pattern = '' } = inputs
    const from = join(scope.folder, path)
    switch (step.uses?.replace(/@.*/, '')) {
      case 'actions/checkout':
        cpSync(this.repository, scope.folder, { recursive: true })
        return 0
      case 'actions/setup-node':
        return 0
      case 'actions/upload-artifact':
        // As GitHub does: a name is used once in a run of a workflow, and no files are no artefact.
        if (existsSync(join(this.artefacts, name))) throw new Error(`409 Conflict: ${name}`)
        if (existsSync(path.startsWith('/') ? path : from))
          cpSync(path.startsWith('/') ? path : from, join(this.artefacts, name), { recursive: true })
        return 0
      case 'actions/download-artifact':
        for (const artefact of readdirSync(this.artefacts)) {
          if (!artefact.startsWith(pattern.replace(/\*$/, ''))) continue
          cpSync(join(this.artefacts, artefact), from, { recursive: true })
        }
        return 0
      case 'OWNER/portal-conformance':
        return this.#action(step, inputs, scope)
      default:
        throw new Error(`${step.uses}: this runner does not know it`)
    }
  }

  /** Our own action: its steps see its inputs and their own outputs only. */
  async #action({ id, env = {} }: Step, given: Values, scope: Scope): Promise<number> {
    const { inputs, outputs, runs } = shippedYaml('action.yml')
    const values = Object.fromEntries(
      Object.entries(scope.values).filter(([name]) => !/^(steps|needs)\./.test(name)),
    )
    for (const [name, input] of Object.entries<{ default?: string }>(inputs)) {
      values[`inputs.${name}`] = given[name] ?? evaluated(input.default ?? '', values)
    }
    const environment = { ...scope.environment, ...filled(env, scope.values) }
    const inner: Scope = { ...scope, environment, values }
    const code = await this.#steps(runs.steps, inner)
    scope.log = inner.log
    const told = Object.entries<{ value: string }>(outputs).map(([name, { value }]) => [
      name,
      evaluated(value, values),
    ])
    Object.assign(scope.values, valuesBelow(`steps.${id}.outputs`, Object.fromEntries(told)))
    return code ?? 1
  }

  #made(name: string): string {
    const folder = mkdtempSync(join(this.#folder, `${name} `))
    mkdirSync(folder, { recursive: true })
    return folder
  }
}

const skipped: JobEnd = { result: 'skipped', code: 0, log: '', summary: '', outputs: {}, folder: '' }

/** What each job of a matrix of one dimension knows; a job without a matrix is the only one of it. */
function cellsOf({ strategy }: Job, values: Values): Values[] {
  const [dimension] = Object.entries(strategy?.matrix ?? {})
  if (dimension === undefined) return [{ 'strategy.job-index': 0, 'strategy.job-total': 1 }]
  const [name, listed] = dimension
  const items = typeof listed === 'string' ? (resultOf(listed, values) as unknown[]) : listed
  return items.map((item, at) => ({
    'strategy.job-index': at,
    'strategy.job-total': items.length,
    [`matrix.${name}`]: item,
    ...(typeof item === 'object' ? valuesBelow(`matrix.${name}`, item as Values) : {}),
  }))
}

function filled(texts: Readonly<Record<string, unknown>>, values: Values): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, evaluated(text, values)]))
}

/** By dotted names, such as `matrix.shard`. */
type Values = Readonly<Record<string, unknown>>

const functions = {
  always: () => true,
  format: (text: string, ...parts: unknown[]) =>
    text.replace(/\{(\d+)\}/g, (_, at: string) => String(parts[Number(at)])),
  fromJSON: JSON.parse,
}

/** The value of an expression, with or without `${{ }}` around it. What is not known is empty, as it is there. */
function resultOf(expression: string, values: Values): unknown {
  const bare = expression.trim().replace(/^\$\{\{|\}\}$/g, '')
  const code = bare.replace(/'[^']*'|[a-z]\w*(?:\.[\w-]+)+/gi, (part) =>
    part.startsWith("'") ? part : `look(${JSON.stringify(part)})`,
  )
  return runInNewContext(code, { ...functions, look: (name: string) => values[name] ?? '' })
}

/** The text with its expressions filled in. */
function evaluated(text: unknown, values: Values): string {
  return String(text).replace(/\$\{\{.*?\}\}/g, (expression) => String(resultOf(expression, values)))
}

/** A condition; without a word on the state of things it holds only after success. */
function isTrue(condition: string | undefined, success: boolean, values: Values): boolean {
  if (condition === undefined) return success
  return (success || condition.includes('always()')) && Boolean(resultOf(condition, values))
}

/** The values of an object under dotted names. */
function valuesBelow(name: string, object: Values): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [`${name}.${key}`, value]))
}
