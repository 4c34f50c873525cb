/** What is known when an answer came: what a judge may rest on beside the exchange itself. */

import type { Configuration } from '../deployment/configuration/configuration.ts'
import type { FixtureAnswers, FixtureKind } from '../deployment/fixtures/fixture-kinds.ts'
import { textAt } from '../schemas/any-value.ts'
import type { RefusalCause } from '../specs/profile.ts'
import { type Begun, credentialOf, type Exchange, isStranger, type Part } from './exchange.ts'
import { ItemFacts } from './item-facts.ts'
import { mostExchanges, Recent } from './recent.ts'
import { type ScheduledSync, SyncFacts } from './sync-facts.ts'

/** What a path names on a deployment. */
type Place = Pick<Exchange, 'baseUrl' | 'path'>

type RunStatuses = NonNullable<Configuration['contract']['run']>

/** What is known before anything is sent: the configuration of a run, or what is assumed of a recording. */
export interface Settings extends Partial<Pick<Configuration, 'actors' | 'profile'>> {
  readonly run: Pick<Configuration['run'], 'clockToleranceMs' | 'settleMs' | 'guestRefreshMs'>
  readonly contract?: Pick<Configuration['contract'], 'run' | 'sync'>
  /** Accepted exchanges that differ in one parameter, where a whole recording is there to look for them. */
  readonly controlFor?: Facts['controlFor']
}

/** What the sender of an exchange knows of it that nothing in it says. */
export interface Told {
  /** Its control: an accepted exchange that differs from it in what is looked at. */
  readonly control?: Exchange | undefined
  /** Whether the request is a valid one. */
  readonly valid?: boolean | undefined
  /** It is a sync that met no other one of its workspace. */
  readonly alone?: boolean | undefined
  /** How long that sync takes at least, in ms, as it was measured or promised; 0: not known. */
  readonly leastMs?: number | undefined
}

/** Ids that are shorter may be numbers in a list, in characters. */
const shortestId = 5
/** At the end of longer ones: a number that is so small counts. */
const smallCount = /(?:^|[^0-9a-f])0*\d{1,4}$/i

/** A day, or a Unix time: things of many tasks may begin at one time. */
const time = /^(?:(?:19|20)\d\d([-._/]?)[01]\d\1[0-3]\d|1\d{9}(?:\d{3})?$)/
/** So long is no word, in characters. */
const longestWord = 15

/** Whether an id belongs to one thing, wherever it stands: a count, a time or a word may be another's with each task or user. */
export const isOfOneThing = (id: string): boolean =>
  id.length >= shortestId &&
  ![smallCount, time].some((form) => form.test(id)) &&
  (/\d/.test(id) || id.length > longestWord)

/**
 * Gathers facts from what a run is given and from its exchanges in the order of their answers. A judge looks at an
 * exchange before the exchange itself becomes a fact.
 */
export class Knowledge {
  /** How far the clock of the deployment may be from ours, and how long an effect may take until it shows. */
  readonly run: Settings['run']
  /** The values of `f` that ask for JSON. */
  readonly jsonFormats: readonly string[]
  /** The values of a run's status, and whether there are no others; absent: nobody settled them. */
  readonly runStatuses: RunStatuses | undefined
  readonly items = new ItemFacts()
  readonly #settings: Settings
  readonly #elsewhere: readonly string[]
  #told: Told = {}
  readonly #handedOut = new Recent<true>()
  readonly #madeUp = new Recent<true>()
  readonly #worked = new Recent<true>()
  /** Undefined: workspaces of more than one collaboration have had the id. */
  readonly #places = new Recent<string | undefined>()
  /** Undefined: runs of more than one task have the id. */
  readonly #runs = new Recent<FixtureAnswers['taskRun'] | undefined>()
  readonly #receivers = new Recent<boolean>()
  readonly #receivedItems = new Recent<boolean>()
  readonly #elsewhereOnly = new Recent<true>()
  readonly #syncs = new SyncFacts()
  readonly #deletions = new Recent<Exchange>(mostExchanges)

  constructor(settings: Settings) {
    this.run = settings.run
    this.jsonFormats = ['pjson', ...(settings.profile?.jsonFormats ?? [])]
    this.runStatuses = settings.contract?.run
    this.#settings = settings
    this.#elsewhere = usersElsewhere(settings.actors ?? {})
  }

  /** An accepted exchange that differs in that parameter alone. Without it a refusal may have any reason. */
  controlFor(exchange: Exchange, parameter: string): Exchange | undefined {
    return this.#told.control ?? this.#settings.controlFor?.(exchange, parameter)
  }

  /** Whether who sent the exchange that is looked at knows its request to be valid, or to be bad; undefined where nobody says so. */
  isValid(): boolean | undefined {
    return this.#told.valid
  }

  /** Looks with what whoever asks knows of the one exchange that is looked at. */
  told<T>(told: Told, look: () => T): T {
    this.#told = told
    try {
      return look()
    } finally {
      this.#told = {}
    }
  }

