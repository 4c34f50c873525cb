/** A provider of fixtures, and of actors, that makes them through the deployment's administrative operations. */

import { type ActorName, ofActors } from '../configuration/actors.ts'
import type { Actor, Configuration } from '../configuration/configuration.ts'
import type { SignIns } from '../credentials/sign-ins.ts'
import {
  FixtureFailure,
  type FixtureKind,
  type FixtureOptions,
  type FixtureProvider,
  type FixtureReply,
  type NotOffered,
  providerBy,
} from '../fixtures/fixture-kinds.ts'
import type { JournalEntry, MadeEntry, MakingEntry } from '../journal/journal-entry.ts'
import { below, ifRefused, isOfDeployment } from './administrator.ts'
import { announcementOf, type Needs, receivers } from './announcement.ts'
import { Collaborations } from './collaborations.ts'
import { Items, mayReceive, TaskRuns } from './content.ts'
import { makeFederation } from './federation.ts'
import { People } from './people.ts'
import { keptLines, type OnRemoved, removeMade } from './removal.ts'
import { type MadeActor, madeActors, partlyReceivable } from './settings.ts'
import { itemsFor, ScheduledSyncs } from './syncs.ts'
import { at } from './trust.ts'
import { type Note, Workshop } from './workshop.ts'

export interface Beginning {
  readonly needs: Needs
  /** Written before anything is made; absent: what is made is remembered in this process alone. */
  readonly note?: Note
  readonly signal: AbortSignal
  /** Told how much of the stock is there. */
  readonly onProgress?: (made: number, of: number) => void
}

/** So many of the things that are left are told at the end of a run. */
const mostTold = 20

export class AdministrationFixtures {
  readonly provider: FixtureProvider
  readonly #signIns: SignIns
  readonly #entries: JournalEntry[]
  #configuration: Configuration
  #making: Making | undefined

  /** `entries`: what an earlier process noted, to be removed by this one. */
  constructor(configuration: Configuration, signIns: SignIns, entries: readonly JournalEntry[] = []) {
    this.#configuration = configuration
    this.#signIns = signIns
    this.#entries = [...entries]
    this.provider = providerBy((kind, options) => this.#offer(kind, options))
  }

  /** Makes users and the stock; the configuration that comes back has their credentials. */
  async begin({ needs, note, signal, onProgress }: Beginning): Promise<Configuration> {
    const { administration } = this.#configuration
    if (administration === undefined || !administration.permitted || administration.lacks.group !== undefined)
      return this.#configuration
    const workshop = new Workshop(this.#configuration, administration, {
      signIns: this.#signIns,
      signal,
      announced: announcementOf(needs, this.#configuration),
      note: (entry: MakingEntry | MadeEntry) => {
        note?.(entry)
        this.#entries.push(entry)
      },
    })
    this.#making = new Making(workshop)
    this.#configuration = await this.#making.begin(needs, onProgress)
    return this.#configuration
  }

  /** Removes all that was made. Throws a FixtureFailure that names what is left. */
  async remove(signal: AbortSignal, onProgress?: OnRemoved): Promise<void> {
    await this.#making?.end()
    this.#making = undefined
    const kept = await removeMade(this.#configuration, this.#entries, {
      signIns: this.#signIns,
      signal,
      onProgress,
    })
    if (kept.length === 0) {
      this.#entries.length = 0
      return
    }
    const all = keptLines(kept, this.#configuration)
    const lines = all.slice(0, mostTold)
    if (all.length > mostTold) lines.push(`and ${all.length - mostTold} more, which cleanup lists`)
    throw new FixtureFailure(`${kept.length} things could not be removed:\n  ${lines.join('\n  ')}`)
  }

  /** To be called before the next round of a long run: each may make what was announced. */
  nextRound(): void {
    this.#making?.nextRound()
  }

  /** Stops what is under way, and removes nothing. */
  async close(): Promise<void> {
    await this.#making?.end()
  }

  async #offer<Kind extends FixtureKind>(
    kind: Kind,
    options: FixtureOptions[Kind],
  ): Promise<FixtureReply<Kind>> {
    const { administration } = this.#configuration
    if (administration?.permitted !== true) return { notOffered: 'effects does not allow administration' }
    const lacking = administration.lacks[kind]
    if (lacking !== undefined) return { notOffered: lacking }
    if (this.#making === undefined) return { notOffered: 'nothing was made' }
    const handed = this.#making.hand(kind, options) as Promise<FixtureReply<Kind>>
    return ifRefused(handed, ({ message }) => ({ notOffered: message }))
  }
}

class Making {
  readonly #workshop: Workshop
  readonly #collaborations: Collaborations
  readonly #scheduled: ScheduledSyncs
  readonly #people: People
  readonly #items = new Map<ActorName, Items>()
  readonly #users: Record<Receiver, string[]> = { eligibleUser: [], ineligibleUser: [] }
  readonly #reasons: Partial<Record<FixtureKind, string>> = {}
  #runs: TaskRuns | undefined
  #federation: string | undefined
  #actors: Configuration['actors'] = {}

