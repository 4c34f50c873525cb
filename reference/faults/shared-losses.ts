/** Faults in which deleting a collaboration damages others that share a group or a guest with it. */
import type { RequirementId } from '../../specs/requirements.ts'
import { afterAccepted, wrapping } from '../alterations.ts'
import type { Alter, Call } from '../parts.ts'
import type { Collaboration, Store } from '../store.ts'
import { type Fault, faultsOf, requirementsOf } from './fault.ts'

type Loss = (store: Store, collaboration: Collaboration) => void

/** Causes the loss with each delete, at once or after this many ms. */
const withEachDelete = (loss: Loss, laterMs: number): Alter =>
  wrapping('remove', (honest) => (store, collaboration) => {
    honest(store, collaboration)
    if (laterMs === 0) loss(store, collaboration)
    else setTimeout(() => loss(store, collaboration), laterMs).unref()
  })

const groups: Loss = (store, { workspaces }) => {
  for (const { portalGroupId } of workspaces.values()) store.groups.delete(portalGroupId)
}

const collaborationsOfItsGroups: Loss = (store, { id, workspaces }) => {
  const taken = new Set([...workspaces.values()].map(({ portalGroupId }) => portalGroupId))
  for (const other of store.collaborations.values())
    if (other.id !== id && [...other.workspaces.values()].some((each) => taken.has(each.portalGroupId)))
      other.deletedAt ??= performance.now()
}

/** If a guest was served in several collaborations, the delete of one damages the others. */
const elsewhere =
  (
    operation: 'update-participant' | 'sync-workspace',
    guestOf: (call: Call) => string | undefined,
    spoil: (collaboration: Collaboration, guest: string) => void,
    laterMs: number,
  ): Alter =>
  (parts) => {
    const served = new Map<string, Set<string>>()
    afterAccepted(operation, (call) => {
      const guest = guestOf(call) ?? ''
      served.set(guest, (served.get(guest) ?? new Set()).add(call.params.collaborationID as string))
    })(parts)
    withEachDelete(({ collaborations }, { id }) => {
      for (const [guest, places] of served) {
        if (!places.delete(id)) continue
        for (const place of places) {
          const other = collaborations.get(place)
          if (other !== undefined) spoil(other, guest)
        }
        places.clear()
      }
    }, laterMs)(parts)
  }

const takesGuests = (laterMs: number): Alter =>
  elsewhere(
    'update-participant',
    ({ params }) => params.participantPortalID,
    ({ participants }, guest) => void participants.delete(guest),
    laterMs,
  )

const takesWorkspaces = (laterMs: number): Alter =>
  elsewhere(
    'sync-workspace',
    ({ user }) => user?.username,
    ({ workspaces }) => workspaces.clear(),
    laterMs,
  )

const others: readonly RequirementId[] = ['delete-collaboration/others-unaffected']
const whenMs = { '': 0, '-later': 700 } as const

const losses: Readonly<Record<string, Omit<Fault, 'id'>>> = Object.fromEntries(
  Object.entries(whenMs).flatMap(([ending, laterMs]) => {
    const when = laterMs === 0 ? '' : ', a moment later'
    return [
      [
        `delete-removes-groups${ending}`,
        {
          sentence: `A delete removes the groups with which its workspaces are linked${when}.`,
          breaks: others,
          mayBreak: requirementsOf('add-workspace', 'delete-collaboration', 'protocol'),
          alter: withEachDelete(groups, laterMs),
        },
      ],
      [
        `delete-takes-workspaces-elsewhere${ending}`,
        {
          sentence: `The delete of a collaboration in which a guest synced takes the workspaces of the others in which the guest synced${when}.`,
          breaks: others,
          mayBreak: [
            'add-workspace/id-works',
            ...requirementsOf('sync-workspace', 'delete-collaboration', 'protocol'),
          ],
          alter: takesWorkspaces(laterMs),
        },
      ],
      [
        `delete-takes-guest-elsewhere${ending}`,
        {
          sentence: `The delete of a collaboration in which a guest was updated takes that guest out of the others${when}.`,
          breaks: others,
          mayBreak: requirementsOf(
            'update-participant',
            'delete-collaboration',
            'sync-workspace',
            'protocol',
          ),
          alter: takesGuests(laterMs),
        },
      ],
      [
        `delete-takes-collaborations-of-its-groups${ending}`,
        {
          sentence: `A delete takes with it the collaborations that share a group with it${when}.`,
          breaks: others,
          mayBreak: requirementsOf(
            'add-workspace',
            'delete-collaboration',
            'sync-workspace',
            'update-participant',
            'protocol',
          ),
          alter: withEachDelete(collaborationsOfItsGroups, laterMs),
        },
      ],
    ]
  }),
)

export const sharedLossFaults = faultsOf(losses)
