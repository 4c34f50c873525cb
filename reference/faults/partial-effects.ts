/** Faults in what requests do beyond their answer: too little, too much, or to the wrong thing. */
import {
  afterAccepted,
  afterRefused,
  around,
  changeMay,
  refuseWhen,
  seenBefore,
  showDeleted,
} from '../alterations.ts'
import { collaborationIn, itemsIn } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import type { Item } from '../store.ts'
import { faultsOf, requirementsOf } from './fault.ts'

/** Accepts as it should, and then gives back those items that are picked. */
const giveBack = (picked: (items: Item[], call: Call) => Item[]): Alter =>
  afterAccepted('reassign-items', (call) => {
    for (const item of picked(itemsIn(call), call)) item.owner = call.params.userName as string
  })

/** Does something although the delete was refused to that caller. */
const afterRefusedDelete = (act: (call: Call) => void): Alter =>
  afterRefused('delete-collaboration', ['forbidden', 'token-required'], act)

export const partialEffectFaults = faultsOf({
  'refused-delete-drops-participants': {
    sentence: 'A refused delete takes the participants away, and leaves the rest.',
    breaks: ['delete-collaboration/refused-delete-has-no-effect'],
    alter: afterRefusedDelete((call) => collaborationIn(call)?.participants.clear()),
  },
  'refused-delete-stops-syncs': {
    sentence: 'After a refused delete the workspaces cannot be synced any more.',
    breaks: ['delete-collaboration/refused-delete-has-no-effect'],
    alter(parts) {
      const stopped = new Set<unknown>()
      afterRefusedDelete(({ params }) => stopped.add(params.collaborationID))(parts)
      changeMay('sync', (may, _call, { id }) => may && !stopped.has(id))(parts)
    },
  },
  'delete-refused-with-workspaces': {
    sentence: 'A collaboration that has a workspace cannot be deleted.',
    breaks: ['delete-collaboration/deletes'],
    alter: refuseWhen('delete-collaboration', 'bad-value', (call) => {
      const { workspaces } = collaborationIn(call) ?? {}
      return workspaces !== undefined && workspaces.size > 0
    }),
  },
  'deleted-comes-back': {
    sentence: 'A deleted collaboration refuses the first workspace, and takes the next.',
    breaks: ['delete-collaboration/gone-after-delete'],
    alter(parts) {
      const refused = seenBefore<string>()
      showDeleted(({ id }, operation) => operation === 'add-workspace' && refused(id))(parts)
    },
  },
  'foreign-item-rides-along': {
    sentence: 'Of the items of a request only the first is looked at for its owner.',
    breaks: ['reassign-items/not-their-item'],
    alter: around('reassign-items', (call, honest) => {
      const owner = call.store.users.get(call.params.userName as string)
      const [first, ...rest] = itemsIn(call)
      if (owner !== undefined && first?.owner === owner.username && call.parts.may.reassign(call, owner))
        for (const item of rest) item.owner = owner.username
      return honest()
    }),
  },
  'only-fifty-items-move': {
    sentence: 'Of more than 50 items the first 50 move, and the request is accepted.',
    breaks: ['reassign-items/ownership-moves'],
    alter: giveBack((items) => items.slice(50)),
  },
  'items-stay-where-folder-is-named': {
    sentence: 'A reassignment that names a folder is accepted, but the items stay where they are.',
    breaks: ['reassign-items/ownership-moves'],
    mayBreak: ['reassign-items/concurrent-one-wins'],
    alter: giveBack((items, { form }) => (form.get('targetFoldername') === undefined ? [] : items)),
  },
  'custom-administrator-moves-nothing': {
    sentence: 'A reassignment by a custom administrator is accepted, but the items stay where they are.',
    breaks: ['reassign-items/ownership-moves'],
    alter: giveBack((items, { user }) => (user?.role === 'custom' ? items : [])),
  },
  'former-owner-refused': {
    sentence: 'An item cannot be given back to a user who has had it before.',
    breaks: ['reassign-items/ownership-moves'],
    alter(parts) {
      const former = new Set<string>()
      afterAccepted('reassign-items', (call) => {
        for (const { id } of itemsIn(call)) former.add(`${id} ${call.params.userName}`)
      })(parts)
      refuseWhen('reassign-items', 'bad-value', (call) =>
        itemsIn(call).some(({ id }) => former.has(`${id} ${call.form.get('targetUsername')}`)),
      )(parts)
    },
  },
  'missing-target-orphans-items': {
    sentence: 'Without targetUsername the request is refused, but the items have no owner any more.',
    breaks: ['reassign-items/target-required'],
    mayBreak: requirementsOf('protocol'),
    alter: afterRefused('reassign-items', ['missing-target'], (call) => {
      for (const item of itemsIn(call)) item.owner = ''
    }),
  },
})
