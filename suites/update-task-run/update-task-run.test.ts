/** The check of listed statuses where a target refuses one of them. */
import { expect, it } from 'vitest'
import { refuseWhen } from '../../reference/alterations.ts'
import { resultsOn } from '../../runner/judged-portal.fixture.ts'

const check = 'update-task-run/statuses'

it('passes if a target refuses a beginning status on fresh and on executing runs', async () => {
  const alter = refuseWhen('update-task-run', 'bad-value', ({ form }) => form.get('status') === 'scheduled')
  const hooks = { sometimes: { alter, draw: () => true } }
  const results = await resultsOn({}, { requirements: [check], seed: 1, runs: 8, hooks })
  expect(results.find(({ id }) => id === check)?.outcome).toBe('passed')
})
