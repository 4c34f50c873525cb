/** Findings about clients, for formats that know only tests: one for each, so that a red one is seen where the exit code is. */
import type { ClientFinding } from '../suites/traffic/traffic-report.ts'
import { exchangeLines } from './finding-text.ts'
import type { Results } from './results.ts'
import { safeText } from './safe-text.ts'

export interface ClientCase {
  /** Reads like the id of a check; each is there once. */
  readonly id: string
  /** A note is no failure. */
  readonly failed: boolean
  readonly message: string
  /** All that is known of it: lines without control characters. */
  readonly text: string
}

export const clientTitle = 'Client: requests that no conforming server needs to accept'

/** None where the results are of a run. */
export function clientCases({ run: { traffic } }: Results): ClientCase[] {
  const seen = new Map<string, number>()
  return (traffic?.client ?? []).map((finding) => {
    const name = `${finding.id}:${finding.operation}`
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return {
      id: count === 1 ? name : `${name}:${count}`,
      failed: finding.level === 'finding',
      message: finding.message,
      text: textOf(finding),
    }
  })
}

function textOf({ level, message, expected, actual, count, places, evidence }: ClientFinding): string {
  const left = count - places.length
  return [
    safeText(`${level === 'finding' ? 'Found' : 'Note'}: ${message}`),
    safeText(`Expected: ${expected}`),
    safeText(`Sent: ${actual}`),
    safeText(`Where: ${places.join('; ')}${left > 0 ? `; and ${left} more` : ''}`),
    ...exchangeLines([evidence]),
  ].join('\n')
}
