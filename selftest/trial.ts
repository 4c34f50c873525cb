/** What a trial of the self-test is, and what comes out of it. */
import type { RequirementId } from '../specs/requirements.ts'
import type { Alteration, Judged } from './judgement.ts'

export interface Plan {
  readonly seed: number
  /** Cases of each generated check. */
  readonly runs: number
  /** The number of combinations of three variants. */
  readonly combinations: number
  /** Whether faults that do not interact share a run, and variants that excuse nothing are tried in combinations only. */
  readonly together: boolean
  /** Of the faults that are products of a rule and a place, try every N-th. 1: all. */
  readonly products: number
  /** The number of faults in one situation. */
  readonly situations: number
}

/** The fewest cases of a run that makes all checks: enough to see what hostile targets and scarce fixtures do to a run. */
export const fewRuns = 8

/** What is run, and what must come out. */
export interface Trial {
  /** Kind and ids. */
  readonly name: string
  /** What the target does. */
  readonly sentence: string
  /** The requirements that must fail. Absent: the target keeps the contract, or is no portal. */
  readonly breaks?: readonly RequirementId[]
  readonly alteration: Alteration
  readonly shared?: SharedRun
  /** Whether it is not tried again after an unexpected result. */
  readonly once?: true
  /** One line each. Empty: all is as it should be. */
  readonly problemsIn: (judged: Judged) => readonly string[]
}

/** A run that several trials share. */
interface SharedRun {
  /** One object for all of these trials. */
  readonly alteration: Alteration
  /** Whether the run shows what must come out of each of them. If not, only runs of their own can tell. */
  readonly shows: (judged: Judged) => boolean
}

/** What came out of a trial. */
export interface Row {
  readonly name: string
  readonly sentence: string
  readonly breaks: readonly RequirementId[]
  readonly problems: readonly string[]
  /** Whether there is a finding though the target keeps the contract. No busy machine excuses that. */
  readonly falseAlarm: boolean
  readonly durationMs: number
}

/** `isShown`: whether a shared run shows what must come out. */
export function rowOf({ name, sentence, breaks, problemsIn }: Trial, judged: Judged, isShown: boolean): Row {
  const { broke, failed, durationMs } = judged
  return {
    name,
    sentence,
    breaks: breaks ?? [],
    problems: isShown ? [] : broke === undefined ? problemsIn(judged) : [`the suite broke: ${broke}`],
    falseAlarm: breaks === undefined && failed.length > 0,
    durationMs,
  }
}

export const isClean = ({ problems }: Row): boolean => problems.length === 0

/** A part of the self-test: its trials, and how a document speaks of them. */
export interface Part {
  /** As in `--part`. */
  readonly name: string
  readonly title: string
  /** What is said of a row without problems. */
  readonly clean: string
  readonly lead: string
  /** It measures what the suite misses: it must be asked for, and the exit code does not depend on it. */
  readonly measures?: true
  /** In the order of the rows. Those that take long are last: they start first. */
  trials(plan: Plan): Trial[]
}
