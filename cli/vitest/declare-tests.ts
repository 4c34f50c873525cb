/** Vitest as a host: `import { testConformance } from 'portal-conformance/vitest'` declares a test for each check. */
import { afterAll, type RunnerTask, type RunnerTestCase, test } from 'vitest'
import { exitCodeOf, exitCodes, type Gate } from '../../reporters/exit-codes.ts'
import { findingText, troublesOf } from '../../reporters/finding-text.ts'
import type { Results } from '../../reporters/results.ts'
import { verdictSentence } from '../../reporters/verdict.ts'
import type { CheckDefinition } from '../../runner/check.ts'
import { isSelected } from '../../runner/plan.ts'
import { requirementOf } from '../../specs/requirements.ts'
import { declaredChecks } from '../../suites/declared-checks.ts'
import type { ConformanceOptions } from '../run/conformance-options.ts'
import { HostedRun } from './hosted-run.ts'

export interface ConformanceTestOptions
  extends Omit<ConformanceOptions, 'signal' | 'onCheck'>,
    Pick<Gate, 'allowIncomplete' | 'allowInconclusive'> {
  /** Called with the results of the run before the test of the verdict. */
  readonly onResults?: (results: Results) => void | Promise<void>
}

const declared = (await declaredChecks()).map(({ definition }) => definition)

const verdictName = 'the verdict'

/**
 * Declares a test for each check, and one for the verdict. The first test begins one run of all selected checks; each
 * test waits for the result of its check. The test of a check that is not tested is skipped, with the reason. An
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
  test(verdictName, unbounded, async ({ task, signal, skip }) => {
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
  const others = results.requirements.flatMap((requirement) =>
    requirement.checks
      .filter(({ id, outcome }) => outcome === 'failed' && !shown.has(id))
      .map((check) => `${check.id}\n${findingText(requirement, check)}`),
  )
  const troubles = troublesOf(results).map(({ message }) => message)
  return [verdictSentence(results), ...troubles, ...others].join('\n\n')
}

/** An error without a stack trace, which would show code of this package. */
const failure = (message: string): Error => Object.assign(new Error(message), { stack: `Error: ${message}` })
