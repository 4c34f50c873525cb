import { expect, test } from 'vitest'
import { operationIds } from './operations.ts'
import { classesOf, conformanceClasses, countsFor, judgedBy, requirements } from './requirements.ts'

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
