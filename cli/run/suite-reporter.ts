/** Listens to Vitest: takes the results of checks from its tests, and notices what broke. */
import type { SerializedError } from 'vitest'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import type { CheckResult } from '../../runner/check-result.ts'
import type { ExchangeSummary } from '../../runner/exchange-summary.ts'
import type { PlannedCheck } from '../../runner/plan.ts'
import type { RequirementLooks } from '../../runner/run-watch.ts'
import { firstLine, type RunErrors } from '../process/run-errors.ts'

export interface SuiteListener {
  readonly planned: readonly PlannedCheck[]
  readonly errors: RunErrors
  /** Once aborted, tests that end without a result are no errors. */
  readonly signal: AbortSignal
  onCheck(result: CheckResult): void
  /** What the watch saw beside the checks; the later result of one id counts. */
  onWatched(results: readonly CheckResult[]): void
  /** On how many answers each requirement was looked at; not called where the run was cut short. */
  onLooks(looks: readonly RequirementLooks[]): void
  /** What the whole run sent, told at its end. */
  onExchanges?(exchanges: ExchangeSummary): void
}

export class SuiteReporter implements Reporter {
  readonly #listener: SuiteListener

  constructor(listener: SuiteListener) {
    this.#listener = listener
  }

  onTestCaseResult(test: TestCase): void {
    const { onCheck, onWatched, onLooks, onExchanges, signal, errors } = this.#listener
    const { checkResult, watched = [], looks, exchanges } = test.meta()
    if (checkResult !== undefined) onCheck(checkResult)
    if (watched.length > 0) onWatched(watched)
    if (looks !== undefined) onLooks(looks)
    if (exchanges !== undefined) onExchanges?.(exchanges)
    if (checkResult !== undefined || looks !== undefined) return
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
