/** What the check of listed statuses reports if a target refuses one of them. */
import { expect, it } from 'vitest'
import { refuseWhen } from '../../reference/alterations.ts'
import { resultsOn } from '../../runner/judged-portal.fixture.ts'

const check = 'update-task-run/statuses'

it('reports that a target refuses a beginning status on fresh and on executing runs, without a finding', async () => {
  const alter = refuseWhen('update-task-run', 'bad-value', ({ form }) => form.get('status') === 'scheduled')
  const hooks = { sometimes: { alter, draw: () => true } }
  const results = await resultsOn({}, { requirements: [check], seed: 1, runs: 8, hooks })
  const result = results.find(({ id }) => id === check)
  expect(result?.outcome).toBe('passed')
  expect(result?.observations?.map(({ observed }) => observed)).toContain(
    'as it was, then scheduled: refused; executing, then scheduled: refused',
  )
})
