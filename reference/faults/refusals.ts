/** Valid requests that are refused for what stands beside what they ask for (§4). */
import type { OperationId } from '../../specs/operations.ts'
import { type RequirementId, requirementOf } from '../../specs/requirements.ts'
import { changeMay, refuseWhen } from '../alterations.ts'
import { collaborationIn, groupIdsOf, isOwner, itemIdsIn, participantIn, targetOf } from '../handlers.ts'
import type { Call } from '../parts.ts'
import { namesFolder } from './effects.ts'
import { type Applied, type Chapter, inWords, product, requirementsOf } from './fault.ts'

/** What is refused, by the requirement that it is accepted. */
type Refused = readonly [breaks: RequirementId, isRefused: (call: Call) => boolean]

const value = ({ form }: Call, name: string): string | undefined => form.get(name)

const workspacesIn = (call: Call): number => collaborationIn(call)?.workspaces.size ?? 0

const isSecondWorkspace = (call: Call): boolean => {
  const [first] = collaborationIn(call)?.workspaces.keys() ?? []
  return first !== undefined && first !== call.params.workspaceID
}

const hasFolderOf = (call: Call, isTheirs: (username: string) => boolean): boolean =>
  [...call.store.users.values()].some(
    ({ username, folders }) => isTheirs(username) && folders.has(value(call, 'targetFoldername') ?? ''),
  )

const sharesAddress = (call: Call): boolean =>
  [...call.store.collaborations.values()].some(
    ({ id, participants }) =>
      id !== call.params.collaborationID &&
      [...participants.values()].some(({ email }) => email === value(call, 'contactEmailAddress')),
  )

const names = ['collaborationWorkspaceName', 'collaborationWorkspaceDescription'] as const

const refused: Readonly<Record<string, Refused>> = {
  'description-like-name-refused': [
    'add-workspace/creates',
    (call) => value(call, names[0]) === value(call, names[1]),
  ],
  'long-words-refused': [
    'add-workspace/name-limit-accepts',
    (call) => /^\S{81,}$/.test(value(call, names[0]) ?? ''),
  ],
  'names-over-255-bytes-refused': [
    'add-workspace/name-limit-accepts',
    (call) => Buffer.byteLength(value(call, names[0]) ?? '') > 255,
  ],
  'both-limits-together-refused': [
    'add-workspace/description-limit-accepts',
    (call) => [...names.map((name) => value(call, name)).join('')].length > 340,
  ],
  'hundred-items-need-no-folder': [
    'reassign-items/items-limit-accepts',
    (call) => itemIdsIn(call).length === 100 && namesFolder(call),
  ],
  'five-items-with-folder-refused': [
    'reassign-items/items-limit-accepts',
    (call) => itemIdsIn(call).length > 4 && namesFolder(call),
  ],
  'owners-give-25-at-most': [
    'reassign-items/allows-owner',
    (call) => itemIdsIn(call).length > 25 && isOwner(call),
  ],
  'run-result-required': ['update-task-run/result-optional', (call) => value(call, 'result') === undefined],
  'run-result-required-but-while-executing': [
    'update-task-run/result-optional',
    (call) =>
      value(call, 'result') === undefined && !['executing', '', undefined].includes(value(call, 'status')),
  ],
  'parameters-with-a-dot-refused': [
    'protocol/unknown-parameter',
    ({ form }) => form.pairs.some(([name]) => name.includes('.')),
  ],
  'folder-required': [
    'reassign-items/folder-optional',
    (call) => value(call, 'targetFoldername') === undefined,
  ],
  'folder-must-exist': [
    'reassign-items/folder-created',
    (call) => {
      const folder = value(call, 'targetFoldername')
      return folder !== undefined && targetOf(call)?.folders.has(folder) === false
    },
  ],
  'folder-must-be-new': [
    'reassign-items/folder-created',
    (call) => hasFolderOf(call, (username) => username === value(call, 'targetUsername')),
  ],
  'folders-of-others-refused': [
    'reassign-items/folder-created',
    (call) => hasFolderOf(call, (username) => username !== value(call, 'targetUsername')),
  ],
  'second-workspace-not-synced': ['sync-workspace/starts', isSecondWorkspace],
  'same-first-and-last-name-refused': [
    'update-participant/contact-text',
    (call) => value(call, 'contactFirstname') === value(call, 'contactLastname'),
  ],
  'contact-addresses-only-once': ['update-participant/contact-text', sharesAddress],
  'participants-updated-only-once': [
    'update-participant/updates',
    (call) => participantIn(call)?.email !== undefined,
  ],
  'delete-refused-with-workspaces': ['delete-collaboration/deletes', (call) => workspacesIn(call) > 0],
  'delete-of-many-workspaces-refused': ['delete-collaboration/deletes', (call) => workspacesIn(call) > 2],
  'several-groups-refused': [
    'update-federation/groups-array',
    ({ form }) => form.getAll('groups').flatMap((text) => groupIdsOf(text) ?? []).length > 1,
  ],
  'automatic-sign-up-refused': [
    'update-federation/sign-up-mode',
    (call) => value(call, 'signUpMode') === 'Automatic',
  ],
  'platform-only-refused': [
    'update-federation/user-type',
    (call) => value(call, 'userType') === 'platformonly',
  ],
}

const onOperation = (id: RequirementId): OperationId => {
  const { operation } = requirementOf(id)
  return operation === 'protocol' ? 'update-task-run' : (operation as OperationId)
}

const besides = Object.entries(refused).map(([id, [breaks, isRefused]]): Applied => {
  const operation = onOperation(breaks)
  return {
    id,
    sentence: `${operation} refuses a valid request: ${inWords(id)}.`,
    breaks: [breaks],
    // Whatever valid request a check sends may be such a one; what depends on what was done before meets other operations.
    mayBreak: [
      ...requirementsOf(operation, 'protocol'),
      ...requirementsOf('delete-collaboration').filter(
        (each) => each.includes('/others-') || each.includes('-stops'),
      ),
    ],
    alter: refuseWhen(operation, 'bad-value', isRefused),
  }
})

/** Who may reassign items, and is refused. */
const permitted: Readonly<Record<string, Refused>> = {
  'custom-administrators-refused': [
    'reassign-items/allows-custom-administrator',
    ({ user }) => user?.role === 'custom',
  ],
  'default-administrators-refused': [
    'reassign-items/allows-default-administrator',
    ({ user }) => user?.role === 'administrator',
  ],
  'privileged-owner-refused': ['reassign-items/allows-owner', isOwner],
}

const callers = Object.entries(permitted).map(
  ([id, [breaks, isRefused]]): Applied => ({
    id,
    sentence: `reassign-items refuses a caller who may: ${inWords(id)}.`,
    breaks: [breaks],
    // Who sends the requests that anybody entitled may send is up to the suite.
    mayBreak: requirementsOf('reassign-items', 'protocol'),
    alter: changeMay('reassign', (may, call) => may && !isRefused(call)),
  }),
)

const refusalProducts = [
  product('a valid request is refused for something else', besides),
  product('a permitted caller is refused', callers),
]

export const refusalsChapter: Chapter = { products: refusalProducts }
