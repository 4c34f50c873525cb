/** Refused requests have no effect, as the pages that the profile names show. */
import { wrongCallersOf } from '../../clauses/callers.ts'
import type { Part } from '../../clauses/exchange.ts'
import type { PortalName } from '../../deployment/configuration/actors.ts'
import { type Answer, bodyFields } from '../../deployment/http/exchange.ts'
import type { CheckDefinition } from '../../runner/check.ts'
import type { At, Caller, RequestFields } from '../../runner/context/calls.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { looks } from '../../runner/effort.ts'
import type { OperationId } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { ownParticipant } from './collaborations.ts'
import {
  contactAt,
  contactOf,
  expectUnchanged,
  fieldsOf,
  inLetters,
  isRunning,
  type Look,
  type Page,
  type ReadBack,
  readBack,
  seen,
  seenForLong,
  syncsOf,
  untilShown,
} from './read-back.ts'
import { actorsOf } from './wrong-callers.ts'

/** The checks of this file. */
export const checks: CheckDefinition[] = []

/** A request that must be refused, where its effect would show, and the accepted control of a permitted caller. */
interface Attempt {
  readonly look: Look
  readonly valid: Answer
  readonly probe: (portal: PortalName) => Promise<Answer>
  /** The portals on whose paths it is sent. Default: the host. */
  readonly portals?: readonly PortalName[]
  /** How often it is sent on each path, if another check's update may hide its effect. Default: once. */
  readonly times?: number | undefined
}

/** Declares a check: the refused request leaves the page unchanged. */
function leavesNothing(
  id: RequirementId,
  needs: ReadBack,
  prepare: (context: CheckContext) => Promise<Attempt>,
): void {
  readBack(checks, id, { title: 'A refused request has no effect.', ...needs }, async (context) => {
    const { look, valid, probe, portals = ['host'], times = 1 } = await prepare(context)
    const before = await seenForLong(context, look)
    for (const portal of portals)
      for (let left = times; left > 0; left -= 1) {
        const answer = await probe(portal)
        context.expect(answer, valid).toBeRefused()
        await expectUnchanged(context, look, before, answer, left > 1 ? [0] : undefined)
      }
  })
}

/** The request of a wrong caller. */
interface Call<Id extends OperationId> extends Pick<Attempt, 'look' | 'valid' | 'times'> {
  readonly at: At<Id>
  readonly request?: RequestFields
}

/** Declares a check for each wrong caller of the operation. */
function leavesNothingOfWrongCallers<Id extends OperationId>(
  operation: Id,
  needs: ReadBack,
  prepare: (context: CheckContext, refused: Part) => Promise<Call<Id>>,
): void {
  for (const { id, refused } of wrongCallersOf(operation))
    leavesNothing(id, { ...needs, actors: actorsOf(refused) }, async (context) => {
      const { at, request, ...shown } = await prepare(context, refused)
      const probe = (portal: PortalName) => context.callers.by(refused)(operation, { ...at, portal }, request)
      return { ...shown, probe, portals: context.callers.portalsTriedBy(refused) }
    })
}

/** The workspaces of one collaboration whose name begins with that text. */
const workspacesNamed = (at: { collaborationId: string }, name: string): Look => ({
  what: 'the workspaces of that name',
  page: 'workspaces',
  at,
  list: 'workspaces',
  of: ({ workspaces }) =>
    (Array.isArray(workspaces) ? (workspaces as Page[]) : [])
      .map((workspace) => String(workspace.name))
      .filter((each) => each.startsWith(name)),
})

leavesNothingOfWrongCallers('add-workspace', { reads: ['workspaces'] }, async ({ as, given, control }) => {
  const at = await given.collaboration()
  const valid = await as.hostAdministrator('add-workspace', at, await given.request('add-workspace'))
  control(valid)
  const request = await given.request('add-workspace')
  const look = workspacesNamed(at, String(request.collaborationWorkspaceName))
  return { look, valid, at, request }
})

leavesNothing(
  'add-workspace/name-limit-rejects',
  {
    reads: ['workspaces'],
    title: 'No workspace is there whose name was refused for its length.',
  },
  async ({ as, given, control }) => {
    const at = await given.collaboration()
    const valid = await as.hostAdministrator('add-workspace', at, await given.request('add-workspace'))
    control(valid)
    const name = `Long ${given.runId} `.padEnd(101, 'x')
    const request = { ...(await given.request('add-workspace')), collaborationWorkspaceName: name }
    const probe = () => as.hostAdministrator('add-workspace', at, request)
    return { look: workspacesNamed(at, name.slice(0, 20)), valid, probe }
  },
)

leavesNothingOfWrongCallers(
  'update-participant',
  { fixtures: ['collaboration'], reads: ['participant'] },
  async ({ as, given, control }, refused) => {
    const at = await ownParticipant({ given })
    const plain = await given.request('update-participant')
    const valid = await as.hostAdministrator('update-participant', at, plain)
    control(valid)
    const contactLastname = `Berg${inLetters(`${given.runId}${refused}`.toLowerCase())}`
    const request = await given.request('update-participant', { contactLastname })
    const contact = contactAt(at)
    const sent = JSON.stringify(contactOf(request))
    const look: Look = { ...contact, of: (page) => JSON.stringify(contact.of(page)) === sent }
    return { look, valid, at, request }
  },
)

