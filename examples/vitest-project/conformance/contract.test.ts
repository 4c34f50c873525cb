/** The whole contract: one test for each requirement, and one for the verdict. */
import { type RequirementResult, runConformance } from 'portal-conformance'
import { expect, test } from 'vitest'
import { openDeployment } from './portal.ts'

const deployment = await openDeployment()
const { configuration } = deployment
const results = await runConformance({ configuration, seed: 7, runs: 5 }).finally(() => deployment.close())

for (const requirement of results.requirements) {
  const { id, section, text, outcome, reason } = requirement
  test(`${id} (${section}): ${text}`, ({ skip }) => {
    // Seen, but not judged: the test of the verdict says whether that is good enough.
    if (outcome !== 'passed' && outcome !== 'failed') skip(reason)
    expect(findingsOf(requirement)).toEqual([])
  })
}

test('the deployment is conformant', () => {
  expect(results.errors).toBeUndefined()
  expect(results.verdict).toBe('conformant')
})

/** What was found, what was expected, and the line that shows it again. */
function findingsOf({ checks }: RequirementResult): string[] {
  return checks.flatMap(({ failure }) => {
    if (failure === undefined) return []
    const { message, expected, actual, replay } = failure
    return [
      [message, `expected: ${expected.join(', or ')}`, `came: ${actual}`, `again: ${replay}`].join('\n'),
    ]
  })
}
