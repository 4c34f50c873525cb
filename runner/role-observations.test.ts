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

  it.each<[string, RequirementId, Reading, string[], OperationId?]>([
    ['any acceptance', other, { accepted: true }, ['allowed']],
    ['an expected acceptance', roles, { accepted: true, wanted: 'accepted' }, ['allowed']],
    ['an expected refusal', roles, { accepted: false, wanted: 'refused' }, ['refused']],
    ['a wrong acceptance', roles, { accepted: true, wanted: 'refused' }, ['allowed, wrong']],
    ['a wrong refusal', roles, { accepted: false, wanted: 'accepted' }, ['refused, wrong']],
    ['an acceptance against advice', advice, { accepted: true, wanted: 'refused' }, ['allowed']],
    ['an acceptance against a profile', profile, { accepted: true, wanted: 'refused' }, ['allowed']],
    ['no refusal in a check of another rule', other, { accepted: false, wanted: 'refused' }, []],
    [
      'a wrong acceptance in a check of another rule',
      other,
      { accepted: true, wanted: 'refused' },
      ['allowed'],
    ],
    ['no refusal without an expectation', roles, { accepted: false }, []],
    [
      'no refusal that is a consequence of others',
      roles,
      { accepted: false, wanted: 'accepted', consequence: true },
      [],
    ],
    ['no refusal of another operation', roles, { accepted: false, wanted: 'refused' }, [], 'add-workspace'],
    [
      'an acceptance of another operation',
      roles,
      { accepted: true, wanted: 'refused' },
      ['allowed'],
      'add-workspace',
    ],
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
  const [wrongYes, wrongNo] = [
    observed('hostMember', 'allowed', true),
    observed('hostMember', 'refused', true),
  ]
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
