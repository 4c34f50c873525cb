/** What a comparison of results says. The same for terminal, Markdown, HTML and JSON. */
import type { Level, Outcome, Verdict } from '../../specs/outcomes.ts'
import type { Subject } from '../../specs/requirements.ts'
import type { Results } from '../results.ts'
import type { ResultsOfFile } from '../results-json.ts'

/** What became of a requirement or a check, from the first results to others. */
export const changes = ['broken', 'lost', 'gone', 'fixed', 'still-failing', 'changed', 'new', 'same'] as const

export type Change = (typeof changes)[number]

/** Results that are to be compared. */
export interface ComparedResults extends ResultsOfFile {
  /** What they are called; absent: after the target or the file. */
  readonly name?: string
  /** Set where there were no results, and these only say so. */
  readonly judged?: false
}

/** One of the results that are compared. */
export interface Side {
  /** A, B, C: short enough for the head of a column. */
  readonly key: string
  /** The name; without one the base URL, or the file where several have the same. */
  readonly label: string
  readonly file: string
  readonly target: Results['target']
  readonly suiteVersion: string
  readonly run: Pick<Results['run'], 'id' | 'startedAt' | 'seed' | 'runs'>
  readonly verdict: Verdict
  readonly totals: Results['totals']
  readonly complete: boolean
  /** Set where there were no results: every outcome is not tested then. */
  readonly judged?: false
}

export interface Compared {
  readonly id: string
  /** One for each side; null: that side does not know the id. */
  readonly outcomes: readonly (Outcome | null)[]
  /** Why it is neither passed nor not applicable, in a sentence; one for each side, empty where nothing is to be said. */
  readonly reasons: readonly string[]
  /** From the first side to each of the others. */
  readonly changes: readonly Change[]
}

export interface ComparedRequirement extends Compared {
  readonly level: Level
  readonly operation: Subject
  readonly section: string
  readonly text: string
  /** The checks that differ although the requirement does not, or that are lost although it had not passed. */
  readonly checks: readonly Compared[]
}

/** What each side does with a point that the contract leaves open. */
export interface ComparedOpenPoint {
  readonly id: string
  readonly operation: Subject
  readonly question: string
  /** For each side what was observed, sorted; empty: nothing was. */
  readonly observed: readonly (readonly string[])[]
  /** `partly`: those that observed it observed the same, others did not observe it. */
  readonly difference: 'same' | 'different' | 'partly'
}

export interface Comparison {
  readonly format: 'portal-conformance/comparison'
  readonly formatVersion: 1
  /** The first is what the others are compared with. */
  readonly sides: readonly Side[]
  /** What makes the sides less comparable, in sentences. */
  readonly notes: readonly string[]
  /** In the order of the contract. */
  readonly requirements: readonly ComparedRequirement[]
  readonly openPoints: readonly ComparedOpenPoint[]
  /** Requirements by change, for each side but the first. */
  readonly counts: readonly Readonly<Record<Change, number>>[]
  /** Ids of requirements and checks that passed on the first side and do not on one of the others. */
  readonly lost: readonly string[]
}
