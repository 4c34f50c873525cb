import { describe, expect, it } from 'vitest'
import type { OperationId } from '../specs/operations.ts'
import type { RequirementId } from '../specs/requirements.ts'
import { answerOf } from './answers.fixture.ts'
import type { RoleObservation } from './check-result.ts'
import { exchangeOf } from './log/exchange.fixture.ts'
import { mergedRoles, type Reading, RoleNotes, unproved } from './role-observations.ts'

const operation = 'delete-collaboration' as const

/** The observations of one answer to a guest in a check of this requirement. */
function observationsOf(requirement: RequirementId, reading: Reading, asked: OperationId = operation) {
  const notes = new RoleNotes({ requirement, operation })
  const effect = { operation: asked, actor: 'guestAdministrator', at: {}, request: {} } as const
  notes.read(exchangeOf(effect, answerOf({})), reading)
  return notes.all().map(({ observed, wrong }) => (wrong ? `${observed}, wrong` : observed))
}

describe('RoleNotes', () => {
  const roles = 'delete-collaboration/refuses-guest'
  const other = 'delete-collaboration/deletes'
  const advice = 'update-task-run/refuses-anonymous'
  const profile = 'profile/not-permitted-code'

  const [taken, refused] = [{ accepted: true }, { accepted: false }]
  const [yes, no] = [{ wanted: 'accepted' }, { wanted: 'refused' }] as const
  const consequence = { ...yes, consequence: true } as const
  const adding = 'add-workspace'

  it.each<[string, RequirementId, Reading, string[], OperationId?]>([
    ['any acceptance', other, taken, ['allowed']],
    ['an expected acceptance', roles, { ...taken, ...yes }, ['allowed']],
    ['an expected refusal', roles, { ...refused, ...no }, ['refused']],
    ['a wrong acceptance', roles, { ...taken, ...no }, ['allowed, wrong']],
    ['a wrong refusal', roles, { ...refused, ...yes }, ['refused, wrong']],
    ['an acceptance against advice', advice, { ...taken, ...no }, ['allowed']],
    ['an acceptance against a profile', profile, { ...taken, ...no }, ['allowed']],
    ['no refusal in a check of another rule', other, { ...refused, ...no }, []],
    ['a wrong acceptance in a check of another rule', other, { ...taken, ...no }, ['allowed']],
    ['no refusal without an expectation', roles, refused, []],
    ['no refusal that is a consequence of others', roles, { ...refused, ...consequence }, []],
    ['no refusal of another operation', roles, { ...refused, ...no }, [], adding],
    ['an acceptance of another operation', roles, { ...taken, ...no }, ['allowed'], adding],
  ])('records %s', (_, requirement, reading, expected, asked) => {
    expect(observationsOf(requirement, reading, asked)).toEqual(expected)
  })

  it('records nothing for an answer without its exchange', () => {
    const notes = new RoleNotes({ requirement: roles, operation })
    notes.read(answerOf({}), { accepted: true })
    expect(notes.all()).toEqual([])
  })
})

const observed = (
  actor: RoleObservation['actor'],
  what: 'allowed' | 'refused',
  wrong?: true,
  of: OperationId = operation,
): RoleObservation => ({ operation: of, actor, observed: what, ...(wrong ? { wrong } : {}) })

describe('mergedRoles', () => {
  it('keeps one observation per operation and actor, in the order of the contract', () => {
    const merged = mergedRoles([
      observed('impostor', 'refused'),
      observed('anonymous', 'refused'),
      observed('hostMember', 'refused'),
      observed('hostMember', 'refused'),
      observed('hostAdministrator', 'allowed', undefined, 'add-workspace'),
    ])
    expect(merged.map(({ operation, actor }) => `${operation} ${actor}`)).toEqual([
      'add-workspace hostAdministrator',
      'delete-collaboration hostMember',
      'delete-collaboration anonymous',
      'delete-collaboration impostor',
    ])
  })

  const [yes, no] = [observed('hostMember', 'allowed'), observed('hostMember', 'refused')]
  const wrongYes = observed('hostMember', 'allowed', true)
  const wrongNo = observed('hostMember', 'refused', true)

  it.each([
    ['allowed over refused', [no, yes], yes],
    ['wrongly allowed over allowed', [yes, wrongYes], wrongYes],
    ['wrongly allowed over refused', [no, wrongYes], wrongYes],
    ['wrongly refused over allowed', [yes, wrongNo], wrongNo],
    ['wrongly allowed over all', [wrongNo, no, wrongYes, yes], wrongYes],
  ])('prefers %s, in any order', (_, several, expected) => {
    expect(mergedRoles(several)).toEqual([expected])
    expect(mergedRoles(several.toReversed())).toEqual([expected])
  })
})

it('unproved keeps only acceptances, and does not call them wrong', () => {
  expect(
    unproved([
      observed('hostMember', 'refused'),
      observed('anonymous', 'refused', true),
      observed('impostor', 'allowed', true),
    ]),
  ).toEqual([observed('impostor', 'allowed')])
})
