/** Faults that refuse valid requests: for an everyday text or value, or for what several values have in common. */
import type { OperationId } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { refuseText, refuseWhen, replacing, replacingIn } from '../alterations.ts'
import { collaborationIn, groupIdsOf, isOwner, itemIdsIn, participantIn, targetOf } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import {
  type Broken,
  hasNoResult,
  metBy,
  metByAny,
  namesFolder,
  placesOf,
  type WrittenFault,
} from './fault.ts'
import { add, federation, reassign, remove, run, update } from './operation-names.ts'

type Odd = RegExp | ((text: string) => boolean)

/**
 * Faults that refuse some texts in these parameters. `requirement`: that the text is accepted. Any valid request of a
 * check may contain a text that is refused.
 */
function refusingTexts(
  requirement: RequirementId,
  parameters: readonly string[],
  texts: Readonly<Record<string, Odd>>,
  broken = metByAny(requirement),
): readonly WrittenFault[] {
  const refusing = (odd: Odd) =>
    refuseText(parameters, (text) => (odd instanceof RegExp ? odd.test(text) : odd(text)))
  const places = Object.entries(texts).map(([id, odd]) => [id, [odd]] as const)
  const faults = placesOf(
    refusing,
    `Some values of ${parameters.join(' or ')} are refused`,
    broken,
    Object.fromEntries(places),
  )
  // The ids end with the same word.
  return faults.map((fault) => ({ ...fault, sentence: fault.sentence.replace(/ refused\.$/, '.') }))
}

const result = ['result']
const folder = ['targetFoldername']
const workspaceName = ['collaborationWorkspaceName']
const federationName = ['name']
const certificate = ['certificate']
const urls = ['discoveryServiceUrl', 'metadataServiceUrl', 'entityId']

const limitAccepts = 'add-workspace/name-limit-accepts'
const contactText = 'update-participant/contact-text'
const updates = 'update-federation/updates'
const folderCreated = 'reassign-items/folder-created'

const apostrophe = /\p{L}'\p{L}/u

