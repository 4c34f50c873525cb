import { describe, expect, it } from 'vitest'
import { faults } from '../reference/faults/index.ts'
import { operationIds } from '../specs/operations.ts'
import { judgePortal } from './judge-portal.ts'
import { blameOf } from './matrix.ts'

/**
 * Violations of every operation and kind: those of one portal break different operations, so that none hides another. The
 * self-test judges every fault there is, each alone, and looks for the same exact blame.
 */
const together = [
  ['workspace-size-as-string', 'run-ids-swapped', 'first-hundred-items-taken', 'any-participant-syncs'],
  [
    'workspace-times-in-seconds',
    'run-status-not-required',
    'items-not-required',
    'synchronous-sync-returns-at-once',
  ],
  [
    'guests-add-workspaces',
    'error-details-owner-is-target',
    'participant-portal-is-host',
    'guest-refused-but-deleted',
  ],
  ['other-user-reassigns', 'sync-survives-deletion', 'federation-id-is-portal', 'limits-in-bytes'],
  ['name-limit-only-above-1000', 'item-given-twice', 'several-groups-refused', 'syncs-overlap-after-refusal'],
]

/** Violations that one example would not show, judged by what the operations promise that they are about. */
const subtle = [
  'latin-1-decoding',
  'foreign-item-rides-along',
  'workspace-id-from-clock',
  'every-sixth-workspace-elsewhere',
  'credential-first-half-enough',
]

/** What those faults break and may break, in one. */
function broken(ids: readonly string[]) {
  const those = faults.filter(({ id }) => ids.includes(id))
  expect(those.map(({ id }) => id).sort()).toEqual([...ids].sort())
  return {
    breaks: those.flatMap(({ breaks }) => breaks),
    mayBreak: those.flatMap(({ mayBreak = [] }) => mayBreak),
  }
}

describe('violations are found and blamed on the right requirements', () => {
  it.concurrent.each(together.map((ids) => [ids.join(', '), ids] as const))('%s', async (_, ids) => {
    const fault = broken(ids)
    const { failed, warned } = await judgePortal({ faults: ids, seed: 11, runs: 8 })
    expect(blameOf(fault, [...failed, ...warned])).toEqual({ missed: [], wrong: [] })
  })

  it.concurrent.each(subtle)('%s', async (id) => {
    const fault = broken([id])
    const operations = operationIds.filter((each) =>
      fault.breaks.some((broke) => broke.startsWith(`${each}/`)),
    )
    const requirements = [...operations.flatMap((each) => [`${each}/*`, `*:${each}`]), ...fault.breaks]
    const { failed, warned } = await judgePortal({ faults: [id], seed: 11, runs: 40, requirements })
    expect(fault.breaks.length).toBeGreaterThan(0)
    expect(blameOf(fault, [...failed, ...warned])).toEqual({ missed: [], wrong: [] })
  })
})
