/** All fixtures of a run come from here: drawn from its provider, and handed out by the policy of their kind. */
import {
  type FixtureAnswers,
  type FixtureKind,
  FixtureNotOffered,
  type FixtureOptions,
} from '../../deployment/fixtures/fixture-kinds.ts'
import { markOf } from '../cases/unique-name.ts'
import { remembered } from '../remembered.ts'
import { subSeed } from '../seeds.ts'
import { Lending } from './lending.ts'
import { type Limits, policies } from './policies.ts'

type Workspace = FixtureAnswers['workspace']

/** Hands out fixtures: the client of the provider. */
interface Provider {
  obtain<Kind extends FixtureKind>(kind: Kind, options: FixtureOptions[Kind]): Promise<FixtureAnswers[Kind]>
  close(): Promise<void>
}

export interface PoolOptions {
  readonly provider: Provider
  readonly limits: Limits
  readonly runId: string
  /** Hears of every fixture. `from`: when it was asked for, in ms since 1970. */
  readonly onFixture: <Kind extends FixtureKind>(
    kind: Kind,
    fixture: FixtureAnswers[Kind],
    from: number,
  ) => void
  /** How long a sync of a workspace may take, in ms. */
  readonly longestSyncOf: (workspaceId: string) => number
}

/** What serves again, and the options that it was asked for with. */
interface Lasting {
  readonly wish: string
  readonly fixture: unknown
}

/** A collaboration that checks add to. */
export interface SharedPlace {
  readonly collaborationId: string
  /** How many attempts were given it. */
  users: number
}

/** Who has a collaboration: no check acts in one that is another check's own. */
type Purpose = 'own' | 'kept'

export class Pool {
  readonly limits: Limits
  /** Workspaces that checks sync, one check after the other. */
  readonly workspaces = new Lending<Workspace>({ alike: true })
  /** Whatever else checks use one after the other, by what it is used for. */
  readonly inTurn = new Lending<unknown>({ alike: false })
  /** What the first check that asked has made for all. */
  readonly made = new Map<string, Promise<unknown>>()
  /** The longest that a fixture says anything of it takes, in ms. */
  longestMs = 0
  readonly #options: PoolOptions
  /** Fixtures that serve again, by kind and by what they are; the one that served longest ago comes first. */
  readonly #lasting = new Map<FixtureKind, Map<string, Lasting>>()
  #places: Promise<SharedPlace>[] = []
  readonly #purposes = new Map<string, Purpose>()
  #group: FixtureAnswers['group'] | undefined
  readonly #attempted = new Set<string>()
  readonly #marks = new Map<number, number>()
  /** Fixtures that are asked for now, since when there were any, and how long there were before. */
  readonly #asking = { count: 0, since: 0, beforeMs: 0 }

  constructor(options: PoolOptions) {
    this.#options = options
    this.limits = options.limits
  }

  /** How long the run has waited for its provider, in ms. */
  get waitedMs(): number {
    const { count, since, beforeMs } = this.#asking
    return beforeMs + (count === 0 ? 0 : performance.now() - since)
  }

  /** A fixture for nothing else. Where the provider has no more, one from before that serves again. */
  async draw<Kind extends FixtureKind>(
    kind: Kind,
    options: FixtureOptions[Kind],
  ): Promise<FixtureAnswers[Kind]> {
    const wish = JSON.stringify(options)
    try {
      const fixture = await this.#fromProvider(kind, options)
      if (policies[kind] === 'serves again' && (fixture as FixtureAnswers['group']).reusable !== false)
        this.#lastingOf(kind).set(JSON.stringify(fixture), { wish, fixture })
      return fixture
    } catch (error) {
      if (!(error instanceof FixtureNotOffered)) throw error
      const all = this.#lastingOf(kind)
      const found = [...all].find(([, before]) => before.wish === wish)
      if (found === undefined) throw error
      const [key, before] = found
      all.delete(key)
      all.set(key, before)
      return before.fixture as FixtureAnswers[Kind]
    }
  }

