/** Who owns which item, and how we know. Pure. */
import { distinctItems, type Exchange } from './exchange.ts'
import { Recent } from './recent.ts'
import { sameText } from './texts.ts'

/** The owner of an item. */
export interface Ownership {
  readonly owner: string
  /** When the owner last changed, as a Unix time in ms. Negative infinity if a fixture names the owner. */
  readonly since: number
}

/** Owners of the items that fixtures hand out, and for all items when they were moved. */
export class ItemFacts {
  readonly #owners = new Recent<Ownership>()
  readonly #movedAt = new Recent<number>()

  handedOut(owner: string, itemIds: readonly string[]): void {
    for (const id of itemIds) this.#owners.set(id, { owner, since: Number.NEGATIVE_INFINITY })
  }

  /** The owner of an item. Undefined if unknown. */
  ownershipOf(itemId: string): Ownership | undefined {
    return this.#owners.get(itemId)
  }

  /** When an item was last reassigned, as a Unix time in ms. */
  movedAt(itemId: string): number | undefined {
    return this.#movedAt.get(itemId)
  }

  /** No complete answer came, so the owners are unknown. */
  broke(itemIds: readonly string[]): void {
    for (const id of itemIds) this.#owners.delete(id.trim())
  }

  /** The answer to a reassignment came. What a refusal leaves behind is another requirement: the owner is unknown then. */
  answered(exchange: Exchange): void {
    const { accepted, answeredAt = Number.POSITIVE_INFINITY, asked, path } = exchange
    const target = asked.targetUsername
    for (const id of distinctItems(exchange, 'items')) {
      const { owner } = this.#owners.get(id) ?? {}
      this.#owners.delete(id)
      if (accepted === undefined) continue
      this.#movedAt.set(id, answeredAt)
      if (typeof target === 'string' && owner !== undefined && sameText(owner, path.userName))
        this.#owners.set(id, { owner: target, since: answeredAt })
    }
  }
}
