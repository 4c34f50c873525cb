import { describe, expect, it } from 'vitest'
import type { OperationId } from '../specs/operations.ts'
import type { RequirementId } from '../specs/requirements.ts'
import { answerOf } from './answers.fixture.ts'
import type { RoleObservation } from './check-result.ts'
import { exchangeOf } from './log/exchange.fixture.ts'
import { mergedRoles, type Reading, RoleNotes, unproved } from './role-observations.ts'

const operation = 'delete-collaboration' as const

/** What is noted of one answer to a guest in a check of that requirement. */
function noted(requirement: RequirementId, reading: Reading, asked: OperationId = operation) {
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
    ['an acceptance that was wanted', roles, { accepted: true, wanted: 'accepted' }, ['allowed']],
    ['a refusal that was wanted', roles, { accepted: false, wanted: 'refused' }, ['refused']],
    ['an acceptance that is wrong', roles, { accepted: true, wanted: 'refused' }, ['allowed, wrong']],
    ['a refusal that is wrong', roles, { accepted: false, wanted: 'accepted' }, ['refused, wrong']],
    ['an acceptance against advice', advice, { accepted: true, wanted: 'refused' }, ['allowed']],
    ['an acceptance against a profile', profile, { accepted: true, wanted: 'refused' }, ['allowed']],
    ['a refusal in a check of something else', other, { accepted: false, wanted: 'refused' }, []],
    ['an acceptance there that is a finding', other, { accepted: true, wanted: 'refused' }, ['allowed']],
    ['a refusal that no one judged', roles, { accepted: false }, []],
    [
      'a refusal that follows from others',
      roles,
      { accepted: false, wanted: 'accepted', consequence: true },
      [],
    ],
    ['a refusal of another operation', roles, { accepted: false, wanted: 'refused' }, [], 'add-workspace'],
    [
      'an acceptance of another one',
      roles,
      { accepted: true, wanted: 'refused' },
      ['allowed'],
      'add-workspace',
    ],
  ])('notes of %s', (_, requirement, reading, expected, asked) => {
    expect(noted(requirement, reading, asked)).toEqual(expected)
  })

  it('notes nothing of a page', () => {
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
  it('puts one for each operation and actor in the order of the contract and of the actors', () => {
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
    ['wrongly refused over allowed elsewhere', [yes, wrongNo], wrongNo],
    ['wrongly allowed over all', [wrongNo, no, wrongYes, yes], wrongYes],
  ])('takes %s, in whatever order', (_, several, expected) => {
    expect(mergedRoles(several)).toEqual([expected])
    expect(mergedRoles(several.toReversed())).toEqual([expected])
  })
})

it('where nothing was proved, only what was accepted remains, and is not called wrong', () => {
  expect(
    unproved([
      observed('hostMember', 'refused'),
      observed('anonymous', 'refused', true),
      observed('impostor', 'allowed', true),
    ]),
  ).toEqual([observed('impostor', 'allowed')])
})
