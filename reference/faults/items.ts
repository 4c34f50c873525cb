/** Reassignments that are accepted, refused, or move items wrongly (§4.3, §7). */
import type { RequirementId } from '../../specs/requirements.ts'
import { afterAccepted, afterRefused, changeError, changeParts, overlook } from '../alterations.ts'
import type { Reason } from '../answers.ts'
import { isOwner, itemIdsIn, itemsIn, targetOf } from '../handlers.ts'
import type { Alter, Answer, Call } from '../parts.ts'
import type { Item } from '../store.ts'
import { firstItem, later, move, moveAll, namesFolder, passOverUnknown, takeAnyNumber } from './effects.ts'
import { type Applied, type Chapter, inWords, product, requirementsOf } from './fault.ts'

const operation = 'reassign-items'

/** When a rule is not looked at: a part of ids, and words. */
type Condition = readonly [id: string, words: string, holds: (call: Call) => boolean]

const conditions: readonly Condition[] = [
  ['', '', () => true],
  ['-with-folder', ', where a folder is named', namesFolder],
  ['-without-folder', ', where no folder is named', (call) => !namesFolder(call)],
  ['-for-owner', ', where the owner asks', isOwner],
  ['-for-custom-administrator', ', where a custom administrator asks', ({ user }) => user?.role === 'custom'],
]

/** A rule that is not looked at: a part of ids, what is accepted, and how. */
type Lenience = readonly [
  id: string,
  sentence: string,
  breaks: RequirementId,
  alter: (holds: (call: Call) => boolean) => Alter,
]

/** Without a refusal there is no error to look at. */
const ofErrors = requirementsOf(operation).filter(
  (id) => id.includes('/error-') || id.endsWith('-keeps-owner'),
)

const ofUnknownTarget = (there: boolean, holds: (call: Call) => boolean): Alter =>
  overlook(
    operation,
    'unknown-target',
    moveAll,
    (call) => holds(call) && (targetOf(call) !== undefined) === there,
  )

const leniences: readonly Lenience[] = [
  [
    'items-not-required',
    'A request without items is accepted',
    'reassign-items/items-required',
    (holds) => overlook(operation, 'missing-items', firstItem, holds),
  ],
  [
    'target-not-required',
    'A request without targetUsername is accepted',
    'reassign-items/target-required',
    (holds) => overlook(operation, 'missing-target', firstItem, holds),
  ],
  ['too-many-items', 'Any number of items is accepted', 'reassign-items/items-limit-rejects', takeAnyNumber],
  [
    'ineligible-target-accepted',
    'Items go to a user who may not receive them',
    'reassign-items/ineligible-target',
    (holds) => changeParts(operation, holds, { eligible: () => true }),
  ],
  [
    'unknown-items-passed-over',
    'Ids that no item has are passed over beside others',
    'reassign-items/unknown-item',
    passOverUnknown,
  ],
  [
    'target-unknown-to-all-accepted',
    'Items can be given to a user who does not exist',
    'reassign-items/unknown-target',
    (holds) => ofUnknownTarget(false, holds),
  ],
  [
    'target-of-other-organization-accepted',
    'Items can be given to a user of another organization',
    'reassign-items/target-in-organization',
    (holds) => ofUnknownTarget(true, holds),
  ],
  [
    'items-of-others-given-away',
    'Items are given away under the path of a user who does not own them',
    'reassign-items/not-their-item',
    (holds) => overlook(operation, 'not-their-item', moveAll, holds),
  ],
]

const lenienceNames: Readonly<Record<string, string>> = {
  'target-unknown-to-all-accepted-for-owner': 'unknown-target-accepted-for-owner',
  'target-of-other-organization-accepted-for-owner': 'owner-gives-to-other-organization',
  'target-of-other-organization-accepted-for-custom-administrator':
    'custom-administrator-gives-to-other-organization',
  'items-not-required-for-owner': 'owner-names-no-items',
  'items-of-others-given-away-for-custom-administrator': 'items-of-others-given-away-by-custom-administrator',
}

const lenient = leniences.flatMap(([id, sentence, breaks, alter]) =>
  conditions.map(([when, words, holds]): Applied => {
    const name = `${id}${when}`
    return {
      id: lenienceNames[name] ?? name,
      sentence: `${sentence}${words}.`,
      breaks: [breaks],
      mayBreak: [...ofErrors, 'reassign-items/ownership-moves', 'reassign-items/concurrent-one-wins'],
      alter: alter(holds),
    }
  }),
)

/** Which of the items stay, although the request is accepted. */
const staying: Readonly<Record<string, (items: Item[], call: Call) => Item[]>> = {
  'items-stay-though-accepted': (items) => items,
  'last-item-keeps-owner': (items) => items.slice(1).slice(-1),
  'first-item-keeps-owner': (items) => items.slice(0, -1).slice(0, 1),
  'middle-item-keeps-owner': (items) => items.slice(1, -1),
  'only-fifty-items-move': (items) => items.slice(50),
  'single-item-keeps-owner': (items) => (items.length === 1 ? items : []),
  'items-stay-where-folder-is-named': (items, call) => (namesFolder(call) ? items : []),
  'custom-administrator-moves-nothing': (items, { user }) => (user?.role === 'custom' ? items : []),
  'owner-moves-nothing': (items, call) => (isOwner(call) ? items : []),
}

