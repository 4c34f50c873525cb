import { expect, it } from 'vitest'
import { around } from '../../reference/alterations.ts'
import type { Alter } from '../../reference/parts.ts'
import { resultsOn } from '../../runner/judged-portal.fixture.ts'

const check = 'delete-collaboration/deletes:after-refusals'

/** Answers 504 to each delete that was performed. */
const lost: Alter = (parts) =>
  around('delete-collaboration', async (_call, honest) => {
    const answer = await honest()
    return answer.refused === undefined ? parts.refuse('timed-out') : answer
  })(parts)

it('names the lost answer if a delete was performed and its retry is refused', async () => {
  const [result] = await resultsOn({ alter: lost }, { requirements: [check], runs: 10 })
  expect(result).toMatchObject({ id: check, outcome: 'inconclusive' })
  expect(result?.reason).toMatch(/was retried after .*504.* and may have been performed twice/)
})
