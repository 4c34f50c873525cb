/** What a part of the self-test is, and what the parts share: rows of judged runs, and how they are shown. */
import {
  codeOf,
  type Inline,
  looking,
  type Node,
  namesOf,
  type Section,
  textOf,
} from '../../reporters/nodes.ts'
import type { Alteration, Judged } from '../judgement.ts'

export interface TrialPlan {
  readonly seed: number
  /** Cases of each generated check. */
  readonly runs: number
  /** The number of combinations of three variants. */
  readonly combinations: number
  /**
   * Whether faults that do not interact share a run, and variants are combined. They are tried alone only if that run
   * does not show each of them.
   */
  readonly together: boolean
  /** Of the faults that are products of a rule and a place, try every N-th. 1: all. */
  readonly products: number
  /** The number of faults in one situation. */
  readonly situations: number
  /** Aborted when the user interrupts. Running trials end, and no others start. */
  readonly signal: AbortSignal
}

/** Few cases are enough to see what hostile targets and scarce fixtures do to a run. */
export const fewRuns = 5
/** Cases of each generated check for an intermittent fault: the default of a run on the embedded portal. */
export const manyRuns = 100

export type Judge = (alteration: Alteration) => Promise<Judged>

/** The result of a trial. */
export interface Row {
  /** Problems, one line each. */
  readonly problems: readonly string[]
  /** The end of a trial that missed what it looked for, where that is no problem. */
  readonly missed?: string | undefined
  /** Absent if the suite broke, or if there were several runs. */
  readonly durationMs?: number
}

export interface Trial<R extends Row = Row> {
  /** Kind and ids. */
  readonly name: string
  /** Within a part, trials of a later turn start after those of an earlier one. Default: 0. */
  readonly turn?: number
  /** Whether it mostly waits. Such trials start first and run beside others. */
  readonly waits?: boolean
  /** The row by a run that several trials share. Undefined: only a run of its own can tell. */
  company?(): Promise<R | undefined>
  /** A run of its own. */
  run(): Promise<R>
}

/** A part of the self-test: what it tries, and what it says about the rows. */
export interface Part<R extends Row = Row> {
  /** As in `--part`. */
  readonly name: string
  /** Whether it must be asked for. */
  readonly onRequest?: true
  /** Whether its trials judge time and memory too, so that they run one at a time and before all others. */
  readonly alone?: true
  /** In the order of the rows. */
  trials(plan: TrialPlan, judge: Judge): Trial<R>[]
  /** Whether a busy machine may have caused the problems, so that the trial is repeated alone. Default: no. */
  restsOnTime?(row: R): boolean
  /** Whether all is as it should be. Default: no row has problems. `whole`: no trial was left out by its id. */
  isOk?(rows: readonly R[], whole: boolean): boolean
  /** A line for each row, for the terminal. Default: none. */
  listing?(rows: readonly R[]): string[]
  /** The totals. */
  summary(rows: readonly R[], whole: boolean): string[]
  /** The sections of the document. */
  sections(rows: readonly R[], whole: boolean): Section[]
}

/** The row of a judged run. If the suite broke, that is the only problem. */
export function rowOf<Facts extends object>(
  { broke, durationMs }: Judged,
  facts: Facts,
  problems: readonly string[],
): Facts & Row {
  return broke === undefined ? { ...facts, problems, durationMs } : { ...facts, problems: [broken(broke)] }
}

const broken = (broke: string): string => `the suite broke: ${broke}`

/** As in "3 of 4". `holds`: by default, whether a row has no problems. */
export function countOf<R extends Row>(rows: readonly R[], holds: (row: R) => boolean = isClean): string {
  return `${rows.filter(holds).length} of ${rows.length}`
}

export const isClean = ({ problems }: Row): boolean => problems.length === 0

/** The cells of a table, by the head of their column. */
export type Columns<R> = Readonly<Record<string, (row: R) => Inline>>

export const tableOf = <R>(label: string, rows: readonly R[], columns: Columns<R>): Node => ({
  kind: 'table',
  label,
  heads: Object.keys(columns),
  rows: rows.map((row) => Object.values(columns).map((cell) => cell(row))),
})

/** A section with an introduction and a table. */
export const sectionOf = <R>(
  title: string,
  lead: Inline,
  rows: readonly R[],
  columns: Columns<R>,
  below: readonly Node[] = [],
): Section => ({
  kind: 'section',
  title,
  blocks: [...(lead === '' ? [] : [textOf(lead)]), tableOf(title, rows, columns), ...below],
})

export const codesOf = (ids: readonly string[]): Inline => namesOf(ids.map(codeOf), Number.POSITIVE_INFINITY)

/** The cell of a row that should have no problems. */
export const cleanCell = (row: Row): Inline =>
  isClean(row) ? 'yes' : [looking('strong', 'no'), `: ${row.problems.join('; ')}`]

export const secondsOf = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`

export const timeCell = ({ durationMs }: Pick<Row, 'durationMs'>): Inline =>
  durationMs === undefined ? '' : secondsOf(durationMs)
