/** What each thing is that can be added to a configuration, in words. */

import type { FixtureKind } from '../deployment/fixtures/fixture-kinds.ts'
import type { Step } from '../runner/what-to-add.ts'
import { schemaOf } from '../schemas/catalogue.ts'
import { type OperationId, operationIds, operationOf } from '../specs/operations.ts'
import { countOf } from './wording.ts'

const fixtures: Readonly<Record<FixtureKind, string>> = {
  collaboration:
    'collaborations of the host that the run may add to; each check that deletes uses up its own',
  guestHosted: 'a collaboration that the guest hosts itself, to which nothing is done',
  workspace: 'workspaces of collaborations, whose syncs the run may start',
  scheduledSync: 'workspaces whose scheduled sync is running at that moment; only a provider can have them',
  participant: 'participants of collaborations, whose contact the run may change',
  participantElsewhere: 'two guests that do not meet in one collaboration, whose contacts the run may change',
  group: 'groups of the host that workspaces may be linked to',
  items: 'items that the run may give to other owners',
  eligibleUser: 'users who may receive items',
  ineligibleUser: 'users who lack the privileges to receive items',
  partlyReceivable: 'items of which a user can receive some and not the others',
  taskRun: 'runs of scheduled tasks, whose status the run may change',
  federation: 'SAML federations that the run may change',
}

const others: Readonly<Record<string, string>> = {
  'contract.sync': 'the mode parameter of sync workspace: parameter, synchronous and asynchronous',
  'contract.run.statuses': 'the statuses that a task run may have here',
  'contract.newWorkspacesSync': 'true where a workspace can be synced as soon as it is added',
  'run.guestRefresh': 'the longest time until a guest loses a deleted collaboration',
  'http.concurrency': '2 or more, since requests must overlap',
  'http.requestsPerSecond': '2 or more, since requests must overlap',
  'fixtures.workspace.minimumSyncMs': 'how long each sync of the workspaces takes at least',
}

export const additionsTitle = 'What to add to have more tested, most useful first'

/** How the list is to be read. */
export const additionsNote = `Each count rests on what stands above it. fixtures.KIND is a list in fixtures.static, or a \
kind that your fixture provider offers; effects.OPERATION is an entry of the list effects.`

/** What a step is good for. */
export function gainOf({ checks, requirements }: Step): string {
  return `${countOf(checks, 'more check')} of ${countOf(requirements.length, 'requirement')}`
}

/** What `key` asks for; undefined for a key that is not known. */
export function wordsFor(key: string): string | undefined {
  const [part, name = '', detail] = key.split('.')
  if (Object.hasOwn(others, key)) return others[key]
  if (part === 'actors' && detail === 'credential') return 'a credential that works'
  if (part === 'actors' && detail === 'username') return 'the user name of that caller'
  if (part === 'actors') return actorWords(name)
  if (part === 'effects') return effectWords(name)
  return Object.hasOwn(fixtures, name) && part === 'fixtures' ? fixtures[name as FixtureKind] : undefined
}

/** Who plays the part of that actor. */
function actorWords(name: string): string | undefined {
  const { properties } = schemaOf('configuration') as unknown as Described
  const described = properties.actors?.properties?.[name]?.description
  const first = described?.split('. ', 1)[0]
  return first === undefined ? undefined : first[0]?.toLowerCase() + first.slice(1)
}

function effectWords(name: string): string | undefined {
  const id = operationIds.find((operation: OperationId) => operation === name)
  return id === undefined ? undefined : operationOf(id).effect
}

interface Described {
  readonly description?: string
  readonly properties: Readonly<Record<string, Partial<Described> | undefined>>
}
