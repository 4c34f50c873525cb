/** A time-out that the body reports, under HTTP 200, proves nothing: the target may have carried the request out. */
import { expect, test } from 'vitest'
import { around } from '../reference/alterations.ts'
import type { Alter } from '../reference/parts.ts'
import { resultsOn } from './judged-portal.fixture.ts'

async function outcomesOf(alter: Alter, requirements: readonly string[]) {
  const sections = () => ({ http: { throttleWait: '300ms' } })
  return (await resultsOn({ alter }, { requirements, sections }))
    .filter(({ outcome }) => outcome !== 'not-applicable')
    .map(({ id, outcome, reason }) => ({ id, outcome, reason }))
}

/** Performs every other request, and answers all of them with a time-out or a bad gateway. */
const timesOut: Alter = (parts) => {
  let asked = 0
  for (const id of ['update-participant', 'delete-collaboration'] as const)
    around(id, async (_call, honest) => {
      asked += 1
      if (asked % 2 === 0) await honest()
      return parts.refuse(asked % 3 === 0 ? 'bad-gateway' : 'timed-out')
    })(parts)
}

test('checks are inconclusive if every request times out', async () => {
  const outcomes = await outcomesOf(timesOut, [
    'update-participant/updates',
    'update-participant/refuses-guest',
    'delete-collaboration/deletes',
    'delete-collaboration/refuses-anonymous',
  ])
  expect(outcomes.length).toBeGreaterThanOrEqual(4)
  expect(
    outcomes.filter(({ outcome, reason = '' }) => outcome !== 'inconclusive' || !/50[24]/.test(reason)),
  ).toEqual([])
})

/** Only the first answer is lost: the same request then finds nothing to delete. */
const losesTheFirst: Alter = (parts) => {
  const deleted = new Set<string | undefined>()
  around('delete-collaboration', async (call, honest) => {
    const answer = await honest()
    const { collaborationID } = call.params
    if (answer.refused !== undefined || deleted.has(collaborationID)) return answer
    deleted.add(collaborationID)
    return parts.refuse('timed-out')
  })(parts)
}

test('a refused retry is no finding, since the first request may have been performed', async () => {
  const outcomes = await outcomesOf(losesTheFirst, ['delete-collaboration/deletes'])
  expect(outcomes.map(({ id }) => id)).toContain('delete-collaboration/deletes')
  const again = /retried after HTTP 200 with error code 504/
  expect(
    outcomes.filter(({ outcome, reason = '' }) => outcome !== 'inconclusive' || !again.test(reason)),
  ).toEqual([])
})
