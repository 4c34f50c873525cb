/** Makes the fixtures and actors of one run, and hands them out. */
import { type ActorName, ofActors } from '../configuration/actors.ts'
import type { Actor, Configuration } from '../configuration/configuration.ts'
import type { FixtureKind, FixtureOptions } from '../fixtures/fixture-kinds.ts'
import { below, ifRefused, isOfDeployment } from './administrator.ts'
import type { Needs } from './announcement.ts'
import { Collaborations } from './collaborations.ts'
import { Items, TaskRuns } from './content.ts'
import { makeFederation } from './federation.ts'
import type { Maker } from './maker.ts'
import { People } from './people.ts'
import { Receivers, receiverKinds } from './receivers.ts'
import { type MadeActor, madeActors, partlyReceivable } from './settings.ts'
import { itemsFor, ScheduledSyncs } from './syncs.ts'
import { collaborationPath } from './trust.ts'

/** Receives how much of the stock is there. */
export type OnMade = (made: number, of: number) => void

export class FixtureMaking {
  readonly #maker: Maker
  readonly #collaborations: Collaborations
  readonly #scheduled: ScheduledSyncs
  readonly #people: People
  readonly #receivers: Receivers
  readonly #items = new Map<ActorName, Items>()
  /** Why there are no fixtures of a kind. */
  readonly #lacking: Partial<Record<FixtureKind, string>> = {}
  #runs: TaskRuns | undefined
  #federation: string | undefined
  #actors: Configuration['actors'] = {}

  constructor(maker: Maker) {
    this.#maker = maker
    this.#collaborations = new Collaborations(maker)
    this.#scheduled = new ScheduledSyncs(maker, this.#collaborations)
    this.#people = new People(maker)
    this.#receivers = new Receivers(this.#people)
  }

