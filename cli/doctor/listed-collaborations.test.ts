import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadConfiguration } from '../../deployment/configuration/load-configuration.ts'
import { planChecks } from '../../runner/plan.ts'
import { everything } from '../../runner/run-input.ts'
import { declaredChecks } from '../../suites/declared-checks.ts'
import { command } from '../process/in-process.fixture.ts'
import { testFolder } from '../process/test-folder.fixture.ts'
import { examination } from './examination.ts'
import { deletionOfListed } from './fixture-needs.ts'

const listed = (...ids: string[]) => ({
  static: { collaboration: ids.map((collaborationId) => ({ collaborationId })) },
})

it('deletionOfListed names the listed collaborations that a run deletes', () => {
  const effects = ['add-workspace', 'delete-collaboration'] as const
  expect(deletionOfListed({ fixtures: listed('c1', 'c2'), effects })).toContain('adds to it: c1, c2. To keep')
  const many = listed(...Array.from({ length: 8 }, (_, at) => `c${at}`))
  expect(deletionOfListed({ fixtures: many, effects })).toContain('c3, c4 and 3 more.')
})

it.each([
  ['effects does not allow deleting', { fixtures: listed('c1'), effects: ['add-workspace'] as const }],
  ['no collaboration is listed', { fixtures: listed(), effects: ['delete-collaboration'] as const }],
  [
    'a provider creates the collaborations',
    { fixtures: { url: 'http://p' }, effects: ['delete-collaboration'] as const },
  ],
  ['no fixtures are configured', { effects: ['delete-collaboration'] as const }],
])('deletionOfListed returns undefined if %s', (_, configuration) => {
  expect(deletionOfListed(configuration)).toBeUndefined()
})

it.each([
  ['announced with a group', [{ groupId: 'g' }], true],
  ['not announced without a group', [], false],
])('workspaces added to listed collaborations are %s, deletions always', async (_, group, announced) => {
  const file = join(testFolder(), 'staging.json')
  const value = {
    target: { baseUrl: 'https://staging.example.com/rest' },
    portals: { host: { id: 'h' } },
    actors: { hostAdministrator: { credential: 'a-credential' } },
    fixtures: { static: { ...listed('c1').static, group } },
    effects: 'all',
  }
  writeFileSync(file, JSON.stringify(value))
  const { code, out } = await command('run --dry-run --config', file)
  const text = out.replace(/\s+/g, ' ')
  const line = /at most [\d,]+ workspaces are added to 1 listed collaboration/
  expect([code, line.test(text)]).toEqual([0, announced])
  expect(text).toContain('! a run deletes every collaboration that it takes')
  const configuration = loadConfiguration({ file }, {}, {})
  const plan = planChecks(await declaredChecks(), configuration, everything)
  const { parts } = examination({ configuration, base: {} }, plan)
  const texts = parts.flatMap(({ lines }) => lines.map((each) => each.text)).join('\n')
  expect(line.test(texts)).toBe(announced)
  expect(texts).toContain('adds to it: c1')
})
