/** Rights that leak: to who tries again, over a connection, by what a request leaves out, and although the answer refuses. */
import { type OperationId, operationIds, operationOf } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { afterRefused, alsoMay, alsoMayAfter, hasInvalidCredential, isAnonymous } from '../alterations.ts'
import { isOwner } from '../handlers.ts'
import type { Call } from '../parts.ts'
import { isAdministrator, isGuestAdministrator, isOfHost } from '../users.ts'
import { alsoSeen, deeds, refusing } from './callers.ts'
import { deleteAnyway, later, move } from './effects.ts'
import { type Applied, type Chapter, product, refusalsOf } from './fault.ts'

/** Operations of which the contract says who may call them. */
const withCallers = operationIds.filter((operation) => operation !== 'update-task-run')

const secondNames: Readonly<Partial<Record<OperationId, string>>> = {
  'delete-collaboration': 'second-delete-unchecked',
  'reassign-items': 'second-reassignment-unchecked',
}

/** Whether the same caller asked for the same before. */
function askedBefore(): (call: Call) => boolean {
  const before = new Set<string>()
  return ({ params, form, parts, arrival }) => {
    const asked = JSON.stringify([params, form.get('items'), parts.credentialOf(arrival)])
    const known = before.has(asked)
    before.add(asked)
    return known
  }
}

const secondTry = withCallers.map((operation): Applied => {
  const { right, noun, may } = deeds[operation]
  return {
    id: secondNames[operation] ?? `second-${noun}-request-unchecked`,
    sentence: `A caller who was refused when trying to ${may} is let in on the second try.`,
    breaks: refusalsOf(operation),
    mayBreak: alsoSeen(operation),
    alter: (parts) => alsoMay(right, askedBefore())(parts),
  }
})

const anonymousOf = (operation: OperationId) => [refusing(operation, ['anonymous']) as RequirementId]

const keptOnConnection = withCallers.map((operation): Applied => {
  const { right, noun, may } = deeds[operation]
  return {
    id: `${noun}-rights-kept-on-connection`,
    sentence: `Once a permitted caller was let in to ${may}, anybody may on that connection, without credentials.`,
    breaks: anonymousOf(operation),
    mayBreak: alsoSeen(operation),
    alter: alsoMayAfter(right, isAnonymous, ({ arrival }) => arrival.socket),
  }
})

const pathNames: Readonly<Record<string, string>> = {
  'anonymous-adds-workspaces-under-guest-path': 'anonymous-adds-under-guest-path',
}

const isElsewhere = ({ params, store }: Call): boolean => params.portalID !== store.portals.host

const underGuestPath = withCallers
  .filter((operation) => operationOf(operation).path.startsWith('/portals/'))
  .map((operation): Applied => {
    const { right, one, may } = deeds[operation]
    const name = `anonymous-${one}-under-guest-path`
    return {
      id: pathNames[name] ?? name,
      sentence: `Under the path of a guest's portal a caller without credentials may ${may}.`,
      breaks: anonymousOf(operation),
      mayBreak: alsoSeen(operation),
      alter: alsoMay(right, (call: Call) => isAnonymous(call) && isElsewhere(call)),
    }
  })

const sharedRights: Readonly<Record<string, OperationId>> = {
  'workspace-rights-from-adding': 'add-workspace',
  'sync-rights-kept-for-workspace': 'sync-workspace',
  'participant-rights-from-updating': 'update-participant',
  'federation-rights-from-updating': 'update-federation',
}

const onceUsed = Object.entries(sharedRights).map(([id, operation]): Applied => {
  const { right, may } = deeds[operation]
  return {
    id,
    sentence: `Once a permitted caller was let in to ${may}, every administrator may do the same there.`,
    breaks: [refusing(operation, ['guestAdministrator', 'syncNonInitiator']) as RequirementId],
    alter: alsoMayAfter(
      right,
      ({ user }: Call) => isAdministrator(user),
      ({ params }) => params.workspaceID ?? params.federationID ?? params.collaborationID,
    ),
  }
})

/** A parameter by a short name, as a part of ids. */
const shortNameOf = (parameter: string): string =>
  parameter
    .replace(/^collaborationWorkspace|^portal(?=Group)|^contact|^target/, '')
    .replace(/(?<=[a-z])([A-Z])/g, '-$1')
    .toLowerCase()

const needParameter = withCallers.flatMap((operation) =>
  operationOf(operation)
    .parameters.filter(({ name, presence }) => presence !== 'required' && name !== 'f')
    .map(({ name }): Applied => {
      const { right, noun, may } = deeds[operation]
      return {
        id: `${noun}-roles-need-${shortNameOf(name)}`,
        sentence: `Whether a caller may ${may} is checked only where ${name} is sent.`,
        breaks: refusalsOf(operation),
        alter: alsoMay(right, ({ form }: Call) => form.get(name) === undefined),
      }
    }),
)

/** A caller who is refused: a part of ids, words, who it is, and as whom the contract refuses them. */
const refused: readonly (readonly [id: string, who: string, is: (call: Call) => boolean, as: string])[] = [
  ['anonymous', 'A caller without credentials', isAnonymous, 'anonymous'],
  ['invalid-credential', 'A caller with a made-up credential', hasInvalidCredential, 'impostor'],
  ['guest', 'An administrator of a guest', isGuestAdministrator, 'guestAdministrator'],
  ['member', 'A member of the host', isOfHost, 'hostMember'],
  ['unprivileged-owner', 'An owner without the privilege', isOwner, 'itemOwnerUnprivileged'],
  ['other-user', 'A user who is not the owner', (call) => isOfHost(call) && !isOwner(call), 'outsider'],
]

const deletes = {
  operation: 'delete-collaboration',
  act: deleteAnyway,
  what: 'the collaboration is deleted',
} as const
const moves = {
  operation: 'reassign-items',
  act: (call: Call) => move(call),
  what: 'the items move',
} as const

/** What a caller brings about although refused, at once or a little later. */
const doneAnyway: readonly Applied[] = refused.flatMap(([id, who, is, as]) =>
  [deletes, moves].flatMap(({ operation, act, what }) => {
    const requirement = refusing(operation, [as])
    if (requirement === undefined) return []
    const end = operation === 'reassign-items' ? 'items-move' : 'deleted'
    const [seen = requirement] = as === 'impostor' ? [] : alsoSeen(operation)
    return [false, true].map(
      (isLater): Applied => ({
        id: `${id}-refused-but-${end}${isLater ? '-later' : ''}`,
        sentence: `${who} is refused, but ${what}${isLater ? ' a little later' : ''}.`,
        breaks: [seen],
        mayBreak: [requirement, ...alsoSeen(operation)],
        alter: afterRefused(operation, ['forbidden', 'token-required', 'invalid-token'], (call) => {
          if (is(call)) isLater ? later(() => act(call)) : act(call)
        }),
      }),
    )
  }),
)

const rightProducts = [
  product('a refused caller is let in on the second try', secondTry, { stateful: true }),
  product('a right is kept for the connection', keptOnConnection, { stateful: true }),
  product('a right is shared once it was used', onceUsed, { stateful: true }),
  product('nobody is asked for credentials under the path of a guest', underGuestPath),
  product('callers are checked only where a parameter is sent', needParameter, {
    leftOut: {
      'federation-roles-need-role-id': 'equivalent to no check at all: no valid value is known',
      'federation-roles-need-user-license-type': 'equivalent to no check at all: no valid value is known',
    },
  }),
  product('what was refused is done all the same', doneAnyway),
]

export const rightsChapter: Chapter = { products: rightProducts }
