import { describe, expect, it } from 'vitest'
import { faults } from '../reference/faults/index.ts'
import { blameOf, judgePortal } from './judge-portal.ts'

/** Violations of every operation and kind: shape, limit, role, identifier, order, consequence. */
const plain = [
  'workspace-size-as-string',
  'workspace-times-in-seconds',
  'name-limit-99',
  'description-limit-251',
  'guests-add-workspaces',
  'anonymous-adds-workspaces',
  'run-ids-swapped',
  'run-status-not-required',
  'run-empty-result-refused',
  'unknown-run-accepted',
  'first-hundred-items-taken',
  'items-not-required',
  'error-details-only-first',
  'error-second-detail-without-keywords',
  'error-details-owner-is-target',
  'custom-administrators-refused',
  'other-user-reassigns',
  'items-stay-though-accepted',
  'any-participant-syncs',
  'synchronous-sync-returns-at-once',
  'syncs-overlap',
  'workspace-syncs-only-once',
  'participant-portal-is-host',
  'members-update-participants',
  'guest-refused-but-deleted',
  'deleted-takes-workspaces',
  'sync-survives-deletion',
  'federation-id-is-portal',
  'other-organization-updates-federations',
]

/** Violations that one example would not show. */
const subtle = [
  'limits-in-bytes',
  'name-limit-only-below-110',
  'name-limit-only-above-1000',
  'plus-kept',
  'percent-decoded-twice',
  'latin-1-decoding',
  'html-escaped-echo',
  'astral-characters-dropped',
  'workspace-id-from-name',
  'workspace-id-from-clock',
  'every-sixth-workspace-elsewhere',
  'workspace-rights-kept-on-connection',
  'workspace-roles-need-description',
  'item-given-twice',
  'unprivileged-owner-refused-but-items-move',
  'several-groups-refused',
  'certificate-plus-lost',
  'credential-first-half-enough',
  'sync-refused-but-started',
  'privilege-enough-to-reassign',
  'foreign-item-rides-along',
  'ineligible-target-accepted-with-folder',
  'syncs-overlap-after-refusal',
  'refused-delete-drops-participants',
  'scalar-names-become-scalars',
  'limits-count-escaped',
]

describe.each([
  ['plain', plain, 20],
  ['subtle', subtle, 40],
])('%s violations are found and blamed on the right requirements', (_, ids, runs) => {
  it.concurrent.each(ids)('%s', async (id) => {
    const fault = faults.find((each) => each.id === id)
    if (fault === undefined) throw new Error(`no fault ${id}`)
    const { failed, warned } = await judgePortal({ faults: [id], seed: 11, runs })
    expect(fault.breaks.length).toBeGreaterThan(0)
    expect(blameOf(fault, [...failed, ...warned])).toEqual({ missed: [], wrong: [] })
  })
})
