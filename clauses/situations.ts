/** In which situation a request was made: what had become of the same thing before, and what went on beside it. Pure. */
import type { Exchange } from './exchange.ts'

/** By the ids that results have, in words that follow "an answer". */
export const situations = {
  first: 'to the first request for a thing',
  'after-accepted': 'right after the same was accepted',
  'after-refused': 'right after the same was refused',
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

/** So many things are remembered; those that were asked for longest ago go first. */
const mostKept = 20_000

/** Is shown the exchanges of a run in the order of their answers. */
export class Situations {
  readonly #past = new Map<string, Past>()
  /** Collaborations that were deleted, in turn. */
  readonly #deleted: (string | undefined)[] = []
  #lastAnswer = 0

  /** The situations of this exchange, which then becomes part of those of others. */
  of(exchange: Exchange): SituationId[] {
    const { accepted, askedAt, answeredAt = 0, caller, operation, path } = exchange
    const thing = thingOf(exchange)
    const past = this.#past.get(thing)
    const elsewhere = this.#deleted.slice(past?.deletions ?? this.#deleted.length)
    const found: Record<SituationId, boolean> = {
      first: past === undefined,
      'after-accepted': past?.accepted === true,
      'after-refused': past?.accepted === false,
      'after-another-caller': past !== undefined && past.caller !== caller,
      'third-or-later': (past?.count ?? 0) >= 2,
      'after-deletion-elsewhere': elsewhere.some((id) => id !== path.collaborationID),
      'beside-another': askedAt !== undefined && askedAt < this.#lastAnswer,
    }
    this.#lastAnswer = Math.max(this.#lastAnswer, answeredAt)
    if (operation === 'delete-collaboration' && accepted !== undefined)
      this.#deleted.push(path.collaborationID)
    this.#past.delete(thing)
    this.#past.set(thing, {
      count: (past?.count ?? 0) + 1,
      accepted: accepted !== undefined,
      caller,
      deletions: this.#deleted.length,
    })
    if (this.#past.size > mostKept) this.#past.delete(this.#past.keys().next().value as string)
    return (Object.keys(found) as SituationId[]).filter((id) => found[id])
  }
}

/** What an operation is performed on: what its path names, and of items the first. */
function thingOf({ operation, baseUrl, path, asked }: Exchange): string {
  let thing = `${baseUrl} ${operation}`
  for (const name in path) if (name !== 'portalID') thing += `\n${path[name]}`
  return operation === 'reassign-items' && Array.isArray(asked.items) ? `${thing}\n${asked.items[0]}` : thing
}
