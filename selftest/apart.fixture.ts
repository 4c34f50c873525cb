/** Faults on fewer portals than there are faults. */
import type { Fault } from '../reference/faults/fault.ts'

const operationsOf = ({ breaks }: Fault) => breaks.map((id) => id.split('/')[0])

/** Those of one portal break different operations: none hides another. */
export function apart(faults: readonly Fault[]): Fault[][] {
  const together: Fault[][] = []
  for (const fault of faults) {
    const broken = operationsOf(fault)
    const free = together.find((group) => !group.flatMap(operationsOf).some((each) => broken.includes(each)))
    if (free === undefined) together.push([fault])
    else free.push(fault)
  }
  return together
}