  /** Whether this operation was accepted for a caller who may, so that a refusal says something of who asks. */
  works({ operation, baseUrl }: Exchange): boolean {
    return this.#worked.has(`${baseUrl} ${operation}`)
  }

  /** Whether it was accepted for the same caller in the same collaboration before. */
  workedFor(exchange: Exchange): boolean {
    const calling = callingKey(exchange)
    return calling !== undefined && this.#worked.has(calling)
  }

  /** The user name of a part, where it is known. */
  usernameOf(caller: Part): string | undefined {
    return isStranger(caller) ? undefined : this.#settings.actors?.[caller]?.username
  }

  /** Whether a fixture has this very id or user name. */
  wasHandedOut(id: string): boolean {
    return this.#handedOut.has(id)
  }

  /** Whether a fixture or a workspace that was added has this very id. */
  isOfSomething(id: string): boolean {
    return this.#handedOut.has(id) || this.#places.has(id)
  }

  /**
   * Whether an id was made up: nothing has it, unless a fixture or a new workspace came to have it. With `name`: nothing that
   * stands in that place of a path has it.
   */
  isMadeUp(id: string, name?: string): boolean {
    return (
      (this.#madeUp.has(id) && !this.isOfSomething(id)) ||
      (name !== undefined && this.#madeUp.has(`${name}=${id}`))
    )
  }

  /** The collaboration that a workspace is in; undefined where it is not known. */
  placeOf(workspaceId: string): string | undefined {
    return this.#places.get(workspaceId)
  }

  /** The task that a run belongs to; undefined where it is not known, or where ids of runs may not be unique. */
  taskOf(runId: string): FixtureAnswers['taskRun'] | undefined {
    return this.#runs.get(runId)
  }

  /** How long each sync of a workspace takes at least, in ms; undefined where its fixture does not say. */
  leastSyncMs(workspaceId: string): number | undefined {
    return this.#told.leastMs ?? this.#syncs.leastMs(workspaceId)
  }

  /** The scheduled sync of a workspace that was running when a fixture handed it out. */
  scheduledSyncOf(workspaceId: string): ScheduledSync | undefined {
    return this.#syncs.scheduledOf(workspaceId)
  }

  /** The mode in which a sync was asked for; undefined where nobody settled how that is said. */
  syncMode({ value }: Exchange): 'synchronous' | 'asynchronous' | undefined {
    const sync = this.#settings.contract?.sync
    if (sync === undefined) return undefined
    return value(sync.parameter) === String(sync.synchronous) ? 'synchronous' : 'asynchronous'
  }

  /** Whether a sync met no other one of its workspace. */
  isAlone({ begun }: Exchange): boolean {
    return this.#told.alone ?? begun?.crowded === false
  }

  /** The error codes with which a refusal for that cause says so; undefined where no profile lists them. */
  errorCodes(cause: RefusalCause): readonly number[] | undefined {
    return this.#settings.profile?.errors[cause]?.codes
  }

  /** Whether a user name is one of another organization. */
  isElsewhere(username: string): boolean {
    return this.#elsewhere.includes(username)
  }

  /** Whether a user is known to be able to receive items, or not to be. */
  receives(username: string): boolean | undefined {
    return this.#receivers.get(username)
  }

  /** Whether that user is known to be able to receive that very item, or not to be; undefined where nobody says so. */
  receivesItem(username: string, itemId: string): boolean | undefined {
    return this.#receivedItems.get(pair(username, itemId))
  }

  /** Whether a guest is known to take part in other collaborations than that one. */
  isElsewhereOnly(collaborationId: string, portalId: string): boolean {
    return this.#elsewhereOnly.has(pair(collaborationId, portalId))
  }

  /** The accepted deletion of a collaboration. */
  deletionOf(place: Place): Exchange | undefined {
    return this.#deletions.get(collaborationKey(place))
  }

  /** A provider handed this out; `from`: when it was asked for, as a Unix time in ms. */
  handedOut<Kind extends FixtureKind>(kind: Kind, fixture: FixtureAnswers[Kind], from = 0): void {
    for (const id of Object.values(fixture).flat()) if (typeof id === 'string') this.#handedOut.set(id, true)
    if (kind === 'workspace' || kind === 'scheduledSync') {
      const { workspaceId, collaborationId } = fixture as FixtureAnswers['workspace']
      this.#places.set(workspaceId, collaborationId)
      this.#syncs.handedOut(fixture as FixtureAnswers['workspace'], from)
    } else if (kind === 'taskRun') {
      const run = fixture as FixtureAnswers['taskRun']
      this.#runHandedOut(run)
    } else if (kind === 'items') {
      const { owner, itemIds } = fixture as FixtureAnswers['items']
      this.items.handedOut(owner, itemIds)
    } else if (kind === 'participantElsewhere') {
      const { collaborationId, elsewherePortalId } = fixture as FixtureAnswers['participantElsewhere']
      this.#elsewhereOnly.set(pair(collaborationId, elsewherePortalId), true)
    } else if (kind === 'partlyReceivable') {
      const { owner, username, receivable, notReceivable } = fixture as FixtureAnswers['partlyReceivable']
      this.items.handedOut(owner, [...receivable, ...notReceivable])
      for (const id of receivable) this.#receivedItems.set(pair(username, id), true)
      for (const id of notReceivable) this.#receivedItems.set(pair(username, id), false)
    } else if (kind === 'eligibleUser' || kind === 'ineligibleUser') {
      this.#receivers.set((fixture as FixtureAnswers['eligibleUser']).username, kind === 'eligibleUser')
    }
  }

  #runHandedOut(run: FixtureAnswers['taskRun']): void {
    const { runId, taskId, userName } = run
    if (!isOfOneThing(runId)) return
    const before = this.#runs.get(runId)
    const elsewhere = before !== undefined && (before.taskId !== taskId || before.userName !== userName)
    const isShared = elsewhere || (this.#runs.has(runId) && before === undefined)
    this.#runs.set(runId, isShared ? undefined : run)
  }

  /** This id was made up: nothing has it. With `name`: nothing in that place of a path, though another thing may have it. */
  madeUp(id: string, name?: string): void {
    this.#madeUp.set(name === undefined ? id : `${name}=${id}`, true)
  }

  /** A request is about to be sent. Every one that began ends in `came` or `broke`. */
  begins(begun: Begun): void {
    const { operation, items } = begun
    if (operation === 'sync-workspace') this.#syncs.begins(begun)
    if (operation === 'reassign-items') this.items.begins(items)
  }

  /** No complete answer came: whether the request had an effect is not known. */
  broke(begun: Begun): void {
    const { operation, items } = begun
    if (operation === 'sync-workspace') this.#syncs.broke(begun)
    if (operation === 'reassign-items') this.items.broke(items)
  }

  /** The answer came, and every judge has looked at it. */
  came(exchange: Exchange): void {
    const { operation, accepted, caller } = exchange
    if (accepted !== undefined && !isStranger(caller)) {
      this.#worked.set(`${exchange.baseUrl} ${operation}`, true)
      const calling = callingKey(exchange)
      if (calling !== undefined) this.#worked.set(calling, true)
    }
    if (operation === 'delete-collaboration' && accepted !== undefined && !this.deletionOf(exchange))
      this.#deletions.set(collaborationKey(exchange), exchange)
    if (operation === 'reassign-items') this.items.answered(exchange)
    if (operation === 'sync-workspace' && exchange.begun !== undefined) {
      const goesOn = accepted !== undefined && this.syncMode(exchange) !== 'synchronous'
      this.#syncs.ends(exchange.begun, { at: exchange.answeredAt, goesOn })
    }
    const added = operation === 'add-workspace' ? textAt(accepted, 'workspace', 'id') : undefined
    if (added !== undefined) {
      const place = exchange.path.collaborationID as string
      const elsewhere = this.#places.has(added) && this.#places.get(added) !== place
      this.#places.set(added, elsewhere ? undefined : place)
    }
  }
}

/** What a judge may ask of it. */
export interface Facts
  extends Omit<Knowledge, 'items' | 'told' | 'handedOut' | 'madeUp' | 'begins' | 'broke' | 'came'> {
  readonly items: Pick<ItemFacts, 'holdingOf' | 'mayHold' | 'movedAt' | 'toldToStay'>
}

/** Names that a portal gives its first users: another portal may have a user of that name as well. */
const everywhere = /^(?:[a-z]*admin(?:istrator)?|root|user|guest|test)\d*$/i

/** User names of callers of other portals that no user of the host has, as it says or as far as names tell. */
export function usersElsewhere(actors: Configuration['actors']): string[] {
  const known = Object.values(actors).flatMap(({ username, ...of }) =>
    username === undefined ? [] : [{ username, ...of }],
  )
  const ofHost = known.filter(({ portal }) => portal === 'host').map(({ username }) => username.toLowerCase())
  const others = known.filter(
    ({ username, portal, alsoOfHost = everywhere.test(username) }) =>
      portal !== 'host' && !alsoOfHost && !ofHost.includes(username.toLowerCase()),
  )
  return [...new Set(others.map(({ username }) => username))]
}

const pair = (one: string, other: string): string => JSON.stringify([one, other])

/** The collaboration of a path, apart for each deployment. */
export const collaborationKey = ({ baseUrl, path }: Place): string =>
  JSON.stringify([baseUrl, path.collaborationID])

/** Who asks for that in which collaboration; undefined where it is in none, or nobody tells one caller from another. */
function callingKey(exchange: Exchange): string | undefined {
  const who = exchange.caller ?? credentialOf(exchange)
  if (who === '' || exchange.path.collaborationID === undefined) return undefined
  return JSON.stringify([collaborationKey(exchange), exchange.operation, who])
}
