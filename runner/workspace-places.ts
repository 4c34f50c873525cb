/** Where workspaces are added: whether two of a collaboration may have equal names is open, so no judged case asks for it. */

/** Names that an implementation may take for equal have equal keys: case, form, spaces, and what is left of a cut name. */
export const nameKey = (name: unknown): string =>
  typeof name === 'string'
    ? name.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase().slice(0, 40)
    : ''

/** Collaborations in which each name is used once. */
export class WorkspacePlaces {
  readonly #obtain: () => Promise<{ readonly collaborationId: string }>
  readonly #places: { readonly collaborationId: Promise<string>; readonly keys: Set<string> }[] = []

  constructor(obtain: () => Promise<{ readonly collaborationId: string }>) {
    this.#obtain = obtain
  }

  /** A collaboration to which nothing of that name was added yet; from now on it counts as added. */
  async for(name: unknown): Promise<string> {
    const key = nameKey(name)
    const free = this.#places.find(({ keys }) => !keys.has(key)) ?? this.#another()
    free.keys.add(key)
    return free.collaborationId
  }

  #another() {
    const place = {
      collaborationId: this.#obtain().then(({ collaborationId }) => collaborationId),
      keys: new Set<string>(),
    }
    this.#places.push(place)
    return place
  }
}
