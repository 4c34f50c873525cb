/** Where workspaces are added: whether two of a collaboration may have equal names is open, so no judged case asks for it. */

/** Names that an implementation may take for equal have equal keys: case, form, spaces, and what is left of a cut name. */
export const nameKey = (name: unknown): string =>
  typeof name === 'string'
    ? name.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase().slice(0, 40)
    : ''

/** Where collaborations come from, and how many workspaces one is known to take. */
interface Places {
  readonly collaboration: () => Promise<{ readonly collaborationId: string }>
  readonly room: () => number
}

/** Collaborations in which each name is used once, and to which no more is added than they are known to take. */
export class WorkspacePlaces {
  readonly #given: Places
  readonly #places: { readonly collaborationId: Promise<string>; readonly keys: Set<string> }[] = []

  constructor(given: Places) {
    this.#given = given
  }

  /** A collaboration to which nothing of that name was added yet; from now on it counts as added. */
  async for(name: unknown): Promise<string> {
    const key = nameKey(name)
    const room = this.#given.room()
    const free = this.#places.find(({ keys }) => !keys.has(key) && keys.size < room) ?? this.#another()
    free.keys.add(key)
    return free.collaborationId
  }

  #another() {
    const place = {
      collaborationId: this.#given.collaboration().then(({ collaborationId }) => collaborationId),
      keys: new Set<string>(),
    }
    this.#places.push(place)
    return place
  }
}
