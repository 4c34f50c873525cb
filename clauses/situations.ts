/** Situations of a request: what happened to the same thing before, and what went on beside it. Pure. */
import type { Exchange } from './exchange.ts'
import { Recent } from './recent.ts'

/** By their ids in results. The words follow "an answer". */
export const situations = {
  first: 'to the first request for a fixture',
  'after-accepted': 'right after an equal request was accepted',
  'after-refused': 'right after an equal request was refused',
  'after-another-caller': 'right after another caller',
  'third-or-later': 'to a third request or a later one',
  'after-deletion-elsewhere': 'after another collaboration was deleted',
  'beside-another': 'while another request was under way',
} as const

export type SituationId = keyof typeof situations

interface Past {
  readonly count: number
  readonly accepted: boolean
  readonly caller: Exchange['caller']
  readonly deletions: number
}

/** Sees the exchanges of a run in the order of their answers. */
export class Situations {
  readonly #past = new Recent<Past>()
  /** Deleted collaborations in order. */
  readonly #deleted: (string | undefined)[] = []
  readonly #lists = new Map<string, readonly SituationId[]>()
  #lastAnswer = 0

  /** The situations of this exchange. Equal situations share one list. */
  of(exchange: Exchange): readonly SituationId[] {
    const { accepted, askedAt, answeredAt = 0, caller, operation, path } = exchange
    const thing = thingOf(exchange)
    const past = this.#past.get(thing)
    const met = past === undefined ? (['first'] as SituationId[]) : this.#after(past, exchange)
    if (askedAt !== undefined && askedAt < this.#lastAnswer) met.push('beside-another')
    this.#lastAnswer = Math.max(this.#lastAnswer, answeredAt)
    if (operation === 'delete-collaboration' && accepted !== undefined)
      this.#deleted.push(path.collaborationID)
    this.#past.set(thing, {
      count: (past?.count ?? 0) + 1,
      accepted: accepted !== undefined,
      caller,
      deletions: this.#deleted.length,
    })
    const list = this.#lists.get(met.join()) ?? met
    this.#lists.set(met.join(), list)
    return list
  }

  #after(past: Past, { caller, path }: Exchange): SituationId[] {
    const met: SituationId[] = [past.accepted ? 'after-accepted' : 'after-refused']
    if (past.caller !== caller) met.push('after-another-caller')
    if (past.count >= 2) met.push('third-or-later')
    if (this.#deletedElsewhere(past.deletions, path.collaborationID)) met.push('after-deletion-elsewhere')
    return met
  }

  #deletedElsewhere(since: number, here: string | undefined): boolean {
    for (let at = since; at < this.#deleted.length; at += 1) if (this.#deleted[at] !== here) return true
    return false
  }
}

/** The thing that an operation acts on: what the path names, and the first item. */
function thingOf({ operation, baseUrl, path, asked }: Exchange): string {
  let thing = `${baseUrl} ${operation}`
  for (const name in path) if (name !== 'portalID') thing += `\n${path[name]}`
  return operation === 'reassign-items' && Array.isArray(asked.items) ? `${thing}\n${asked.items[0]}` : thing
}
