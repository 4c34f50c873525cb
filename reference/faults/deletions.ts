/** Deletions that do too little or too much, and refused ones that have an effect (§4.6). */
import type { OperationId } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import {
  afterAccepted,
  afterRefused,
  around,
  changeMay,
  keepDeleted,
  replacing,
  seenBefore,
  showDeleted,
} from '../alterations.ts'
import { done } from '../answers.ts'
import { collaborationIn } from '../handlers.ts'
import type { Alter, Call, Parts } from '../parts.ts'
import type { Collaboration } from '../store.ts'
import { forCaller } from '../users.ts'
import { deleteAnyway, later } from './effects.ts'
import { type Applied, type Chapter, faultsOf, inWords, product, requirementsOf, storiesOf } from './fault.ts'

const operation = 'delete-collaboration'
const gone: RequirementId = 'delete-collaboration/gone-after-delete'
const noEffect: RequirementId = 'delete-collaboration/refused-delete-has-no-effect'
const others: RequirementId = 'delete-collaboration/others-unaffected'

/** The operation for which a deleted collaboration is still there, and when, decided anew for each portal. */
type Remaining = readonly [
  operation: OperationId,
  when: (parts: Parts) => (collaboration: Collaboration) => boolean,
]

/** The collaborations in which a request of that operation was accepted. */
function inWhichAccepted(which: OperationId, parts: Parts): (collaboration: Collaboration) => boolean {
  const ids = new Set<unknown>()
  afterAccepted(which, ({ params }) => ids.add(params.collaborationID))(parts)
  return ({ id }) => ids.has(id)
}

const onceRefused = (): ((collaboration: Collaboration) => boolean) => {
  const refused = seenBefore<string>()
  return ({ id }) => refused(id)
}

/** For three seconds after it has taken a workspace. */
function soonAfterAdding(parts: Parts): (collaboration: Collaboration) => boolean {
  const took = new Map<unknown, number>()
  afterAccepted('add-workspace', ({ params }) => took.set(params.collaborationID, Date.now()))(parts)
  return ({ id }) => Date.now() - (took.get(id) ?? 0) < 3000
}

const remains: Readonly<Record<string, Remaining>> = {
  'deleted-takes-workspaces': ['add-workspace', () => () => true],
  'deleted-takes-participants': ['update-participant', () => () => true],
  'sync-survives-deletion': ['sync-workspace', () => () => true],
  'deleted-comes-back': ['add-workspace', onceRefused],
  'deleted-participants-come-back': ['update-participant', onceRefused],
  'added-workspaces-stay-shared': ['sync-workspace', (parts) => inWhichAccepted('add-workspace', parts)],
  'deleted-syncs-what-was-synced': ['sync-workspace', (parts) => inWhichAccepted('sync-workspace', parts)],
  'deleted-remembered-from-last-workspace': ['add-workspace', soonAfterAdding],
}

const remaining = Object.entries(remains).map(
  ([id, [which, when]]): Applied => ({
    id,
    sentence: `A deleted collaboration is still there for ${which}: ${inWords(id)}.`,
    breaks: [which === 'sync-workspace' ? 'delete-collaboration/sharing-stops' : gone],
    alter(parts) {
      const isThere = when(parts)
      showDeleted((collaboration, asked) => asked === which && isThere(collaboration))(parts)
    },
  }),
)

/** A deleted collaboration still takes workspaces of some. */
const deletedIsThere =
  (isThere: (deletion: Call, add: Call) => boolean): Alter =>
  (parts) => {
    const deletions = new Map<unknown, Call>()
    afterAccepted(operation, (call) => deletions.set(call.params.collaborationID, call))(parts)
    let asking: Call | undefined
    showDeleted(({ id }, asked) => {
      const deletion = asked === 'add-workspace' ? deletions.get(id) : undefined
      return deletion !== undefined && asking !== undefined && isThere(deletion, asking)
    })(parts)
    around('add-workspace', (call, honest) => {
      asking = call
      return honest()
    })(parts)
  }

const workspaceNames = ({ workspaces }: Collaboration) => [...workspaces.values()].map(({ name }) => name)

/** Lets a deletion take others with it. */
const takingAlong =
  (isTaken: (deleted: Collaboration, other: Collaboration, at: number) => boolean): Alter =>
  (parts) => {
    const honest = parts.remove
    parts.remove = (store, collaboration) => {
      const all = [...store.collaborations.values()].filter(({ deletedAt }) => deletedAt === undefined)
      const place = all.indexOf(collaboration)
      for (const [at, each] of all.entries())
        if (each === collaboration || isTaken(collaboration, each, at - place)) honest(store, each)
    }
  }

const deletionProducts = [product('a deleted collaboration is still there', remaining, { stateful: true })]

