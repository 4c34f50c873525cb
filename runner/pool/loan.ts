/** What one attempt of a check takes from the pool, until it ends. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FixtureAnswers, FixtureKind, FixtureOptions } from '../../deployment/fixtures/fixture-kinds.ts'
import { looks } from '../effort.ts'
import { NotTested } from '../findings.ts'
import { remembered } from '../remembered.ts'
import type { Holder } from './lending.ts'
import { type Pool, policies } from './pool.ts'

type Workspace = FixtureAnswers['workspace']

/** How an attempt may use the pool. */
export interface LoanTerms {
  /** It shares no fixtures, so that no other check or attempt can be the reason of a failure. */
  readonly alone: boolean
  /** Kinds of fixtures that the check uses up. */
  readonly usesUp: readonly FixtureKind[]
  /** How long to wait before fixtures are used, in ms. What the run just made may be too new. */
  readonly settleMs: () => number
  /** Whether it may wait for another check's workspace. Not while others wait for its syncs. */
  readonly mayWait: () => boolean
}

/** Which fixtures count as different. */
interface Difference<Fixture> {
  /** Values that none of them may have. */
  readonly not?: readonly string[]
  /** The field that must differ. Default: any. */
  readonly by?: keyof Fixture & string
  /** How many suffice if there are no more. Default: all. */
  readonly least?: number
}

export class Loan {
  readonly #pool: Pool
  readonly #terms: LoanTerms
  /** Each says whether something that the attempt has is shared by now. */
  readonly #shared: (() => boolean)[] = []
  /** The holders of this attempt: itself, and one for each use of something that goes from check to check. */
  readonly #holders = new Set<Holder>([this])
  readonly #made = new Map<string, unknown>()

  constructor(pool: Pool, terms: LoanTerms) {
    this.#pool = pool
    this.#terms = terms
  }

  /** Whether it shares nothing with other attempts. */
  get alone(): boolean {
    return this.#terms.alone
  }

  /** Whether it has anything that other attempts had before, or have had since. */
  get usedByOthers(): boolean {
    return this.#shared.some((isShared) => isShared())
  }

  /** A fixture of that kind, by the kind's policy and by what the check uses up. */
  async take<Kind extends FixtureKind>(
    kind: Kind,
    options: Partial<FixtureOptions[Kind]> = {},
  ): Promise<FixtureAnswers[Kind]> {
    const fixture = await this.#byPolicy(kind, options as FixtureOptions[Kind])
    const restMs = this.#terms.settleMs()
    if (restMs > 0) await sleep(restMs)
    return fixture as FixtureAnswers[Kind]
  }

