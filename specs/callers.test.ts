/** Whom the requirements about callers speak of. */
import { expect, test } from 'vitest'
import { actorNames } from '../deployment/configuration/actors.ts'
import { operationOf } from './operations.ts'
import { type Requirement, requirements } from './requirements.ts'

const callers: readonly string[] = [...actorNames, 'anonymous', 'impostor']

const ofOperations: readonly Requirement[] = requirements.filter(
  ({ kind, operation }) => kind === 'roles' && operation !== 'profile',
)

test('each requirement about the callers of an operation says whom it refuses or allows, and no other does', () => {
  const naming: readonly Requirement[] = requirements.filter(
    ({ refuses, allows }: Requirement) => refuses !== undefined || allows !== undefined,
  )
  expect(naming.map(({ id }) => id)).toEqual(ofOperations.map(({ id }) => id))
})

test.each(ofOperations.map((each) => [each.id, each] as const))(
  '%s speaks of callers that there are',
  (_, each) => {
    const { refuses = [], allows = [], operation } = each
    const named = [...refuses, ...allows]
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((name) => !callers.includes(name))).toEqual([])
    // Who calls it where nothing else is judged may call it.
    expect(refuses).not.toContain(operationOf(operation as never).calledBy)
  },
)
