/** Rules that a profile adds to the contract: error codes of refusals, and closed lists. */
import type { ActorName } from '../../deployment/configuration/actors.ts'
import { type CheckDefinition, suite } from '../../runner/check.ts'
import { Unproven } from '../../runner/findings.ts'
import { targetNeeds } from '../../runner/operation-targets.ts'
import { type OperationId, operationIds } from '../../specs/operations.ts'
import { actorsOf } from './wrong-callers.ts'

/** The checks of this file. */
export const checks: CheckDefinition[] = []

/** A caller whom the operation must refuse, if the contract names one. */
const notPermitted: Partial<Record<OperationId, ActorName>> = {
  'add-workspace': 'hostMember',
  'update-participant': 'hostMember',
  'delete-collaboration': 'hostMember',
  'update-federation': 'hostMember',
  'sync-workspace': 'syncNonInitiator',
  'reassign-items': 'outsider',
}

for (const operation of operationIds) {
  const check = suite(checks, targetNeeds(operation))

  for (const [id, cause, refused] of [
    ['profile/no-credential-code', 'noCredential', 'anonymous'],
    ['profile/invalid-credential-code', 'invalidCredential', 'impostor'],
    ['profile/not-permitted-code', 'notPermitted', notPermitted[operation]],
  ] as const) {
    if (refused === undefined) continue
    const needs = {
      profile: { error: cause },
      actors: actorsOf(refused),
      title: `${operation}: the error code of a refusal to ${refused}.`,
    }
    check(`${id}:${operation}`, needs, async (context) => {
      const { fixed, tried } = context.target(operation)
      const request = await context.given.request(operation, fixed)
      context.expect(await tried((call) => call(context.as[refused], request))).toKeep(id, { valid: true })
    })
  }
}

const check = suite(checks, targetNeeds('update-federation'))

for (const [id, field, list, point] of [
  ['profile/sign-up-modes-closed', 'signUpMode', 'signUpModes', 'sign-up-modes'],
  ['profile/user-types-closed', 'userType', 'userTypes', 'user-types'],
] as const) {
  check(id, { profile: { closed: point } }, async (context) => {
    const { fixed, send } = context.target('update-federation')
    const listed = context.configuration.contract.federation?.[list]?.[0]
    if (listed === undefined) throw new Unproven(`the profile closes the list of ${field} but lists no value`)
    const request = await context.given.request('update-federation', { ...fixed, [field]: listed })
    const before = await send(request)
    context.control(before)
    for (const value of [context.given.ids.unknownLike('unlisted'), `${listed}x`]) {
      context
        .expect(await send({ ...request, [field]: value }), before)
        .toBeRefused(`the ${field} ${value}, which is not listed, was accepted`)
    }
  })
}
