/** How one requirement is judged, in words; what a check does is said by its code. */
import type { RequirementId } from '../../specs/requirements.ts'

export interface Judged {
  /** What must be accepted before the probe proves anything; absent: what is probed is a valid request itself. */
  readonly control?: string
  /** What is sent and what is expected of it. */
  readonly probe: string
}

/** A requirement that is left out is judged as all of its kind are. */
export type JudgedTexts = Readonly<Partial<Record<RequirementId, Judged>>>

/** A caller who may not: the control is the same request by the one who may. */
export const refused = (permitted: string, who: string): Judged => ({
  control: `the request by ${permitted}`,
  probe: `the same request by ${who}, whole and with parameters left out, on each path tried: refused`,
})
