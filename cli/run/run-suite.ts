/** Starts Vitest on the suite files of this package, silently and without a trace on disk. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { SerializedError } from 'vitest'
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'
import { createRedactor } from '../../deployment/redaction/redaction.ts'
import type { CheckResult } from '../../runner/check-result.ts'
import type { ExchangeSummary } from '../../runner/exchange-summary.ts'
import type { PlannedCheck } from '../../runner/plan.ts'
import { type RequirementLooks, withoutDoubles } from '../../runner/run-watch.ts'
import type { WorkerInput } from '../../runner/worker-input.ts'
import { withoutUndefined } from '../../schemas/without-undefined.ts'
import { firstLine, RunErrors } from '../process/run-errors.ts'
import { untilAfter } from '../process/surroundings.ts'
import { endIdleWorker, suitePool } from './suite-worker.ts'

/** How long checks may go on after the run was stopped, and how long the worker may take to end, in milliseconds. */
const graceMs = 1000
const closingMs = 10_000

const packageRoot = fileURLToPath(new URL('../..', import.meta.url))
/** Sources run under the project's own tests, compiled files everywhere else. */
const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'

/** Runs the checks of those files until all are over or the signal is aborted. What breaks is added to the errors. */
async function runSuite(input: WorkerInput, listener: SuiteListener): Promise<void> {
  const { signal, errors } = listener
  const exitCode = process.exitCode
  const before = { ...process.env }
  let set: readonly string[] = []
  let vitest: Vitest | undefined
  try {
    vitest = await create(input, listener)
    set = Object.keys(process.env).filter((name) => process.env[name] !== before[name])
    const running = vitest
    const stop = () => void running.cancelCurrentRun('keyboard-input').catch(() => undefined)
    signal.addEventListener('abort', stop, { once: true })
    if (!signal.aborted) await untilAfter(running.start(), signal, graceMs)
    signal.removeEventListener('abort', stop)
  } catch (error) {
    if (!signal.aborted) errors.add('the suite', error)
  } finally {
    const bound = signal.aborted ? graceMs : closingMs
    if (vitest !== undefined) await untilAfter(vitest.close(), AbortSignal.abort(), bound)
    // What broke may have been told after the thread was given back.
    if (!isSound(listener)) await endIdleWorker()
    // Vitest sets it for every failed test; what a run comes to is decided elsewhere.
    process.exitCode = exitCode
    // Nor is what it tells its workers through the environment meant for a program that called us.
    for (const name of set) restoreVariable(name, before[name])
  }
}

/** The run came to its end and nothing broke: nothing of it can go on in the thread. */
const isSound = ({ signal, errors }: SuiteListener): boolean => !signal.aborted && errors.lines().length === 0

async function create(input: WorkerInput, listener: SuiteListener): Promise<Vitest> {
  const { createVitest } = await import('vitest/node')
  const removeNewListeners = rememberListeners()
  const creating = createVitest(
    'test',
    {
      config: false,
      root: packageRoot,
      include: [`suites/all.suite.${ending}`],
      exclude: [],
      provide: { portalConformance: input },
      reporters: [new SuiteReporter(listener)],
      // Compiled files are loaded as they are: passing each of them through Vite would double the start-up time.
      // Not so the one that Vitest runs: Node would not run it again where the thread serves another run.
      server: {
        deps: ending === 'js' ? { inline: [/[\\/]all\.suite\.js$/], external: [/\.js$/] } : {},
      },
      watch: false,
      cache: false,
      api: false,
      // One worker: connections, fixtures and the bounds of the run are shared by all checks.
      pool: ending === 'js' ? suitePool(() => isSound(listener)) : 'threads',
      isolate: false,
      maxWorkers: 1,
      fileParallelism: false,
      sequence: { concurrent: true },
      maxConcurrency: 1000,
      // Every exchange has a deadline of its own, and checks may have to wait long for consequences.
      testTimeout: 0,
    },
    {
      cacheDir: join(tmpdir(), `portal-conformance-${process.pid}`),
      // Nothing of the folder in which the package is installed may change what it does.
      envDir: false,
      css: { postcss: {} },
      logLevel: 'silent',
      clearScreen: false,
    },
    { stdout: nowhere(), stderr: nowhere() },
  )
  // Vitest has put its own in place by now: they would end the process before anything is written.
  removeNewListeners()
  return creating
}

function restoreVariable(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name]
  else process.env[name] = value
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}

/** Remembers who listens to the process now; the returned function sends newcomers away. */
function rememberListeners(): () => void {
  const events = ['SIGINT', 'SIGTERM', 'exit', 'unhandledRejection']
  const known = new Map(events.map((event) => [event, process.rawListeners(event)]))
  return () => {
    for (const [event, before] of known) {
      for (const listener of process.rawListeners(event)) {
        if (!before.includes(listener)) process.off(event, listener as (...values: unknown[]) => void)
      }
    }
  }
}

