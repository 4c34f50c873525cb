/** Which faults the peers are given. The rule looks at the catalogue and at no outcome. */
import type { Fault } from '../../reference/faults/fault.ts'
import { type RequirementId, requirements } from '../../specs/requirements.ts'

/** The first fault in the order of the catalogue for each operation and kind of rule that a fault breaks first. */
export function faultSample(faults: readonly Fault[]): Fault[] {
  const chosen = new Map<string, Fault>()
  for (const fault of faults) {
    const place = placeOf(fault.breaks[0] as RequirementId)
    if (!chosen.has(place)) chosen.set(place, fault)
  }
  return [...chosen.values()]
}

function placeOf(id: RequirementId): string {
  const requirement = requirements.find((each) => each.id === id)
  return `${requirement?.operation} ${requirement?.kind}`
}
