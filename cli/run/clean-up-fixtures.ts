/** Has the provider remove its fixtures after a run, within bounds. */
import type { OpenFixtures } from '../../deployment/fixtures/fixture-sources.ts'
import type { ProviderCleanup } from '../../deployment/journal/journal-entry.ts'
import { untilAfter } from '../process/patience.ts'
import { firstLine } from '../process/run-errors.ts'

/** How long the fixture provider may take to clean up, and how long after an interruption, in milliseconds. */
const cleanupMs = 10_000
const interruptedCleanupMs = 5000

/** Things that the run made itself are removed one by one. */
const removalMs = 30 * 60_000
const interruptedRemovalMs = 60_000

/** What became of those of that run. Never rejects: where fixtures may be left over, `warn` is told. */
export async function cleanUpFixtures(
  fixtures: OpenFixtures,
  runId: string,
  signal: AbortSignal,
  warn: (message: string) => void,
): Promise<ProviderCleanup> {
  const own = fixtures.administration !== undefined
  const [longest, afterInterrupt] = own
    ? [removalMs, interruptedRemovalMs]
    : [cleanupMs, interruptedCleanupMs]
  try {
    const answer = await untilAfter(
      fixtures.cleanup(runId),
      AbortSignal.any([signal, AbortSignal.timeout(longest - afterInterrupt)]),
      afterInterrupt,
    )
    if (answer !== undefined) return answer
    warn('the fixture provider did not clean up in time: its fixtures may be left over')
  } catch (error) {
    warn(`${firstLine(error)}: fixtures may be left over`)
  }
  return 'failed'
}
