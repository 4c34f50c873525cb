/** The matrix of a self-test as a Markdown document. Pure. */
import type { FaultRow, HostileRow, Matrix, Proof, VariantRow } from './matrix.ts'
import { summaryLines } from './matrix-summary.ts'

/** The whole document. */
export function matrixMarkdown(matrix: Matrix): string {
  const { run, suite, faults, variants, hostile, proofs } = matrix
  const command = `portal-conformance selftest --seed ${run.seed} --runs ${run.runs} --jobs ${run.jobs}`
  const parts = [
    '# Self-test',
    `What \`${command}\` found, by version ${suite.version}, in ${seconds(run.durationMs)}.`,
    summaryLines(matrix)
      .map((line) => `- ${cell(line)}`)
      .join('\n'),
    ...(faults === undefined ? [] : [faultPart(faults)]),
    ...(proofs === undefined ? [] : [proofPart(proofs)]),
    ...(variants === undefined ? [] : [variantPart(variants)]),
    ...(hostile === undefined ? [] : [hostilePart(hostile)]),
  ]
  return `${parts.join('\n\n')}\n`
}

function faultPart(rows: readonly FaultRow[]): string {
  return `## Faults

Each breaks one thing in the embedded portal. *Found*: every requirement that it breaks failed. *Blamed*: no other
did. *Requests*: of the cheapest check that found it, with its repetition and the search for a smaller counterexample.

${table(
  ['Fault', 'What the portal does', 'Breaks', 'Found', 'Blamed', 'Requests', 'Time'],
  rows.map((row) => [
    code(row.id),
    row.sentence,
    row.breaks.map(code).join(', '),
    yesNo(row.found),
    row.blamed ? 'yes' : `**no**: ${row.problems.join('; ')}`,
    row.requests === undefined ? '' : String(row.requests),
    time(row.durationMs),
  ]),
)}`
}

function proofPart(proofs: readonly Proof[]): string {
  return `## What shows that a requirement can fail

${table(
  ['Requirement', 'Level', 'Faults'],
  proofs.map(({ id, level, faults }) => [
    code(id),
    level,
    faults.length === 0 ? '**none**' : faults.map(code).join(', '),
  ]),
)}`
}

function variantPart(rows: readonly VariantRow[]): string {
  return `## Permitted variants

Each keeps the contract in another way, alone or together with others: nothing may fail, and nothing may be left open.

${table(
  ['Variants', 'What the portal does', 'Clean', 'Time'],
  rows.map((row) => [
    row.ids.map(code).join(' '),
    row.sentence,
    row.clean ? 'yes' : `**no**: ${row.problems.join('; ')}`,
    time(row.durationMs),
  ]),
)}`
}

function hostilePart(rows: readonly HostileRow[]): string {
  return `## Hostile and broken targets

The command as users run it, in a process of its own. *Handled*: nothing passes or fails that should not, the outcome
says in a line what happened, the report is whole, no secret is in it, and time and memory (300 MiB) are kept.

${table(
  ['Target', 'What it does', 'Handled', 'Exit code', 'Time', 'Memory'],
  rows.map((row) => [
    code(row.id),
    row.sentence,
    row.handled ? 'yes' : `**no**: ${row.problems.join('; ')}`,
    row.exitCode === null ? 'none' : String(row.exitCode),
    time(row.durationMs),
    row.peakMiB === undefined ? '' : `${row.peakMiB} MiB`,
  ]),
)}`
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')
}

/** On one line, and without what would end a cell or begin a tag. */
const cell = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')

const code = (text: string): string => `\`${text}\``
const yesNo = (value: boolean): string => (value ? 'yes' : '**no**')
const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`
const time = (milliseconds: number | undefined): string =>
  milliseconds === undefined ? '' : seconds(milliseconds)
