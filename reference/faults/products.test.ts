/** What holds of the catalogue: products and what they leave out, and what follows from the requirements that faults break. */
import { describe, expect, test } from 'vitest'
import { requirementOf } from '../../specs/requirements.ts'
import { faults, products } from './index.ts'
import { readBackFaults } from './read-back.ts'

const reason = /^(?:equivalent|left open|not found)\b.{10,}/

describe.each(products.map((each) => [each.rule, each] as const))('%s', (rule, each) => {
  test('has faults at several places, each with the rule', () => {
    expect(each.faults.length).toBeGreaterThan(1)
    expect(each.faults.filter((fault) => fault.rule !== rule)).toEqual([])
  })

  test('leaves out what it would give, each with a reason', () => {
    const leftOut = Object.entries(each.leftOut)
    expect(leftOut.filter(([id]) => !each.offered.includes(id))).toEqual([])
    expect(leftOut.filter(([, why]) => !reason.test(why))).toEqual([])
    expect(each.faults.length).toBe(each.offered.length - leftOut.length)
  })
})

test('there are at least 500 faults, and rules have names of their own', () => {
  expect(faults.length).toBeGreaterThanOrEqual(500)
  const rules = products.map(({ rule }) => rule)
  expect(new Set(rules).size).toBe(rules.length)
})

test('every fault breaks something, and has the kind of what it breaks first', () => {
  for (const { id, breaks, kind } of [...faults, ...readBackFaults]) {
    const [first] = breaks
    expect([id, first && requirementOf(first).kind]).toEqual([id, kind])
  }
})

test('a fault that touches one operation breaks no requirement of another', () => {
  for (const { id, operation, breaks, mayBreak = [] } of faults) {
    if (operation === undefined) continue
    const others = [...breaks, ...mayBreak].map((each) => requirementOf(each).operation)
    expect([id, others.filter((each) => each !== operation && each !== 'protocol')]).toEqual([id, []])
  }
})
