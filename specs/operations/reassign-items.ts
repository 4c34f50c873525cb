import { advice, clausesOf, implied, must, type Operation, open, optional, required } from '../operation.ts'

/** §4.3 with §5, §7 and §8. */
export const reassignItems = {
  id: 'reassign-items',
  title: 'Reassign items',
  section: '4.3',
  conformanceClass: 'content',
  path: '/content/users/{userName}/reassignItems',
  parameters: [required('items'), required('targetUsername'), optional('targetFoldername'), open('f')],
  introduced: { release: '11.0', editions: ['self-hosted'] },
  callers:
    'a default administrator, a custom role with administrative privileges, or the owner with the privilege to transfer',
  calledBy: 'contentAdministrator',
  on: 'items',
  usesUp: true,
  effect: 'gives items of the fixture provider to other users and creates folders for them',
  requirements: clausesOf({
    'reassign-items/reassigns': {
      ...must('4.3', 'shape'),
      text: 'A valid request is accepted and answers with itemId as a string.',
    },
    'reassign-items/items-required': {
      ...must('4.3', 'limits'),
      requires: 'items',
      text: 'items is required: without it the request is refused.',
    },
    'reassign-items/target-required': {
      ...must('4.3', 'limits'),
      requires: 'targetUsername',
      text: 'targetUsername is required: without it the request is refused.',
    },
    'reassign-items/folder-optional': {
      ...must('4.3', 'limits'),
      doesWithout: 'targetFoldername',
      text: 'targetFoldername is optional: without it the request is accepted.',
    },
    'reassign-items/folder-created': {
      ...must('4.3', 'limits'),
      text: 'A folder that does not exist is created: the request that names it is accepted, and so is the next one with the same folder.',
    },
    'reassign-items/items-limit-accepts': {
      ...implied('8', 'limits'),
      text: '1 to 100 items in one request are accepted, with a folder and without.',
      follows: 'The limit is 100 items at most (§8), so it forbids no number up to there.',
    },
    'reassign-items/items-limit-rejects': {
      ...must('8', 'limits'),
      text: 'More than 100 items in one request are refused, and none of them moves: the first 100 are not quietly taken.',
    },
    'reassign-items/ineligible-target': {
      ...must('7', 'shape'),
      text: 'A target user who lacks the privileges to receive an item gets the error object with code 403.',
    },
    'reassign-items/error-shape': {
      ...must('7', 'shape'),
      text: 'The error has code as an integer, messageCode and message as strings, and details as an array.',
    },
    'reassign-items/error-details-fields': {
      ...must('7', 'shape'),
      text: 'Every entry of details has itemId, type, url and owner as strings and reservedTypeKeywords as an array of strings.',
    },
    'reassign-items/error-details-items': {
      ...must('7', 'relations'),
      text: 'details has one entry for each item that could not be reassigned: only items of the request, none twice, and all of them where none can be received.',
    },
    'reassign-items/error-details-owner': {
      ...must('7', 'relations'),
      text: 'owner in an entry of details is the current owner of the item.',
    },
    'reassign-items/error-alone': {
      ...advice('7', 'shape'),
      text: 'The error answer has one field, error.',
    },
    'reassign-items/error-details-url': {
      ...advice('7', 'shape'),
      text: 'url in an entry of details is a URL.',
    },
    'reassign-items/error-message-code': {
      ...advice('7', 'shape'),
      text: 'messageCode has the form CONT_ and a number.',
    },
    'reassign-items/ineligible-target-keeps-owner': {
      ...implied('4.3', 'consequences'),
      text: 'After a refusal for the target user the items are still with their owner, who can give them to an eligible user.',
      follows: 'An error response is returned in place of the reassignment (§4.3).',
      unaffected: true,
    },
    'reassign-items/ownership-moves': {
      ...implied('4.3', 'consequences'),
      text: "After a reassignment the items are under the new owner's path and no longer under the former owner's.",
      follows: 'targetUsername is the new owner (§4.3).',
    },
    'reassign-items/allows-default-administrator': {
      ...must('5', 'roles'),
      allows: ['contentAdministrator'],
      text: 'A user with the default administrator role may reassign the items of others.',
    },
    'reassign-items/allows-custom-administrator': {
      ...must('5', 'roles'),
      allows: ['customAdministrator'],
      text: 'A custom role with administrative privileges may reassign the items of others.',
    },
    'reassign-items/allows-owner': {
      ...must('5', 'roles'),
      allows: ['itemOwner'],
      dependsOnOwner: true,
      text: 'The owner of the items, with the privilege to transfer content, may reassign them.',
    },
    'reassign-items/refuses-owner-without-privilege': {
      ...must('5', 'roles'),
      refuses: ['itemOwnerUnprivileged'],
      dependsOnOwner: true,
      text: 'An owner who has neither an administrative role nor the privilege to transfer is refused, and nothing moves.',
    },
    'reassign-items/refuses-other-user': {
      ...must('5', 'roles'),
      refuses: ['outsider'],
      dependsOnOwner: true,
      text: 'A user who is neither the owner nor an administrator is refused, and nothing moves.',
    },
    'reassign-items/refuses-anonymous': {
      ...must('5', 'roles'),
      refuses: ['anonymous'],
      text: 'A request without credentials is refused, and nothing moves.',
    },
    'reassign-items/refuses-invalid-credential': {
      ...implied('5', 'roles'),
      refuses: ['impostor'],
      text: 'An invalid credential is refused, and nothing moves.',
      follows: 'Only administrators and the owner may reassign items (§5).',
    },
    'reassign-items/refuses-other-organization': {
      ...implied('5', 'roles'),
      refuses: ['guestAdministrator'],
      text: 'The administrator of another organization is refused, and nothing moves.',
      follows:
        'Items are reassigned within the organization (§4.3), by its administrators or their owner (§5).',
    },
    'reassign-items/unknown-target': {
      ...implied('4.3', 'relations'),
      mustExist: ['targetUsername'],
      text: 'A target user who does not exist is refused, and nothing moves.',
      follows: 'Items go to another user in the organization (§4.3).',
    },
    'reassign-items/target-in-organization': {
      ...implied('4.3', 'relations'),
      text: 'A target user of another organization is refused, and nothing moves.',
      follows: 'Items go to another user in the organization (§4.3).',
    },
    'reassign-items/unknown-item': {
      ...implied('4.3', 'relations'),
      mustExist: ['items'],
      text: 'An id that no item has is refused, alone and beside an item that exists; then nothing moves.',
      follows:
        'The operation reassigns items owned by the user of the path (§4.3), and an item that does not exist has no owner.',
    },
    'reassign-items/not-their-item': {
      ...implied('4.3', 'relations'),
      text: 'An item that the user of the path does not own is not given away under that path.',
      follows: 'The operation reassigns items owned by that user (§4.3).',
    },
    'reassign-items/concurrent-one-wins': {
      ...implied('4.3', 'races'),
      text: 'Of two simultaneous reassignments of one item to two users at most one is accepted.',
      follows: 'An item belongs to a user (§1): after the first it is no longer that owner’s to give.',
    },
  }),
} as const satisfies Operation
