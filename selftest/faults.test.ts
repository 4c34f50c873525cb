import { describe, expect, it } from 'vitest'
import { faults } from '../reference/faults/index.ts'
import { operationIds } from '../specs/operations.ts'
import { blameOf } from './blame.ts'
import { judgePortal } from './judge-portal.ts'

/** Violations of every operation and kind: those of one portal break different operations, so that none hides another. */
const together = [
  ['workspace-size-as-string', 'run-ids-swapped', 'first-hundred-items-taken', 'any-participant-syncs'],
  [
    'workspace-times-in-seconds',
    'run-status-not-required',
    'items-not-required',
    'synchronous-sync-returns-at-once',
  ],
  ['name-limit-99', 'run-empty-result-refused', 'error-details-only-first', 'syncs-overlap'],
  [
    'description-limit-251',
    'unknown-run-accepted',
    'error-second-detail-without-keywords',
    'workspace-syncs-only-once',
  ],
  [
    'guests-add-workspaces',
    'error-details-owner-is-target',
    'participant-portal-is-host',
    'guest-refused-but-deleted',
  ],
  [
    'anonymous-adds-workspaces',
    'custom-administrators-refused',
    'members-update-participants',
    'deleted-takes-workspaces',
  ],
  ['other-user-reassigns', 'sync-survives-deletion', 'federation-id-is-portal', 'limits-in-bytes'],
  ['items-stay-though-accepted', 'other-organization-updates-federations', 'name-limit-only-below-110'],
  ['name-limit-only-above-1000', 'item-given-twice', 'several-groups-refused', 'syncs-overlap-after-refusal'],
  [
    'plus-kept',
    'unprivileged-owner-refused-but-items-move',
    'certificate-plus-lost',
    'refused-delete-drops-participants',
  ],
]

/** Violations that one example would not show, judged by what the operations promise that they are about. */
const subtle = [
  // Whether its effect is seen in time is for a portal that nothing else is asked of.
  'sync-refused-but-started',
  'percent-decoded-twice',
  'privilege-enough-to-reassign',
  'latin-1-decoding',
  'foreign-item-rides-along',
  'html-escaped-echo',
  'ineligible-target-accepted-with-folder',
  'astral-characters-dropped',
  'workspace-id-from-name',
  'workspace-id-from-clock',
  'every-sixth-workspace-elsewhere',
  'workspace-rights-kept-on-connection',
  'workspace-roles-need-description',
  'credential-first-half-enough',
  'scalar-names-become-scalars',
  'limits-count-escaped',
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
    const { failed, warned } = await judgePortal({ faults: ids, seed: 11, runs: 20 })
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
