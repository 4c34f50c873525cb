import type { Answer, Call } from '../parts.ts'
import { refuseCaller } from '../permissions.ts'
import { collaborationOf } from './collaborations.ts'

/** Deletes a collaboration from the host portal; guests lose it at their next refresh (§4.6). */
export function deleteCollaboration(call: Call): Answer {
  const { parts, store } = call
  const collaboration = collaborationOf(call)
  if (collaboration === undefined) return parts.refuse('unknown-collaboration')
  if (!parts.may.deleteCollaboration(call, collaboration)) return refuseCaller(call)
  if (collaboration.deletedAt !== undefined) return parts.refuse('unknown-collaboration')
  parts.remove(store, collaboration)
  return { status: 200, body: { success: true } }
}
