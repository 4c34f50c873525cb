/** Who uses which collaboration: checks that only add to them may share one, and nobody else uses what a check deletes. */
import { Recent } from '../clauses/recent.ts'
import { FixtureNotOffered } from '../deployment/fixtures/fixture-kinds.ts'
import { NotTested } from './findings.ts'
import { remembered } from './remembered.ts'
import { nameKey } from './workspace-places.ts'

interface InCollaboration {
  readonly collaborationId: string
}

interface Place extends InCollaboration {
  /** How many attempts were given it. */
  users: number
  /** Which attempt at a check added a name first, by the key of the name. */
  readonly names: Map<string, object>
}

type Obtain<Fixture extends InCollaboration> = () => Promise<Fixture>

/** One that took fewer than that may have another reason to refuse. */
const leastTaken = 3

/** Adds a plain workspace of that name, and tells whether that was accepted. */
type AddPlain = (collaborationId: string, name: string) => Promise<boolean>

/** Each `obtain` asks the provider; what it rejects with is passed on. */
export class CollaborationUse {
  readonly #addPlain: AddPlain
  readonly #enough: number
  readonly #places: Place[] = []
  readonly #asked = new Set<Promise<unknown>>()
  readonly #used = new Set<string>()
  readonly #deleted = new Set<string>()
  #equalNames: Promise<boolean> | undefined
  #freshTakes: Promise<boolean> | undefined
  #shared = false
  readonly #full = new Map<string, Promise<boolean>>()
  #room = Number.POSITIVE_INFINITY
  #plain = 0

  /** `enough`: so many are asked for, as long as a check does not need another, before they are shared. */
  constructor(addPlain: AddPlain, enough = Number.POSITIVE_INFINITY) {
    this.#addPlain = addPlain
    this.#enough = enough
  }

