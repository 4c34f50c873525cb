import type { Answer, Call } from '../parts.ts'
import { refuseCaller } from '../permissions.ts'
import type { Item } from '../store.ts'
import type { User } from '../user.ts'

/** A reassignment that may go ahead. */
interface Transfer {
  readonly items: readonly Item[]
  readonly target: User
}

/** Gives items of one user to another: all of them or none (§4.3, §7). */
export function reassignItems(call: Call): Answer | Promise<Answer> {
  const { parts } = call
  const checked = check(call)
  if (!('target' in checked)) return checked
  return parts.beforeMove === undefined
    ? move(call, checked)
    : parts.beforeMove(call).then(() => move(call, checked))
}

/** What may move, or the refusal. */
function check(call: Call): Answer | Transfer {
  const { parts, form, store, params } = call
  const owner = store.users.get(params.userName as string)
  if (owner === undefined) return parts.refuse('unknown-user')
  if (!parts.may.reassign(call, owner)) return refuseCaller(call)

  const ids = (form.get('items') ?? '').split(',').map((id) => id.trim())
  if (ids.includes('')) return parts.refuse('missing-items')
  if (ids.length > parts.limits.items) return parts.refuse('too-many-items')
  const targetUsername = form.get('targetUsername')
  if (targetUsername === undefined || targetUsername === '') return parts.refuse('missing-target')

  const items: Item[] = []
  for (const id of new Set(ids)) {
    const item = store.items.get(id)
    if (item === undefined) return parts.refuse('unknown-item')
    if (item.owner !== owner.username) return parts.refuse('not-their-item')
    items.push(item)
  }
  const target = store.users.get(targetUsername)
  if (target === undefined || target.organization !== owner.organization)
    return parts.refuse('unknown-target')
  if (target === owner) return parts.refuse('target-is-owner')
  if (!parts.eligible(target)) return parts.refuse('ineligible-target', parts.errorDetails(items, target))
  return { items, target }
}

function move({ form, params }: Call, { items, target }: Transfer): Answer {
  const folder = form.get('targetFoldername') || `${params.userName}_root`
  target.folders.add(folder)
  for (const item of items) {
    item.owner = target.username
    item.folder = folder
  }
  return { status: 200, body: { success: true, itemId: items[0]?.id } }
}
