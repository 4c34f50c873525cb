/** The matrix of a self-test in a few lines, and as a table for a terminal. Pure. */
import type { FaultRow, Matrix } from './matrix.ts'

/** How much of what was tried went as it should, and what no fault shows. */
export function summaryLines({ faults, variants, hostile, proofs }: Matrix): string[] {
  const lines: string[] = []
  if (faults !== undefined) {
    const found = faults.filter((row) => row.found).length
    const exact = faults.filter(({ problems }) => problems.length === 0).length
    lines.push(`Faults: ${found} of ${faults.length} found, ${exact} found and blamed exactly`)
  }
  if (proofs !== undefined) {
    const without = proofs.filter(({ faults }) => faults.length === 0).map(({ id }) => id)
    const shown = `${proofs.length - without.length} of ${proofs.length}`
    const left = without.length === 0 ? '' : `; none yet for ${without.join(', ')}`
    lines.push(`Must and implied requirements that a fault shows can fail: ${shown}${left}`)
  }
  if (variants !== undefined) {
    const clean = variants.filter((row) => row.clean).length
    const alone = variants.filter(({ ids }) => ids.length === 1).length
    const together = variants.length - alone
    lines.push(
      `Permitted variants: ${clean} of ${variants.length} clean (${alone} alone, ${together} combinations)`,
    )
  }
  if (hostile !== undefined) {
    const handled = hostile.filter((row) => row.handled).length
    lines.push(`Hostile and broken targets: ${handled} of ${hostile.length} handled`)
  }
  return lines
}

/** The matrix for a terminal: a line for each fault, and all that is not as it should be. */
export function matrixText(matrix: Matrix): string {
  const { faults = [], variants = [], hostile = [] } = matrix
  const width = Math.max(0, ...faults.map(({ id }) => id.length))
  const heading = `${'Fault'.padEnd(width)}  found  blamed  requests    time`
  const problems = [
    ...faults.map(({ id, problems }) => ({ name: `fault ${id}`, problems })),
    ...variants.map(({ ids, problems }) => ({ name: `variant ${ids.join(' + ')}`, problems })),
    ...hostile.map(({ id, problems }) => ({ name: `target ${id}`, problems })),
  ].flatMap(({ name, problems }) => problems.map((problem) => `  ${name}: ${problem}`))
  return `${[
    ...(faults.length === 0 ? [] : [heading, ...faults.map((row) => faultLine(row, width)), '']),
    ...summaryLines(matrix),
    ...(problems.length === 0 ? [] : ['', 'Not as it should be:', ...problems]),
  ].join('\n')}\n`
}

function faultLine({ id, found, blamed, requests, durationMs }: FaultRow, width: number): string {
  const cells = [
    id.padEnd(width),
    (found ? 'yes' : 'NO').padEnd(5),
    (blamed ? 'yes' : 'NO').padEnd(6),
    String(requests ?? '-').padStart(8),
    durationMs === undefined ? '-' : `${(durationMs / 1000).toFixed(1)} s`.padStart(6),
  ]
  return cells.join('  ')
}
