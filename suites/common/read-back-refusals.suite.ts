/** What was refused did not happen, as the pages show that the profile names. */
import type { ActorName } from '../../deployment/configuration/actors.ts'
import { type Answer, bodyFields } from '../../deployment/http/exchange.ts'
import { suite } from '../../runner/check.ts'
import type { At, Caller } from '../../runner/context/calls.ts'
import type { CheckContext, Stranger } from '../../runner/context/context.ts'
import { oneReceiver } from '../../runner/receivers.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import {
  expectNotSeen,
  expectUnchanged,
  fieldsOf,
  inLetters,
  type Look,
  type Page,
  seenForLong,
} from './read-back.ts'

const check = suite({ actors: ['hostAdministrator'] })

type Wrong = readonly [requirement: RequirementId, caller: ActorName | Stranger]

/** A check needs those of its callers who are configured. */
const actorsAmong = (caller: ActorName | Stranger): ActorName[] =>
  caller === 'anonymous' || caller === 'impostor' ? [] : [caller]

/** Sends the probe, which must be refused and leave the page as it was. */
async function leavesAsItWas(
  context: CheckContext,
  look: Look,
  control: Answer,
  probe: () => Promise<Answer>,
): Promise<void> {
  const before = await seenForLong(context, look)
  const answer = await probe()
  context.expect(answer, control).toBeRefused()
  await expectUnchanged(context, look, before, answer)
}

const named = (context: CheckContext, caller: ActorName | Stranger): Caller => context.as[caller]

const title = 'What is refused here does not happen either.'

const ofWorkspaces: readonly Wrong[] = [
  ['add-workspace/refuses-guest', 'guestAdministrator'],
  ['add-workspace/refuses-non-administrator', 'hostMember'],
  ['add-workspace/refuses-anonymous', 'anonymous'],
  ['add-workspace/refuses-invalid-credential', 'impostor'],
]

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