  #byPolicy(kind: FixtureKind, options: FixtureOptions[FixtureKind]): Promise<FixtureAnswers[FixtureKind]> {
    const pool = this.#pool
    const { alone, usesUp, mayWait } = this.#terms
    if (policies[kind] === 'shared') {
      const wish = options as FixtureOptions['collaboration']
      const own = usesUp.includes(kind) || wish.with !== undefined
      return own ? pool.ownCollaboration(wish) : this.#collaborationToAddTo()
    }
    if (policies[kind] === 'lent') {
      const wish = options as FixtureOptions['workspace']
      const lends = wish.collaborationId === undefined && !alone && mayWait()
      return lends ? this.#lent(this, wish) : pool.within('workspace', wish)
    }
    if (kind === 'participant') return pool.within(kind, options as FixtureOptions['participant'])
    return pool.draw<FixtureKind>(kind, options as never)
  }

  async #lent(holder: object, wish: Partial<FixtureOptions['workspace']>): Promise<Workspace> {
    const { minimumSyncMs = 0 } = wish
    const { workspaces, workspacesOfLength } = this.#pool.limits
    const shelf = {
      name: String(minimumSyncMs),
      most: minimumSyncMs === 0 ? workspaces : workspacesOfLength,
    }
    const draw = () => this.#pool.within('workspace', wish)
    const { thing, usedBefore } = await this.#pool.workspaces.take(holder, shelf, draw)
    if (usedBefore) this.#shared.push(() => true)
    return thing
  }

  /** A collaboration that several checks add to. */
  async #collaborationToAddTo(): Promise<FixtureAnswers['collaboration']> {
    const place = await this.#pool.sharedCollaboration(this.#terms)
    this.#shared.push(() => place.users > 1)
    return { collaborationId: place.collaborationId }
  }

  /** A workspace that no other check gets. */
  ownWorkspace(): Promise<Workspace> {
    return this.#pool.within('workspace', {})
  }

  /** Uses a workspace and gives it back. `minimumSyncMs`: how long each of its syncs should take at least. */
  async withWorkspace<R>(
    use: (workspace: Workspace) => Promise<R>,
    wish: { readonly minimumSyncMs?: number } = {},
  ): Promise<R> {
    const holder = this.#holder()
    try {
      return await use(await (this.alone ? this.#pool.within('workspace', wish) : this.#lent(holder, wish)))
    } finally {
      this.#pool.workspaces.giveBack(holder)
      this.#holders.delete(holder)
    }
  }

  /** Several different fixtures. Rejects with NotTested if the same ones keep coming. */
  async different<Kind extends FixtureKind>(
    kind: Kind,
    count: number,
    { not = [], by, least = count }: Difference<FixtureAnswers[Kind]> = {},
  ): Promise<FixtureAnswers[Kind][]> {
    const fixtures = new Map<string, FixtureAnswers[Kind]>()
    const isNew = (fixture: FixtureAnswers[Kind]): boolean => {
      const key = JSON.stringify(by === undefined ? fixture : fixture[by])
      const had = fixtures.has(key) || Object.values(fixture).some((value) => not.includes(value))
      if (!had) fixtures.set(key, fixture)
      return !had
    }
    for (let again = 0; fixtures.size < count; ) {
      if (isNew(await this.take(kind))) continue
      again += 1
      if (again <= looks.few) continue
      // If several checks draw in step, each may get the same fixture again and again, so older ones are used.
      for (const before of this.#pool.before(kind)) if (fixtures.size < count) isNew(before)
      if (fixtures.size < least)
        throw new NotTested(tooFewDifferent(kind, { wanted: least, had: fixtures.size, by }), [
          `fixtures.${kind}`,
        ])
      break
    }
    return [...fixtures.values()]
  }

  /** The username of a user who may receive items and is not in `not`: the same one each time with the same `not`. */
  receiver(...not: readonly string[]): Promise<string> {
    return this.once(`a receiver who is none of ${not}`, async () => {
      const [user] = await this.different('eligibleUser', 1, { not })
      return (user as FixtureAnswers['eligibleUser']).username
    })
  }

  /** A second receiver. The first one if there is no other. */
  receiverBeside(one: string): Promise<string> {
    return this.receiver(one).catch((error: unknown) => {
      if (error instanceof NotTested) return one
      throw error
    })
  }

  /** Makes something once for the attempt, whatever the number and order of its cases. */
  once<T>(what: string, make: () => T): T {
    return remembered(this.#made, what, make) as T
  }

  /** Makes something once for all checks. If it does not hold, the next check makes it anew. */
  async shared<T>(
    key: string,
    make: () => Promise<T>,
    holds: (made: T) => boolean,
  ): Promise<{ readonly made: T; readonly byOthers: boolean }> {
    if (this.alone) return { made: await make(), byOthers: false }
    const { made } = this.#pool
    const asked = made.get(key) as Promise<T> | undefined
    // No await without an earlier request, so that of two simultaneous requests the second waits for the first.
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
   * Uses something one use at a time, then passes it to the next request with the same key, unless it is spent or `use`
   * rejects. `most`: how many are drawn.
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
    const holder = this.#holder()
    let spent = true
    try {
      const { thing, usedBefore } = await inTurn.take(holder, { name: key, most }, () => draw(false))
      if (usedBefore) this.#shared.push(() => true)
      const result = await use(thing as T)
      spent = isSpent(result)
      return result
    } finally {
      inTurn.giveBack(holder, { spent })
      this.#holders.delete(holder)
    }
  }

  /** Whether it has something that others may wait for. */
  get keepsOthersWaiting(): boolean {
    const { inTurn, workspaces } = this.#pool
    return [...this.#holders].some((each) => inTurn.has(each) || workspaces.has(each))
  }

  /** Gives back what it has, and what is still on its way to it. */
  end(): void {
    this.#pool.workspaces.end(this)
  }

  #holder(): Holder {
    const holder = {}
    this.#holders.add(holder)
    return holder
  }
}

function tooFewDifferent(
  kind: FixtureKind,
  { wanted, had, by }: { readonly wanted: number; readonly had: number; readonly by: string | undefined },
): string {
  const few =
    had === 0 ? 'this check can use none of those that come' : `only ${had === 1 ? '1 comes' : `${had} come`}`
  const values = had === 1 ? 'all that come have the same value' : `those that come have only ${had} values`
  const isOfValues = by !== undefined && had > 0
  const what = isOfValues
    ? `${wanted} fixtures "${kind}" with different values of ${by}`
    : `${wanted === 1 ? 'another fixture' : `${wanted} different fixtures`} "${kind}"`
  return `${what} needed, but ${isOfValues ? values : few}: offer more, or have the deployment let the run make more`
}
