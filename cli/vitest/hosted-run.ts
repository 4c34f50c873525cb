/** One run of checks whose results are awaited one by one, by tests of Vitest. */
import type { RunnerTask } from 'vitest'
import type { Results } from '../../reporters/results.ts'
import type { CheckDefinition } from '../../runner/check.ts'
import type { CheckId, CheckResult } from '../../runner/check-result.ts'
import { runConformance } from '../api.ts'
import type { ConformanceOptions } from '../run/conformance-options.ts'

/** A test that waits. */
interface Asking {
  /** It and those declared beside it. */
  readonly tests: readonly RunnerTask[]
  /** Aborted when Vitest ends the test: then the run ends, too. */
  readonly signal: AbortSignal
}

export class HostedRun {
  readonly #options: ConformanceOptions
  /** By the names of their tests. */
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

  /** The result of a check as soon as it is there, or why there is none. Rejects as `results` does. */
  async resultOf(id: CheckId, asked: Asking): Promise<CheckResult | string> {
    const soon = new Promise<CheckResult>((resolve) => this.#waiting.set(id, resolve))
    const known = this.#results.get(id)
    const result = await (known ?? Promise.race([soon, this.#atEnd(id, asked)]))
    // Waivers are put on failures at the end.
    const final = typeof result === 'string' || result.outcome === 'passed' || !this.#options.waivers
    return final ? result : this.#atEnd(id, asked)
  }

  /** The results at the end, or why there are none. Rejects where the run cannot begin, the first time that it is asked. */
  async results({ tests, signal }: Asking): Promise<Results | string> {
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

  async #atEnd(id: CheckId, asked: Asking): Promise<CheckResult | string> {
    const results = await this.results(asked)
    if (typeof results === 'string') return results
    for (const { id: requirement, checks } of results.requirements)
      for (const check of checks) if (check.id === id) return { ...check, requirement }
    return 'not a check of this target'
  }

  #begin(tests: Asking['tests']): Promise<Results> {
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
