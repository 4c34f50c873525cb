/** A waiver as a run works with it: which checks it covers, on which deployments, and until when. */
import picomatch from 'picomatch'
import type { Waiver } from '../../reporters/results.ts'

export interface WrittenWaiver extends Waiver {
  /** Exact id of a requirement; exactly one of this and `check` is there. */
  readonly requirement?: string
  /** Exact id of a check. */
  readonly check?: string
  /** Glob over base URLs. */
  readonly target: string
}

/** One that is for the target of the run. */
export interface WaiverInUse extends WrittenWaiver {
  /** File, line and column. */
  readonly place: string
}

/** Whether it covers that check; the part of a check id before the colon is its requirement. */
export function covers({ requirement, check }: WrittenWaiver, checkId: string): boolean {
  return check === undefined ? requirement === checkId.split(':')[0] : check === checkId
}

/** Whether the waiver is for that deployment. A base URL that is written out is taken as it stands, brackets and all. */
export function isFor({ target }: WrittenWaiver, baseUrl: string): boolean {
  const pattern = target.trim().replace(/(?<=[^/])\/+$/, '')
  return pattern === baseUrl || picomatch(pattern, { dot: true, nonegate: true })(baseUrl)
}

/** `check add-workspace/creates`, as messages name it. */
export function subjectOf({ requirement, check }: WrittenWaiver): string {
  return check === undefined ? `requirement ${requirement}` : `check ${check}`
}

/** Whether its last day is over; both are dates such as 2026-12-31, in UTC. */
export function isExpired({ expires }: Pick<Waiver, 'expires'>, today: string): boolean {
  return expires < today
}

/** Today's date in UTC, such as 2026-12-31. */
export function dateOf(now: Date): string {
  return now.toISOString().slice(0, 10)
}
