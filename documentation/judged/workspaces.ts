/** How the requirements of adding and syncing workspaces are judged. */
import { type JudgedTexts, refused } from './judged.ts'

const host = 'an administrator of the host'
const initiator = 'a caller of the participant that is designated'
const stranger = 'a caller without a credential or with an empty one'
const impostor = 'a caller with a made-up credential, also one that shares a half with a real one,'
const alsoOnUsedConnection = '; also on a connection that a permitted caller has just used'

const onUsedConnection = (permitted: string, who: string) => {
  const { control, probe } = refused(permitted, who)
  return { control: control as string, probe: probe + alsoOnUsedConnection }
}

const tooLong = (what: string, most: number) => ({
  control: `the same request with a ${what} of exactly ${most} characters`,
  probe: `a ${what} of ${most + 1}, ${most + 2}, ${most + 10}, 1001 and 5000 characters, and generated ones: refused, and not quietly shortened. The first of them also with parameters left out`,
})

const longEnough = (what: string, most: number) => ({
  probe: `a ${what} of 1, ${most - 1} and ${most} characters, within ASCII and beyond, and generated ones: accepted; so is one of ${most} characters of which some are longer once escaped, and all texts at their limits at once`,
})

const kept = (what: string) => ({
  control: 'the request with the text',
  probe: `${what} in its answer is the text, character by character but for canonical equivalence: delicate texts first, then generated ones`,
})

export const workspaceJudged: JudgedTexts = {
  'add-workspace/creates': {
    probe: `generated valid requests by ${host}: accepted, with an object under workspace`,
  },
  'add-workspace/workspace-fields': {
    probe: 'generated valid requests: accepted, and workspace keeps its schema',
  },
  'add-workspace/config-fields': {
    probe: 'generated valid requests: accepted, and workspace.config keeps its schema',
  },
  'add-workspace/collaboration-id': {
    probe:
      'at least 24 requests in two collaborations by turns: workspace.collaborationId is that of the path',
  },
  'add-workspace/id-is-new': {
    control: 'the requests to add',
    probe:
      'two names in one collaboration; then the first of them in another collaboration and in the same again: an id that no workspace had before. Whether a repeated name is accepted is open, and only observed',
  },
  'add-workspace/timestamps': {
    probe:
      'created and modified are within run.clockTolerance of the present, and modified is not before created',
  },
  'add-workspace/name-kept': kept('workspace.name'),
  'add-workspace/description-kept': kept('workspace.description'),
  'add-workspace/name-limit-accepts': longEnough('name', 100),
  'add-workspace/name-limit-rejects': tooLong('name', 100),
  'add-workspace/description-limit-accepts': longEnough('description', 250),
  'add-workspace/description-limit-rejects': tooLong('description', 250),
  'add-workspace/refuses-guest': refused(host, 'an administrator of a guest'),
  'add-workspace/refuses-non-administrator': refused(host, 'a member of the host'),
  'add-workspace/refuses-anonymous': onUsedConnection(host, stranger),
  'add-workspace/refuses-invalid-credential': onUsedConnection(host, impostor),
  'add-workspace/unknown-collaboration': {
    control: 'the request for a collaboration that is there',
    probe: 'the same request with an id of the same form that nobody has: refused',
  },
  'add-workspace/last-sync-milliseconds': {
    probe:
      'lastSyncSuccess of new workspaces: not above zero, or a time from 2016 on and not in the future by more than run.clockTolerance',
  },
  'add-workspace/unknown-group': {
    control: 'the request with a group that is there',
    probe: 'the request with the id of a group that nobody has: refused',
  },
  'add-workspace/id-works': {
    control: 'the request to add, in a collaboration in which a guest takes part',
    probe:
      'a sync of the new workspace by the designated participant: accepted; where a made-up id is accepted as well, this shows nothing',
  },
  'add-workspace/concurrent-ids-distinct': {
    control: 'each of up to eight requests that are released together',
    probe: 'their ids differ, from each other and from all of earlier rounds',
  },
  'sync-workspace/starts': {
    probe: `three syncs of workspaces of the fixtures by ${initiator}: accepted, with jobId and key as strings`,
  },
  'sync-workspace/refuses-non-designated': refused(
    initiator,
    'a caller of a participant that is not designated',
  ),
  'sync-workspace/refuses-anonymous': onUsedConnection(initiator, stranger),
  'sync-workspace/refuses-invalid-credential': onUsedConnection(initiator, impostor),
  'sync-workspace/synchronous-blocks': {
    control: 'the request in synchronous mode',
    probe:
      'its answer comes no sooner than the minimumSyncMs that the fixture promises. Where it promises none and the profile names the page of syncs: no sooner than the time from start to end that this shows, less run.settle. Longer syncs are tried where the target takes as long for any answer',
  },
  'sync-workspace/asynchronous-returns': {
    control: 'the request in asynchronous mode',
    probe:
      'its answer comes well before the sync can end. Longer syncs are tried until one tells; a finding only where each answer waited for its sync, and an answer that waits for no sync comes well before',
  },
  'sync-workspace/one-at-a-time': {
    control: 'afterwards, the same request once the scheduled sync is over, where it was refused',
    probe:
      'a synchronous request while a scheduled sync runs, once more where it was refused, and one after an asynchronous request: no success before the scheduled sync can end. Where the fixture does not say how long it runs and the profile names the page of syncs: no success while that shows it running, run.settle later',
  },
  'sync-workspace/own-syncs-one-at-a-time': {
    control: 'a sync in asynchronous mode',
    probe:
      'further ones in either mode while it runs: refused, held until the first is over, or answered with the job that runs; the last two are told by a sync of the same workspace alone. Then two that are released together',
  },
  'sync-workspace/after-finish': {
    control: 'a first sync',
    probe:
      'the request again until it is accepted, or until well after maximumSyncMs, or run.settle beyond the longest that a lone sync was measured to take; and two more after a synchronous one',
  },
  'sync-workspace/unknown-workspace': {
    control: 'afterwards, the syncs of the real workspaces',
    probe: 'an id that the collaboration does not have, and one of another collaboration: refused',
  },
  'sync-workspace/unknown-collaboration': {
    control: 'afterwards, the sync in the real collaboration',
    probe: 'the same workspace under a collaboration that does not exist: refused',
  },
}