for (const [requirement, caller] of ofWorkspaces) {
  check(
    `${requirement}:read-back`,
    {
      operation: 'add-workspace',
      actors: actorsAmong(caller),
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
      await leavesAsItWas(context as CheckContext, workspacesNamed(at, name), valid, () =>
        named(context as CheckContext, caller)('add-workspace', { ...at, portal: 'host' }, request),
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
    await leavesAsItWas(context as CheckContext, workspacesNamed(at, name.slice(0, 20)), valid, () =>
      as.hostAdministrator('add-workspace', at, probe),
    )
  },
)

const ofParticipants: readonly Wrong[] = [
  ['update-participant/refuses-guest', 'guestAdministrator'],
  ['update-participant/refuses-non-administrator', 'hostMember'],
  ['update-participant/refuses-anonymous', 'anonymous'],
  ['update-participant/refuses-invalid-credential', 'impostor'],
]

const contactOf = fieldsOf('contactFirstname', 'contactLastname', 'contactEmailAddress')

for (const [requirement, caller] of ofParticipants) {
  check(
    `${requirement}:read-back`,
    {
      operation: 'update-participant',
      actors: actorsAmong(caller),
      fixtures: ['collaboration', 'participant'],
      reads: ['participant'],
      title,
    },
    async (context) => {
      const { as, given } = context
      // One that nobody else changes.
      const { collaborationId } = await given.collaboration({ with: 'participant' })
      const at: At<'update-participant'> = await given.participant({ collaborationId })
      const valid = await as.hostAdministrator(
        'update-participant',
        at,
        await given.request('update-participant'),
      )
      context.control(valid)
      const request = await given.request('update-participant', {
        contactLastname: `Berg${inLetters(`${context.runId}${caller}`.toLowerCase())}`,
      })
      const look: Look = {
        page: 'participant',
        at: { collaborationId: at.collaborationId, participantPortalId: at.participantPortalId },
        of: ({ config }) =>
          JSON.stringify(contactOf((config ?? {}) as Page)) === JSON.stringify(contactOf(request)),
      }
      await leavesAsItWas(context as CheckContext, look, valid, () =>
        named(context as CheckContext, caller)('update-participant', { ...at, portal: 'host' }, request),
      )
    },
  )
}

const ofSyncs: readonly Wrong[] = [
  ['sync-workspace/refuses-non-designated', 'syncNonInitiator'],
  ['sync-workspace/refuses-anonymous', 'anonymous'],
  ['sync-workspace/refuses-invalid-credential', 'impostor'],
]

for (const [requirement, caller] of ofSyncs) {
  check(
    `${requirement}:read-back`,
    {
      operation: 'sync-workspace',
      actors: ['syncInitiator', ...actorsAmong(caller)],
      fixtures: ['workspace'],
      reads: ['syncs'],
      title,
    },
    async (context) => {
      const { as, given } = context
      const { collaborationId, workspaceId } = await given.workspace()
      const at = { collaborationId, workspaceId }
      const valid = await as.syncInitiator('sync-workspace', at)
      context.control(valid)
      // While one is running, another one may be refused for that.
      await context.settled(() => context.read('syncs', at), isOver)
      const of = ({ status }: Page): number => (Array.isArray(status) ? status.length : 0)
      await leavesAsItWas(context as CheckContext, { page: 'syncs', at, list: 'status', of }, valid, () =>
        named(context as CheckContext, caller)('sync-workspace', at),
      )
    },
  )
}

const running = ['submitted', 'started', 'in_progress']

function isOver(answer: Answer): boolean {
  const { status } = bodyFields(answer)
  return Array.isArray(status) && status.every((sync: Page) => !running.includes(String(sync.status)))
}

type Probed = { readonly owner: 'itemOwner' | 'itemOwnerUnprivileged'; readonly caller: ActorName | Stranger }

const ofItems: readonly (readonly [RequirementId, Probed])[] = [
  ['reassign-items/refuses-other-user', { owner: 'itemOwner', caller: 'outsider' }],
  [
    'reassign-items/refuses-owner-without-privilege',
    { owner: 'itemOwnerUnprivileged', caller: 'itemOwnerUnprivileged' },
  ],
  ['reassign-items/refuses-anonymous', { owner: 'itemOwner', caller: 'anonymous' }],
  ['reassign-items/refuses-invalid-credential', { owner: 'itemOwner', caller: 'impostor' }],
]

/** Who owns an item. */
const ownerOf = (itemId: string): Look => ({
  page: 'item',
  at: { itemId },
  of: fieldsOf('owner', 'ownerFolder'),
})

for (const [requirement, { owner: ownedBy, caller }] of ofItems) {
  check(
    `${requirement}:read-back`,
    {
      operation: 'reassign-items',
      actors: ['contentAdministrator', ...actorsAmong(caller)],
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
      await leavesAsItWas(context as CheckContext, ownerOf(other), valid, () =>
        move(named(context as CheckContext, caller), other),
      )
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
    await leavesAsItWas(context as CheckContext, ownerOf(others.at(-1) as string), valid, () =>
      as.contentAdministrator('reassign-items', at, probe),
    )
  },
)

const ofCollaborations: readonly Wrong[] = [
  ['delete-collaboration/refuses-guest', 'guestAdministrator'],
  ['delete-collaboration/refuses-non-administrator', 'hostMember'],
  ['delete-collaboration/refuses-anonymous', 'anonymous'],
  ['delete-collaboration/refuses-invalid-credential', 'impostor'],
]

for (const [requirement, caller] of ofCollaborations) {
  check(
    `${requirement}:read-back`,
    {
      operation: 'delete-collaboration',
      actors: actorsAmong(caller),
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
      await leavesAsItWas(
        context as CheckContext,
        workspacesNamed(at, String(request.collaborationWorkspaceName)),
        added,
        () => named(context as CheckContext, caller)('delete-collaboration', { ...at, portal: 'host' }),
      )
    },
  )
}

const glances = 8

const ofFederations: readonly Wrong[] = [
  ['update-federation/refuses-non-administrator', 'hostMember'],
  ['update-federation/refuses-anonymous', 'anonymous'],
  ['update-federation/refuses-invalid-credential', 'impostor'],
]

for (const [requirement, caller] of ofFederations) {
  check(
    `${requirement}:read-back`,
    {
      operation: 'update-federation',
      actors: ['organizationAdministrator', ...actorsAmong(caller)],
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
      const refused = await given.request('update-federation', { name: `Refused ${caller} ${context.runId}` })
      const request = await given.settingsFor({ federationId }, refused)
      // Others set the federation meanwhile: what is looked for is the name that was refused.
      const look: Look = { page: 'federation', at: {}, of: ({ name }) => name === request.name }
      const probe = () =>
        named(context as CheckContext, caller)('update-federation', { federationId }, request)
      // An update of others may hide it again before it is seen.
      for (let left = glances; left > 0; left--) {
        const answer = await probe()
        context.expect(answer, valid).toBeRefused()
        await expectNotSeen(context, look, answer)
      }
      await leavesAsItWas(context as CheckContext, look, valid, probe)
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
    await leavesAsItWas(context as CheckContext, look, valid, () =>
      as.taskOwner('update-task-run', run, { result: `refused in ${context.runId}` }),
    )
  },
)
