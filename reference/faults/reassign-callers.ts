/** Faults of reassign-items in who may call it. */
import { alsoMay, around, hasInvalidCredential, isAnonymous } from '../alterations.ts'
import type { Call } from '../parts.ts'
import type { User } from '../users.ts'
import { type Fault, requirementsOf } from './fault.ts'
import { move } from './reassign-items.ts'

const operation = 'reassign-items'

function isOwnersCall({ user }: Call, owner: User): boolean {
  return user === owner
}

export const reassignCallerFaults: readonly Fault[] = [
  {
    id: 'custom-administrators-refused',
    sentence: 'A custom role with administrative privileges may not reassign items of others.',
    breaks: ['reassign-items/allows-custom-administrator'],
    alter(parts) {
      const honest = parts.may.reassign
      parts.may.reassign = (call, owner) => call.user?.role !== 'custom' && honest(call, owner)
    },
  },
  {
    id: 'default-administrators-refused',
    sentence: 'Only custom administrators and owners may reassign items.',
    breaks: [
      'protocol/form-post',
      'reassign-items/reassigns',
      'reassign-items/folder-optional',
      'reassign-items/folder-created',
      'reassign-items/items-limit-accepts',
      'reassign-items/allows-default-administrator',
    ],
    alter(parts) {
      const honest = parts.may.reassign
      parts.may.reassign = (call, owner) => call.user?.role !== 'administrator' && honest(call, owner)
    },
  },
  {
    id: 'privileged-owner-refused',
    sentence: 'An owner may not reassign his items, although he has the privilege.',
    breaks: ['reassign-items/allows-owner'],
    // Who sends the requests that anybody entitled may send is up to the suite.
    mayBreak: requirementsOf(operation, 'protocol'),
    alter(parts) {
      const honest = parts.may.reassign
      parts.may.reassign = (call, owner) => call.user !== owner && honest(call, owner)
    },
  },
  {
    id: 'other-user-reassigns',
    sentence: 'A user who is neither the owner nor an administrator may reassign items.',
    breaks: ['reassign-items/refuses-other-user'],
    alter: (parts) =>
      alsoMay(parts, 'reassign', ({ user }, owner) => user?.organization === 'host' && user !== owner),
  },
  {
    id: 'unprivileged-owner-reassigns',
    sentence: 'An owner may reassign his items without the privilege.',
    breaks: ['reassign-items/refuses-owner-without-privilege'],
    alter: (parts) => alsoMay(parts, 'reassign', isOwnersCall),
  },
  {
    id: 'unprivileged-owner-refused-but-items-move',
    sentence: 'An owner without the privilege is refused, but his items move.',
    breaks: ['reassign-items/refuses-owner-without-privilege'],
    alter: (parts) =>
      around(parts, operation, async (call, honest) => {
        const answer = await honest()
        const isOwner = call.user !== undefined && call.user.username === call.params.userName
        if (answer.refused === 'forbidden' && isOwner) move(call)
        return answer
      }),
  },
  {
    id: 'anonymous-reassigns',
    sentence: 'Items can be reassigned without credentials.',
    breaks: ['reassign-items/refuses-anonymous'],
    alter: (parts) => alsoMay(parts, 'reassign', isAnonymous),
  },
  {
    id: 'any-credential-reassigns',
    sentence: 'Items can be reassigned with a credential that nobody was given.',
    breaks: ['reassign-items/refuses-invalid-credential'],
    alter: (parts) => alsoMay(parts, 'reassign', hasInvalidCredential),
  },
  {
    id: 'other-organization-reassigns',
    sentence: 'The administrator of another organization may reassign items.',
    breaks: ['reassign-items/refuses-other-organization'],
    alter: (parts) => alsoMay(parts, 'reassign', ({ user }) => user?.role === 'administrator'),
  },
]
