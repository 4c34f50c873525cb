import { expect, test } from 'vitest'
import { operationIds } from './operations.ts'
import { classesOf, conformanceClasses, countsFor, requirements } from './requirements.ts'

const classOf = (id: string) => conformanceClasses.find((each) => each.id === id)!

test('every operation is in exactly one class', () => {
  expect(conformanceClasses.flatMap(({ operations }) => operations).sort()).toEqual([...operationIds].sort())
})

test('every requirement is in at least one class, and every class has some of its own', () => {
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
] as const)('%s belongs to %j', (operation, ids) => {
  expect(classesOf({ operation }).map(({ id }) => id)).toEqual(ids)
})

test.each([
  ['protocol/form-post:add-workspace', 'host', true],
  ['protocol/form-post:add-workspace', 'content', false],
  ['protocol/form-post:add-workspace:again', 'content', false],
  ['add-workspace/refuses-anonymous:used-connection', 'host', true],
  ['lifecycle/consistent', 'tasks', true],
])('%s counts for %s: %j', (check, id, counts) => {
  expect(countsFor(classOf(id), check)).toBe(counts)
})
