/** Faults on fewer portals than there are faults. */
import type { Fault } from '../reference/faults/fault.ts'

type Broken = Pick<Fault, 'breaks' | 'mayBreak'>

const operationsOf = (ids: Fault['breaks']): string[] => ids.map((id) => id.split('/')[0] as string)

/** One breaks, or may break, what the other must be found by, or what all answers need. */
function meet(one: Broken, other: Broken): boolean {
  const reaches = (from: Broken, to: Broken) => {
    const its = operationsOf(to.breaks)
    return operationsOf([...from.breaks, ...(from.mayBreak ?? [])]).some((each) => its.includes(each))
  }
  const breaksAll = ({ breaks }: Broken) => operationsOf(breaks).includes('protocol')
  return breaksAll(one) || breaksAll(other) || reaches(one, other) || reaches(other, one)
}

/** Those of one portal break different operations: none hides another. */
export function apart<F extends Broken>(faults: readonly F[]): F[][] {
  const groups: F[][] = []
  for (const fault of faults) {
    const free = groups.find((group) => !group.some((other) => meet(fault, other)))
    if (free === undefined) groups.push([fault])
    else free.push(fault)
  }
  return groups
}
