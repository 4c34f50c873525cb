/** The callers that requirements of kind `roles` refuse or allow. */
import { expect, test } from 'vitest'
import { actorNames } from '../deployment/configuration/actors.ts'
import { operationOf } from './operations.ts'
import { type Requirement, requirements } from './requirements.ts'

const callers: readonly string[] = [...actorNames, 'anonymous', 'impostor']

const ofOperations: readonly Requirement[] = requirements.filter(
  ({ kind, operation }) => kind === 'roles' && operation !== 'profile',
)

test('exactly the requirements about callers of an operation have refuses or allows', () => {
  const naming: readonly Requirement[] = requirements.filter(
    ({ refuses, allows }: Requirement) => refuses !== undefined || allows !== undefined,
  )
  expect(naming.map(({ id }) => id)).toEqual(ofOperations.map(({ id }) => id))
})

test.each(ofOperations.map((each) => [each.id, each] as const))(
  '%s names only existing callers, and does not refuse the usual one',
  (_, each) => {
    const { refuses = [], allows = [], operation } = each
    const named = [...refuses, ...allows]
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((name) => !callers.includes(name))).toEqual([])
    // The usual caller of the operation is permitted.
    expect(refuses).not.toContain(operationOf(operation as never).calledBy)
  },
)
