/** Vitest as a host: `import { testConformance } from 'portal-conformance/vitest'` declares a test for each check. */
import { afterAll, type RunnerTestCase, type TestContext, test } from 'vitest'
import { judgedChecks } from '../../reporters/build-results.ts'
import { exitCodeOf, exitCodes, type Gate } from '../../reporters/exit-codes.ts'
import { troublesOf } from '../../reporters/finding-text.ts'
import { findingText } from '../../reporters/report/findings.ts'
import type { Results } from '../../reporters/results.ts'
import { verdictSentence } from '../../reporters/verdict.ts'
import type { CheckDefinition } from '../../runner/check.ts'
import { isQuick } from '../../runner/effort.ts'
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
  const { results, end } = hostedRun(options, names)
  // The run has time limits of its own.
  const unbounded = { timeout: 0 }
  for (const [name, { id, requirement }] of names) {
    test(name, unbounded, async (context) => {
      const { skip } = context
      const judged = await results(context)
      const result = judgedChecks(judged).find((check) => check.id === id)
      if (result === undefined) {
        const isLeftOut = isQuick(judged.run) && judged.requirements.some((each) => each.id === requirement)
        return skip(
          isLeftOut ? 'not in a quick run: it needs more cases (runs)' : 'not a check of this target',
        )
      }
      const { outcome, reason } = result
      const fails = outcome === 'failed' || (outcome === 'inconclusive' && options.allowInconclusive !== true)
      if (fails) throw failure(findingText(requirementOf(result.requirement), result))
      if (outcome !== 'passed') skip(`${outcome}: ${reason}`)
    })
  }
  test('the verdict', unbounded, async (context) => {
    const judged = await results(context)
    await options.onResults?.(judged)
    const code = exitCodeOf(judged, { ...options, interrupted: false })
    if (code !== exitCodes.conformant) throw failure(verdictText(judged, checks))
  })
  afterAll(end, 0)
}

/** One run for all tests, of the checks whose tests Vitest runs. `checks`: by the name of the test. */
function hostedRun(options: ConformanceOptions, checks: ReadonlyMap<string, CheckDefinition>) {
  const over = new AbortController()
  let run: Promise<Results> | undefined
  let failed = false
  const begin = ({ suite, file }: RunnerTestCase): Promise<Results> => {
    const wanted = (suite ?? file).tasks.filter(({ mode }) => mode !== 'skip' && mode !== 'todo')
    const ids = wanted.flatMap(({ name }) => checks.get(name)?.id ?? [])
    const all = ids.length === 0 || ids.length === checks.size
    return runConformance({ ...options, ...(all ? {} : { requirements: ids }), signal: over.signal })
  }
  return {
    /** Rejects in the first test if the run cannot begin, and skips the others. */
    results: async ({ task, signal, skip }: TestContext): Promise<Results> => {
      if (failed) skip('the run could not begin: see the first test')
      signal.addEventListener('abort', () => over.abort(), { once: true })
      run ??= begin(task)
      try {
        return await run
      } catch (error) {
        failed = true
        throw error
      }
    },
    /** Ends the run, and resolves once it has cleaned up. */
    end: async (): Promise<void> => {
      over.abort()
      await run?.catch(() => undefined)
    },
  }
}

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
