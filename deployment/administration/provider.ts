/** A provider that makes fixtures and actors of one run by administrative operations of the deployment. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ActorName, ofActors } from '../configuration/actors.ts'
import type { Actor, Configuration } from '../configuration/configuration.ts'
import { withCredential } from '../credentials/ready-actors.ts'
import { CredentialError, SignIns } from '../credentials/sign-ins.ts'
import {
  FixtureFailure,
  type FixtureKind,
  type FixtureOptions,
  type FixtureProvider,
  type FixtureReply,
  providerBy,
} from '../fixtures/fixture-kinds.ts'
import { Things } from '../journal/journal.ts'
import { announcementOf, type Needs } from './announcement.ts'
import { Collaborations, itemsFor, scheduledSync, workspacePath } from './collaborations.ts'
import { itemStock, TaskRuns } from './content.ts'
import { makeFederation } from './federation.ts'
import { keptLines } from './kinds.ts'
import { Maker, type Stock } from './maker.ts'
import { People, receiverKinds } from './people.ts'
import { AdministrationError, ifRefused } from './refusals.ts'
import { type RemovalListener, removeMade } from './removal.ts'
import { type MadeActor, madeActors } from './settings.ts'

/** Some deployments demand a new password first. */
const justMade =
  'the run has just made this user: if new users must sign in with a browser first, set administration.users to none, and configure the actors yourself'

/** Receives how much of the stock is there. */
export type OnMade = (made: number, of: number) => void

type Hands = {
  readonly [Kind in FixtureKind]?: (options: FixtureOptions[Kind]) => Promise<FixtureReply<Kind>>
}

/** Makes the fixtures and actors of one run, and hands them out. */
class FixtureMaking {
  readonly #maker: Maker
  readonly #collaborations: Collaborations
  readonly #people: People
  readonly #items = new Map<ActorName, Stock<string>>()
  #runs: TaskRuns | undefined
  #federation = ''
  #actors: Configuration['actors'] = {}
  #absent: NonNullable<Configuration['absent']> = {}

