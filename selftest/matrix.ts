/** The matrix of a self-test: the rows of every part, as text for a terminal and as a Markdown document. */
import { inMarkdown } from '../reporters/markdown/paint.ts'
import { codeOf, type Node, textOf } from '../reporters/nodes.ts'
import { administrationPart } from './parts/administration.ts'
import { faultPart } from './parts/faults.ts'
import { hostilePart } from './parts/hostile.ts'
import { isClean, type Part, type Row, secondsOf, type TrialPlan } from './parts/part.ts'
import { poolPart } from './parts/pools.ts'
import { situationPart } from './parts/situations.ts'
import { variantPart } from './parts/variants.ts'

/** All parts, in the order in which they are shown. */
export const parts: readonly Part[] = [
  faultPart,
  variantPart,
  hostilePart,
  poolPart,
  situationPart,
  administrationPart,
]

/** A row with the name of its trial. */
export type NamedRow = Row & { readonly name: string }

export interface Matrix {
  readonly format: 'portal-conformance/selftest'
  readonly formatVersion: 1
  readonly suite: { readonly version: string }
  readonly run: Pick<TrialPlan, 'seed' | 'runs' | 'combinations' | 'together'> & {
    readonly jobs: number
    /** Globs over the ids of trials. Empty: all. */
    readonly ids: readonly string[]
    /** The number of trials. */
    readonly tried: number
    /** The number of trials that were repeated alone after an unexpected result. */
    readonly again: number
    readonly durationMs: number
  }
  /** By part. Parts that were not selected are absent. */
  readonly rows: Readonly<Record<string, readonly NamedRow[]>>
  readonly ok: boolean
}

/** Selected parts with their rows, and whether no trial was left out by its id. */
const shownIn = ({ rows, run }: Pick<Matrix, 'rows' | 'run'>) =>
  parts.flatMap((part) => {
    const its = rows[part.name]
    return its === undefined ? [] : [{ part, rows: its, whole: run.ids.length === 0 }]
  })

/** Whether every part is as it should be. */
export const isOk = (matrix: Pick<Matrix, 'rows' | 'run'>): boolean =>
  shownIn(matrix).every(({ part, rows, whole }) => part.isOk?.(rows, whole) ?? rows.every(isClean))

const summaryLines = (matrix: Matrix): string[] =>
  shownIn(matrix).flatMap(({ part, rows, whole }) => part.summary(rows, whole))

/** The matrix for a terminal: a line for each fault, the totals, and all problems. */
export function matrixText(matrix: Matrix): string {
  const shown = shownIn(matrix)
  const listing = shown.flatMap(({ part, rows }) => (rows.length === 0 ? [] : (part.listing?.(rows) ?? [])))
  const problems = shown
    .flatMap(({ rows }) => rows)
    .flatMap(({ name, missed = [], problems }) =>
      [missed, problems].flat().map((problem) => `  ${name}: ${problem}`),
    )
  return `${[
    ...(listing.length === 0 ? [] : [...listing, '']),
    ...summaryLines(matrix),
    ...(problems.length === 0 ? [] : ['', 'Not as it should be:', ...problems]),
  ].join('\n')}\n`
}

/** The matrix as a Markdown document. */
export function matrixMarkdown(matrix: Matrix): string {
  const { run, suite } = matrix
  const command = `portal-conformance selftest --seed ${run.seed} --runs ${run.runs} --combinations ${run.combinations} --jobs ${run.jobs}${run.together ? ' --together' : ''}`
  const again =
    run.again === 0 ? '' : ` Faults and targets tried again, with nothing beside them: ${run.again}.`
  // Parts that run alone come last.
  const inOrder = shownIn(matrix).toSorted(
    (one, other) => Number(one.part.alone ?? false) - Number(other.part.alone ?? false),
  )
  const nodes: Node[] = [
    textOf([
      'What ',
      codeOf(command),
      ` found, by version ${suite.version}, in ${secondsOf(run.durationMs)}.${again}`,
    ]),
    { kind: 'list', items: summaryLines(matrix).map((text) => ({ text })) },
    ...inOrder.flatMap(({ part, rows, whole }) => part.sections(rows, whole)),
  ]
  return ['# Self-test\n\n', ...inMarkdown(nodes, Number.MAX_SAFE_INTEGER)].join('')
}
