/** Refused requests have no effect, as the pages that the profile names show: a row for each operation and mistake. */
import { wrongCallersOf } from '../../clauses/callers.ts'
import type { Part } from '../../clauses/exchange.ts'
import type { ActorName } from '../../deployment/configuration/actors.ts'
import { type Answer, bodyFields } from '../../deployment/http/exchange.ts'
import { inDomain } from '../../runner/cases/realistic.ts'
import type { CheckDefinition } from '../../runner/check.ts'
import type { At, RequestFields } from '../../runner/context/calls.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { looks } from '../../runner/effort.ts'
import type { OperationId } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { ownParticipant } from './collaborations.ts'
import {
  contactAt,
  contactOf,
  expectUnchanged,
  federationPage,
  fieldsOf,
  inLetters,
  isRunning,
  isSame,
  type Look,
  type Page,
  type ReadBack,
  readBack,
  seen,
  seenForLong,
  shownFederation,
  syncsOf,
  untilShown,
} from './read-back.ts'
import { actorsOf } from './wrong-callers.ts'

/** The checks of this file. */
export const checks: CheckDefinition[] = []

/** A request that must be refused, and where its effect would show. */
interface Refused<Id extends OperationId> {
  readonly look: Look
  readonly at: At<Id>
  readonly request?: RequestFields
  /** The accepted request of a permitted caller. Default: the one that all checks share. */
  readonly valid?: Answer
  /** How often it is sent on each path, if another check's update may hide its effect. Default: once. */
  readonly times?: number
}

type Prepare<Id extends OperationId> = (context: CheckContext, caller: Part) => Promise<Refused<Id>>

/** Declares a check: the refused request of that caller leaves the page unchanged. */
function leavesNothing<Id extends OperationId>(
  [id, caller]: readonly [RequirementId, Part],
  operation: Id,
  needs: ReadBack,
  prepare: Prepare<Id>,
): void {
  const actors: ActorName[] = actorsOf(caller)
  const title = 'A refused request has no effect.'
  readBack(checks, id, { title, ...needs, actors }, async (context) => {
    const control = await context.target(operation).controlled()
    const { look, at, request, valid = control.answer, times = 1 } = await prepare(context, caller)
    const before = await seenForLong(context, look)
    const isWrongCaller = wrongCallersOf(operation).some((each) => each.id === id)
    const portals = isWrongCaller ? context.callers.portalsTriedBy(caller) : (['host'] as const)
    for (const portal of portals)
      for (let left = times; left > 0; left -= 1) {
        const answer = await context.callers.by(caller)(operation, { ...at, portal }, request)
        context.expect(answer, valid).toBeRefused()
        await expectUnchanged(context, look, before, answer)
        if (left > 1) continue
        await context.wait.settle()
        await expectUnchanged(context, look, before, answer)
      }
  })
}

/** Declares a check for each wrong caller of the operation. */
function leavesNothingOfWrongCallers<Id extends OperationId>(
  operation: Id,
  needs: ReadBack,
  prepare: Prepare<Id>,
): void {
  for (const { id, refused } of wrongCallersOf(operation))
    leavesNothing([id, refused], operation, needs, prepare)
}

/** The workspaces of one collaboration whose name begins with that text. */
const workspacesNamed = (at: { collaborationId: string }, name: string): Look => ({
  what: 'the workspaces of that name',
  page: 'workspaces',
  at,
  list: 'workspaces',
  of: ({ workspaces }) =>
    (workspaces as Page[]).map((each) => String(each.name)).filter((each) => each.startsWith(name)),
})

leavesNothingOfWrongCallers('add-workspace', { reads: ['workspaces'] }, async ({ given }) => {
  const at = await given.collaboration()
  const request = await given.request('add-workspace')
  return { look: workspacesNamed(at, String(request.collaborationWorkspaceName)), at, request }
})

leavesNothing(
  ['add-workspace/name-limit-rejects', 'hostAdministrator'],
  'add-workspace',
  { reads: ['workspaces'], title: 'No workspace is there whose name was refused for its length.' },
  async ({ given }) => {
    const at = await given.collaboration()
    const name = `Long ${given.runId} `.padEnd(101, 'x')
    const request = { ...(await given.request('add-workspace')), collaborationWorkspaceName: name }
    return { look: workspacesNamed(at, name.slice(0, 20)), at, request }
  },
)

