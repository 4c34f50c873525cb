/** What is known of items: who holds them, and what that rests on. Pure. */
import { at } from '../schemas/any-value.ts'
import { distinctItems, type Exchange } from './exchange.ts'
import { Recent } from './recent.ts'
import { sameText } from './texts.ts'

/** Who holds an item, as far as that can be told. */
export interface Holding {
  /** User name. */
  readonly owner: string
  /** When that was last changed, as a Unix time in ms; before everything where a fixture says it. */
  readonly since: number
}

interface Item {
  holding: Holding | undefined
  /** Who may have it after a refusal: its owner, and the targets of what was refused; absent: nobody knows. */
  perhaps?: string[] | undefined
  /** With whom it had to stay by the word of a refusal that named it. */
  toldWith?: string | undefined
  /** Requests about it that are under way; more than one at once make its fate unknown. */
  under: number
}

/** The items that a refusal names. */
function namedIn({ body, accepted }: Exchange): unknown[] {
  const details = accepted === undefined ? at(body, 'error', 'details') : undefined
  return Array.isArray(details) ? details.map((entry) => at(entry, 'itemId')) : []
}

/** Of the items that fixtures hand out; of all others when they were moved. */
export class ItemFacts {
  readonly #known = new Recent<Item>()
  readonly #movedAt = new Recent<number>()

  handedOut(owner: string, itemIds: readonly string[]): void {
    for (const id of itemIds)
      this.#known.set(id, { holding: { owner, since: Number.NEGATIVE_INFINITY }, under: 0 })
  }

  /** Who holds an item; undefined where it is not known, as after requests for it that overlapped. */
  holdingOf(itemId: string): Holding | undefined {
    const item = this.#known.get(itemId)
    return item === undefined || item.under > 1 ? undefined : item.holding
  }

  /** Whether that user has an item, or may still have it: a refusal does not show that the item stayed. */
  mayHold(itemId: string, username = ''): boolean {
    const holding = this.holdingOf(itemId)
    return holding === undefined
      ? this.#known.get(itemId)?.perhaps?.includes(username) === true
      : holding.owner === username
  }

  /** Whether the deployment itself has said that it could not be taken from that user, and nothing was accepted since. */
  toldToStay(itemId: string, username = ''): boolean {
    const item = this.#known.get(itemId)
    return item?.toldWith !== undefined && item.under < 2 && sameText(item.toldWith, username)
  }

  /** When an item was last given away, as a Unix time in ms; undefined: never, as far as that is known. */
  movedAt(itemId: string): number | undefined {
    return this.#movedAt.get(itemId)
  }

  /** A request about them is about to be sent. */
  begins(itemIds: readonly string[]): void {
    for (const item of this.#those(itemIds)) {
      item.under += 1
      // Which of them the deployment takes first is not known, and so not what becomes of the item.
      if (item.under > 1) item.holding = item.perhaps = undefined
    }
  }

  /** No complete answer came: whether they moved is not known. */
  broke(itemIds: readonly string[]): void {
    for (const item of this.#those(itemIds)) {
      item.under = Math.max(0, item.under - 1)
      item.holding = item.perhaps = undefined
    }
  }

  /** The answer to a reassignment came. */
  answered(exchange: Exchange): void {
    const { accepted, answeredAt = Number.POSITIVE_INFINITY, asked, path } = exchange
    const target = asked.targetUsername
    for (const item of this.#those(namedIn(exchange))) item.toldWith = path.userName
    const ids = distinctItems(exchange, 'items')
    if (accepted !== undefined) for (const id of ids) this.#movedAt.set(id, answeredAt)
    for (const item of this.#those(ids)) {
      if (accepted !== undefined) item.toldWith = undefined
      item.under = Math.max(0, item.under - 1)
      const from = item.holding?.owner
      if (accepted === undefined) {
        // What a refusal leaves behind is another question: whether they moved is not known.
        const perhaps = from === undefined ? item.perhaps : [from]
        if (typeof target === 'string' && perhaps?.includes(target) === false) perhaps.push(target)
        item.holding = undefined
        item.perhaps = perhaps
        continue
      }
      item.perhaps = undefined
      if (item.under > 0 || from === undefined) continue
      const moved = sameText(from, path.userName) && typeof target === 'string'
      item.holding = moved ? { owner: target, since: answeredAt } : undefined
    }
  }

  #those(ids: readonly unknown[]): Item[] {
    const each = new Set(ids.map((id) => String(id).trim()))
    return [...each].flatMap((id) => this.#known.get(id) ?? [])
  }
}
