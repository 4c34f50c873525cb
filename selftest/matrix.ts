/** The matrix of a self-test: the rows of every part, as text for a terminal and as a Markdown document. */
import { inMarkdown } from '../reporters/markdown/paint.ts'
import { codeOf, type Inline, type Node, namesOf, textOf } from '../reporters/nodes.ts'
import { isGating } from '../specs/outcomes.ts'
import { requirements } from '../specs/requirements.ts'
import { administrationPart } from './parts/administration.ts'
import { byLuck, faultPart } from './parts/faults.ts'
import { hostilePart } from './parts/hostile.ts'
import { poolPart } from './parts/pools.ts'
import { situationPart } from './parts/situations.ts'
import { variantPart } from './parts/variants.ts'
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

type Found = Pick<Matrix, 'rows' | 'run'>

const shownIn = ({ rows }: Found) =>
  parts.flatMap((part) => {
    const its = rows[part.name]
    return its === undefined ? [] : [{ part, rows: its }]
  })

/**
 * For each must and implied requirement the faults that made it fail. None: nothing shows that it can fail. Empty if the
 * faults were not tried, or only those with some ids.
 */
function proofsIn({ rows: { faults: rows }, run }: Found) {
  if (rows === undefined || run.ids.length > 0) return []
  return requirements
    .filter(({ level }) => isGating(level))
    .map(({ id, level }) => ({
      id,
      level,
      faults: rows
        // Random steps may find any fault, which proves that this requirement can fail although no fault claims it.
        .filter(({ breaks, failed }) => failed.includes(id) && (breaks.includes(id) || byLuck.includes(id)))
        .map(({ name }) => name),
    }))
}

/** Whether all is as it should be, and faults show that each requirement can fail. */
export const isOk = (found: Found): boolean =>
  shownIn(found).every(({ part, rows }) => part.measures === true || rows.every(isClean)) &&
  proofsIn(found).every(({ faults }) => faults.length > 0)

function summaryLines(found: Found): string[] {
  const lines = shownIn(found).map(
    ({ part, rows }) => `${part.title}: ${rows.filter(isClean).length} of ${rows.length} ${part.clean}`,
  )
  const proofs = proofsIn(found)
  if (proofs.length === 0) return lines
  const without = proofs.filter(({ faults }) => faults.length === 0).map(({ id }) => id)
  const none = without.length === 0 ? '' : `; none yet for ${without.join(', ')}`
  const shown = `${proofs.length - without.length} of ${proofs.length}`
  return [...lines, `Must and implied requirements that a fault shows can fail: ${shown}${none}`]
}

/** The matrix for a terminal: the totals, and all problems. */
export function matrixText(matrix: Matrix): string {
  const problems = shownIn(matrix)
    .flatMap(({ rows }) => rows)
    .flatMap((row) => row.problems.map((problem) => `  ${row.name}: ${problem}`))
  const below = problems.length === 0 ? [] : ['', 'Not as it should be:', ...problems]
  return `${[...summaryLines(matrix), ...below].join('\n')}\n`
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
    { kind: 'list', items: summaryLines(matrix).map((text) => ({ text })) },
    ...shownIn(matrix).map(({ part, rows }) => sectionOf(part, rows)),
  ]
  const proofs = proofsIn(matrix)
  if (proofs.length > 0) {
    const title = 'What shows that a requirement can fail'
    const table: Node = {
      kind: 'table',
      label: title,
      heads: ['Requirement', 'Level', 'Faults'],
      rows: proofs.map(({ id, level, faults }) => [codeOf(id), level, codesOf(faults)]),
    }
    nodes.push({ kind: 'section', title, blocks: [table] })
  }
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