  constructor(workshop: Workshop) {
    this.#workshop = workshop
    this.#collaborations = new Collaborations(workshop)
    this.#scheduled = new ScheduledSyncs(workshop, this.#collaborations)
    this.#people = new People(workshop)
  }

  async begin(needs: Needs, onProgress: Beginning['onProgress'] = () => undefined): Promise<Configuration> {
    const total = needs.collaborations + needs.taskRuns + sum(needs.items)
    let count = 0
    const made = () => onProgress(++count, total)
    const [users, hostSyncs] = await Promise.all([
      this.#makeUsers(needs),
      this.#places(needs, made),
      this.#login(needs),
    ])
    const actors = hostSyncs ? withHostSyncing(users) : users
    this.#actors = actors.actors
    await Promise.all([
      ...ofActors(needs.items).map(([owner, items]) => this.#itemsOf(owner)?.stock.ahead(items, made)),
      this.#taskRuns(needs, made),
    ])
    await this.#askWhoReceives()
    return actors
  }

  hand<Kind extends FixtureKind>(kind: Kind, options: FixtureOptions[Kind]): Promise<unknown> {
    const reason = this.#reasons[kind]
    if (reason !== undefined) return Promise.resolve({ notOffered: reason })
    const hand = this.#hands[kind] as (options: FixtureOptions[Kind]) => Promise<unknown>
    return hand(options)
  }

  nextRound(): void {
    this.#workshop.budget.renew()
  }

  async end(): Promise<void> {
    await this.#workshop.close()
  }

  readonly #hands: { readonly [Kind in FixtureKind]: (options: FixtureOptions[Kind]) => Promise<unknown> } = {
    collaboration: async () => ({ collaborationId: (await this.#collaborations.stock.take()).id }),
    // How long syncs take nobody can promise: the page of the deployment tells it afterwards.
    workspace: async ({ collaborationId, minimumSyncMs = 0 }) => ({
      ...(await this.#collaborations.workspace(collaborationId, itemsFor(minimumSyncMs))),
      minimumSyncMs: 0,
    }),
    scheduledSync: ({ remainingMs }) => this.#scheduled.next(remainingMs),
    guestHosted: async () => ({ collaborationId: await this.#collaborations.hostedByGuest() }),
    participant: ({ collaborationId }) => this.#collaborations.participant(collaborationId),
    participantElsewhere: () => this.#collaborations.participantElsewhere(),
    group: async () => {
      const { groups } = this.#collaborations
      // Another one each time: a federation takes several.
      const groupId = await groups.another(this.#workshop.host)
      return { groupId, reusable: groups.reusable === true }
    },
    items: async ({ owner, count }) => {
      const items = this.#itemsOf(owner)
      if (items === undefined) return { notOffered: `there is no actor ${owner} who could own items` }
      return items.take(count)
    },
    eligibleUser: async () => this.#next('eligibleUser'),
    ineligibleUser: async () => this.#next('ineligibleUser'),
    partlyReceivable: async () => ({ notOffered: partlyReceivable }),
    taskRun: async () => {
      const run = await this.#runs?.take()
      return run ?? { notOffered: this.#runs?.lacking ?? 'there is no owner of tasks' }
    },
    federation: async () =>
      this.#federation === undefined
        ? { notOffered: 'no federation was made' }
        : { federationId: this.#federation },
  }

  #next(kind: Receiver): { username: string } | NotOffered {
    const users = this.#users[kind]
    const username = users.shift()
    if (username === undefined) return { notOffered: 'no user was made' }
    users.push(username)
    return { username }
  }

  #itemsOf(owner: ActorName): Items | undefined {
    const known = this.#items.get(owner)
    const actor = this.#actors[owner]
    if (known !== undefined || actor?.username === undefined) return known
    const items = new Items(this.#workshop, this.#workshop.as(actor))
    this.#items.set(owner, items)
    return items
  }

  /** Resolves with whether the host is the one that starts syncs. */
  async #places({ places, collaborations }: Needs, made: () => void): Promise<boolean> {
    if (!places) return false
    const why = await ifRefused(this.#collaborations.tryGroups(), ({ message }) => message)
    if (why !== undefined) {
      for (const kind of ['collaboration', 'workspace', 'participant'] as const) this.#reasons[kind] = why
      return false
    }
    const [hostSyncs] = await Promise.all([
      this.#hostSyncs(),
      this.#collaborations.stock.ahead(collaborations, made),
    ])
    return hostSyncs
  }

  /** Whether that was left to the host when trust was made: typically the guest starts syncs. */
  async #hostSyncs(): Promise<boolean> {
    const { host, guests, configuration } = this.#workshop
    const [guest] = guests
    if (guest === undefined || !configuration.effects.includes('sync-workspace')) return false
    const workspace = await ifRefused(this.#collaborations.workspace(), () => undefined)
    if (workspace === undefined) return false
    const path = below(at(workspace.collaborationId), 'workspaces', workspace.workspaceId, 'sync')
    const { sync } = configuration.contract
    // What it takes to be over says nothing of who may start it.
    const fields = sync === undefined ? {} : { [sync.parameter]: sync.asynchronous }
    const began = performance.now()
    let tries = 0
    const whoMay = await this.#workshop.until(async () => {
      tries += 1
      if (await guest.does(path, fields)) return guest
      return (await host.does(path, fields)) ? host : undefined
    }, this.#workshop.settleMs)
    if (whoMay === guest && tries > 1)
      this.#collaborations.linksCountAfterMs = 2 * (performance.now() - began)
    return whoMay === host
  }

  async #login({ federation }: Needs): Promise<void> {
    const { lacks } = this.#workshop.administration
    if (!federation || lacks.federation !== undefined) return
    this.#federation = await ifRefused(makeFederation(this.#workshop), ({ message }) => {
      this.#reasons.federation = message
      return undefined
    })
  }

  /** Where the deployment says that users are not what they were made for, none of them is handed out. */
  async #askWhoReceives(): Promise<void> {
    const asked = receivingParts.filter((part) => this.#users[part].length > 0)
    const items = this.#itemsOf('itemOwner')
    if (asked.length === 0 || items === undefined) return
    const taken = await ifRefused(items.take(1), () => undefined)
    const itself = this.#workshop.host.actor.username
    // Who does not even know that of an administrator says nothing of others.
    if (
      taken === undefined ||
      itself === undefined ||
      (await mayReceive(this.#workshop.host, taken, itself)) !== true
    )
      return
    for (const part of asked) {
      const may = await mayReceive(this.#workshop.host, taken, this.#users[part][0] as string)
      if (may === undefined || may === (part === 'eligibleUser')) continue
      this.#users[part] = []
      this.#reasons[part] =
        `canReassignItems says that users with the privileges of ${part === 'eligibleUser' ? 'receivers cannot' : 'others can'} receive items here`
    }
  }

  async #taskRuns({ taskRuns }: Needs, made: () => void): Promise<void> {
    const owner = this.#actors.taskOwner
    if (owner?.username === undefined || taskRuns === 0) return
    this.#runs = new TaskRuns(this.#workshop, this.#workshop.as(owner))
    await this.#runs.ahead(taskRuns, made)
  }

  /** Users who play a part, and those who receive items or may not. */
  async #makeUsers({ receivers: needed }: Needs): Promise<Configuration> {
    const { configuration, administration } = this.#workshop
    const { actors } = configuration
    const parts = madeActors.filter((name) => actors[name]?.made === true)
    const absent: Partial<Record<ActorName, string>> = {}
    const ready: Partial<Record<ActorName, Actor>> = {}
    const play = async (name: MadeActor): Promise<void> => {
      try {
        const actor = await this.#people.add(name, actors[name])
        ready[name] = await this.#people.signedIn(actor)
      } catch (error) {
        if (!isOfDeployment(error)) throw error
        absent[name] = error.message
      }
    }
    const receiving = needed && administration.createsUsers ? receivingParts : []
    // A deployment may have room for few: one for each part comes first, and those first without whom most is lost.
    await Promise.all([
      ...parts.slice(0, 2).map(play),
      ...receiving.map((part) => this.#receiver(part)),
      ...parts.slice(2).map(play),
    ])
    await Promise.all(
      receiving
        .filter((part) => this.#users[part].length > 0)
        .flatMap((part) => Array.from({ length: receivers[part] - 1 }, () => this.#receiver(part))),
    )
    if (absent.taskOwner !== undefined) {
      delete absent.taskOwner
      ready.taskOwner = await this.#people.signedIn(administration.logins.host)
    }
    const others = Object.entries(actors).filter(([, { made: isMade }]) => isMade !== true)
    const all = { ...configuration.absent, ...absent }
    return {
      ...configuration,
      actors: { ...Object.fromEntries(others), ...ready },
      ...(Object.keys(all).length === 0 ? {} : { absent: all }),
    }
  }

  /** One who receives items, or may not; why there is none is told where there is no other. */
  async #receiver(part: Receiver): Promise<void> {
    const added = await ifRefused(this.#people.add(part), ({ message }) => message)
    if (typeof added !== 'string') {
      this.#users[part].push(added.username ?? '')
      delete this.#reasons[part]
    } else if (this.#users[part].length === 0) this.#reasons[part] = added
  }
}

/** The configuration in which the guest is the one who must not start syncs. */
function withHostSyncing(configuration: Configuration): Configuration {
  const { hostAdministrator, guestAdministrator, syncInitiator } = configuration.actors
  if (hostAdministrator === undefined || guestAdministrator === undefined) return configuration
  if (syncInitiator?.username !== guestAdministrator.username) return configuration
  const actors = {
    ...configuration.actors,
    syncInitiator: hostAdministrator,
    syncNonInitiator: guestAdministrator,
  }
  return { ...configuration, actors }
}

type Receiver = keyof typeof receivers

const receivingParts = Object.keys(receivers) as Receiver[]

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0)
