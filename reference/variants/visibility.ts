/** Portals in which what was done shows a little later, or in which not everything can be done at once. */
import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '../../specs/operations.ts'
import { afterAccepted, around, refuseWhen } from '../alterations.ts'
import { collaborationIn, itemIdsIn } from '../handlers.ts'
import type { Call } from '../parts.ts'
import { variantsOf } from './variant.ts'

/** Within the settle time of a run. */
const showsAfterMs = 150
/** How long an edit keeps other edits of the same thing away. */
const editMs = 10
const mostWorkspaces = 5
/** How long any change keeps all others away. */
const changeMs = 2
const coolDownMs = 60
const oneOf = 25

/** What a request edits, by names that differ between things; the user of a path is none of them. */
const edited = (call: Call): string[] => {
  const { collaborationID, federationID, runID } = call.params
  const thing = collaborationID ?? federationID ?? runID
  return thing === undefined ? itemIdsIn(call) : [thing]
}

export const visibilityVariants = variantsOf({
  'reassignments-show-late': {
    sentence: `For ${showsAfterMs} ms after a reassignment its items can be reassigned by nobody.`,
    alter(parts) {
      const moving = new Set<string>()
      afterAccepted('reassign-items', (call) => {
        for (const id of itemIdsIn(call)) {
          moving.add(id)
          setTimeout(() => moving.delete(id), showsAfterMs).unref()
        }
      })(parts)
      refuseWhen('reassign-items', 'unknown-item', (call) => itemIdsIn(call).some((id) => moving.has(id)))(
        parts,
      )
    },
  },
  'workspaces-show-late': {
    sentence: `A new workspace can be synced only after ${showsAfterMs} ms.`,
    alter(parts) {
      const hidden = new Set<unknown>()
      afterAccepted('add-workspace', (_call, { body }) => {
        const { id } = body.workspace as { id: string }
        hidden.add(id)
        setTimeout(() => hidden.delete(id), showsAfterMs).unref()
      })(parts)
      refuseWhen('sync-workspace', 'unknown-workspace', ({ params }) => hidden.has(params.workspaceID))(parts)
    },
  },
  'concurrent-edits-refused': {
    sentence: 'While a thing is edited, every other edit of it is refused.',
    may: {
      inconclusive: { requirements: ['*/concurrent-*'], because: /accepted|edited/ },
    },
    alter(parts) {
      const busy = new Set<string>()
      for (const { id } of operations) {
        if (id === 'sync-workspace') continue
        around(id, async (call, honest) => {
          const things = edited(call)
          if (things.some((thing) => busy.has(thing))) return parts.refuse('being-edited')
          const answer = await honest()
          if (answer.refused !== undefined) return answer
          for (const thing of things) busy.add(thing)
          await sleep(editMs)
          for (const thing of things) busy.delete(thing)
          return answer
        })(parts)
      }
    },
  },
  'one-change-at-a-time': {
    sentence: 'While anything is changed, every other change is refused with the code 409.',
    takesLong: true,
    may: {
      inconclusive: {
        // A deletion that waits for its turn comes after the sync that it should meet.
        requirements: ['*/concurrent-*', 'delete-collaboration/deletes', 'sync-workspace/one-at-a-time'],
        because: /accepted|timing could not tell/,
      },
    },
    alter(parts) {
      let busy = false
      for (const { id } of operations) {
        if (id === 'sync-workspace') continue
        around(id, async (call, honest) => {
          // Who asks is looked at first.
          if (busy && call.user !== undefined) return parts.refuse('busy')
          const answer = await honest()
          if (answer.refused !== undefined) return answer
          busy = true
          await sleep(changeMs)
          busy = false
          return answer
        })(parts)
      }
    },
  },
  'federation-cools-down': {
    sentence: `For ${coolDownMs} ms after its settings were changed every change of a federation is refused with the code 409.`,
    takesLong: true,
    alter(parts) {
      let until = 0
      around('update-federation', async (call, honest) => {
        if (call.user !== undefined && performance.now() < until) return parts.refuse('busy')
        const answer = await honest()
        if (answer.refused === undefined) until = performance.now() + coolDownMs
        return answer
      })(parts)
    },
  },
  'too-many-requests-in-body': {
    sentence: `Of ${oneOf} requests one is refused with the code 429, under HTTP status 200.`,
    // Refusals that hide their code would hide why.
    takesLong: true,
    // What measures time is asked once.
    may: { inconclusive: { requirements: ['sync-workspace/*'], because: /"code":429/ } },
    alter(parts) {
      let count = 0
      for (const { id } of operations)
        around(id, (_call, honest) => {
          count += 1
          return count % oneOf === 0 ? parts.refuse('too-many-requests') : honest()
        })(parts)
    },
  },
  'workspace-quota': {
    sentence: `A collaboration has ${mostWorkspaces} workspaces at most.`,
    alter: refuseWhen('add-workspace', 'quota', (call) => {
      const { workspaces } = collaborationIn(call) ?? {}
      return workspaces !== undefined && workspaces.size >= mostWorkspaces
    }),
  },
  'portal-quota': {
    sentence: 'A hundred workspaces are added to the whole portal, and no more.',
    takesLong: true,
    may: {
      inconclusive: {
        requirements: ['**'],
        because: /make room for more workspaces|its collaboration takes no more workspaces/,
      },
      'not-applicable': {
        requirements: ['delete-collaboration/gone-after-delete'],
        because: /adds no workspaces here/,
      },
    },
    alter(parts) {
      let added = 0
      around('add-workspace', async (_, honest) => {
        if (added >= 100) return parts.refuse('quota')
        const answer = await honest()
        if (answer.refused === undefined) added += 1
        return answer
      })(parts)
    },
  },
})