interface Measurement {
  readonly input: WorkerInput
  readonly planned: readonly PlannedCheck[]
  /** Aborted where the user interrupts. */
  readonly signal: AbortSignal
  /** The process is there for this run alone. */
  readonly ownProcess: boolean
  onCheck(result: CheckResult): void
}

interface MeasuredChecks {
  readonly checks: readonly CheckResult[]
  readonly looks: readonly RequirementLooks[]
  /** What was sent and how it was answered; absent where the run ended before that was told. */
  readonly exchanges?: ExchangeSummary
  /** One line each, redacted. */
  readonly errors: readonly string[]
}

/** Never rejects: what broke stands among the errors. */
export async function measure({
  input,
  planned,
  signal,
  ownProcess,
  onCheck,
}: Measurement): Promise<MeasuredChecks> {
  const checks: CheckResult[] = []
  const watched = new Map<string, CheckResult>()
  let looks: readonly RequirementLooks[] = []
  let exchanges: ExchangeSummary | undefined
  const errors = new RunErrors()
  const { text } = createRedactor(input.configuration)
  const broken = new AbortController()
  let over = false
  const tell = (result: CheckResult): void => {
    if (over) return
    // What a check says is redacted, but for why it broke.
    const { reason } = result
    const safe = reason === undefined ? result : { ...result, reason: text(reason) }
    checks.push(safe)
    onCheck(safe)
  }
  const onBreakdown = (error: unknown) => {
    errors.add('portal-conformance', error)
    broken.abort()
  }
  // An error that nobody caught would end the process, and all that was measured with it; another's is its own affair.
  const events = ownProcess ? (['uncaughtException', 'unhandledRejection'] as const) : []
  for (const event of events) process.on(event, onBreakdown)
  try {
    await runSuite(input, {
      planned,
      errors,
      signal: AbortSignal.any([signal, broken.signal]),
      onCheck: tell,
      onTold: (told) => {
        for (const result of told.watched ?? []) watched.set(result.id, result)
        looks = told.looks ?? looks
        exchanges = told.exchanges ?? exchanges
      },
    })
  } catch (error) {
    errors.add('portal-conformance', error)
  } finally {
    // At the end it is known what the checks tell themselves; it is told also where the run was cut short.
    for (const result of withoutDoubles([...checks, ...watched.values()]).slice(checks.length)) tell(result)
    over = true
    for (const event of events) process.off(event, onBreakdown)
  }
  return withoutUndefined({ checks, looks, errors: errors.lines().map(text), exchanges })
}

interface SuiteListener {
  readonly planned: readonly PlannedCheck[]
  readonly errors: RunErrors
  /** Once aborted, tests that end without a result are no errors. */
  readonly signal: AbortSignal
  onCheck(result: CheckResult): void
  /** What the watch saw beside a check, of which the later result of one id counts; at the end what the whole run sent. */
  onTold(told: Pick<ReturnType<TestCase['meta']>, 'watched' | 'looks' | 'exchanges'>): void
}

export class SuiteReporter implements Reporter {
  readonly #listener: SuiteListener

  constructor(listener: SuiteListener) {
    this.#listener = listener
  }

  onTestCaseResult(test: TestCase): void {
    const { onCheck, onTold, signal, errors } = this.#listener
    const { checkResult, ...told } = test.meta()
    if (checkResult !== undefined) onCheck(checkResult)
    onTold(told)
    if (checkResult !== undefined || told.looks !== undefined) return
    if (signal.aborted) return
    const error = test.result().errors?.[0] ?? new Error('it ended without a result')
    errors.add(test.name, error)
    this.#broken(test.name, firstLine(error))
  }

  onTestModuleEnd(module: TestModule): void {
    if (this.#listener.signal.aborted) return
    for (const error of module.errors()) this.#listener.errors.add(module.relativeModuleId, error)
  }

  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    if (this.#listener.signal.aborted) return
    for (const error of unhandled) this.#listener.errors.add('the suite', error)
  }

  /** A check that broke says nothing of the target, and nothing in its favour either. */
  #broken(id: string, message: string): void {
    const plan = this.#listener.planned.find((planned) => planned.id === id)
    if (plan === undefined) return
    this.#listener.onCheck({
      id: plan.id,
      requirement: plan.requirement,
      title: plan.title,
      outcome: 'inconclusive',
      reason: `the check itself broke: ${message}`,
      durationMs: 0,
      requests: 0,
    })
  }
}