const stay = Object.entries(staying).map(
  ([id, picked]): Applied => ({
    id,
    sentence: `A reassignment is accepted, and items stay with their owner: ${inWords(id)}.`,
    breaks: ['reassign-items/ownership-moves'],
    // Of two requests for them at the same moment both are accepted, too.
    mayBreak: ['reassign-items/concurrent-one-wins'],
    alter: afterAccepted(operation, (call) => {
      for (const item of picked(itemsIn(call), call)) item.owner = call.params.userName as string
    }),
  }),
)

/** Refusals that must have no effect, by parts of ids. */
const withoutEffect: Readonly<Record<string, readonly [reason: Reason, breaks: RequirementId]>> = {
  'ineligible-target': ['ineligible-target', 'reassign-items/ineligible-target-keeps-owner'],
  'too-many-items': ['too-many-items', 'reassign-items/items-limit-rejects'],
  'unknown-item': ['unknown-item', 'reassign-items/unknown-item'],
  'foreign-item': ['not-their-item', 'reassign-items/not-their-item'],
}

/** Which items move all the same, by the ends of ids. */
const movements: Readonly<Record<string, (call: Call) => void>> = {
  'moves-items': (call) => move(call),
  'moves-first-item': (call) => move(call, itemIdsIn(call).slice(0, 1)),
  'moves-items-later': (call) => later(() => move(call)),
}

const movementNames: Readonly<Record<string, string>> = {
  'ineligible-target-moves-items': 'ineligible-target-gets-items',
  'ineligible-target-moves-first-item': 'ineligible-target-gets-first-item',
  'ineligible-target-moves-items-later': 'ineligible-target-gets-items-later',
  'too-many-items-moves-items': 'too-many-items-moved-though-refused',
  'too-many-items-moves-items-later': 'too-many-items-move-later',
  'unknown-item-moves-items': 'unknown-item-refused-but-others-move',
}

const movedAnyway = Object.entries(withoutEffect).flatMap(([why, [reason, breaks]]) =>
  Object.entries(movements).map(([how, act]): Applied => {
    const id = `${why}-${how}`
    return {
      id: movementNames[id] ?? id,
      sentence: `A reassignment is refused, and has an effect all the same: ${inWords(id)}.`,
      breaks: [breaks],
      mayBreak: ['reassign-items/ineligible-target', 'reassign-items/ownership-moves'],
      alter: afterRefused(operation, [reason], act),
    }
  }),
)

type Body = Answer['body']

/** The fields of an error, or their entries, that are wrong. */
type WrongError = readonly [breaks: RequirementId, change: (details: readonly Body[]) => Body]

const wrongItems = (change: (details: readonly Body[]) => readonly unknown[]): WrongError => [
  'reassign-items/error-details-items',
  (all) => ({ details: change(all) }),
]

const wrongErrors: Readonly<Record<string, WrongError>> = {
  'error-details-empty': wrongItems(() => []),
  'error-details-only-first': wrongItems((all) => all.slice(0, 1)),
  'error-details-without-last': wrongItems((all) => (all.length > 1 ? all.slice(0, -1) : all)),
  'error-details-at-most-ten': wrongItems((all) => all.slice(0, 10)),
  'error-details-item-twice': wrongItems((all) => [...all.slice(0, 1), ...all]),
  'error-details-foreign-item': wrongItems(([first, ...rest]) => [
    { ...first, itemId: 'f'.repeat(32) },
    ...rest,
  ]),
  'error-code-400': ['reassign-items/ineligible-target', () => ({ code: 400 })],
  'error-code-400-for-many-items': [
    'reassign-items/ineligible-target',
    (all) => (all.length > 20 ? { code: 400 } : {}),
  ],
  'error-details-url-is-path': [
    'reassign-items/error-details-url',
    (all) => ({ details: all.map((entry) => ({ ...entry, url: `/items/${entry.itemId}` })) }),
  ],
  'error-second-detail-without-keywords': [
    'reassign-items/error-details-fields',
    (all) => ({
      details: all.map((entry, at) => (at === 1 ? { ...entry, reservedTypeKeywords: undefined } : entry)),
    }),
  ],
}

const errors = Object.entries(wrongErrors).map(
  ([id, [breaks, change]]): Applied => ({
    id,
    sentence: `The error for an ineligible target is wrong: ${inWords(id)}.`,
    breaks: [breaks],
    // An empty list has no entry that could lack a field.
    mayBreak: breaks.includes('details') ? ofErrors : [],
    alter: changeError(change),
  }),
)

const notTried = 'not found: the suite asks for it in no such request'

const itemProducts = [
  product('a rule of reassignments is not looked at', lenient, {
    leftOut: {
      'target-unknown-to-all-accepted': 'equivalent to unknown-target-accepted',
      'items-not-required-for-custom-administrator': notTried,
      'target-not-required-for-custom-administrator': notTried,
      'unknown-items-passed-over-with-folder': notTried,
      'items-of-others-given-away-with-folder': 'not found by its requirement: blamed on ownership-moves',
      'items-of-others-given-away-for-owner': 'equivalent: the owner of the path gives away items of others',
    },
  }),
  product('items stay though the request was accepted', stay),
  product('items move though the request was refused', movedAnyway),
  product('the error for an ineligible target is wrong', errors),
]

export const itemsChapter: Chapter = { products: itemProducts }
