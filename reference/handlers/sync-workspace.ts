import type { Answer, Call, SyncMode } from '../parts.ts'
import { refuseCaller } from '../permissions.ts'
import { startSync } from '../syncing.ts'
import { collaborationOf } from './collaborations.ts'

/** Runs a sync of one workspace (§4.4, §3). From gate to start nothing waits, so that no other sync slips in. */
export function syncWorkspace(call: Call): Answer | Promise<Answer> {
  const { parts, params } = call
  const collaboration = collaborationOf(call)
  if (collaboration === undefined) return parts.refuse('unknown-collaboration')
  if (!parts.may.sync(call, collaboration)) return refuseCaller(call)
  const workspace = collaboration.workspaces.get(params.workspaceID as string)
  if (workspace === undefined) return parts.refuse('unknown-workspace')
  const linked =
    workspace.links === undefined || workspace.links.get(collaboration.designatedPortalId)?.groupId
  if (!linked) return parts.refuse('not-linked')
  const mode = syncModeOf(call)
  if (mode === undefined) return parts.refuse('unknown-sync-mode')

  const instead = parts.syncGate(call, workspace)
  if (instead !== undefined) return instead
  const job = startSync(parts, workspace)
  const answer: Answer = { status: 200, body: { success: true, jobId: job.id, key: job.key } }
  return parts.blocks(mode) ? job.done.then(() => answer) : answer
}

/** The mode that the request asks for, synchronous where it says nothing; undefined: no mode is called so. */
export function syncModeOf({ parts, form }: Call): SyncMode | undefined {
  const { parameter, synchronous, asynchronous } = parts.sync
  const asked = form.get(parameter) ?? synchronous
  if (asked === synchronous) return 'synchronous'
  return asked === asynchronous ? 'asynchronous' : undefined
}
