/** One run of checks; each result is awaited by a test of Vitest. */
import type { RunnerTask } from 'vitest'
import type { Results } from '../../reporters/results.ts'
import type { CheckDefinition } from '../../runner/check.ts'
import type { CheckId, CheckResult } from '../../runner/check-result.ts'
import { runConformance } from '../api.ts'
import type { ConformanceOptions } from '../run/conformance-options.ts'

/** A test that waits for a result. */
interface WaitingTest {
  /** This test and those declared beside it. */
  readonly tests: readonly RunnerTask[]
  /** Aborted when Vitest ends the test, which ends the run. */
  readonly signal: AbortSignal
}

export class HostedRun {
  readonly #options: ConformanceOptions
  /** By the name of the test. */
  readonly #checks: ReadonlyMap<string, CheckDefinition>
  readonly #over = new AbortController()
  readonly #results = new Map<CheckId, CheckResult>()
  readonly #waiting = new Map<CheckId, (result: CheckResult) => void>()
  #run: Promise<Results> | undefined
  #failed = false

  constructor(options: ConformanceOptions, checks: ReadonlyMap<string, CheckDefinition>) {
    this.#options = options
    this.#checks = checks
  }

  /** The result of a check when it ends, or why there is none. Rejects as `results` does. */
  async resultOf(id: CheckId, waiting: WaitingTest): Promise<CheckResult | string> {
    const soon = new Promise<CheckResult>((resolve) => this.#waiting.set(id, resolve))
    const known = this.#results.get(id)
    const result = await (known ?? Promise.race([soon, this.#atEnd(id, waiting)]))
    // Waivers are applied at the end.
    const final = typeof result === 'string' || result.outcome === 'passed' || !this.#options.waivers
    return final ? result : this.#atEnd(id, waiting)
  }

  /** The results at the end, or why there are none. The first call rejects if the run cannot begin. */
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

  async #atEnd(id: CheckId, waiting: WaitingTest): Promise<CheckResult | string> {
    const results = await this.results(waiting)
    if (typeof results === 'string') return results
    for (const { id: requirement, checks } of results.requirements)
      for (const check of checks) if (check.id === id) return { ...check, requirement }
    return 'not a check of this target'
  }

  #begin(tests: WaitingTest['tests']): Promise<Results> {
    const wanted = tests.filter(({ mode }) => mode !== 'skip' && mode !== 'todo')
    const ids = wanted.flatMap(({ name }) => this.#checks.get(name)?.id ?? [])
    const all = ids.length === 0 || ids.length === this.#checks.size
    return runConformance({
      ...this.#options,
      ...(all ? {} : { requirements: ids }),
      signal: this.#over.signal,
      onCheck: (result) => {
        this.#results.set(result.id, result)
        this.#waiting.get(result.id)?.(result)
      },
    })
  }
}