  /** Makes users and the stock. The configuration that comes back has the users' credentials. */
  async begin(needs: Needs, onMade: OnMade = () => undefined): Promise<Configuration> {
    const items = ofActors(needs.items)
    const total = items.reduce((sum, [, count]) => sum + count, needs.collaborations + needs.taskRuns)
    let count = 0
    const made = () => onMade(++count, total)
    // The first fixture of a slow deployment may take more than a minute.
    if (total > 0) onMade(0, total)
    const [withUsers, hostSyncs] = await Promise.all([
      this.#makeUsers(needs),
      this.#makePlaces(needs, made),
      this.#registerFederation(needs),
    ])
    const configuration = hostSyncs ? withHostSyncing(withUsers) : withUsers
    this.#actors = configuration.actors
    await Promise.all([
      ...items.map(([owner, count]) => this.#itemsOf(owner)?.stock.ahead(count, made)),
      this.#makeTaskRuns(needs, made),
    ])
    if (needs.receivers) await this.#verifyReceivers()
    return configuration
  }

  hand<Kind extends FixtureKind>(kind: Kind, options: FixtureOptions[Kind]): Promise<unknown> {
    const reason = this.#lacking[kind]
    if (reason !== undefined) return Promise.resolve({ notOffered: reason })
    const hand = this.#hands[kind] as (options: FixtureOptions[Kind]) => Promise<unknown>
    return hand(options)
  }

  /** Each round of a long run may make what was announced. */
  nextRound(): void {
    this.#maker.budget.renew()
  }

  async end(): Promise<void> {
    await this.#maker.close()
  }

  readonly #hands: { readonly [Kind in FixtureKind]: (options: FixtureOptions[Kind]) => Promise<unknown> } = {
    collaboration: async () => ({ collaborationId: (await this.#collaborations.stock.take()).id }),
    // How long syncs take cannot be promised. A page of the deployment shows it afterwards.
    workspace: async ({ collaborationId, minimumSyncMs = 0 }) => ({
      ...(await this.#collaborations.workspace(collaborationId, itemsFor(minimumSyncMs))),
      minimumSyncMs: 0,
    }),
    scheduledSync: ({ remainingMs }) => this.#scheduled.next(remainingMs),
    guestHosted: async () => ({ collaborationId: await this.#collaborations.hostedByGuest() }),
    participant: ({ collaborationId }) => this.#collaborations.participant(collaborationId),
    participantElsewhere: () => this.#collaborations.participantElsewhere(),
    // A new one each time: a federation takes several.
    group: async () => {
      const { groups } = this.#collaborations
      return { groupId: await groups.fresh(this.#maker.host), reusable: groups.reusable === true }
    },
    items: async ({ owner, count }) =>
      this.#itemsOf(owner)?.take(count) ?? { notOffered: `no actor ${owner} could own items` },
    eligibleUser: async () => this.#receivers.next('eligibleUser'),
    ineligibleUser: async () => this.#receivers.next('ineligibleUser'),
    partlyReceivable: async () => ({ notOffered: partlyReceivable }),
    taskRun: async () =>
      (await this.#runs?.take()) ?? { notOffered: this.#runs?.lacking ?? 'there is no owner of tasks' },
    federation: async () =>
      this.#federation === undefined
        ? { notOffered: 'no federation was made' }
        : { federationId: this.#federation },
  }

  #itemsOf(owner: ActorName): Items | undefined {
    const known = this.#items.get(owner)
    const actor = this.#actors[owner]
    if (known !== undefined || actor?.username === undefined) return known
    const items = new Items(this.#maker, this.#maker.as(actor))
    this.#items.set(owner, items)
    return items
  }

  /** Resolves with whether the host is the one that starts syncs. */
  async #makePlaces({ places, collaborations }: Needs, made: () => void): Promise<boolean> {
    if (!places) return false
    const why = await ifRefused(this.#collaborations.tryGroups(), ({ message }) => message)
    if (why !== undefined) {
      for (const kind of ['collaboration', 'workspace', 'participant'] as const) this.#lacking[kind] = why
      return false
    }
    const [hostSyncs] = await Promise.all([
      this.#hostSyncs(),
      this.#collaborations.stock.ahead(collaborations, made),
    ])
    return hostSyncs
  }

  /** Which side starts syncs is agreed when trust is established: typically the guest does. */
  async #hostSyncs(): Promise<boolean> {
    const { host, guests, configuration } = this.#maker
    const [guest] = guests
    if (guest === undefined || !configuration.effects.includes('sync-workspace')) return false
    const workspace = await ifRefused(this.#collaborations.workspace(), () => undefined)
    if (workspace === undefined) return false
    const path = below(
      collaborationPath(workspace.collaborationId),
      ...['workspaces', workspace.workspaceId, 'sync'],
    )
    const { sync } = configuration.contract
    const fields = sync === undefined ? {} : { [sync.parameter]: sync.asynchronous }
    const whoMay = await this.#maker.until(async () => {
      if (await guest.does(path, fields)) return guest
      return (await host.does(path, fields)) ? host : undefined
    }, this.#maker.settleMs)
    return whoMay === host
  }

  async #verifyReceivers(): Promise<void> {
    const items = this.#itemsOf('itemOwner')
    const taken = items && (await ifRefused(items.take(1), () => undefined))
    if (taken !== undefined) await this.#receivers.verify(this.#maker.host, taken)
  }

  async #registerFederation({ federation }: Needs): Promise<void> {
    const { lacks } = this.#maker.administration
    if (!federation || lacks.federation !== undefined) return
    await ifRefused(
      makeFederation(this.#maker).then((id) => {
        this.#federation = id
      }),
      ({ message }) => {
        this.#lacking.federation = message
      },
    )
  }

  async #makeTaskRuns({ taskRuns }: Needs, made: () => void): Promise<void> {
    const owner = this.#actors.taskOwner
    if (owner?.username === undefined || taskRuns === 0) return
    this.#runs = new TaskRuns(this.#maker, this.#maker.as(owner))
    await this.#runs.ahead(taskRuns, made)
  }

  /** The configuration with the actors that were made. An actor that could not be made is absent, with the reason. */
  async #makeUsers({ receivers: needed }: Needs): Promise<Configuration> {
    const { configuration, administration } = this.#maker
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
    const kinds = needed && administration.createsUsers ? receiverKinds : []
    // Licences limit the users: one for each part comes first, and of these the parts that most checks need.
    await Promise.all([
      ...parts.slice(0, 2).map(play),
      ...kinds.map((kind) => this.#receivers.add(kind)),
      ...parts.slice(2).map(play),
    ])
    await Promise.all(kinds.map((kind) => this.#receivers.addOthers(kind)))
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
}

/** The configuration in which the guest is the one who must not start syncs. */
function withHostSyncing(configuration: Configuration): Configuration {
  const { hostAdministrator, guestAdministrator, syncInitiator } = configuration.actors
  if (hostAdministrator === undefined || guestAdministrator === undefined) return configuration
  if (syncInitiator?.username !== guestAdministrator.username) return configuration
  const syncs = { syncInitiator: hostAdministrator, syncNonInitiator: guestAdministrator }
  return { ...configuration, actors: { ...configuration.actors, ...syncs } }
}