const deletionFaults = faultsOf({
  'deletes-nothing': {
    sentence: 'A delete is accepted, and nothing happens.',
    breaks: [gone, 'delete-collaboration/sharing-stops'],
    mayBreak: ['delete-collaboration/delete-twice', 'delete-collaboration/concurrent-once'],
    alter: replacing({ remove: () => {} }),
  },
  'deletes-namesakes': {
    sentence: 'A delete takes with it the collaborations that have a workspace of the same name.',
    breaks: [others],
    // Checks may have given equal names to workspaces of their own.
    mayBreak: requirementsOf(operation),
    alter: takingAlong((deleted, other) =>
      workspaceNames(other).some((name) => workspaceNames(deleted).includes(name)),
    ),
  },
  'deletes-the-next': {
    sentence: 'A delete takes with it the collaboration that was made next.',
    breaks: [others],
    // Whatever is done in that one is refused.
    mayBreak: requirementsOf(operation, 'add-workspace', 'update-participant', 'sync-workspace', 'protocol'),
    alter: takingAlong((_deleted, _other, distance) => distance === 1),
  },
  'refused-delete-drops-participants': {
    sentence: 'A refused delete takes the participants away, and leaves the rest.',
    breaks: [noEffect],
    alter: afterRefused(operation, ['forbidden', 'token-required'], (call) =>
      collaborationIn(call)?.participants.clear(),
    ),
  },
  'refused-delete-happens-later': {
    sentence: 'A delete that was refused to its caller happens a little later.',
    breaks: [noEffect, 'delete-collaboration/refuses-invalid-credential'],
    alter: afterRefused(operation, forCaller, (call) => later(() => deleteAnyway(call))),
  },
})

const deletionStories = storiesOf({
  'deleted-is-there-for-other-administrators': {
    sentence: 'A deleted collaboration is gone for who deleted it, and there for every other administrator.',
    breaks: [gone],
    alter: deletedIsThere((deletion, add) => deletion.user !== add.user),
  },
  'deleted-is-there-on-its-connection': {
    sentence: 'A deleted collaboration is still there on the connection on which it was deleted.',
    breaks: [gone],
    alter: deletedIsThere((deletion, add) => deletion.arrival.socket === add.arrival.socket),
  },
  'refused-delete-stops-syncs': {
    sentence: 'After a refused delete the workspaces cannot be synced any more.',
    breaks: [noEffect],
    alter(parts) {
      const stopped = new Set<unknown>()
      afterRefused(operation, ['forbidden', 'token-required'], ({ params }) =>
        stopped.add(params.collaborationID),
      )(parts)
      changeMay('sync', (may, _call, { id }) => may && !stopped.has(id))(parts)
    },
  },
  'refused-delete-remembered': {
    sentence: 'A delete that was refused to somebody is refused to everybody from then on.',
    breaks: ['delete-collaboration/deletes'],
    mayBreak: requirementsOf(operation, 'protocol'),
    alter(parts) {
      const tried = new Set<unknown>()
      afterRefused(operation, ['forbidden', 'token-required'], ({ params }) =>
        tried.add(params.collaborationID),
      )(parts)
      changeMay('deleteCollaboration', (may, _call, { id }) => may && !tried.has(id))(parts)
    },
  },
  'second-delete-brings-back': {
    sentence: 'A second delete of a collaboration is refused, and brings it back.',
    breaks: [gone],
    mayBreak: ['delete-collaboration/delete-twice', 'delete-collaboration/concurrent-once'],
    alter(parts) {
      keepDeleted(parts)
      around(operation, (call, honest) => {
        const collaboration = collaborationIn(call)
        if (collaboration?.deletedAt === undefined) return honest()
        delete collaboration.deletedAt
        return parts.refuse('unknown-collaboration')
      })(parts)
    },
  },
  'delete-after-unknown-does-nothing': {
    sentence:
      'After a delete of what is not there, the next one of the same user is a success without effect.',
    breaks: [gone],
    // Whoever may not delete is answered with that success, too.
    mayBreak: requirementsOf(operation),
    alter(parts) {
      const missed = new Set<unknown>()
      around(operation, async (call, honest) => {
        const there = collaborationIn(call) !== undefined
        if (call.user !== undefined && there && missed.delete(call.user)) return done()
        if (!there) missed.add(call.user)
        return honest()
      })(parts)
    },
  },
  'deletion-drops-participants-elsewhere': {
    sentence: 'A delete drops the participants wherever one was updated since the last delete.',
    breaks: [others],
    mayBreak: requirementsOf('update-participant', operation, 'protocol'),
    alter(parts) {
      const updated = new Set<string>()
      afterAccepted('update-participant', ({ params }) => updated.add(params.collaborationID as string))(
        parts,
      )
      const honest = parts.remove
      parts.remove = (store, collaboration) => {
        for (const id of updated) store.collaborations.get(id)?.participants.clear()
        updated.clear()
        honest(store, collaboration)
      }
    },
  },
})

export const deletionsChapter: Chapter = {
  products: deletionProducts,
  faults: [...deletionFaults, ...deletionStories],
}
