/** Defects that show in some values only, so that a run finds them or not depending on its seed; they can be mended while the portal runs. */
import { changeAccepted, changeAdded } from '../../reference/alterations.ts'
import type { Alter, Call } from '../../reference/parts.ts'
import { subSeed } from '../../runner/seeds.ts'
import type { OperationId } from '../../specs/operations.ts'

interface SeedDependent {
  readonly id: string
  readonly operation: OperationId
  readonly alter: (isThere: () => boolean) => Alter
}

type Change = (call: Call) => Readonly<Record<string, unknown>>

/** The defects of an operation, and the parameter on whose value they depend. */
const rows: readonly (readonly [OperationId, string, Readonly<Record<string, Change>>])[] = [
  [
    'add-workspace',
    // Names have a part of their own in each run.
    'collaborationWorkspaceDescription',
    {
      'created-as-text': () => ({ created: 'now' }),
      'collaboration-elsewhere': () => ({ collaborationId: 'elsewhere' }),
      'times-in-seconds': () => ({ created: 1, modified: 1 }),
      'id-as-number': () => ({ id: 7 }),
    },
  ],
  [
    'update-participant',
    'contactEmailAddress',
    {
      'portal-as-number': () => ({ portalId: 7 }),
      'success-as-text': () => ({ success: 'true' }),
      'collaboration-as-number': () => ({ collaborationId: 7 }),
    },
  ],
  [
    'update-task-run',
    'result',
    {
      'task-as-number': () => ({ taskId: 7 }),
      'run-as-number': () => ({ runId: 7 }),
      'success-as-number': () => ({ success: 1 }),
    },
  ],
]

/** Each of them in one of 10 values, and in one of 30. */
export const seedDependentFaults: readonly SeedDependent[] = [10, 30].flatMap((oneIn) =>
  rows.flatMap(([operation, parameter, changes]) =>
    Object.entries(changes).map(([name, change]): SeedDependent => {
      const id = `${name}-in-one-of-${oneIn}`
      // Always the same values: only which of them a run sends depends on its seed.
      const isOdd = ({ form }: Call): boolean => subSeed(oneIn, `${id}${form.get(parameter)}`) % oneIn === 0
      const alter: SeedDependent['alter'] = (isThere) => {
        const odd: Change = (call) => (isThere() && isOdd(call) ? change(call) : {})
        return operation === 'add-workspace' ? changeAdded(odd) : changeAccepted(operation, odd)
      }
      return { id, operation, alter }
    }),
  ),
)