  constructor(maker: Maker) {
    this.#maker = maker
    this.#collaborations = new Collaborations(maker)
    this.#people = new People(maker)
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
    const configuration = hostSyncs ? withHostSyncing(withUsers) : withoutGuests(withUsers, this.#maker)
    this.#actors = configuration.actors
    this.#absent = configuration.absent ?? {}
    const { taskOwner } = this.#actors
    if (taskOwner?.username !== undefined) this.#runs = new TaskRuns(this.#maker, this.#maker.as(taskOwner))
    await Promise.all([
      ...items.map(([owner, count]) => this.#stockOf(owner)?.ahead(count, made)),
      this.#runs?.ahead(needs.taskRuns, made),
    ])
    if (needs.receivers) await this.#verifyReceivers()
    return configuration
  }

  /** Hands out a fixture of a kind. Absent: only a fixture provider has it. */
  readonly hands: Hands = {
    collaboration: async () => ({ collaborationId: (await this.#collaborations.stock.take()).id }),
    // How long syncs take cannot be promised. A page of the deployment shows it afterwards.
    workspace: async ({ collaborationId, minimumSyncMs = 0 }) => ({
      ...(await this.#collaborations.workspace(collaborationId, itemsFor(minimumSyncMs))),
      minimumSyncMs: 0,
    }),
    scheduledSync: async ({ remainingMs }) => {
      const reply = await scheduledSync(this.#maker, this.#collaborations, remainingMs)
      // Further ones would only wait for nothing.
      if ('notOffered' in reply) this.#maker.lacking.scheduledSync = reply.notOffered
      return reply
    },
    guestHosted: () => this.#collaborations.guestHosted(),
    participant: ({ collaborationId }) => this.#collaborations.participant(collaborationId),
    participantElsewhere: () => this.#collaborations.participantElsewhere(),
    // A new one each time: a federation takes several.
    group: async ({ portal }) => ({
      groupId: await this.#collaborations.shownGroup(this.#maker.of(portal ?? 'host')),
      reusable: this.#collaborations.groupsAreReusable === true,
    }),
    items: async ({ owner, count }) => {
      const stock = this.#stockOf(owner)
      if (stock === undefined)
        return { notOffered: this.#absent[owner] ?? `no actor ${owner} could own items` }
      const itemIds = await Promise.all(Array.from({ length: count }, () => stock.take()))
      return { owner: this.#actors[owner]?.username ?? owner, itemIds }
    },
    eligibleUser: async () => this.#people.nextReceiver('eligibleUser'),
    ineligibleUser: async () => this.#people.nextReceiver('ineligibleUser'),
    taskRun: async () => this.#runs?.take() ?? { notOffered: 'there is no owner of tasks' },
    federation: async () => ({ federationId: this.#federation }),
  }

  #stockOf(owner: ActorName): Stock<string> | undefined {
    const actor = this.#actors[owner]
    if (actor?.username === undefined) return undefined
    const stock = this.#items.get(owner) ?? itemStock(this.#maker, this.#maker.as(actor))
    this.#items.set(owner, stock)
    return stock
  }

  /** Resolves with whether the host is the one that starts syncs. */
  async #makePlaces({ places, collaborations }: Needs, made: () => void): Promise<boolean> {
    if (!places) return false
    const why = await ifRefused(this.#collaborations.tryGroups(), ({ message }) => message)
    if (why !== undefined) {
      for (const kind of ['collaboration', 'workspace', 'participant'] as const)
        this.#maker.lacking[kind] ??= why
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
    const { host, guests, configuration, settleMs } = this.#maker
    const [guest] = guests
    if (guest === undefined || !configuration.effects.includes('sync-workspace')) return false
    const workspace = await ifRefused(this.#collaborations.workspace(), () => undefined)
    if (workspace === undefined) return false
    const path = `${workspacePath(workspace)}/sync`
    const { sync } = configuration.contract
    const fields = sync === undefined ? {} : { [sync.parameter]: sync.asynchronous }
    const whoMay = await this.#maker.until(async () => {
      if (await guest.does(path, fields)) return guest
      return (await host.does(path, fields)) ? host : undefined
    }, settleMs)
    return whoMay === host
  }

  async #verifyReceivers(): Promise<void> {
    const stock = this.#stockOf('itemOwner')
    const id = stock && (await ifRefused(stock.take(), () => undefined))
    const owner = this.#actors.itemOwner?.username
    if (id !== undefined && owner !== undefined) await this.#people.verifyReceivers({ owner, itemIds: [id] })
  }

  async #registerFederation({ federation }: Needs): Promise<void> {
    const { lacking } = this.#maker
    if (!federation) lacking.federation ??= 'no federation was made'
    if (lacking.federation !== undefined) return
    await ifRefused(
      makeFederation(this.#maker).then((id) => {
        this.#federation = id
      }),
      ({ message }) => {
        lacking.federation = message
      },
    )
  }

  /** A deployment may know the login of a new user a moment later. `signIns` never sends a refused login again. */
  async #signIn(actor: Actor): Promise<Actor> {
    const { configuration, settleMs, signal, signIns } = this.#maker
    try {
      return await withCredential(actor, configuration, new SignIns())
    } catch (error) {
      if (!(error instanceof CredentialError)) throw error
      await sleep(settleMs, undefined, { signal })
      return withCredential(actor, configuration, signIns)
    }
  }

  /** The configuration with the actors that were made. An actor that could not be made is absent, with the reason. */
  async #makeUsers({ receivers: needed }: Needs): Promise<Configuration> {
    const { configuration, administration, signIns } = this.#maker
    const absent: Partial<Record<ActorName, string>> = {}
    const ready: Partial<Record<ActorName, Actor>> = {}
    const play = async (name: MadeActor): Promise<void> => {
      try {
        const actor = await this.#people.add(name, configuration.actors[name])
        ready[name] = await this.#signIn(actor)
      } catch (error) {
        if (!(error instanceof AdministrationError || error instanceof CredentialError)) throw error
        const isRefused = error instanceof CredentialError && error.refused === 'login'
        absent[name] = isRefused ? `${error.message}; ${justMade}` : error.message
      }
    }
    const kinds = needed && administration.createsUsers ? receiverKinds : []
    // Licences limit the users: one for each part comes first.
    await Promise.all([
      ...madeActors.filter((name) => configuration.actors[name]?.made === true).map(play),
      ...kinds.map((kind) => this.#people.addReceivers(kind, 'first')),
    ])
    await Promise.all(kinds.map((kind) => this.#people.addReceivers(kind, 'others')))
    // The host's administrator can own tasks as well.
    if (absent.taskOwner !== undefined) {
      delete absent.taskOwner
      ready.taskOwner = await withCredential(administration.logins.host, configuration, signIns)
    }
    const others = Object.entries(configuration.actors).filter(([, { made }]) => made !== true)
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

/** The configuration without the parts that only the administrator of a guest with a share in collaborations can play. */
function withoutGuests(configuration: Configuration, { leftOut }: Maker): Configuration {
  if (leftOut.size === 0) return configuration
  const [actors, absent] = [{ ...configuration.actors }, { ...configuration.absent }]
  for (const name of ['guestAdministrator', 'syncInitiator', 'syncNonInitiator'] as const) {
    const { portal } = actors[name] ?? {}
    const why = portal && leftOut.get(portal)
    if (why === undefined) continue
    delete actors[name]
    absent[name] = why
  }
  // Among the participants that remain, the host starts no syncs.
  if (actors.hostAdministrator !== undefined) actors.syncNonInitiator ??= actors.hostAdministrator
  return { ...configuration, actors, absent }
}

export interface Beginning {
  readonly needs: Needs
  /** Notes each thing before it is made. Absent: only this process remembers the things. */
  readonly things?: Things
  readonly signal: AbortSignal
  readonly onProgress?: OnMade
}

export class AdministrationFixtures {
  readonly provider: FixtureProvider
  readonly #signIns: SignIns
  #things: Things
  #configuration: Configuration
  #maker: Maker | undefined
  #making: FixtureMaking | undefined

  /** `things`: what an earlier process made, for this one to remove. */
  constructor(configuration: Configuration, signIns: SignIns, things = new Things()) {
    this.#configuration = configuration
    this.#signIns = signIns
    this.#things = things
    this.provider = providerBy((kind, options) => this.#offer(kind, options))
  }

  /** Makes users and the stock. The configuration that comes back has the users' credentials. */
  async begin({ needs, things, signal, onProgress }: Beginning): Promise<Configuration> {
    const { administration } = this.#configuration
    if (administration === undefined || !administration.permitted || administration.lacks.group !== undefined)
      return this.#configuration
    if (things !== undefined) this.#things = things
    this.#maker = new Maker(this.#configuration, administration, {
      signIns: this.#signIns,
      signal,
      announced: announcementOf(needs, this.#configuration),
      things: this.#things,
    })
    this.#making = new FixtureMaking(this.#maker)
    this.#configuration = await this.#making.begin(needs, onProgress)
    return this.#configuration
  }

  /** Removes all that was made. Throws a FixtureFailure with the leftovers. */
  async remove(signal: AbortSignal, listener: RemovalListener = {}): Promise<void> {
    await this.close()
    this.#making = undefined
    const removing = { signIns: this.#signIns, signal, ...listener }
    const kept = await removeMade(this.#configuration, this.#things, removing)
    if (kept.length === 0) return
    const lines = keptLines(kept, this.#configuration)
    const count = kept.length === 1 ? '1 thing' : `${kept.length} things`
    throw new FixtureFailure(`${count} could not be removed:\n  ${lines.join('\n  ')}`)
  }

  /** Call it before the next round of a long run: each round may make what was announced. */
  nextRound(): void {
    this.#maker?.budget.renew()
  }

  /** Stops requests under way and removes nothing. */
  async close(): Promise<void> {
    await this.#maker?.close()
  }

  async #offer<Kind extends FixtureKind>(
    kind: Kind,
    options: FixtureOptions[Kind],
  ): Promise<FixtureReply<Kind>> {
    const { administration } = this.#configuration
    if (administration?.permitted !== true) return { notOffered: 'effects does not allow administration' }
    const notOffered = (this.#maker?.lacking ?? administration.lacks)[kind]
    if (notOffered !== undefined) return { notOffered }
    const hand = this.#making?.hands[kind]
    if (hand === undefined) return { notOffered: 'nothing was made' }
    return ifRefused(hand(options), ({ message }) => ({ notOffered: message }))
  }
}
