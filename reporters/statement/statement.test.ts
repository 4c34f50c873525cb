import { XMLValidator } from 'fast-xml-parser'
import { describe, expect, test } from 'vitest'
import { conformanceClasses } from '../../specs/requirements.ts'
import {
  failedCheck,
  observationOf,
  openCheck,
  waivedCheck,
  warnedCheck,
  wholeResults,
} from '../results.fixture.ts'
import type { Results } from '../results.ts'
import { type ClassStatus, classConformances, overallStatus } from './class-conformance.ts'
import { badgeEndpoint, badgeOf, badgeSvg, statement } from './statement.ts'

const whole = wholeResults()
const { complete: _, ...cutShort } = whole

/** Results of a run that was limited to requirements. */
const filtered = (results: Results, requirement = '*/*'): Results => ({
  ...results,
  run: { ...results.run, selection: { operations: [], requirements: [requirement] } },
})

const withRuns = (runs: number): Results => ({ ...whole, run: { ...whole.run, runs } })

describe('the status of each class', () => {
  const all = (status: ClassStatus) => ({
    host: status,
    guest: status,
    content: status,
    tasks: status,
    federation: status,
  })
  const without = (operation: string): Results => ({
    ...whole,
    requirements: whole.requirements.map((each) =>
      each.operation === operation
        ? { ...each, checks: each.checks.map((check) => ({ ...check, outcome: 'not-applicable' as const })) }
        : each,
    ),
  })

  test.each<[string, Results, Partial<Record<string, ClassStatus>>, ClassStatus]>([
    ['is conformant if everything passed', whole, {}, 'conformant'],
    ['is conformant with just enough cases', withRuns(8), {}, 'conformant'],
    ['is not shown anywhere by a quick run', withRuns(7), all('not shown'), 'not shown'],
    [
      'is non-conformant only in the class of a failed operation',
      wholeResults([failedCheck('sync-workspace/starts', 'x')]),
      { guest: 'non-conformant' },
      'non-conformant',
    ],
    [
      'is non-conformant only in the class of the operation that breaks a common rule',
      wholeResults([failedCheck('protocol/form-post:reassign-items', 'x')]),
      { content: 'non-conformant' },
      'non-conformant',
    ],
    [
      'is not shown anywhere if the interplay of operations fails',
      wholeResults([failedCheck('lifecycle/consistent', 'x')]),
      all('not shown'),
      'non-conformant',
    ],
    [
      'is not shown in the class of an inconclusive requirement',
      wholeResults([openCheck('update-task-run/updates', 'inconclusive')]),
      { tasks: 'not shown' },
      'not shown',
    ],
    [
      'is not shown in the class of a requirement that is not tested',
      wholeResults([openCheck('update-task-run/updates', 'not-tested')]),
      { tasks: 'not shown' },
      'not shown',
    ],
    [
      'does not depend on advice',
      wholeResults([openCheck('update-participant/bad-email', 'warned')]),
      {},
      'conformant',
    ],
    [
      'is non-conformant if a requirement of a filtered run failed',
      filtered(wholeResults([failedCheck('update-task-run/updates', 'x')]), 'update-task-run/*'),
      { ...all('not shown'), tasks: 'non-conformant' },
      'non-conformant',
    ],
    [
      'is not applicable if the release lacks its operations',
      without('update-task-run'),
      { tasks: 'not applicable' },
      'conformant',
    ],
  ])('%s', (_, results, differing, overall) => {
    const classes = classConformances(results)
    const statuses = Object.fromEntries(classes.map((each) => [each.class.id, each.status]))
    expect(statuses).toEqual({ ...all('conformant'), ...differing })
    expect(overallStatus(results, classes)).toBe(overall)
  })

  test.each<[string, Results, string]>([
    ['the run was cut short', cutShort, 'the run was cut short'],
    ['the run broke', wholeResults([], { errors: ['x'] }), 'the run broke'],
    ['the run was filtered', filtered(whole), 'the run was limited to a selection of checks'],
    ['the run was quick', withRuns(0), 'the run was quick: it makes only the main check of each requirement'],
    [
      'a failure is waived',
      wholeResults([waivedCheck('protocol/form-post:add-workspace')]),
      'the run waived failures: protocol/form-post',
    ],
    [
      'the results lack a requirement',
      { ...whole, requirements: whole.requirements.filter(({ id }) => id !== 'update-task-run/updates') },
      'not in these results: update-task-run/updates',
    ],
    [
      'a failure may belong to another class',
      wholeResults([failedCheck('lifecycle/consistent', 'x')]),
      'failed, possibly in another class: lifecycle/consistent',
    ],
  ])('is not shown, with the reason, if %s', (_, results, reason) => {
    const tasks = classConformances(results).find((each) => each.class.id === 'tasks')
    expect(tasks).toMatchObject({ status: 'not shown', reasons: [reason] })
  })
})