leavesNothingOfWrongCallers(
  'update-participant',
  { fixtures: ['collaboration'], reads: ['participant'] },
  async ({ given, configuration }, caller) => {
    const at = await ownParticipant({ given })
    const mark = inLetters(`${given.runId}${caller}`.toLowerCase())
    const request = await given.request('update-participant', {
      contactFirstname: `Anna${mark}`,
      contactLastname: `Berg${mark}`,
      contactEmailAddress: inDomain(`${mark}@example.com`, configuration.contract.domain),
    })
    const contact = contactAt(at)
    const sent = contactOf(request)
    const of = (page: Page) =>
      Object.entries(contact.of(page) as Page).some(([name, value]) => isSame(value, sent[name]))
    return { look: { ...contact, of }, at, request }
  },
)

leavesNothingOfWrongCallers('sync-workspace', { reads: ['syncs'] }, async (context) => {
  const { as, given, control, wait, read } = context
  const { collaborationId, workspaceId } = await given.workspace()
  const at = { collaborationId, workspaceId }
  // A refused request may be listed as a failed sync.
  const look = {
    ...syncsOf(at),
    of: ({ status }: Page) => (status as Page[]).filter((each) => !hasFailed(each)).length,
  }
  const listed = Number(await seen(context, look))
  const valid = await as.syncInitiator('sync-workspace', at)
  control(valid)
  await untilShown(context, look, (now) => Number(now) > listed)
  // A running sync may be the reason for a refusal.
  await wait.retryUntil(() => read('syncs', at), isOver)
  return { look, valid, at }
})

const hasFailed = ({ status }: Page): boolean => String(status).toLowerCase() === 'failed'

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

for (const [id, ownedBy, caller] of [
  ['reassign-items/refuses-other-user', 'itemOwner', 'outsider'],
  ['reassign-items/refuses-owner-without-privilege', 'itemOwnerUnprivileged', 'itemOwnerUnprivileged'],
  ['reassign-items/refuses-anonymous', 'itemOwner', 'anonymous'],
  ['reassign-items/refuses-invalid-credential', 'itemOwner', 'impostor'],
] as const)
  leavesNothing([id, caller], 'reassign-items', { reads: ['item'] }, async ({ given }) => {
    const { owner, itemIds } = await given.items({ owner: ownedBy, count: 1 })
    const request = { items: itemIds, targetUsername: await given.receiver() }
    return { look: ownerOf(itemIds[0] as string), at: { userName: owner }, request }
  })

leavesNothing(
  ['reassign-items/ineligible-target-keeps-owner', 'contentAdministrator'],
  'reassign-items',
  {
    fixtures: ['ineligibleUser'],
    reads: ['item'],
    title: 'Each item that a user may not receive stays with its owner.',
  },
  async ({ given }) => {
    const { owner, itemIds } = await given.items({ owner: 'itemOwner', count: 2 })
    const request = { items: itemIds, targetUsername: (await given.ineligibleUser()).username }
    return { look: ownerOf(itemIds[1] as string), at: { userName: owner }, request }
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
    control(await as.hostAdministrator('add-workspace', at, request))
    const look = workspacesNamed(at, String(request.collaborationWorkspaceName))
    await untilShown(context, look, (names) => (names as string[]).length > 0)
    return { look, at }
  },
)

leavesNothingOfWrongCallers(
  'update-federation',
  { reads: ['federation'] },
  async (context, caller): Promise<Refused<'update-federation'>> => {
    const { given } = context
    const { federationId } = await shownFederation(context)
    const at = { federationId }
    const name = `Refused ${caller} ${given.runId}`
    const request = await given.settingsFor(at, await given.request('update-federation', { name }))
    // Other checks update the federation meanwhile, so the check looks for the refused name.
    const of = (page: Page) => page.name === request.name
    return { look: { ...federationPage, of }, at, request, times: looks.some }
  },
)

leavesNothing(
  ['update-task-run/status-required', 'taskOwner'],
  'update-task-run',
  { reads: ['run'], title: 'A run that was refused a result without a status does not have it.' },
  async ({ given }) => {
    const at = await given.taskRun()
    const look: Look = { what: 'the run', page: 'run', at: { ...at }, of: fieldsOf('status', 'result') }
    return { look, at, request: { result: `refused in ${given.runId}` } }
  },
)
