/** All fixtures of a run: drawn from its provider and handed out by the policy of their kind. */
import type { GuestName } from '../../deployment/configuration/actors.ts'
import { type Configuration, listedFixtures } from '../../deployment/configuration/configuration.ts'
import {
  type FixtureAnswers,
  type FixtureKind,
  FixtureNotOffered,
  type FixtureOptions,
  ifOffered,
} from '../../deployment/fixtures/fixture-kinds.ts'
import { markOf } from '../cases/unique-name.ts'
import { remembered } from '../remembered.ts'
import { subSeed } from '../seeds.ts'
import { Lending } from './lending.ts'

/**
 * - `used up`: each request draws another one.
 * - `serves again`: each request draws another one; when the provider has no more, an earlier one is used again.
 * - `lent`: one check has it at a time; after its syncs the next check gets it.
 * - `shared`: several checks add to it; a check that deletes it has its own.
 */
type Policy = 'used up' | 'serves again' | 'lent' | 'shared'

export const policies: Readonly<Record<FixtureKind, Policy>> = {
  collaboration: 'shared',
  guestHosted: 'used up',
  workspace: 'lent',
  scheduledSync: 'used up',
  participant: 'serves again',
  participantElsewhere: 'used up',
  group: 'serves again',
  items: 'used up',
  eligibleUser: 'serves again',
  ineligibleUser: 'serves again',
  partlyReceivable: 'used up',
  taskRun: 'used up',
  federation: 'serves again',
}

/** How many fixtures a run draws before checks share them or wait for each other. */
export interface Limits {
  readonly collaborations: number
  readonly workspaces: number
  /** Workspaces whose syncs have a wanted duration. */
  readonly workspacesOfLength: number
  /** Anything else that checks use one after the other. */
  readonly others: number
}

/** One more of these for this many generated cases. */
const casesForEach = 25

export function limitsOf(configuration: Pick<Configuration, 'run' | 'fixtures'>): Limits {
  const { runs, plentiful } = configuration.run
  const listed = listedFixtures(configuration)
  // Most of a short list is needed by checks that delete collaborations.
  const sparing = listed === undefined ? 12 : Math.max(1, Math.floor((listed.collaboration?.length ?? 0) / 6))
  return {
    collaborations: Math.min(sparing, 2 + Math.ceil(runs / 5)),
    workspaces: plentiful ? 24 : Math.max(2, Math.min(24, Math.ceil(runs * 0.3))),
    workspacesOfLength: plentiful ? 8 : 2,
    others: Math.ceil(runs / casesForEach),
  }
}

type Workspace = FixtureAnswers['workspace']

/** The client of the fixture provider. */
interface Provider {
  obtain<Kind extends FixtureKind>(kind: Kind, options: FixtureOptions[Kind]): Promise<FixtureAnswers[Kind]>
  close(): Promise<void>
}

export interface PoolOptions {
  readonly provider: Provider
  readonly limits: Limits
  readonly runId: string
  /** Called with every fixture. `from`: when it was requested, in ms since 1970. */
  readonly onFixture: <Kind extends FixtureKind>(
    kind: Kind,
    fixture: FixtureAnswers[Kind],
    from: number,
  ) => void
  /** The longest duration of a sync of a workspace in ms. */
  readonly longestSyncOf: (workspaceId: string) => number
}

/** A fixture that serves again, and the options it was requested with. */
interface Reusable {
  readonly wish: string
  readonly fixture: unknown
}

/** A collaboration that checks add to. */
export interface SharedCollaboration {
  readonly collaborationId: string
  /** How many attempts got it. */
  users: number
}

/** `own`: one check's own, and no other check acts in it. `kept`: no check deletes it. */
type Purpose = 'own' | 'kept'

export class Pool {
  readonly limits: Limits
  /** Workspaces that checks sync, one check after the other. */
  readonly workspaces = new Lending<Workspace>({ interchangeable: true })
  /** Other things that checks use one after the other, by purpose. */
  readonly inTurn = new Lending<unknown>({ interchangeable: false })
  /** What the first check that asked made for all. */
  readonly made = new Map<string, Promise<unknown>>()
  /** The longest duration that any fixture names, in ms. */
  longestMs = 0
  readonly #options: PoolOptions
  /** Fixtures that serve again, by kind and content, the least recently used first. */
  readonly #reusable = new Map<FixtureKind, Map<string, Reusable>>()
  #shared: Promise<SharedCollaboration>[] = []
  readonly #purposes = new Map<string, Purpose>()
  #group: FixtureAnswers['group'] | undefined
  #spareGroup: FixtureAnswers['group'] | undefined
  readonly #guestGroups = new Map<GuestName, Promise<FixtureAnswers['group'] | undefined>>()
  readonly #attempted = new Set<string>()
  readonly #marks = new Map<number, number>()
  /** Requests to the provider: how many now, since when, and the total time before. */
  readonly #requests = { count: 0, since: 0, beforeMs: 0 }