/** Everyday texts that each text parameter should accept. */
export const everydayTextFaults = [
  refusingTexts('update-task-run/result-text', result, {
    'results-with-apostrophes-refused': apostrophe,
    'results-that-begin-with-a-brace-refused': /^\{/,
    'results-that-begin-with-a-bracket-refused': /^\[/,
    'results-that-begin-with-a-quote-refused': /^"/,
    'results-that-begin-with-a-digit-refused': /^\d+[^\d]/,
    'results-that-are-json-objects-refused': /^\{.*\}$/s,
  }),
  refusingTexts(folderCreated, folder, { 'folders-with-apostrophes-refused': apostrophe }),
  refusingTexts(limitAccepts, workspaceName, { 'workspace-names-with-apostrophes-refused': apostrophe }),
  refusingTexts('add-workspace/description-limit-accepts', ['collaborationWorkspaceDescription'], {
    'descriptions-with-apostrophes-refused': apostrophe,
  }),
  refusingTexts(contactText, ['contactFirstname'], { 'first-names-with-apostrophes-refused': apostrophe }),
  refusingTexts(contactText, ['contactLastname'], { 'last-names-with-apostrophes-refused': apostrophe }),
  refusingTexts(updates, federationName, { 'federation-names-with-apostrophes-refused': apostrophe }),
].flat()

const textFaults = [
  refusingTexts('update-task-run/result-text', result, {
    'run-result-ascii-only': /[^\x00-\x7f]/,
    'astral-results-refused': /[\u{10000}-\u{10ffff}]/u,
    'results-over-400-refused': /.{401}/s,
    'results-of-several-lines-refused': /[\r\n]/,
    'result-null-refused': /^null$/,
    'results-with-percent-refused': /%/,
    'numeric-results-refused': /^\d+$/,
    'zero-as-result-refused': /^0$/,
    'results-with-addresses-refused': /:\/\//,
    'one-letter-results-refused': /^\p{L}$/u,
  }),
  refusingTexts(folderCreated, folder, {
    'folders-of-digits-refused': /^\d+$/,
    'folders-beyond-latin-1-refused': /[^\0-\xff]/,
    'folders-over-50-refused': /.{51}/s,
  }),
  refusingTexts(limitAccepts, workspaceName, {
    'astral-names-refused': /[\u{10000}-\u{10ffff}]/u,
    'names-over-255-bytes-refused': (text) => Buffer.byteLength(text) > 255,
    'long-words-refused': /^\S{81,}$/,
  }),
  refusingTexts(contactText, ['contactFirstname', 'contactLastname'], {
    'contact-names-ascii-only': /[^\x00-\x7f]/,
    'one-letter-names-refused': /^.$/s,
    'contact-names-over-20-refused': /.{21}/s,
    'hyphens-in-names-refused': /-/,
    'spaces-in-names-refused': / /,
  }),
  refusingTexts(contactText, ['contactEmailAddress'], {
    'plus-addresses-refused': /\+/,
    'capitals-in-addresses-refused': /[A-Z]/,
    'long-addresses-refused': /.{41}/s,
    'capitals-in-domains-refused': /@.*[A-Z]/,
    'long-mailboxes-refused': /^[^@]{31,}@/,
    'several-dots-in-mailboxes-refused': /\..*\..*@/,
  }),
  refusingTexts(updates, federationName, {
    'federation-names-latin-only': /(?!\p{Script=Latin})\p{L}/u,
    'federation-names-over-64-refused': /.{65}/s,
    'ampersands-in-federation-names-refused': /&/,
  }),
  refusingTexts(updates, ['entityId'], { 'entity-id-must-be-url': /^urn:/ }),
  refusingTexts(updates, urls, { 'federation-addresses-over-100-refused': /.{101}/s }),
  refusingTexts(updates, ['userCreditAssignment'], {
    'no-credits-refused': /^0$/,
    'credits-over-1000-refused': (text) => Number(text) > 1000,
  }),
  refusingTexts(
    'update-federation/certificate',
    certificate,
    {
      'certificate-plus-lost': /\+/,
      'certificate-slashes-refused': /\//,
      'certificate-over-1500-refused': /.{1501}/s,
      'certificate-over-2048-refused': /.{2049}/s,
      'certificate-padding-refused': /=$/,
    },
    { breaks: ['update-federation/certificate'] },
  ),
].flat()

/** Whether the request names a folder that the target user has. Undefined: it names no folder. */
const hasFolder = (call: Call): boolean | undefined => {
  const named = call.form.get('targetFoldername')
  return named === undefined ? undefined : targetOf(call)?.folders.has(named)
}

const groupsIn = ({ form }: Call): string[] =>
  form.getAll('groups').flatMap((value) => groupIdsOf(value) ?? [])

/** Any later update of a participant meets the fault, also one that shows what a delete leaves. */
const metInOthers = (requirement: RequirementId): Broken => ({
  ...metBy(requirement, 'update-participant', 'protocol', 'delete-collaboration'),
  dependsOn: 'earlier requests',
})

const resultOptional = metByAny('update-task-run/result-optional')

const requestFaults = placesOf(
  ([operation, isOdd]: readonly [OperationId, (call: Call) => boolean]) =>
    refuseWhen(operation, 'bad-value', isOdd),
  'A valid request is refused',
  metByAny(folderCreated),
  {
    'parameter-order-matters': [
      [
        add,
        ({ form }) => {
          const names = form.pairs.map(([name]) => name)
          return names.includes('f') && names.indexOf('f') < names.indexOf('collaborationWorkspaceName')
        },
      ],
      'protocol/encoding',
    ],
    'run-result-required': [[run, hasNoResult], resultOptional],
    'run-result-required-but-while-executing': [
      [run, (call) => hasNoResult(call) && !['executing', '', undefined].includes(call.form.get('status'))],
      resultOptional,
    ],
    'run-empty-result-refused': [
      [run, ({ form }) => form.get('result') === ''],
      'update-task-run/result-empty',
    ],
    'skipped-run-refused': [
      [run, ({ form }) => form.get('status') === 'skipped'],
      'update-task-run/statuses',
    ],
    'parameters-with-a-dot-refused': [
      [run, ({ form }) => form.pairs.some(([name]) => name.includes('.'))],
      'protocol/unknown-parameter',
    ],
    'folder-required': [
      [reassign, (call) => !namesFolder(call)],
      ['reassign-items/folder-optional', 'reassign-items/items-limit-accepts'],
    ],
    'folder-must-exist': [[reassign, (call) => hasFolder(call) === false]],
    // Checks may give items to the same folder several times.
    'folder-must-be-new': [
      [reassign, (call) => hasFolder(call) === true],
      {
        breaks: [folderCreated],
        mayBreak: ['reassign-items/items-limit-accepts'],
        dependsOn: 'earlier requests',
      },
    ],
    'five-items-with-folder-refused': [
      [reassign, (call) => itemIdsIn(call).length > 4 && namesFolder(call)],
      metBy('reassign-items/items-limit-accepts', reassign),
    ],
    'owners-give-25-at-most': [
      [reassign, (call) => itemIdsIn(call).length > 25 && isOwner(call)],
      { breaks: ['reassign-items/allows-owner'], mayBreak: ['reassign-items/items-limit-accepts'] },
    ],
    'owners-give-99-at-most': [
      [reassign, (call) => itemIdsIn(call).length > 99 && isOwner(call)],
      'reassign-items/items-limit-accepts',
    ],
    'same-first-and-last-name-refused': [
      [update, ({ form }) => form.get('contactFirstname') === form.get('contactLastname')],
      metByAny(contactText),
    ],
    'participants-updated-only-once': [
      [update, (call) => participantIn(call)?.email !== undefined],
      metInOthers('update-participant/updates'),
    ],
    'delete-refused-with-workspaces': [
      [remove, (call) => (collaborationIn(call)?.workspaces.size ?? 0) > 0],
      { breaks: ['delete-collaboration/deletes'], dependsOn: 'earlier requests' },
    ],
    'several-groups-refused': [
      [federation, (call) => groupsIn(call).length > 1],
      metByAny('update-federation/groups-array'),
    ],
  },
)

/** Limits and lists of allowed values that are too short. */
const shortListFaults = placesOf(
  (alter: Alter) => alter,
  'A limit or a list of allowed values is too short',
  metByAny(limitAccepts),
  {
    'name-limit-99': [replacingIn('limits', { name: 99 })],
    'description-limit-249': [
      replacingIn('limits', { description: 249 }),
      metByAny('add-workspace/description-limit-accepts'),
    ],
    'hundred-items-refused': [replacingIn('limits', { items: 99 }), 'reassign-items/items-limit-accepts'],
    'automatic-sign-up-refused': [
      replacing({ signUpModes: ['Invitation'] }),
      metByAny('update-federation/sign-up-mode'),
    ],
    'platform-only-refused': [replacing({ userTypes: ['both'] }), metByAny('update-federation/user-type')],
  },
)

/** Faults that refuse valid requests. */
export const refusalFaults: readonly WrittenFault[] = [...textFaults, ...requestFaults, ...shortListFaults]
