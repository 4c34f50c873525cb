/** Vitest as a host: `import { testConformance } from 'portal-conformance/vitest'` declares a test for each check. */
import { afterAll, type RunnerTask, type RunnerTestCase, test } from 'vitest'
import { judgedChecks } from '../../reporters/build-results.ts'
import { exitCodeOf, exitCodes, type Gate } from '../../reporters/exit-codes.ts'
import { troublesOf } from '../../reporters/finding-text.ts'
import { findingText } from '../../reporters/report/findings.ts'
import type { Results } from '../../reporters/results.ts'
import { verdictSentence } from '../../reporters/verdict.ts'
import type { CheckDefinition } from '../../runner/check.ts'
import type { CheckId, CheckResult } from '../../runner/check-result.ts'
import { isSelected } from '../../runner/plan.ts'
import { requirementOf } from '../../specs/requirements.ts'
import { declaredChecks } from '../../suites/declared-checks.ts'
import { runConformance } from '../api.ts'
import type { ConformanceOptions } from '../run/conformance-options.ts'

export interface ConformanceTestOptions
  extends Omit<ConformanceOptions, 'signal' | 'onCheck'>,
    Pick<Gate, 'allowIncomplete' | 'allowInconclusive'> {
  /** Called with the results of the run before the test of the verdict. */
  readonly onResults?: (results: Results) => void | Promise<void>
}

const declared = await declaredChecks()

/**
 * Declares a test for each check, and one for the verdict. The first test begins one run of all selected checks and waits
 * for its end. The test of a check that is not tested is skipped, with the reason. An
 * inconclusive check fails its test, unless `allowInconclusive` is set.
 */
export function testConformance(options: ConformanceTestOptions): void {
  const { operations = [], requirements = [] } = options
  const checks = declared.filter((check) => isSelected(check, { operations, requirements }))
  const names = new Map(checks.map((check) => [nameOf(check), check]))
  const run = new HostedRun(options, names)
  // The run has time limits of its own.
  const unbounded = { timeout: 0 }
  for (const [name, { id }] of names) {
    test(name, unbounded, async ({ task, signal, skip }) => {
      const result = await run.resultOf(id, { tests: testsBeside(task), signal })
      if (typeof result === 'string') return skip(result)
      const { outcome, reason } = result
      const fails = outcome === 'failed' || (outcome === 'inconclusive' && options.allowInconclusive !== true)
      if (fails) throw failure(findingText(requirementOf(result.requirement), result))
      if (outcome !== 'passed') skip(`${outcome}: ${reason}`)
    })
  }
  test('the verdict', unbounded, async ({ task, signal, skip }) => {
    const results = await run.results({ tests: testsBeside(task), signal })
    if (typeof results === 'string') return skip(results)
    await options.onResults?.(results)
    const code = exitCodeOf(results, { ...options, interrupted: false })
    if (code !== exitCodes.conformant) throw failure(verdictText(results, checks))
  })
  afterAll(() => run.end(), 0)
}

const testsBeside = ({ suite, file }: RunnerTestCase): readonly RunnerTask[] => (suite ?? file).tasks

const nameOf = ({ id, requirement, title }: CheckDefinition): string =>
  `${id} (§${requirementOf(requirement).section}): ${title}`

/** The verdict, failures that have no test, and errors of the suite. */
function verdictText(results: Results, checks: readonly CheckDefinition[]): string {
  const shown = new Set<string>(checks.map(({ id }) => id))
  const others = judgedChecks(results)
    .filter(({ id, outcome }) => outcome === 'failed' && !shown.has(id))
    .map((check) => `${check.id}\n${findingText(requirementOf(check.requirement), check)}`)
  const troubles = troublesOf(results).map(({ message }) => message)
  return [verdictSentence(results), ...troubles, ...others].join('\n\n')
}

/** An error without a stack trace, which would show code of this package. */
const failure = (message: string): Error => Object.assign(new Error(message), { stack: `Error: ${message}` })

/** A test that waits for a result. */
interface WaitingTest {
  /** This test and those declared beside it. */
  readonly tests: readonly RunnerTask[]
  /** Aborted when Vitest ends the test, which ends the run. */
  readonly signal: AbortSignal
}

class HostedRun {
  readonly #options: ConformanceOptions
  /** By the name of the test. */
  readonly #checks: ReadonlyMap<string, CheckDefinition>
  readonly #over = new AbortController()
  #run: Promise<Results> | undefined
  #failed = false

  constructor(options: ConformanceOptions, checks: ReadonlyMap<string, CheckDefinition>) {
    this.#options = options
    this.#checks = checks
  }

  /** The result of a check, or why there is none. Rejects as `results` does. */
  async resultOf(id: CheckId, waiting: WaitingTest): Promise<CheckResult | string> {
    const results = await this.results(waiting)
    if (typeof results === 'string') return results
    return judgedChecks(results).find((check) => check.id === id) ?? 'not a check of this target'
  }

  /** The results, or why there are none. The first call rejects if the run cannot begin. */
  async results({ tests, signal }: WaitingTest): Promise<Results | string> {
    if (this.#failed) return 'the run could not begin: see the first test'
    signal.addEventListener('abort', () => this.#over.abort(), { once: true })
    this.#run ??= this.#begin(tests)
    try {
      return await this.#run
    } catch (error) {
      this.#failed = true
      throw error
    }
  }

  /** Ends the run, and resolves once it has cleaned up. */
  async end(): Promise<void> {
    this.#over.abort()
    await this.#run?.catch(() => undefined)
  }

  #begin(tests: WaitingTest['tests']): Promise<Results> {
    const wanted = tests.filter(({ mode }) => mode !== 'skip' && mode !== 'todo')
    const ids = wanted.flatMap(({ name }) => this.#checks.get(name)?.id ?? [])
    const all = ids.length === 0 || ids.length === this.#checks.size
    return runConformance({
      ...this.#options,
      ...(all ? {} : { requirements: ids }),
      signal: this.#over.signal,
    })
  }
}
