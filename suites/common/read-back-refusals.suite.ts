/** What was refused did not happen, as the pages show that the profile names. */
import type { PortalName } from '../../deployment/configuration/actors.ts'
import { type Answer, bodyFields } from '../../deployment/http/exchange.ts'
import { suite } from '../../runner/check.ts'
import type { Caller } from '../../runner/context/calls.ts'
import { oneReceiver } from '../../runner/receivers.ts'
import {
  contactAt,
  contactOf,
  expectNotSeen,
  expectUnchanged,
  fieldsOf,
  inLetters,
  isRunning,
  type Look,
  type Page,
  type Reader,
  seen,
  seenForLong,
  untilShown,
} from './read-back.ts'
import { actorsOf, wrongCallersOf } from './wrong-callers.ts'

const check = suite({ actors: ['hostAdministrator'] })

/** Sends the probe, on each of the paths, which must be refused and leave the page as it was. */
async function leavesAsItWas(
  context: Reader,
  look: Look,
  control: Answer,
  probe: (portal: PortalName) => Promise<Answer>,
  portals: readonly PortalName[] = ['host'],
): Promise<void> {
  const before = await seenForLong(context, look)
  for (const portal of portals) {
    const answer = await probe(portal)
    context.expect(answer, control).toBeRefused()
    await expectUnchanged(context, look, before, answer)
  }
}

const title = 'What is refused here does not happen either.'

/** The workspaces of one collaboration whose name begins so. */
const workspacesNamed = (at: { collaborationId: string }, name: string): Look => ({
  page: 'workspaces',
  at,
  list: 'workspaces',
  of: ({ workspaces }) =>
    (Array.isArray(workspaces) ? (workspaces as Page[]) : [])
      .map((workspace) => String(workspace.name))
      .filter((each) => each.startsWith(name)),
})

for (const { id, refused } of wrongCallersOf('add-workspace')) {
  check(
    `${id}:read-back`,
    {
      operation: 'add-workspace',
      actors: actorsOf(refused),
      fixtures: ['collaboration', 'group'],
      reads: ['workspaces'],
      title,
    },
    async (context) => {
      const { as, given } = context
      const at = await given.collaboration()
      const valid = await as.hostAdministrator('add-workspace', at, await given.request('add-workspace'))
      context.control(valid)
      const request = await given.request('add-workspace')
      const name = String(request.collaborationWorkspaceName)
      await leavesAsItWas(
        context,
        workspacesNamed(at, name),
        valid,
        (portal) => as[refused]('add-workspace', { ...at, portal }, request),
        context.portalsTriedBy(refused),
      )
    },
  )
}

check(
  'add-workspace/name-limit-rejects:read-back',
  {
    operation: 'add-workspace',
    fixtures: ['collaboration', 'group'],
    reads: ['workspaces'],
    title: 'No workspace is there whose name was refused for its length.',
  },
  async (context) => {
    const { as, given } = context
    const at = await given.collaboration()
    const request = await given.request('add-workspace')
    const valid = await as.hostAdministrator('add-workspace', at, request)
    context.control(valid)
    const name = `Long ${context.runId} `.padEnd(101, 'x')
    const probe = { ...(await given.request('add-workspace')), collaborationWorkspaceName: name }
    await leavesAsItWas(context, workspacesNamed(at, name.slice(0, 20)), valid, () =>
      as.hostAdministrator('add-workspace', at, probe),
    )
  },
)

for (const { id, refused } of wrongCallersOf('update-participant')) {
  check(
    `${id}:read-back`,
    {
      operation: 'update-participant',
      actors: actorsOf(refused),
      fixtures: ['collaboration', 'participant'],
      reads: ['participant'],
      title,
    },
    async (context) => {
      const { as, given } = context
      // One that nobody else changes.
      const { collaborationId } = await given.collaboration({ with: 'participant' })
      const at = await given.participant({ collaborationId })
      const plain = await given.request('update-participant')
      const valid = await as.hostAdministrator('update-participant', at, plain)
      context.control(valid)
      const request = await given.request('update-participant', {
        contactLastname: `Berg${inLetters(`${context.runId}${refused}`.toLowerCase())}`,
      })
      const contact = contactAt(at)
      const sent = JSON.stringify(contactOf(request))
      const look: Look = { ...contact, of: (page) => JSON.stringify(contact.of(page)) === sent }
      await leavesAsItWas(
        context,
        look,
        valid,
        (portal) => as[refused]('update-participant', { ...at, portal }, request),
        context.portalsTriedBy(refused),
      )
    },
  )
}

for (const { id, refused } of wrongCallersOf('sync-workspace')) {
  check(
    `${id}:read-back`,
    {
      operation: 'sync-workspace',
      actors: ['syncInitiator', ...actorsOf(refused)],
      fixtures: ['workspace'],
      reads: ['syncs'],
      title,
    },
    async (context) => {
      const { as, given } = context
      const { collaborationId, workspaceId } = await given.workspace()
      const at = { collaborationId, workspaceId }
      const of = ({ status }: Page): number => (Array.isArray(status) ? status.length : 0)
      const look: Look = { page: 'syncs', at, list: 'status', of }
      const listed = Number(await seen(context, look))
      const valid = await as.syncInitiator('sync-workspace', at)
      context.control(valid)
      await untilShown(context, look, (now) => Number(now) > listed)
      // While one is running, another one may be refused for that.
      await context.settled(() => context.read('syncs', at), isOver)
      await leavesAsItWas(
        context,
        look,
        valid,
        (portal) => as[refused]('sync-workspace', { ...at, portal }),
        context.portalsTriedBy(refused),
      )
    },
  )
}

