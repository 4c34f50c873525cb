/** One check of each family: it passes, fails with a plain message if its sentence is broken, and is inconclusive if its control is refused. */
import { describe, expect, it } from 'vitest'
import { runConformance } from '../cli/api.ts'
import { around } from '../reference/alterations.ts'
import type { Parts } from '../reference/parts.ts'
import { startPortal } from '../reference/portal.ts'
import { type OperationId, operationIds } from '../specs/operations.ts'
import { expectFinding } from './message-rules.fixture.ts'

interface Row {
  readonly check: string
  /** The check finds each of these faults. */
  readonly broken: readonly string[]
  /** Its outcome then. Default: failed. */
  readonly outcome?: 'warned'
  /** The operations of its control. */
  readonly control: readonly OperationId[]
}

const families: Readonly<Record<string, Row>> = {
  'acceptances, accepted': {
    check: 'update-task-run/result-empty',
    broken: ['run-empty-result-refused'],
    control: operationIds,
  },
  'acceptances, kept': {
    check: 'add-workspace/name-kept',
    broken: ['html-escaped-echo'],
    control: ['add-workspace'],
  },
  'acceptances, other values accepted': {
    check: 'update-federation/updates',
    broken: ['no-credits-refused'],
    control: operationIds,
  },
  'acceptances, repeated (advice)': {
    check: 'update-federation/idempotent',
    broken: ['identical-update-refused'],
    outcome: 'warned',
    control: ['update-federation'],
  },
  'errors of valid refusals': {
    check: 'reassign-items/ineligible-target',
    broken: ['error-code-as-string'],
    control: ['reassign-items'],
  },
  'ids of the path': {
    check: 'update-federation/identifier',
    broken: ['federation-answers-mixed-up'],
    control: ['update-federation'],
  },
  'unknown ids': {
    check: 'update-task-run/unknown-run',
    broken: ['task-id-taken-for-run'],
    control: ['update-task-run'],
  },
  'refused values': {
    check: 'add-workspace/unknown-group',
    broken: ['unknown-group-linked'],
    control: ['add-workspace'],
  },
  refusals: {
    check: 'add-workspace/refuses-non-administrator',
    broken: ['workspace-roles-need-description'],
    control: ['add-workspace'],
  },
  limits: {
    check: 'add-workspace/name-limit-rejects',
    broken: ['name-limit-only-above-1000'],
    control: ['add-workspace'],
  },
  consequences: {
    check: 'delete-collaboration/gone-after-delete',
    broken: ['second-delete-brings-back'],
    control: ['delete-collaboration'],
  },
  'consequences for others': {
    check: 'delete-collaboration/others-unaffected',
    broken: ['delete-removes-groups', 'delete-removes-groups-later'],
    control: ['delete-collaboration'],
  },
  overlaps: {
    check: 'sync-workspace/one-at-a-time',
    broken: ['syncs-overlap'],
    control: ['sync-workspace'],
  },
  ownership: {
    check: 'reassign-items/refuses-other-user',
    broken: ['refused-reassignment-happens-later'],
    control: ['reassign-items'],
  },
  races: {
    check: 'reassign-items/concurrent-one-wins',
    broken: ['item-given-twice-into-folders'],
    control: ['reassign-items'],
  },
  protocol: {
    check: 'protocol/encoding:add-workspace',
    broken: ['charset-refused', 'lower-case-escapes-refused'],
    control: ['add-workspace'],
  },
}

interface Judged {
  readonly faults?: readonly string[]
  /** The portal refuses every request of these operations. */
  readonly refused?: readonly OperationId[]
  readonly variants?: readonly string[]
  readonly runs?: number
}

/** The outcomes of these checks on a portal, by their ids. */
async function outcomesOf(
  checks: readonly string[],
  { faults = [], refused = [], variants = [], runs = 10 }: Judged = {},
) {
  const alter = (parts: Parts) => {
    for (const operation of refused) around(operation, () => parts.refuse('bad-value'))(parts)
  }
  const portal = await startPortal({ faults, variants, alter })
  try {
    const { configuration } = portal
    const { requirements } = await runConformance({ configuration, seed: 1, runs, requirements: checks })
    const judged = requirements.flatMap((requirement) => requirement.checks)
    const chosen = judged.filter(({ id }) => checks.includes(id))
    for (const { failure } of chosen)
      if (failure !== undefined) expectFinding(failure.message, failure.expected.join(' or '), failure.actual)
    return Object.fromEntries(chosen.map(({ id, outcome }) => [id, outcome]))
  } finally {
    await portal.close()
  }
}

/** The distinct controls. Checks with equal controls share a portal. */
const controls = [...new Set(Object.values(families).map(({ control }) => control.join()))]

const all = (checks: readonly string[], outcome: string) =>
  Object.fromEntries(checks.map((check) => [check, outcome]))

describe('a check of each family', () => {
  it('passes', async () => {
    const checks = Object.values(families).map(({ check }) => check)
    expect(await outcomesOf(checks)).toEqual(all(checks, 'passed'))
  })

  it.each(
    Object.entries(families).flatMap(([family, { check, broken, outcome = 'failed' }]) =>
      broken.map((fault) => [family, check, fault, outcome] as const),
    ),
  )('%s: %s fails on a portal with the fault %s', async (_, check, fault, outcome) => {
    expect(await outcomesOf([check], { faults: [fault] })).toEqual({ [check]: outcome })
  })

  it.each(controls)('is inconclusive if its control is refused: %s', async (control) => {
    const rows = Object.values(families).filter((row) => row.control.join() === control)
    const checks = rows.map(({ check }) => check)
    const refused = rows[0]?.control ?? []
    expect(await outcomesOf(checks, { refused })).toEqual(all(checks, 'inconclusive'))
  })
})

const limits = ['add-workspace/name-limit-accepts', 'add-workspace/description-limit-accepts']

it.each([
  ['without a case that omits a parameter', 'open-parameters-required', ['add-workspace/workspace-fields']],
  ['with texts that the portal accepts', 'filter-blocks-quotes', limits],
  ['with texts that the portal accepts', 'filter-blocks-attacks', limits],
])('checks of a quick run pass %s on the variant %s', async (_, variant, checks) => {
  expect(await outcomesOf(checks, { variants: [variant], runs: 0 })).toEqual(all(checks, 'passed'))
})
