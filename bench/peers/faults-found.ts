/** Which faults a tool tells from the healthy portal. */
import type { Fault } from '../../reference/faults/fault.ts'
import { blameOf } from '../../selftest/blame.ts'
import type { Measuring } from '../measuring.ts'
import { baselineOf, differencesFrom } from './differences.ts'
import { type Contestant, type Measured, measureRound } from './round.ts'
import { requestsForFaults } from './speeds.ts'

export interface FaultOutcome {
  readonly fault: string
  readonly found: boolean
  /** What differed from the healthy portal, first and second time. */
  readonly differences: readonly (readonly string[])[]
  /** Of our suite: what failed is what the fault breaks, and nothing else. */
  readonly exact?: boolean
}

/**
 * A fault is found where a run on the faulty portal differs from those on the healthy one, and does so twice.
 * `healthy` are runs of the same tool on the healthy portal.
 */
export async function faultsFound(
  contestant: Contestant,
  { faults, healthy }: { faults: readonly Fault[]; healthy: readonly Measured[] },
  { folder, note }: Pick<Measuring, 'folder' | 'note'>,
): Promise<FaultOutcome[]> {
  const { name, sends } = contestant.peer
  const baseline = baselineOf(healthy.map(({ complaints }) => complaints))
  const outcomes: FaultOutcome[] = []
  for (const [at, fault] of faults.entries()) {
    note(`${name}: ${fault.id}, ${at + 1} of ${faults.length}`)
    outcomes.push(await outcomeOf(fault))
  }
  return outcomes

  async function outcomeOf(fault: Fault): Promise<FaultOutcome> {
    const measure = () =>
      measureRound(contestant, { folder, faults: [fault.id], requests: requestsForFaults[sends] })
    const first = await measure()
    const differences = [differencesFrom(baseline, first.complaints)]
    if (differences[0]?.length === 0) return { fault: fault.id, found: false, differences }
    const second = await measure()
    differences.push(differencesFrom(baseline, second.complaints))
    const found = differences.every((each) => each.length > 0)
    return { fault: fault.id, found, differences, ...exactness(fault, second) }
  }

  function exactness(fault: Fault, { complaints }: Measured): { exact?: boolean } {
    if (sends !== 'suite') return {}
    const { missed, wrong } = blameOf(fault, complaints as Parameters<typeof blameOf>[1])
    return { exact: missed.length === 0 && wrong.length === 0 }
  }
}
