/** Who owns which item, and how we know. Pure. */
import { at } from '../schemas/values.ts'
import { distinctItems, type Exchange } from './exchange.ts'
import { Recent } from './recent.ts'
import { sameText } from './texts.ts'

/** The owner of an item, if known. */
export interface Ownership {
  readonly owner: string
  /** When the owner last changed, as a Unix time in ms. Negative infinity if a fixture names the owner. */
  readonly since: number
}

interface Item {
  ownership: Ownership | undefined
  /** Possible owners after a refusal: the owner and the targets of refused requests. Absent: unknown. */
  possibleOwners?: string[] | undefined
  /** The owner whom a refusal named for the item. */
  reportedWith?: string | undefined
  /** Requests for the item under way. With more than one at once, its owner becomes unknown. */
  underWay: number
}

/** The items that a refusal names. */
function namedIn({ body, accepted }: Exchange): unknown[] {
  const details = accepted === undefined ? at(body, 'error', 'details') : undefined
  return Array.isArray(details) ? details.map((entry) => at(entry, 'itemId')) : []
}

/** Owners of the items that fixtures hand out, and for all items when they were moved. */
export class ItemFacts {
  readonly #known = new Recent<Item>()
  readonly #movedAt = new Recent<number>()

  handedOut(owner: string, itemIds: readonly string[]): void {
    for (const id of itemIds)
      this.#known.set(id, { ownership: { owner, since: Number.NEGATIVE_INFINITY }, underWay: 0 })
  }

  /** The owner of an item. Undefined if unknown, as after overlapping requests. */
  ownershipOf(itemId: string): Ownership | undefined {
    const item = this.#known.get(itemId)
    return item === undefined || item.underWay > 1 ? undefined : item.ownership
  }

  /** Whether the user owns the item, or may still own it: a refusal does not prove that the item stayed. */
  mayOwn(itemId: string, username = ''): boolean {
    const holding = this.ownershipOf(itemId)
    return holding === undefined
      ? this.#known.get(itemId)?.possibleOwners?.includes(username) === true
      : holding.owner === username
  }

  /** Whether the deployment said that the item stays with that user, and accepted nothing since. */
  wasSaidToStay(itemId: string, username = ''): boolean {
    const item = this.#known.get(itemId)
    return item?.reportedWith !== undefined && item.underWay < 2 && sameText(item.reportedWith, username)
  }

  /** When an item was last reassigned, as a Unix time in ms. */
  movedAt(itemId: string): number | undefined {
    return this.#movedAt.get(itemId)
  }

  /** A request for the items is about to be sent. */
  begins(itemIds: readonly string[]): void {
    for (const item of this.#those(itemIds)) {
      item.underWay += 1
      // We do not know which request is served first, so we do not know the owner.
      if (item.underWay > 1) item.ownership = item.possibleOwners = undefined
    }
  }

  /** No complete answer came, so the owners are unknown. */
  broke(itemIds: readonly string[]): void {
    for (const item of this.#those(itemIds)) {
      item.underWay = Math.max(0, item.underWay - 1)
      item.ownership = item.possibleOwners = undefined
    }
  }

  /** The answer to a reassignment came. */
  answered(exchange: Exchange): void {
    const { accepted, answeredAt = Number.POSITIVE_INFINITY, asked, path } = exchange
    const target = asked.targetUsername
    for (const item of this.#those(namedIn(exchange))) item.reportedWith = path.userName
    const ids = distinctItems(exchange, 'items')
    if (accepted !== undefined) for (const id of ids) this.#movedAt.set(id, answeredAt)
    for (const item of this.#those(ids)) {
      if (accepted !== undefined) item.reportedWith = undefined
      item.underWay = Math.max(0, item.underWay - 1)
      const from = item.ownership?.owner
      if (accepted === undefined) {
        // What a refusal leaves behind is another requirement, so the owner is unknown.
        const perhaps = from === undefined ? item.possibleOwners : [from]
        if (typeof target === 'string' && perhaps?.includes(target) === false) perhaps.push(target)
        item.ownership = undefined
        item.possibleOwners = perhaps
        continue
      }
      item.possibleOwners = undefined
      if (item.underWay > 0 || from === undefined) continue
      const moved = sameText(from, path.userName) && typeof target === 'string'
      item.ownership = moved ? { owner: target, since: answeredAt } : undefined
    }
  }

  #those(ids: readonly unknown[]): Item[] {
    const each = new Set(ids.map((id) => String(id).trim()))
    return [...each].flatMap((id) => this.#known.get(id) ?? [])
  }
}
