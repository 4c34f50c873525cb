/** What one attempt of a check takes from the pool, until it ends. */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type FixtureAnswers,
  type FixtureKind,
  FixtureNotOffered,
  type FixtureOptions,
} from '../../deployment/fixtures/fixture-kinds.ts'
import { NotTested } from '../findings.ts'
import { remembered } from '../remembered.ts'
import { policies } from './policies.ts'
import type { Pool } from './pool.ts'

type Workspace = FixtureAnswers['workspace']

/** How much of the pool an attempt may have. */
export interface Terms {
  /** It shares nothing, so that nothing is its fault that another check, or an earlier attempt, did. */
  readonly alone: boolean
  /** Kinds whose fixtures the check uses up. */
  readonly usesUp: readonly FixtureKind[]
  /** The check acts as the owner of items, so that those of another owner do not serve. */
  readonly actsAsOwner: boolean
  /** How long fixtures are left alone before they are used, in ms: what a run makes may be too new at first. */
  readonly restMs: () => number
  /** Whether it may wait for a workspace that another check has: not while others wait for its syncs. */
  readonly mayWait: () => boolean
}

/** Wishes for fixtures that differ. */
interface Difference<Fixture> {
  /** Values that no field of them has. */
  readonly not?: readonly string[]
  /** What differs; default: anything. */
  readonly by?: (fixture: Fixture) => string
  /** So few are enough where there are no more; default: all of them are needed. */
  readonly least?: number
}

/** So many more are drawn where one came that was there before. */
const drawnAgain = 4

export class Loan {
  readonly #pool: Pool
  readonly #terms: Terms
  /** Whether something that it has is shared, by now. */
  readonly #shared: (() => boolean)[] = []
  readonly #made = new Map<string, unknown>()
  readonly #receivers: string[] = []
  #choosing: Promise<unknown> = Promise.resolve()

  constructor(pool: Pool, terms: Terms) {
    this.#pool = pool
    this.#terms = terms
  }

  /** Whether it shares nothing with other attempts. */
  get alone(): boolean {
    return this.#terms.alone
  }

  /** Whether it has had anything that other attempts had before it, or have had since. */
  get secondHand(): boolean {
    return this.#shared.some((isShared) => isShared())
  }

  /** A fixture of that kind, by the policy of the kind and by what the check uses up. */
  async take<Kind extends FixtureKind>(
    kind: Kind,
    options: Partial<FixtureOptions[Kind]> = {},
  ): Promise<FixtureAnswers[Kind]> {
    const fixture = await this.#byPolicy(kind, options as FixtureOptions[Kind])
    const restMs = this.#terms.restMs()
    if (restMs > 0) await sleep(restMs)
    return fixture as FixtureAnswers[Kind]
  }

