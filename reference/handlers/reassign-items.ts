import type { Answer, Call } from '../parts.ts'
import { refuseCaller } from '../permissions.ts'
import type { Item } from '../store.ts'
import type { User } from '../users.ts'

/** Gives items of one user to another: all of them or none (§4.3, §7). */
export function reassignItems(call: Call): Answer | Promise<Answer> {
  const { parts, form } = call
  const checked = check(call)
  if ('refused' in checked) return checked
  const move = (): Answer => {
    const folder = form.get('targetFoldername') || `${call.params.userName}_root`
    checked.target.folders.add(folder)
    for (const item of checked.items) {
      item.owner = checked.target.username
      item.folder = folder
    }
    return { status: 200, body: { success: true, itemId: (checked.items[0] as Item).id } }
  }
  return parts.beforeMove === undefined ? move() : parts.beforeMove(call).then(move)
}

function check(call: Call): (Answer & { refused: string }) | { items: Item[]; target: User } {
  const { parts, form, store, params } = call
  const refuse = (...why: Parameters<typeof parts.refuse>) =>
    parts.refuse(...why) as Answer & { refused: string }

  const owner = store.users.get(params.userName as string)
  if (owner === undefined) return refuse('unknown-user')
  if (!parts.may.reassign(call, owner)) return refuseCaller(call) as Answer & { refused: string }

  const ids = (form.get('items') ?? '').split(',').map((id) => id.trim())
  if (ids.includes('')) return refuse('missing-items')
  if (ids.length > parts.limits.items) return refuse('too-many-items')
  const targetUsername = form.get('targetUsername')
  if (targetUsername === undefined || targetUsername === '') return refuse('missing-target')

  const items: Item[] = []
  for (const id of new Set(ids)) {
    const item = store.items.get(id)
    if (item === undefined) return refuse('unknown-item')
    if (item.owner !== owner.username) return refuse('not-their-item')
    items.push(item)
  }
  const target = store.users.get(targetUsername)
  if (target === undefined || target.organization !== owner.organization) return refuse('unknown-target')
  if (target === owner) return refuse('target-is-owner')
  if (!parts.eligible(target)) return refuse('ineligible-target', parts.errorDetails(items, target))
  return { items, target }
}
