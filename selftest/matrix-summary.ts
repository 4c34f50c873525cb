/** The matrix of a self-test in a few lines, and as a table for a terminal. Pure. */
import type { AdministrationRow, FaultRow, Matrix, SeedRow } from './matrix.ts'
import { ends } from './situations.ts'

/** How much of what was tried went as it should, and what no fault shows. */
export function summaryLines(matrix: Matrix): string[] {
  const { faults, variants, hostile, proofs, power, pools, situations, seeds, administration } = matrix
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
  if (power !== undefined) {
    const asPredicted = power.filter(({ problems }) => problems.length === 0).length
    lines.push(`Faults that show now and then: ${asPredicted} of ${power.length} found as often as predicted`)
  }
  if (pools !== undefined) {
    const unblamed = pools.filter(({ problems }) => problems.length === 0).length
    lines.push(`Portals with scarce fixtures: ${unblamed} of ${pools.length} blamed for nothing`)
  }
  if (situations !== undefined) {
    const found = situations.filter(({ end }) => end === 'found').length
    const exactly = situations.filter((row) => row.exactly).length
    const open = situations.filter(({ end }) => end === 'open').length
    const blamed = situations.filter(({ problems }) => problems.length > 0).length
    lines.push(
      `Faults in one situation only: ${found} of ${situations.length} found, ${exactly} of them by a requirement that the fault breaks whatever is sent, ${open} left open, something else blamed in ${blamed}`,
    )
  }
  if (administration !== undefined) {
    const lineFor = (what: string, rows: readonly AdministrationRow[], how: string) => {
      const good = rows.filter(({ problems }) => problems.length === 0).length
      if (rows.length > 0) lines.push(`${what}: ${good} of ${rows.length} ${how}`)
    }
    const keeps = ({ breaks }: AdministrationRow): boolean => breaks.length === 0
    lineFor('Deployments with logins alone', administration.filter(keeps), 'clean, with nothing left')
    lineFor(
      'Faults that only reading finds',
      administration.filter((row) => !keeps(row)),
      'found and blamed exactly',
    )
  }
  for (const { portal, conformant, tried } of seedCounts(seeds ?? []))
    lines.push(`Seeds on ${portal}: ${conformant} of ${tried} times conformant`)
  return lines
}

/** How many runs on each portal found it conformant. */
export function seedCounts(
  rows: readonly SeedRow[],
): { portal: string; conformant: number; tried: number; durationMs: number }[] {
  return [...new Set(rows.map(({ portal }) => portal))].map((portal) => {
    const own = rows.filter((row) => row.portal === portal)
    return {
      portal,
      conformant: own.filter(({ problems }) => problems.length === 0).length,
      tried: own.length,
      durationMs: own.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0),
    }
  })
}

/** The matrix for a terminal: a line for each fault, and all that is not as it should be. */
export function matrixText(matrix: Matrix): string {
  const {
    faults = [],
    variants = [],
    hostile = [],
    power = [],
    pools = [],
    situations = [],
    seeds = [],
    administration = [],
  } = matrix
  const width = Math.max(0, ...faults.map(({ id }) => id.length))
  const heading = `${'Fault'.padEnd(width)}  found  blamed  requests    time`
  const problems = [
    ...faults.map(({ id, problems }) => ({ name: `fault ${id}`, problems })),
    ...variants.map(({ ids, problems }) => ({ name: `variant ${ids.join(' + ')}`, problems })),
    ...hostile.map(({ id, problems }) => ({ name: `target ${id}`, problems })),
    ...power.map(({ id, problems }) => ({ name: `power ${id}`, problems })),
    ...pools.map(({ portal, provider, problems }) => ({ name: `pool ${portal}: ${provider}`, problems })),
    ...situations.map(({ fault, situation, end, problems }) => ({
      name: `situation ${fault} ${situation}`,
      problems: [...(end === 'found' ? [] : [ends[end]]), ...problems],
    })),
    ...administration.map(({ id, problems }) => ({ name: `administration ${id}`, problems })),
    ...seeds.map(({ portal, seed, problems }) => ({ name: `seed ${seed} on ${portal}`, problems })),
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
