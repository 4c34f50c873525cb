/** Results for formats that know only tests: each check, each finding about clients and each trouble of the run is one. */
import type { ClientFinding } from '../runner/traffic/traffic-report.ts'
import { withoutUndefined } from '../schemas/without-undefined.ts'
import { exchangeLines } from './finding-text.ts'
import type { ReportedCheck, RequirementResult, Results } from './results.ts'
import { safeText } from './safe-text.ts'

/** The checks of a requirement; one that no check proves stands for itself, so that it is not passed over in silence. */
export function checksOf(requirement: RequirementResult): readonly ReportedCheck[] {
  if (requirement.checks.length > 0) return requirement.checks
  const { id, text, outcome, reason } = requirement
  return [withoutUndefined({ id, title: text, outcome, reason, durationMs: 0, requests: 0 })]
}

/**
 * How long a check took of the run, as a factor of its own time. Checks wait beside each other: without it their times
 * would add up to many times the time of the run.
 */
export function shareOfRun({ run, requirements }: Results): number {
  let sum = 0
  for (const { checks } of requirements) for (const { durationMs } of checks) sum += durationMs
  return sum > run.durationMs ? run.durationMs / sum : 1
}

export interface Trouble {
  /** Reads like the id of a check. */
  readonly id: string
  readonly message: string
}

/** Errors of the suite itself, a target that went away, and that the run was cut short; none where the run is whole. */
export function troublesOf({ errors = [], complete, run: { stopped } }: Results): Trouble[] {
  const troubles = errors.map((message, index) => ({ id: `run/error:${index + 1}`, message }))
  if (stopped !== undefined) troubles.push({ id: 'run/stopped', message: stopped })
  if (complete === true) return troubles
  return [...troubles, { id: 'run/complete', message: 'the run was cut short: the rest was not measured' }]
}

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

/** Where a finding about clients showed, and how often besides. */
export function placesInWords({ count, places }: ClientFinding): string {
  const left = count - places.length
  return `${places.join('; ')}${left > 0 ? `; and ${left} more` : ''}`
}

function textOf(finding: ClientFinding): string {
  const { level, message, expected, actual, evidence } = finding
  return [
    safeText(`${level === 'finding' ? 'Found' : 'Note'}: ${message}`),
    safeText(`Expected: ${expected}`),
    safeText(`Sent: ${actual}`),
    safeText(`Where: ${placesInWords(finding)}`),
    ...exchangeLines([evidence]),
  ].join('\n')
}