describe('the badge', () => {
  const waived = waivedCheck('add-workspace/creates')
  const failed = wholeResults([failedCheck('add-workspace/creates', 'x')])

  test.each<[string, Results, string, string]>([
    ['in which all passed', whole, 'conformant', 'brightgreen'],
    ['with a failure', failed, 'non-conformant', 'red'],
    ['with a failure and a selection', filtered(failed), 'non-conformant', 'red'],
    [
      'with an inconclusive requirement',
      wholeResults([openCheck('add-workspace/creates', 'inconclusive')]),
      'incomplete',
      'orange',
    ],
    ['with a waived failure', wholeResults([waived]), 'conformant (waived 1)', 'yellow'],
    [
      'with a waived failure and an untested requirement',
      wholeResults([waived, openCheck('add-workspace/timestamps', 'not-tested')]),
      'incomplete',
      'orange',
    ],
    ['with a selection', filtered(whole), 'incomplete (filtered)', 'orange'],
    ['that was quick', withRuns(0), 'incomplete (quick run)', 'orange'],
    ['that was cut short', cutShort, 'incomplete (run cut short)', 'orange'],
    ['with errors of the run', wholeResults([], { errors: ['x'] }), 'incomplete (run broken)', 'orange'],
  ])('of a run %s', (_, results, message, color) => {
    const badge = { label: 'portal-conformance', message, color }
    expect(badgeOf(results)).toEqual(badge)
    expect(JSON.parse(badgeEndpoint(badge))).toEqual({ schemaVersion: 1, ...badge })
  })

  test('is valid SVG with the message', () => {
    const svg = badgeSvg(badgeOf(wholeResults([waived])))
    expect(XMLValidator.validate(svg)).toBe(true)
    expect(svg).toMatch(/^<svg [\s\S]*portal-conformance: conformant \(waived 1\)[\s\S]*<\/svg>\n$/)
  })
})

describe('the statement', () => {
  const command = 'portal-conformance run --config staging.yaml --seed 42'
  const text = (results: Results) => [...statement(results, { command, files: ['results.json'] })].join('')

  test('of a conformant run lists classes, requirements, the command and attached files', () => {
    const shown = text(whole)
    expect(shown).toContain('Judged by portal-conformance 0.1.0.\n\n- **Target:** `https://')
    expect(shown).toContain('- **Run:** `pc-0a1b2c3d`')
    expect(shown).toContain('**The run shows conformance to every class that applies.**')
    for (const { title } of conformanceClasses) expect(shown).toContain(`\n## ${title}: conformant\n`)
    expect(shown).toMatch(/\| `update-task-run\/updates` \|.*\| ✓ passed \|\n/)
    expect(shown).toContain(`Run:\n\n\`\`\`sh\n${command}\n\`\`\``)
    expect(shown).toContain('- `results.json`\n')
  })

  test('lists the open points that the configuration settled', () => {
    const contract = { newWorkspacesSync: true, run: { statuses: ['executing', 'done'] } }
    const shown = text({ ...whole, target: { ...whole.target, contract } })
    expect(shown).toContain('\n## Settled open points\n')
    expect(shown).toContain('- **contract.newWorkspacesSync:** `true`\n')
    expect(shown).toContain('- **contract.run:** `{"statuses":["executing","done"]}`\n')
    expect(text(whole)).not.toContain('Settled')
  })

  test('lists failures, waivers, inconclusive and untested requirements, and observations', () => {
    const results = wholeResults(
      [
        failedCheck('add-workspace/creates', 'no workspace came'),
        waivedCheck('sync-workspace/starts'),
        openCheck('update-task-run/updates', 'not-tested', 'no actor taskOwner'),
        openCheck('reassign-items/reassigns', 'inconclusive', 'the control was refused'),
        warnedCheck('update-participant/bad-email', 'it was accepted'),
      ],
      {
        observations: [observationOf('kept', { operation: 'sync-workspace' })],
      },
    )
    const shown = text(results)
    expect(shown).not.toMatch(/: conformant\n/)
    for (const part of [
      '**The deployment does not conform.**',
      '## Host: non-conformant\n',
      '## Failures\n\n### ✗ failed `add-workspace/creates`\n',
      '- **Found:** no workspace came\n',
      '## Waived: failed, but does not count\n\n### ~ waived `sync-workspace/starts`\n',
      '- **Waived:** until 2999-12-31 by portal team: mended in the next release',
      '| – not tested: no actor taskOwner |\n',
      '| ? inconclusive: the control was refused |\n',
      '## Advice that is not kept\n\n',
      '- Is markup filtered?\n  - sync-workspace: kept\n',
    ])
      expect(shown).toContain(part)
  })
})
