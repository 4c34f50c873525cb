/** One check of each family: it passes, fails if its sentence is broken, and is inconclusive if its control is refused. */
import { describe, expect, it } from 'vitest'
import { runConformance } from '../cli/api.ts'
import { around } from '../reference/alterations.ts'
import type { Parts } from '../reference/parts.ts'
import { startPortal } from '../reference/portal.ts'
import { type OperationId, operationIds } from '../specs/operations.ts'

interface Row {
  /** The check, which runs alone. */
  readonly check: string
  /** The check finds each of these faults. */
  readonly broken: readonly string[]
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
    check: 'delete-collaboration/others-unaffected:group',
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
  /** The portal refuses every request of these operations. */
  readonly refused?: readonly OperationId[]
  readonly variants?: readonly string[]
  readonly runs?: number
}

/** The outcome of the check on a portal with these faults. */
async function outcomeOf(
  check: string,
  faults: readonly string[],
  { refused = [], variants = [], runs = 25 }: Judged = {},
) {
  const alter = (parts: Parts) => {
    for (const operation of refused) around(operation, () => parts.refuse('bad-value'))(parts)
  }
  const portal = await startPortal({ faults, variants, alter })
  try {
    const { configuration } = portal
    const { requirements } = await runConformance({ configuration, seed: 1, runs, requirements: [check] })
    return requirements.flatMap(({ checks }) => checks).find(({ id }) => id === check)?.outcome
  } finally {
    await portal.close()
  }
}

describe.each(Object.entries(families))('%s', (_, { check, broken, control }) => {
  it(`${check} passes`, async () => {
    expect(await outcomeOf(check, [])).toBe('passed')
  })

  it.each(broken)(`${check} fails on a portal with the fault %s`, async (fault) => {
    expect(await outcomeOf(check, [fault])).toBe('failed')
  })

  it(`${check} is inconclusive if its control is refused`, async () => {
    expect(await outcomeOf(check, [], { refused: control })).toBe('inconclusive')
  })
})

it('a check passes without its case that omits a parameter which the deployment requires', async () => {
  const judged = { variants: ['open-parameters-required'], runs: 0 }
  expect(await outcomeOf('add-workspace/workspace-fields', [], judged)).toBe('passed')
})

it.each(['filter-blocks-quotes', 'filter-blocks-attacks'])(
  'the limit checks of a quick run send no text that the variant %s refuses',
  async (variant) => {
    const judged = { variants: [variant], runs: 0 }
    expect(await outcomeOf('add-workspace/name-limit-accepts', [], judged)).toBe('passed')
    expect(await outcomeOf('add-workspace/description-limit-accepts', [], judged)).toBe('passed')
  },
)