function isOver(answer: Answer): boolean {
  const { status } = bodyFields(answer)
  return Array.isArray(status) && !status.some(isRunning)
}

/** Who owns an item. */
const ownerOf = (itemId: string): Look => ({
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
  check(
    `${id}:read-back`,
    {
      operation: 'reassign-items',
      actors: ['contentAdministrator', ...actorsOf(refused)],
      fixtures: ['items', 'eligibleUser'],
      reads: ['item'],
      title,
    },
    async (context) => {
      const { as, given } = context
      const { owner, itemIds } = await given.items({ owner: ownedBy, count: 2 })
      const [one, other] = itemIds as [string, string]
      const targetUsername = await oneReceiver({ given })
      const move = (by: Caller, itemId: string) =>
        by('reassign-items', { userName: owner }, { items: [itemId], targetUsername })
      const valid = await move(as.contentAdministrator, one)
      context.control(valid)
      await leavesAsItWas(context, ownerOf(other), valid, () => move(as[refused], other))
    },
  )
}

check(
  'reassign-items/ineligible-target-keeps-owner:read-back',
  {
    operation: 'reassign-items',
    actors: ['contentAdministrator'],
    fixtures: ['items', 'eligibleUser', 'ineligibleUser'],
    reads: ['item'],
    title: 'Items that a user may not receive stay with their owner, each of them.',
  },
  async (context) => {
    const { as, given } = context
    const { owner, itemIds } = await given.items({ owner: 'itemOwner', count: 3 })
    const [first, ...others] = itemIds as [string, ...string[]]
    const at = { userName: owner }
    const targetUsername = await oneReceiver({ given })
    const valid = await as.contentAdministrator('reassign-items', at, { items: [first], targetUsername })
    context.control(valid)
    const { username } = await given.ineligibleUser()
    const probe = { items: others, targetUsername: username }
    await leavesAsItWas(context, ownerOf(others.at(-1) as string), valid, () =>
      as.contentAdministrator('reassign-items', at, probe),
    )
  },
)

for (const { id, refused } of wrongCallersOf('delete-collaboration')) {
  check(
    `${id}:read-back`,
    {
      operation: 'delete-collaboration',
      actors: actorsOf(refused),
      fixtures: ['collaboration', 'group'],
      also: ['add-workspace'],
      reads: ['workspaces'],
      title: 'What a refused delete spares keeps its workspaces.',
    },
    async (context) => {
      const { as, given } = context
      const at = await given.collaboration()
      const request = await given.request('add-workspace')
      const added = await as.hostAdministrator('add-workspace', at, request)
      context.control(added)
      const look = workspacesNamed(at, String(request.collaborationWorkspaceName))
      await untilShown(context, look, (names) => (names as string[]).length > 0)
      await leavesAsItWas(
        context,
        look,
        added,
        (portal) => as[refused]('delete-collaboration', { ...at, portal }),
        context.portalsTriedBy(refused),
      )
    },
  )
}

const glances = 8

for (const { id, refused } of wrongCallersOf('update-federation')) {
  check(
    `${id}:read-back`,
    {
      operation: 'update-federation',
      actors: ['organizationAdministrator', ...actorsOf(refused)],
      fixtures: ['federation', 'group'],
      reads: ['federation'],
      title,
    },
    async (context) => {
      const { as, given } = context
      const { federationId } = await given.federation()
      const valid = await as.organizationAdministrator(
        'update-federation',
        { federationId },
        await given.settingsFor({ federationId }, await given.request('update-federation')),
      )
      context.control(valid)
      const named = await given.request('update-federation', { name: `Refused ${refused} ${context.runId}` })
      const request = await given.settingsFor({ federationId }, named)
      // Others set the federation meanwhile: what is looked for is the name that was refused.
      const look: Look = { page: 'federation', at: {}, of: ({ name }) => name === request.name }
      const probe = (portal: PortalName) =>
        as[refused]('update-federation', { federationId, portal }, request)
      const portals = context.portalsTriedBy(refused)
      // An update of others may hide it again before it is seen.
      for (const portal of portals) {
        for (let left = glances; left > 0; left--) {
          const answer = await probe(portal)
          context.expect(answer, valid).toBeRefused()
          await expectNotSeen(context, look, answer)
        }
      }
      await leavesAsItWas(context, look, valid, probe, portals)
    },
  )
}

check(
  'update-task-run/status-required:read-back',
  {
    operation: 'update-task-run',
    actors: ['taskOwner'],
    fixtures: ['taskRun'],
    reads: ['run'],
    title: 'A run that was refused a result without a status does not have it.',
  },
  async (context) => {
    const { as, given } = context
    const [known, run] = [await given.taskRun(), await given.taskRun()]
    const valid = await as.taskOwner('update-task-run', known, { status: 'executing', result: 'valid' })
    context.control(valid)
    const look: Look = { page: 'run', at: { ...run }, of: fieldsOf('status', 'result') }
    await leavesAsItWas(context, look, valid, () =>
      as.taskOwner('update-task-run', run, { result: `refused in ${context.runId}` }),
    )
  },
)
