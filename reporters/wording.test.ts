import { expect, it } from 'vitest'
import { configurationFor } from '../deployment/http/server.fixture.ts'
import { withoutJudging } from '../runner/plan.ts'
import { everything } from '../runner/run-input.ts'
import { declaredChecks } from '../suites/declared-checks.ts'
import { wordsFor } from './wording.ts'

it('wordsFor has words for every actor, fixture and effect that a check can lack', async () => {
  const nothing = {
    ...configurationFor('http://127.0.0.1:1/rest', { http: { concurrency: 1 } }),
    effects: [],
  }
  const checks = await declaredChecks()
  const keys = new Set(checks.flatMap((check) => withoutJudging(check, nothing, everything)?.add ?? []))
  expect(keys.size).toBeGreaterThan(25)
  expect([...keys].filter((key) => wordsFor(key) === undefined)).toEqual([])
})

it('a login of the host alone lacks two settings, and wordsFor explains them', async () => {
  const host = { username: 'alice', password: 'p' }
  const alone = configurationFor('http://127.0.0.1:1/rest', {
    target: { baseUrl: 'http://127.0.0.1:1/rest', profile: 'arcgis' },
    actors: {},
    administration: { host, users: 'none' },
    run: { guestRefresh: '1s' },
  })
  const checks = await declaredChecks()
  const keys = new Set(checks.flatMap((check) => withoutJudging(check, alone, everything)?.add ?? []))
  expect([...keys].sort()).toEqual(['administration.guest', 'administration.users: create'])
  for (const key of keys) expect(wordsFor(key)).toBeDefined()
})

it.each([
  ['actors.hostMember', 'a member of the host portal without administrative rights'],
  ['actors.hostMember.username', 'the user name of that caller'],
  ['actors.hostMember.credential', 'a credential that works'],
  ['fixtures.group', 'groups of the host that workspaces may be linked to'],
  ['effects.sync-workspace', 'runs syncs of workspaces of the fixture provider'],
])('wordsFor explains %s', (key, words) => expect(wordsFor(key)).toBe(words))

it.each(['actors.no-one', 'fixtures.constructor', 'effects.everything', 'toString', ''])(
  'wordsFor has no words for %j',
  (key) => expect(wordsFor(key)).toBeUndefined(),
)
