/** Checks that read pages of the deployment. The self-test finds the faults that only they find. */
import { expect, it } from 'vitest'
import { faults } from '../reference/faults/index.ts'
import { judgeAdministered } from './judge-administered.ts'
import { judgePortal } from './judge-portal.ts'
import { twoLogins } from './trial.ts'

it.each([
  'odd-ids',
  'single-use-groups',
  'groups-with-commas',
  'texts-decomposed',
  'markup-removed',
  'filter-blocks-equations',
])('read-back checks pass where values are kept or refused otherwise: %s', async (variant) => {
  const operations = ['add-workspace/creates', 'update-participant/updates', 'update-task-run/updates']
  const requirements = [...operations, 'update-federation/updates'].map((id) => `${id}:read-back`)
  const altered = { variants: [variant], profile: 'arcgis', requirements, seed: 1, runs: 8 }
  const judged = (await judgePortal(altered)).checks.filter(({ id }) => requirements.includes(id))
  expect(judged.map(({ id, outcome }) => [id, outcome])).toEqual(requirements.map((id) => [id, 'passed']))
})

it.each([
  ['update-task-run/updates', 'runs-go-on', 'not-applicable'],
  ['update-participant/updates', 'contact-of-a-portal', 'passed'],
  ['sync-workspace/refuses-non-designated', 'refused-syncs-listed', 'passed'],
  ['delete-collaboration/deletes', 'refusals-as-empty-500', 'passed'],
  ['delete-collaboration/deletes', 'refusals-as-200-login-page', 'passed'],
] as const)('%s is read back without a finding where %s', async (requirement, variant, outcome) => {
  const id = `${requirement}:read-back`
  const altered = { variants: [variant], profile: 'arcgis', requirements: [id], seed: 1, runs: 8 }
  const { checks } = await judgePortal(altered)
  expect(checks.find((check) => check.id === id)).toMatchObject({ outcome })
})

it('with logins alone, pages that show how long a sync took are enough to find faults of syncs', async () => {
  const ids = ['synchronous-sync-returns-at-once', 'sync-in-unknown-collaboration']
  const breaks = faults.filter(({ id }) => ids.includes(id)).flatMap((fault) => fault.breaks)
  const altered = { faults: ids, requirements: breaks, seed: 1, runs: 8 }
  const { failed } = await judgeAdministered(altered, twoLogins)
  expect([...failed].sort()).toEqual([...breaks].sort())
})

it('a contact is also read at the host where the host has another id among participants', async () => {
  const requirements = ['update-participant/updates']
  const faults = ['contact-for-all-participants']
  const variants = ['participants-have-ids-of-their-own']
  const { failed } = await judgeAdministered({ faults, variants, requirements, seed: 1, runs: 8 }, twoLogins)
  expect([...failed]).toEqual(requirements)
})