  #byPolicy(kind: FixtureKind, options: FixtureOptions[FixtureKind]): Promise<FixtureAnswers[FixtureKind]> {
    const pool = this.#pool
    const { alone, usesUp, mayWait } = this.#terms
    if (policies[kind] === 'shared') {
      const wish = options as FixtureOptions['collaboration']
      const own = usesUp.includes(kind) || wish.with !== undefined
      return own ? pool.ownCollaboration(wish) : this.collaborationToAddTo()
    }
    if (policies[kind] === 'lent') {
      const wish = options as FixtureOptions['workspace']
      const lends = wish.collaborationId === undefined && !alone && mayWait()
      return lends ? this.#lent(this, wish) : pool.within('workspace', wish)
    }
    if (kind === 'participant') return pool.within(kind, options as FixtureOptions['participant'])
    if (kind === 'items') return this.#items(options as FixtureOptions['items'])
    return pool.draw<FixtureKind>(kind, options as never)
  }

  /** Items of that owner; where an administrator gives them away, those of another serve as well. */
  async #items(wish: FixtureOptions['items']): Promise<FixtureAnswers['items']> {
    try {
      return await this.#pool.draw('items', wish)
    } catch (error) {
      const onlyTheirs = this.#terms.actsAsOwner || wish.owner !== 'itemOwner'
      if (!(error instanceof FixtureNotOffered) || onlyTheirs) throw error
      const others = this.#pool.draw('items', { ...wish, owner: 'itemOwnerUnprivileged' })
      return others.catch(() => Promise.reject(error))
    }
  }

  async #lent(holder: object, wish: Partial<FixtureOptions['workspace']>): Promise<Workspace> {
    const { minimumSyncMs = 0 } = wish
    const { workspaces, workspacesOfLength } = this.#pool.limits
    const shelf = {
      name: String(minimumSyncMs),
      most: minimumSyncMs === 0 ? workspaces : workspacesOfLength,
    }
    const draw = () => this.#pool.within('workspace', wish)
    const { thing, secondHand } = await this.#pool.workspaces.take(holder, shelf, draw)
    if (secondHand) this.#shared.push(() => true)
    return thing
  }

  /** A collaboration that other checks add to as well, also for a check that deletes others. */
  async collaborationToAddTo(): Promise<FixtureAnswers['collaboration']> {
    const place = await this.#pool.toAddTo(this.#terms)
    this.#shared.push(() => place.users > 1)
    return { collaborationId: place.collaborationId }
  }

  /** A workspace that no other check is given. */
  ownWorkspace(): Promise<Workspace> {
    return this.#pool.within('workspace', {})
  }

  /** Uses a workspace and gives it back. `minimumSyncMs`: what each of its syncs should take at least. */
  async withWorkspace<R>(
    use: (workspace: Workspace) => Promise<R>,
    wish: { readonly minimumSyncMs?: number } = {},
  ): Promise<R> {
    const holder = {}
    try {
      return await use(await (this.alone ? this.#pool.within('workspace', wish) : this.#lent(holder, wish)))
    } finally {
      this.#pool.workspaces.giveBack(holder)
    }
  }

  /** So many fixtures that differ. Rejects with NotTested where the provider keeps handing out the same. */
  async different<Kind extends FixtureKind>(
    kind: Kind,
    count: number,
    { not = [], by = JSON.stringify, least = count }: Difference<FixtureAnswers[Kind]> = {},
  ): Promise<FixtureAnswers[Kind][]> {
    const fixtures = new Map<string, FixtureAnswers[Kind]>()
    const isNew = (fixture: FixtureAnswers[Kind]): boolean => {
      const had = fixtures.has(by(fixture)) || Object.values(fixture).some((value) => not.includes(value))
      if (!had) fixtures.set(by(fixture), fixture)
      return !had
    }
    for (let again = 0; fixtures.size < count; ) {
      if (isNew(await this.take(kind))) continue
      again += 1
      if (again <= drawnAgain) continue
      // Checks that ask a few in turn, in step, are each handed the same one again and again.
      for (const before of this.#pool.before(kind)) if (fixtures.size < count) isNew(before)
      if (fixtures.size < least)
        throw new NotTested(tooAlike(kind, least, fixtures.size), [`fixtures.${kind}`])
      break
    }
    return [...fixtures.values()]
  }

  /** The username of a user who may receive items and is none of those: the same throughout the attempt. */
  receiver(...not: readonly string[]): Promise<string> {
    return this.once(`a receiver who is none of ${not}`, () => {
      const choosing = this.#choosing.then(async () => {
        const known = this.#receivers.find((username) => !not.includes(username))
        if (known !== undefined) return known
        const [user] = await this.different('eligibleUser', 1, { not })
        const { username } = user as FixtureAnswers['eligibleUser']
        this.#receivers.push(username)
        return username
      })
      this.#choosing = choosing.catch(() => undefined)
      return choosing
    })
  }

  /** A receiver beside that one; that one where there is no other. */
  receiverBeside(one: string): Promise<string> {
    return this.receiver(one).catch((error: unknown) => {
      if (error instanceof NotTested) return one
      throw error
    })
  }

  /** What the attempt makes once, however many cases it has and in whatever order they run. */
  once<T>(what: string, make: () => T): T {
    return remembered(this.#made, what, make) as T
  }

  /** What the first check that asks makes for all; what does not hold is not passed on, and made anew by the next. */
  async shared<T>(
    key: string,
    make: () => Promise<T>,
    holds: (made: T) => boolean,
  ): Promise<{ readonly made: T; readonly byOthers: boolean }> {
    if (this.alone) return { made: await make(), byOthers: false }
    const { made } = this.#pool
    const asked = made.get(key) as Promise<T> | undefined
    // Without a pause where nobody asked: of two who ask at one moment the second waits for the first.
    const before = asked === undefined ? undefined : await asked.catch(() => undefined)
    if (before !== undefined && holds(before)) {
      this.#shared.push(() => true)
      return { made: before, byOthers: true }
    }
    const making = make()
    made.set(key, making)
    return { made: await making, byOthers: false }
  }

  /**
   * Uses what `draw` obtains, one use at a time; then it goes to the next who asks for the same key, unless it is spent or
   * `use` rejects. `most`: how many there are, for one use each.
   */
  async inTurn<T, R>(
    key: string,
    draw: (alone: boolean) => Promise<T>,
    use: (drawn: T) => Promise<R>,
    {
      isSpent = () => false,
      most = this.#pool.limits.others,
    }: { readonly isSpent?: (result: R) => boolean; readonly most?: number | undefined } = {},
  ): Promise<R> {
    if (this.alone) return use(await draw(true))
    const { inTurn } = this.#pool
    const holder = {}
    let spent = true
    try {
      const { thing, secondHand } = await inTurn.take(holder, { name: key, most }, () => draw(false))
      if (secondHand) this.#shared.push(() => true)
      const result = await use(thing as T)
      spent = isSpent(result)
      return result
    } finally {
      inTurn.giveBack(holder, { spent })
    }
  }

  /** Gives back what it has, and all that is still on its way to it. */
  end(): void {
    this.#pool.workspaces.end(this)
  }
}

function tooAlike(kind: FixtureKind, wanted: number, had: number): string {
  const what = had === 0 ? 'only what this check cannot use' : `only ${had} of them`
  return `${wanted === 1 ? 'another fixture' : `${wanted} different fixtures`} "${kind}" needed, and the provider keeps handing out ${what}: offer more`
}