  /** What was handed out of that kind so far and serves again, each once. */
  before<Kind extends FixtureKind>(kind: Kind): readonly FixtureAnswers[Kind][] {
    return [...this.#lastingOf(kind).values()].map(({ fixture }) => fixture) as FixtureAnswers[Kind][]
  }

  /** A collaboration that no other check has, to be deleted or to be left alone. */
  async ownCollaboration(
    options: FixtureOptions['collaboration'] = {},
  ): Promise<FixtureAnswers['collaboration']> {
    const fixture = await this.draw('collaboration', options)
    this.#intend('collaboration', fixture.collaborationId, 'own')
    return fixture
  }

  /** A fixture in any collaboration that no check deletes; in the one that the options name, if they do. */
  async within<Kind extends 'participant' | 'workspace'>(
    kind: Kind,
    options: FixtureOptions[Kind],
  ): Promise<FixtureAnswers[Kind]> {
    const fixture = await this.draw(kind, options)
    if (options.collaborationId === undefined) this.#intend(kind, fixture.collaborationId, 'kept')
    return fixture
  }

  /**
   * A collaboration to add to: another one until there are enough or the provider has no more, then each in its turn.
   * `alone`: another one as long as the provider has any.
   */
  async toAddTo({ alone }: { readonly alone: boolean }): Promise<SharedPlace> {
    for (let refused: FixtureNotOffered | undefined; ; ) {
      const draws: boolean =
        refused === undefined && (alone || this.#places.length < this.limits.collaborations)
      const place = draws ? this.#anotherPlace() : this.#places.shift()
      if (place === undefined) throw refused
      this.#places.push(place)
      try {
        const there = await place
        there.users += 1
        return there
      } catch (error) {
        this.#places = this.#places.filter((each) => each !== place)
        if (draws && !(error instanceof FixtureNotOffered)) throw error
        if (draws) refused = error as FixtureNotOffered
      }
    }
  }

  /** A group to link with a workspace, or only to name: the same for all requests where it serves again. */
  async group(use: 'linked' | 'named'): Promise<string> {
    const serves = (group = this.#group) =>
      group !== undefined && (use === 'named' || group.reusable !== false) ? group.groupId : undefined
    const known = serves()
    if (known !== undefined) return known
    const group = await this.draw('group', {})
    // Others may have been given one that serves again meanwhile.
    if (this.#group === undefined || this.#group.reusable === false) this.#group = group
    return group.groupId
  }

  /** A workspace was asked for a sync just now: its next holder waits until that is over. */
  synced(workspaceId: string): void {
    const longestMs = this.#options.longestSyncOf(workspaceId)
    this.workspaces.keep((each) => each.workspaceId === workspaceId, longestMs)
  }

  /** A mark for a name, which nothing else in this run has; the same again in a run of the same seed. */
  markFor(part: string): string {
    // Of two parts with one number the second only counts further.
    const key = subSeed(0, part)
    const time = (this.#marks.get(key) ?? 0) + 1
    this.#marks.set(key, time)
    return markOf(this.#options.runId, `${part}/${time}`)
  }

  /** Whether that was attempted before; from now on it was. */
  attempted(what: string): boolean {
    const before = this.#attempted.has(what)
    this.#attempted.add(what)
    return before
  }

  /** Closes the connections to the provider. */
  close(): Promise<void> {
    return this.#options.provider.close()
  }

  #lastingOf(kind: FixtureKind): Map<string, Lasting> {
    return remembered(this.#lasting, kind, () => new Map())
  }

  async #anotherPlace(): Promise<SharedPlace> {
    const { collaborationId } = await this.draw('collaboration', {})
    this.#intend('collaboration', collaborationId, 'kept')
    return { collaborationId, users: 0 }
  }

  /** Throws FixtureNotOffered where another check has that collaboration for its own, or this one is to have it so. */
  #intend(kind: FixtureKind, collaborationId: string, purpose: Purpose): void {
    const before = this.#purposes.get(collaborationId)
    if (before === undefined) this.#purposes.set(collaborationId, purpose)
    if (before === undefined || (before === 'kept' && purpose === 'kept')) return
    const why =
      purpose === 'own'
        ? 'the one that was left is used by other checks and cannot be deleted; offer more of them'
        : 'its collaboration is one that another check deletes; offer one in a collaboration that stays'
    throw new FixtureNotOffered(kind, `no fixture "${kind}": ${why}`)
  }

  /** The one place that asks the provider. */
  async #fromProvider<Kind extends FixtureKind>(
    kind: Kind,
    options: FixtureOptions[Kind],
  ): Promise<FixtureAnswers[Kind]> {
    const from = performance.timeOrigin + performance.now()
    const asking = this.#asking
    if (asking.count === 0) asking.since = performance.now()
    asking.count += 1
    try {
      const fixture = await this.#options.provider.obtain(kind, options)
      this.longestMs = Math.max(this.longestMs, lengthOf(fixture))
      this.#options.onFixture(kind, fixture, from)
      return fixture
    } finally {
      asking.count -= 1
      if (asking.count === 0) asking.beforeMs += performance.now() - asking.since
    }
  }
}

/** How long anything of a fixture takes at most, or at least where it does not say that, in ms; 0: nothing does. */
function lengthOf(fixture: FixtureAnswers[FixtureKind]): number {
  const {
    maximumSyncMs,
    minimumSyncMs = 0,
    remainingMs = 0,
  } = fixture as Partial<Workspace & FixtureAnswers['scheduledSync']>
  return maximumSyncMs ?? Math.max(minimumSyncMs, remainingMs)
}
