/** How the requirements of task runs and of reassignments are judged. */
import { type JudgedTexts, refused } from './judged.ts'

const administrator = 'a default administrator'
const toEligible = 'the same caller gives items of the same owner to an eligible user'
const ineligible =
  'requests for 1 to 99 items that are valid in all, but that their target may not receive items'

const inError = (what: string) => ({ control: toEligible, probe: `${ineligible}: ${what}` })

const without = (field: string) => ({
  control: `afterwards, the same request with ${field}`,
  probe: `the request without ${field}, with a folder and without: refused`,
})

const movesNothing = (who: string) => ({
  control:
    'afterwards, the items are given away for their owner by a permitted caller: so they had not moved, and could be moved',
  probe: `requests by ${who}, for one item and for several, with a folder and without, each asked twice: refused; and the items are not found with their target`,
})

const mayReassign = (who: string) => ({ probe: `generated valid requests for two items by ${who}: accepted` })

export const contentJudged: JudgedTexts = {
  'update-task-run/updates': {
    probe:
      'generated requests with status=executing, each for a fresh run: accepted, with taskId and runId as strings',
  },
  'update-task-run/identifiers': {
    probe: 'generated requests, each for a fresh run: taskId and runId are those of the path',
  },
  'update-task-run/status-required': {
    control: 'the same request with status, for another fresh run',
    probe: 'the request without status: refused',
  },
  'update-task-run/result-optional': { probe: 'status=executing alone: accepted' },
  'update-task-run/result-empty': { probe: 'status=executing with an empty result: accepted' },
  'update-task-run/result-text': { probe: 'results of generated printable text in any script: accepted' },
  'update-task-run/statuses': {
    control: 'where the list is closed, a listed status',
    probe:
      'each listed status, for a fresh run: accepted; where the list is closed, some that are not listed, the beginning of a listed one and an empty one: refused',
  },
  'update-task-run/unknown-run': {
    control: 'the request for a run that is there',
    probe: 'the same request with an unknown runId, taskId or userName, each by itself: refused',
  },
  'update-task-run/run-of-task': {
    control: 'the request for a run that is there, and afterwards for the very run in its place',
    probe:
      'the same request for that run under the task of another one, and for its task under other users of the host: refused',
  },
  'update-task-run/refuses-anonymous': refused('the owner of the task', 'a caller without a credential'),
  'reassign-items/reassigns': {
    probe:
      'generated valid requests for one item without a folder and for two with one: accepted, with itemId as a string',
  },
  'reassign-items/items-required': without('items'),
  'reassign-items/target-required': without('targetUsername'),
  'reassign-items/folder-optional': { probe: 'a request without targetFoldername: accepted' },
  'reassign-items/folder-created': {
    probe: 'a folder that does not exist, and then the same folder again: accepted both times',
  },
  'reassign-items/items-limit-accepts': {
    probe: 'requests for 1, 99, 100 and other numbers of items: accepted',
  },
  'reassign-items/items-limit-rejects': {
    control: 'afterwards, at most 100 of the items are given away for their owner',
    probe:
      'requests for 101, 102 and more items, with a folder and without, by an administrator and by the owner: refused; and none of the items is found with its target',
  },
  'reassign-items/ineligible-target': {
    control: `${toEligible}, before, and with the very items after the refusal`,
    probe: `${ineligible}, by a default administrator, a custom one and the owner: refused with error.code 403`,
  },
  'reassign-items/error-shape': inError('the error keeps its schema'),
  'reassign-items/error-details-fields': inError('every entry of error.details keeps its schema'),
  'reassign-items/error-details-items': inError(
    'error.details names each item of the request, none twice and no other',
  ),
  'reassign-items/error-details-owner': inError(
    'owner in each entry is the owner whom the fixture names, or after a move the one who has the items then',
  ),
  'reassign-items/error-alone': inError('the answer holds error and nothing beside it'),
  'reassign-items/error-details-url': inError('url in every entry can be read as a URL'),
  'reassign-items/error-message-code': inError('error.messageCode is CONT_ and a number'),
  'reassign-items/ineligible-target-keeps-owner': {
    control: `${toEligible}; and the request for the ineligible one is refused`,
    probe: 'then the owner gives the items to an eligible user: accepted',
  },
  'reassign-items/ownership-moves': {
    control:
      'items given to one user by a default administrator, a custom one and the owner, in one request or in several, up to 100 of them, with a folder and without',
    probe:
      'the former owner gives them to another: refused; the new owner gives them to that other, and that other back: accepted. These requests are made by an administrator, on the path of the user',
  },
  'reassign-items/allows-default-administrator': mayReassign(administrator),
  'reassign-items/allows-custom-administrator': mayReassign(
    'a user with a custom role that has administrative privileges',
  ),
  'reassign-items/allows-owner': mayReassign('their owner, who has the privilege to transfer'),
  'reassign-items/refuses-owner-without-privilege': movesNothing('their owner, who lacks the privilege'),
  'reassign-items/refuses-other-user': movesNothing(
    'a user who is neither owner nor administrator, one with the privilege to transfer among them',
  ),
  'reassign-items/refuses-other-organization': movesNothing(
    'the administrator of a guest, on the path of its own portal and of the host',
  ),
  'reassign-items/refuses-anonymous': movesNothing(
    'a caller without a credential or with an empty one, also on a connection that an administrator has just used',
  ),
  'reassign-items/refuses-invalid-credential': movesNothing(
    'a caller with a made-up credential, also one that shares a half with a real one',
  ),
  'reassign-items/unknown-target': {
    control: 'afterwards, the items are given to a user who exists',
    probe: 'requests whose target does not exist: refused',
  },
  'reassign-items/target-in-organization': {
    control: 'afterwards, the items are given to a user of the host',
    probe:
      'requests whose target is a user of another portal: refused. Names such as admin, which the host may have as well, are left out',
  },
  'reassign-items/unknown-item': {
    control:
      'afterwards, the items are given away by a permitted caller: so they had not moved, and could be moved',
    probe:
      'an id of the same form that no item has, alone, and before and behind items that are there: refused; and these are not found with the target',
  },
  'reassign-items/not-their-item': {
    control: 'afterwards, the item is given away under the path of its owner',
    probe:
      'an item of another user under the path of the first, by an administrator and by the first: refused; and it is not found with the target. The same beside an item of the first, whatever the answer is',
  },
  'reassign-items/concurrent-one-wins': {
    control: 'in at least one of all rounds a request is accepted',
    probe:
      'two requests that are released together give the same items to two users: at most one of them is accepted',
  },
}
