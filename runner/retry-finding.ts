/** Retries what was found to see how often it shows. The only loop that does so. */
import type { Sightings } from './check-result.ts'
import { Discarded, Finding, isOfTheTarget } from './findings.ts'

/** The number of tries if the finding does not show again. */
export const mostRetries = {
  /** One exchange proves it, so retries only show how often it occurs. */
  howOften: 4,
  /** The environment may be the reason, so it must show a second time. */
  again: 1,
} as const

/** The result of retrying. */
export interface RetryResult extends Sightings {
  /** The finding of the last try. Absent: it did not show again. */
  readonly finding?: Finding
}

/**
 * Retries until the finding shows again, at most that often. `look` rejects with the finding if it shows. Inconclusive
 * tries are not counted. Rejects with errors of the suite.
 */
export async function retryFinding(most: number, look: () => Promise<void>): Promise<RetryResult> {
  let tries = 0
  for (let time = 0; time < most; time += 1) {
    const end = await endOf(look)
    if (end instanceof Finding) return { tries: tries + 1, times: 1, finding: end }
    if (end === undefined) tries += 1
  }
  return { tries, times: 0 }
}

async function endOf(look: () => Promise<void>): Promise<Error | undefined> {
  try {
    await look()
    return undefined
  } catch (error) {
    if (error instanceof Discarded || isOfTheTarget(error)) return error
    throw error
  }
}