  /**
   * One to add to: one of other checks where there are enough, or where there is none any more, else a fresh one.
   * `alone`, and where one takes only so many workspaces: a fresh one as long as there are any. It is none of those `had`,
   * unless the target is seen to take workspaces of equal names, which the contract leaves open.
   */
  async toAdd(
    had: Set<string>,
    obtain: Obtain<InCollaboration>,
    { alone = false }: { readonly alone?: boolean } = {},
  ): Promise<InCollaboration> {
    const shares = !alone && this.#room === Number.POSITIVE_INFINITY
    while (shares && this.#places.length + this.#asked.size >= this.#enough) {
      const place = this.#places.find(({ collaborationId }) => !had.has(collaborationId))
      if (place !== undefined) return this.#hand(place, had)
      if (this.#asked.size === 0) break
      await Promise.race([...this.#asked].map((each) => each.catch(() => undefined)))
    }
    const asked = obtain()
    this.#asked.add(asked)
    try {
      const { collaborationId } = await asked
      this.#asked.delete(asked)
      this.#used.add(collaborationId)
      const known = this.#placeOf(collaborationId)
      const place = known ?? { collaborationId, names: new Recent(), users: 0 }
      if (known === undefined) this.#places.push(place)
      return this.#hand(place, had)
    } catch (error) {
      // Nobody waits for it while this one looks further.
      this.#asked.delete(asked)
      if (!(error instanceof FixtureNotOffered)) throw error
      // What others asked for before this was refused may still be on its way.
      await Promise.allSettled([...this.#asked])
      const [any] = this.#places
      if (any === undefined) throw error
      const free = await this.#takesEqualNames(any)
      const place = this.#places.find(({ collaborationId }) => free || !had.has(collaborationId))
      if (place === undefined) throw error
      this.#shared = true
      return this.#hand(place, had)
    }
  }

  #hand(place: Place, had: Set<string>): InCollaboration {
    const { collaborationId } = place
    had.add(collaborationId)
    // The next one is given another, as far as there are several.
    this.#places.push(...this.#places.splice(this.#places.indexOf(place), 1))
    place.users += 1
    return { collaborationId }
  }

  /** Whether several attempts were given it to add to. */
  isShared(collaborationId: string): boolean {
    return (this.#placeOf(collaborationId)?.users ?? 0) > 1
  }

  /** One that the check may delete. Throws FixtureNotOffered where others use it. */
  async toDelete<Fixture extends InCollaboration>(obtain: Obtain<Fixture>): Promise<Fixture> {
    const fixture = await obtain()
    if (this.#used.has(fixture.collaborationId)) {
      const why = 'the one that was left is used by other checks and cannot be deleted; offer more of them'
      throw new FixtureNotOffered('collaboration', `no fixture "collaboration": ${why}`)
    }
    this.#deleted.add(fixture.collaborationId)
    return fixture
  }

  /** Something in any collaboration. Throws FixtureNotOffered where that one is for a check that deletes it. */
  async within<Fixture extends InCollaboration>(
    kind: 'participant' | 'workspace',
    obtain: Obtain<Fixture>,
  ): Promise<Fixture> {
    const fixture = await obtain()
    if (this.#deleted.has(fixture.collaborationId)) {
      const why =
        'its collaboration is one that another check deletes; offer one in a collaboration that stays'
      throw new FixtureNotOffered(kind, `no fixture "${kind}": ${why}`)
    }
    this.#used.add(fixture.collaborationId)
    return fixture
  }

  /**
   * To be called before a workspace is added. Throws NotTested where another attempt added one of such a name: whether
   * two may have equal names is open, so that a refusal would prove nothing. Where the target takes them, all may.
   */
  async claim(attempt: object, collaborationId: string, name: unknown): Promise<void> {
    const key = nameKey(name)
    const place = this.#placeOf(collaborationId)
    if (place === undefined || key === '') return
    const first = place.names.get(key) ?? attempt
    if (first !== attempt && !(await this.#takesEqualNames(place))) {
      throw new NotTested(
        'too few collaborations: to the one that is shared, another check has added a workspace of such a name',
        ['fixtures.collaboration'],
      )
    }
    place.names.set(key, attempt)
  }

  /**
   * Whether all that is shared still takes workspaces, or one that nobody has had: where it does not, a refusal may be
   * for want of room. Shared ones may be gone as well, by what the target does wrong.
   */
  async stillTaking(obtain?: Obtain<InCollaboration>): Promise<boolean> {
    if (!this.#shared) return true
    const taken = await Promise.all(
      this.#places.map(({ collaborationId }) => this.#addPlain(collaborationId, this.#nextName())),
    )
    if (taken.every((each) => each)) return true
    if (obtain === undefined) return false
    this.#freshTakes ??= obtain()
      .then(({ collaborationId }) => this.#addPlain(collaborationId, this.#nextName()))
      .catch(() => false)
    return this.#freshTakes
  }

  /** How many workspaces one of them takes, as far as it is known. */
  get room(): number {
    return this.#room
  }

  /**
   * Whether a collaboration that has taken so many workspaces takes no more, as where there is a quota: then it is not
   * handed out again, and others are taken to have room for no more than that.
   */
  async isFull(collaborationId: string, added: number): Promise<boolean> {
    if (added < leastTaken) return false
    const full = await remembered(this.#full, collaborationId, () => this.#tryRoom(collaborationId))
    if (full) this.#room = Math.min(this.#room, added)
    else this.#full.delete(collaborationId)
    return full
  }

  /** Whether neither that collaboration takes a workspace nor one that nobody has had, as where a whole portal has a quota. */
  async isFullEverywhere(collaborationId: string, obtain: Obtain<InCollaboration>): Promise<boolean> {
    const places = [async () => ({ collaborationId }), obtain]
    for (const place of places) {
      const taken = await place()
        .then((there) => this.#addPlain(there.collaborationId, this.#nextName()))
        .catch(() => false)
      if (taken) return false
    }
    return true
  }

  async #tryRoom(collaborationId: string): Promise<boolean> {
    for (let time = 0; time < 2; time += 1)
      if (await this.#addPlain(collaborationId, this.#nextName())) return false
    const at = this.#places.findIndex((place) => place.collaborationId === collaborationId)
    if (at >= 0) this.#places.splice(at, 1)
    return true
  }

  #takesEqualNames({ collaborationId }: Place): Promise<boolean> {
    this.#equalNames ??= this.#tryEqualNames(collaborationId)
    return this.#equalNames
  }

  async #tryEqualNames(collaborationId: string): Promise<boolean> {
    const name = this.#nextName()
    return (await this.#addPlain(collaborationId, name)) && (await this.#addPlain(collaborationId, name))
  }

  #nextName(): string {
    this.#plain += 1
    return `Trial workspace ${this.#plain}`
  }

  #placeOf(id: string): Place | undefined {
    return this.#places.find(({ collaborationId }) => collaborationId === id)
  }
}
