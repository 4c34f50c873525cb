/** The matrix of a self-test: the rows of every part, as text for a terminal and as a Markdown document. */
import { inMarkdown } from '../reporters/markdown/paint.ts'
import { codeOf, type Inline, type Node, namesOf, textOf } from '../reporters/nodes.ts'
import { administrationPart } from './parts/administration.ts'
import { faultPart, situationPart } from './parts/faults.ts'
import { hostilePart } from './parts/hostile.ts'
import { poolPart, variantPart } from './parts/variants.ts'
import { isClean, type Part, type Plan, type Row } from './trial.ts'

/** All parts, in the order in which they are shown. */
export const parts: readonly Part[] = [
  faultPart,
  variantPart,
  hostilePart,
  poolPart,
  situationPart,
  administrationPart,
]

export interface Matrix {
  readonly format: 'portal-conformance/selftest'
  readonly formatVersion: 1
  readonly suite: { readonly version: string }
  readonly run: Pick<Plan, 'seed' | 'runs' | 'combinations' | 'together'> & {
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
  readonly rows: Readonly<Record<string, readonly Row[]>>
  readonly ok: boolean
}

type Rows = Matrix['rows']

/** The parts that have rows. */
const shownIn = (all: Rows) =>
  parts.map((part) => ({ part, rows: all[part.name] ?? [] })).filter(({ rows }) => rows.length > 0)

/** Whether all is as it should be. */
export const isOk = (all: Rows): boolean =>
  shownIn(all).every(({ part, rows }) => part.measures === true || rows.every(isClean))

const summaryLines = (all: Rows): string[] =>
  shownIn(all).map(
    ({ part, rows }) => `${part.title}: ${rows.filter(isClean).length} of ${rows.length} ${part.clean}`,
  )

/** The matrix for a terminal: the totals, and all problems. */
export function matrixText(matrix: Matrix): string {
  const problems = shownIn(matrix.rows)
    .flatMap(({ rows }) => rows)
    .flatMap((row) => row.problems.map((problem) => `  ${row.name}: ${problem}`))
  const below = problems.length === 0 ? [] : ['', 'Not as it should be:', ...problems]
  return `${[...summaryLines(matrix.rows), ...below].join('\n')}\n`
}

const secondsOf = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`
const codesOf = (ids: readonly string[]): Inline => namesOf(ids.map(codeOf), Number.POSITIVE_INFINITY)

/** The matrix as a Markdown document. */
export function matrixMarkdown(matrix: Matrix): string {
  const { run, suite } = matrix
  const command = `portal-conformance selftest --seed ${run.seed} --runs ${run.runs} --combinations ${run.combinations} --jobs ${run.jobs}${run.together ? ' --together' : ''}`
  const nodes: Node[] = [
    textOf([
      'What ',
      codeOf(command),
      ` found, by version ${suite.version}, in ${secondsOf(run.durationMs)}. Tried again, with nothing beside them: ${run.again}.`,
    ]),
    { kind: 'list', items: summaryLines(matrix.rows).map((text) => ({ text })) },
    ...shownIn(matrix.rows).map(({ part, rows }) => sectionOf(part, rows)),
  ]
  return ['# Self-test\n\n', ...inMarkdown(nodes, Number.MAX_SAFE_INTEGER)].join('')
}

function sectionOf({ title, lead }: Part, rows: readonly Row[]): Node {
  const table: Node = {
    kind: 'table',
    label: title,
    heads: ['Trial', 'What the target does', 'Breaks', 'As it should be', 'Time'],
    rows: rows.map((row) => [
      codeOf(row.name),
      row.sentence,
      codesOf(row.breaks),
      isClean(row) ? 'yes' : `no: ${row.problems.join('; ')}`,
      secondsOf(row.durationMs),
    ]),
  }
  return { kind: 'section', title, blocks: [textOf(lead), table] }
}