  constructor(options: PoolOptions) {
    this.#options = options
    this.limits = options.limits
  }

  /** How long the run has waited for its provider, in ms. */
  get waitedMs(): number {
    const { count, since, beforeMs } = this.#requests
    return beforeMs + (count === 0 ? 0 : performance.now() - since)
  }

  /** A new fixture. If the provider has no more, an earlier one that serves again. */
  async draw<Kind extends FixtureKind>(
    kind: Kind,
    options: FixtureOptions[Kind],
  ): Promise<FixtureAnswers[Kind]> {
    const wish = JSON.stringify(options)
    try {
      const fixture = await this.#fromProvider(kind, options)
      if (policies[kind] === 'serves again' && (fixture as FixtureAnswers['group']).reusable !== false)
        this.#reusableOf(kind).set(JSON.stringify(fixture), { wish, fixture })
      return fixture
    } catch (error) {
      if (!(error instanceof FixtureNotOffered)) throw error
      const all = this.#reusableOf(kind)
      const found = [...all].find(([, reusableOf]) => reusableOf.wish === wish)
      if (found === undefined) throw error
      const [key, before] = found
      all.delete(key)
      all.set(key, before)
      return before.fixture as FixtureAnswers[Kind]
    }
  }

  /** The fixtures of that kind so far that serve again, but for those in a collaboration that is one check's own. */
  before<Kind extends FixtureKind>(kind: Kind): readonly FixtureAnswers[Kind][] {
    const all = [...this.#reusableOf(kind).values()].map(({ fixture }) => fixture as FixtureAnswers[Kind])
    const placeOf = (fixture: FixtureAnswers[Kind]) => (fixture as Partial<Workspace>).collaborationId
    return all.filter((fixture) => this.#purposes.get(placeOf(fixture) ?? '') !== 'own')
  }

  /** A collaboration that no other check has, to delete or to leave alone. */
  async ownCollaboration(
    options: FixtureOptions['collaboration'] = {},
  ): Promise<FixtureAnswers['collaboration']> {
    const fixture = await this.draw('collaboration', options)
    this.#reserve('collaboration', fixture.collaborationId, 'own')
    return fixture
  }

  /** A fixture in a collaboration that no check deletes, or in the one that the options name. */
  async within<Kind extends 'participant' | 'workspace'>(
    kind: Kind,
    options: FixtureOptions[Kind],
  ): Promise<FixtureAnswers[Kind]> {
    const fixture = await this.draw(kind, options)
    if (options.collaborationId === undefined) this.#reserve(kind, fixture.collaborationId, 'kept')
    return fixture
  }

  /**
   * A collaboration to add to: a new one until there are enough or the provider has no more, then the earlier ones in
   * turn. `alone`: a new one while the provider has any.
   */
  async sharedCollaboration({ alone }: { readonly alone: boolean }): Promise<SharedCollaboration> {
    for (let refused: FixtureNotOffered | undefined; ; ) {
      const draws: boolean =
        refused === undefined && (alone || this.#shared.length < this.limits.collaborations)
      const place = draws ? this.#newShared() : this.#shared.shift()
      if (place === undefined) throw refused
      this.#shared.push(place)
      try {
        const there = await place
        there.users += 1
        return there
      } catch (error) {
        this.#shared = this.#shared.filter((each) => each !== place)
        if (draws && !(error instanceof FixtureNotOffered)) throw error
        if (draws) refused = error as FixtureNotOffered
      }
    }
  }

  /** A group to link with a workspace, or only to name. All requests share it if it serves again. */
  async group(use: 'linked' | 'named'): Promise<string> {
    const serves = (group = this.#group) =>
      group !== undefined && (use === 'named' || group.reusable !== false) ? group.groupId : undefined
    const known = serves()
    if (known !== undefined) return known
    const group = await this.draw('group', {})
    // A parallel request may have found one that serves again meanwhile.
    if (this.#group === undefined || this.#group.reusable === false) this.#group = group
    return group.groupId
  }

  /**
   * A group other than that one, kept until it is shared. Undefined if the provider has no other, or groups serve only
   * once.
   */
  async spareGroup(not: unknown): Promise<string | undefined> {
    if (this.#group?.reusable === false) return undefined
    this.#spareGroup ??= await ifOffered(this.draw('group', {}))
    const groupId = this.#spareGroup?.groupId
    return groupId === not ? undefined : groupId
  }

  /**
   * A group of that guest, for requests under its portal id. Undefined if the provider has none, or if groups serve only
   * once: it may hand out one of the host instead.
   */
  async groupOf(portal: GuestName): Promise<string | undefined> {
    if (this.#group?.reusable === false) return undefined
    const group = remembered(this.#guestGroups, portal, () =>
      ifOffered(this.#fromProvider('group', { portal })),
    )
    return (await group)?.groupId
  }

  /** From now on requests share that spare group. */
  shareSpareGroup(groupId: string): void {
    if (this.#spareGroup?.groupId !== groupId) return
    this.#group = this.#spareGroup
    this.#spareGroup = undefined
  }

  /** A sync of that workspace was just requested, so its next holder waits until that is over. */
  synced(workspaceId: string): void {
    const began = performance.now()
    const over = (): number => began + this.#options.longestSyncOf(workspaceId)
    this.workspaces.keepUnused((each) => each.workspaceId === workspaceId, over)
  }

  /** A mark for a name that nothing else in this run has, reproducible with the same seed. */
  markFor(part: string): string {
    // If two parts have the same number, the second one only counts on.
    const key = subSeed(0, part)
    const time = (this.#marks.get(key) ?? 0) + 1
    this.#marks.set(key, time)
    return markOf(this.#options.runId, `${part}/${time}`)
  }

  /** Whether this was attempted before. From now on it was. */
  attempted(what: string): boolean {
    const before = this.#attempted.has(what)
    this.#attempted.add(what)
    return before
  }

  /** Closes the connections to the provider. */
  close(): Promise<void> {
    return this.#options.provider.close()
  }

  #reusableOf(kind: FixtureKind): Map<string, Reusable> {
    return remembered(this.#reusable, kind, () => new Map())
  }

  async #newShared(): Promise<SharedCollaboration> {
    const { collaborationId } = await this.draw('collaboration', {})
    this.#reserve('collaboration', collaborationId, 'kept')
    return { collaborationId, users: 0 }
  }

  /** Throws FixtureNotOffered if another check has that collaboration and the two purposes conflict. */
  #reserve(kind: FixtureKind, collaborationId: string, purpose: Purpose): void {
    const before = this.#purposes.get(collaborationId)
    if (before === undefined) this.#purposes.set(collaborationId, purpose)
    if (before === undefined || (before === 'kept' && purpose === 'kept')) return
    const why =
      purpose === 'own'
        ? 'the one that was left is used by other checks and cannot be deleted; offer more of them'
        : 'its collaboration is one that another check deletes; offer one in a collaboration that stays'
    throw new FixtureNotOffered(kind, `no fixture "${kind}": ${why}`)
  }

  /** The only place that calls the provider. */
  async #fromProvider<Kind extends FixtureKind>(
    kind: Kind,
    options: FixtureOptions[Kind],
  ): Promise<FixtureAnswers[Kind]> {
    const from = performance.timeOrigin + performance.now()
    const asking = this.#requests
    if (asking.count === 0) asking.since = performance.now()
    asking.count += 1
    try {
      const fixture = await this.#options.provider.obtain(kind, options)
      this.longestMs = Math.max(this.longestMs, longestIn(fixture))
      this.#options.onFixture(kind, fixture, from)
      return fixture
    } finally {
      asking.count -= 1
      if (asking.count === 0) asking.beforeMs += performance.now() - asking.since
    }
  }
}

/** The longest duration that a fixture names, in ms, or else its minimum. 0: none. */
function longestIn(fixture: FixtureAnswers[FixtureKind]): number {
  const {
    maximumSyncMs,
    minimumSyncMs = 0,
    remainingMs = 0,
  } = fixture as Partial<Workspace & FixtureAnswers['scheduledSync']>
  return maximumSyncMs ?? Math.max(minimumSyncMs, remainingMs)
}