leavesNothingOfWrongCallers('sync-workspace', { reads: ['syncs'] }, async (context) => {
  const { as, given, control, wait, read } = context
  const { collaborationId, workspaceId } = await given.workspace()
  const at = { collaborationId, workspaceId }
  const look = syncsOf(at)
  const listed = Number(await seen(context, look))
  const valid = await as.syncInitiator('sync-workspace', at)
  control(valid)
  await untilShown(context, look, (now) => Number(now) > listed)
  // A running sync may be the reason for a refusal.
  await wait.retryUntil(() => read('syncs', at), isOver)
  return { look, valid, at }
})

function isOver(answer: Answer): boolean {
  const { status } = bodyFields(answer)
  return Array.isArray(status) && !status.some(isRunning)
}

/** The owner of an item. */
const ownerOf = (itemId: string): Look => ({
  what: `the item ${itemId}`,
  page: 'item',
  at: { itemId },
  of: fieldsOf('owner', 'ownerFolder'),
})

for (const [id, ownedBy, refused] of [
  ['reassign-items/refuses-other-user', 'itemOwner', 'outsider'],
  ['reassign-items/refuses-owner-without-privilege', 'itemOwnerUnprivileged', 'itemOwnerUnprivileged'],
  ['reassign-items/refuses-anonymous', 'itemOwner', 'anonymous'],
  ['reassign-items/refuses-invalid-credential', 'itemOwner', 'impostor'],
] as const) {
  leavesNothing(id, { reads: ['item'], actors: actorsOf(refused) }, async ({ as, given, control }) => {
    const { owner, itemIds } = await given.items({ owner: ownedBy, count: 2 })
    const [one, other] = itemIds as [string, string]
    const targetUsername = await given.receiver()
    const move = (by: Caller, itemId: string) =>
      by('reassign-items', { userName: owner }, { items: [itemId], targetUsername })
    const valid = await move(as.contentAdministrator, one)
    control(valid)
    return { look: ownerOf(other), valid, probe: () => move(as[refused], other) }
  })
}

leavesNothing(
  'reassign-items/ineligible-target-keeps-owner',
  {
    fixtures: ['ineligibleUser'],
    reads: ['item'],
    title: 'Each item that a user may not receive stays with its owner.',
  },
  async ({ as, given, control }) => {
    const { owner, itemIds } = await given.items({ owner: 'itemOwner', count: 3 })
    const [first, ...others] = itemIds as [string, ...string[]]
    const move = (items: readonly string[], targetUsername: string) =>
      as.contentAdministrator('reassign-items', { userName: owner }, { items, targetUsername })
    const valid = await move([first], await given.receiver())
    control(valid)
    const { username } = await given.ineligibleUser()
    return { look: ownerOf(others.at(-1) as string), valid, probe: () => move(others, username) }
  },
)

leavesNothingOfWrongCallers(
  'delete-collaboration',
  {
    reads: ['workspaces'],
    also: ['add-workspace'],
    fixtures: ['group'],
    title: 'After a refused delete, the collaboration keeps its workspaces.',
  },
  async (context) => {
    const { as, given, control } = context
    const at = await given.collaboration()
    const request = await given.request('add-workspace')
    const added = await as.hostAdministrator('add-workspace', at, request)
    control(added)
    const look = workspacesNamed(at, String(request.collaborationWorkspaceName))
    await untilShown(context, look, (names) => (names as string[]).length > 0)
    return { look, valid: added, at }
  },
)

leavesNothingOfWrongCallers('update-federation', { reads: ['federation'] }, async (context, refused) => {
  const { as, given, control } = context
  const at = await given.federation()
  const plain = await given.settingsFor(at, await given.request('update-federation'))
  const valid = await as.organizationAdministrator('update-federation', at, plain)
  control(valid)
  const named = await given.request('update-federation', {
    name: `Refused ${refused} ${context.given.runId}`,
  })
  const request = await given.settingsFor(at, named)
  // Other checks update the federation meanwhile, so the check looks for the refused name.
  const look: Look = {
    what: 'the federation',
    page: 'federation',
    at: {},
    of: ({ name }) => name === request.name,
  }
  return { look, valid, at, request, times: looks.some }
})

leavesNothing(
  'update-task-run/status-required',
  {
    reads: ['run'],
    title: 'A run that was refused a result without a status does not have it.',
  },
  async ({ as, given, control }) => {
    const [known, run] = [await given.taskRun(), await given.taskRun()]
    const valid = await as.taskOwner('update-task-run', known, { status: 'executing', result: 'valid' })
    control(valid)
    const look: Look = { what: 'the run', page: 'run', at: { ...run }, of: fieldsOf('status', 'result') }
    const probe = () => as.taskOwner('update-task-run', run, { result: `refused in ${given.runId}` })
    return { look, valid, probe }
  },
)
