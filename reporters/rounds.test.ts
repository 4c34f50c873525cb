import { expect, test } from 'vitest'
import { checkOf, resultsOf } from './results.fixture.ts'
import type { RequirementResult, Results } from './results.ts'
import { looksTogether, putOffTogether } from './rounds.ts'

const plain = resultsOf([])

function throttled(putOff?: Results['run']['putOff']): Results {
  return { ...plain, run: { ...plain.run, ...(putOff && { putOff }) } }
}

test('throttled requests of all rounds add up, with the slowest pace', () => {
  const rounds = [
    throttled({ throttled: 3, unavailable: 0, perSecond: 40 }),
    throttled(),
    throttled({ throttled: 4, unavailable: 1, busy: 2, perSecond: 20 }),
  ]
  expect(putOffTogether(rounds)).toEqual({
    putOff: { throttled: 7, unavailable: 1, busy: 2, perSecond: 20 },
  })
  expect(putOffTogether([throttled(), throttled()])).toEqual({})
})

test('answers that showed a requirement add up, situation by situation', () => {
  const id = 'add-workspace/creates'
  const judged = resultsOf([checkOf(id)])
  const looking = (looks?: RequirementResult['looks']): Results => ({
    ...judged,
    requirements: judged.requirements.map((requirement) => ({ ...requirement, ...(looks && { looks }) })),
  })
  const rounds = [
    looking({ exchanges: 5, kept: 5, situations: { first: 3, 'after-refused': 2 } }),
    looking(),
    looking({ exchanges: 4, kept: 3, situations: { first: 4 } }),
  ]
  expect(looksTogether(id, rounds)).toEqual({
    looks: { exchanges: 9, kept: 8, situations: { first: 7, 'after-refused': 2 } },
  })
  expect(looksTogether('add-workspace/id-is-new', rounds)).toEqual({})
})
