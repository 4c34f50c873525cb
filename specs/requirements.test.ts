/** The callers that requirements name, and the conformance classes that requirements count for. */
import { expect, test } from 'vitest'
import { actorNames } from '../deployment/configuration/actors.ts'
import { operationIds, operationOf } from './operations.ts'
import {
  classesOf,
  conformanceClasses,
  countsFor,
  judgedBy,
  type Requirement,
  requirements,
} from './requirements.ts'

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

const classOf = (id: string) => conformanceClasses.find((each) => each.id === id)!

test('every operation is in exactly one class', () => {
  expect(conformanceClasses.flatMap(({ operations }) => operations).sort()).toEqual([...operationIds].sort())
})

test('every requirement is in a class, and every class has more than five of its own', () => {
  expect(requirements.filter((requirement) => classesOf(requirement).length === 0)).toEqual([])
  for (const { id } of conformanceClasses) {
    const own = requirements.filter((requirement) => classesOf(requirement).length === 1)
    expect(own.filter((requirement) => classesOf(requirement)[0]?.id === id).length).toBeGreaterThan(5)
  }
})

test.each([
  ['delete-collaboration', ['host']],
  ['sync-workspace', ['guest']],
  ['protocol', ['host', 'guest', 'content', 'tasks', 'federation']],
  ['lifecycle', ['host', 'guest', 'content', 'tasks', 'federation']],
] as const)('classesOf: %s is in %j', (operation, ids) => {
  expect(classesOf({ operation }).map(({ id }) => id)).toEqual(ids)
})

test.each([
  ['protocol/form-post', 'add-workspace', 'host', true],
  ['protocol/form-post', 'add-workspace', 'content', false],
  ['protocol/form-post', undefined, 'content', true],
  ['add-workspace/refuses-anonymous', undefined, 'host', true],
  ['add-workspace/id-works', 'sync-workspace', 'host', true],
  ['lifecycle/consistent', undefined, 'tasks', true],
  ['profile/user-types-closed', 'update-federation', 'federation', true],
  ['profile/user-types-closed', 'update-federation', 'host', false],
] as const)('countsFor: a check of %s for %s counts for %s: %j', (requirement, operation, id, counts) => {
  expect(countsFor(classOf(id), judgedBy(requirement, operation))).toBe(counts)
})
