import { expect, test } from 'vitest'
import { conformanceClasses } from '../../specs/requirements.ts'
import { failedCheck, openCheck, waivedCheck, wholeResults } from '../results.fixture.ts'
import type { Results } from '../results.ts'
import { statement } from './statement.ts'

const context = { command: 'portal-conformance run --config staging.yaml --seed 42', files: ['results.json'] }
const text = (results: Results) => [...statement(results, context)].join('')

test('statement of a conformant run lists classes, requirements, the command and attached files', () => {
  const whole = text(wholeResults())
  expect(whole).toContain('Judged by portal-conformance 0.1.0.\n\n- **Target:** `https://')
  expect(whole).toContain('- **Run:** `pc-0a1b2c3d`')
  expect(whole).toContain('**The run shows conformance to every class that applies.**')
  for (const { title } of conformanceClasses) expect(whole).toContain(`\n## ${title}: conformant\n`)
  expect(whole).toMatch(/\| `update-task-run\/updates` \|.*\| ✓ passed \|\n/)
  expect(whole).toContain('Run:\n\n```sh\nportal-conformance run --config staging.yaml --seed 42\n```')
  expect(whole).toContain('- `results.json`\n')
})

test('statement lists failures, waivers, inconclusive and untested requirements, and observations', () => {
  const results = wholeResults(
    [
      failedCheck('add-workspace/creates', 'no workspace came'),
      waivedCheck('sync-workspace/starts'),
      openCheck('update-task-run/updates', 'not-tested', 'no actor taskOwner'),
      openCheck('reassign-items/reassigns', 'inconclusive', 'the control was refused'),
      { ...failedCheck('update-participant/bad-email', 'it was accepted'), outcome: 'warned' },
    ],
    {
      observations: [
        { id: 'sync-job', operation: 'sync-workspace', question: 'What is jobId for?', observed: 'nothing' },
      ],
    },
  )
  const whole = text(results)
  expect(whole).toContain('**The deployment does not conform.**')
  expect(whole).not.toMatch(/: conformant\n/)
  expect(whole).toContain('## Host: non-conformant\n')
  for (const part of [
    '## Failures\n\n### ✗ failed `add-workspace/creates`\n',
    '- **Found:** no workspace came\n',
    '## Waived: failed, but does not count\n\n### ~ waived `sync-workspace/starts`\n',
    '- **Waived:** until 2999-12-31 by portal team: known\n',
    '| – not tested: no actor taskOwner |\n',
    '| ? inconclusive: the control was refused |\n',
    '## Advice that is not kept\n\n',
  ])
    expect(whole).toContain(part)
  expect(whole).toContain('- What is jobId for?\n  - sync-workspace: nothing\n')
})
