/** Facts that judges may rely on beside the exchange itself. */
import type { Configuration } from '../deployment/configuration/configuration.ts'
import type { FixtureAnswers, FixtureKind } from '../deployment/fixtures/fixture-kinds.ts'
import { textAt } from '../schemas/values.ts'
import type { RefusalCause } from '../specs/profile.ts'
import { type Begun, credentialOf, type Exchange, isStranger, type Part } from './exchange.ts'
import { ItemFacts } from './item-facts.ts'
import { mostExchanges, Recent } from './recent.ts'
import { type ScheduledSync, SyncFacts } from './syncs.ts'

/** A path on a deployment. */
type Place = Pick<Exchange, 'baseUrl' | 'path'>

type RunStatuses = NonNullable<Configuration['contract']['run']>

/** What is known before the first request: the configuration of a run, or assumptions about a recording. */
export interface Settings extends Partial<Pick<Configuration, 'actors' | 'profile'>> {
  readonly run: Pick<Configuration['run'], 'clockToleranceMs' | 'settleMs' | 'guestRefreshMs'>
  readonly contract?: Pick<Configuration['contract'], 'run' | 'sync'>
  /** Finds accepted exchanges that differ in one parameter, if a whole recording can be searched. */
  readonly controlFor?: Facts['controlFor']
}

/** What the check that sent a request knows about it and the exchange does not show. */
export interface CheckKnowledge {
  /** The control: an accepted exchange that differs only in what is checked. */
  readonly control?: Exchange | undefined
  /** Whether the request is valid. */
  readonly valid?: boolean | undefined
  /** The sync met no other sync of its workspace. */
  readonly alone?: boolean | undefined
  /** The shortest duration of that sync in ms, measured or promised. 0: unknown. */
  readonly leastMs?: number | undefined
}

/** Shorter ids may be numbers in a list. */
const shortestId = 5
/** A small number at the end of an id is probably a counter. */
const smallCount = /(?:^|[^0-9a-f])0*\d{1,4}$/i

/** A date or a Unix time. Several things may begin at the same time. */
const dateOrTime = /^(?:(?:19|20)\d\d([-._/]?)[01]\d\1[0-3]\d|1\d{9}(?:\d{3})?$)/
/** Longer texts are not ordinary words. */
const longestWord = 15

/** Whether an id names one thing everywhere. A counter, a time or a word may occur again for each task or user. */
export const isOfOneThing = (id: string): boolean =>
  id.length >= shortestId &&
  ![smallCount, dateOrTime].some((form) => form.test(id)) &&
  (/\d/.test(id) || id.length > longestWord)

/**
 * Collects facts from fixtures and from exchanges in the order of their answers. Judges see an exchange before it
 * becomes a fact.
 */
export class Knowledge {
  /** The tolerance for the deployment's clock, and how long an effect may take to show. */
  readonly run: Settings['run']
  /** The values of `f` that ask for JSON. */
  readonly jsonFormats: readonly string[]
  /** The allowed values of a run's status, and whether the list is closed. Absent if not settled. */
  readonly runStatuses: RunStatuses | undefined
  readonly items = new ItemFacts()
  readonly #settings: Settings
  readonly #elsewhere: readonly string[]
  #fromCheck: CheckKnowledge = {}
  readonly #handedOut = new Recent<true>()
  readonly #madeUp = new Recent<true>()
  readonly #worked = new Recent<true>()
  /** Undefined if workspaces of several collaborations had the id. */
  readonly #places = new Recent<string | undefined>()
  /** Undefined if runs of several tasks have the id. */
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

  /** An accepted exchange that differs only in that parameter. Without one, a refusal may have any reason. */
  controlFor(exchange: Exchange, parameter: string): Exchange | undefined {
    return this.#fromCheck.control ?? this.#settings.controlFor?.(exchange, parameter)
  }

  /** Whether the check says that the request is valid or invalid. Undefined if it says neither. */
  isValid(): boolean | undefined {
    return this.#fromCheck.valid
  }

  /** Judges with what a check knows about this one exchange. */
  withCheckKnowledge<T>(fromCheck: CheckKnowledge, look: () => T): T {
    this.#fromCheck = fromCheck
    try {
      return look()
    } finally {
      this.#fromCheck = {}
    }
  }

  /** Whether the operation was accepted for a permitted caller, so that a refusal may be about the caller. */
  worksForPermitted({ operation, baseUrl }: Exchange): boolean {
    return this.#worked.has(`${baseUrl} ${operation}`)
  }

  /** Whether the operation was accepted before for the same caller in the same collaboration. */
  workedBeforeFor(exchange: Exchange): boolean {
    const calling = callingKey(exchange)
    return calling !== undefined && this.#worked.has(calling)
  }

  /** The user name of a caller, if known. */
  usernameOf(caller: Part): string | undefined {
    return isStranger(caller) ? undefined : this.#settings.actors?.[caller]?.username
  }

  /** Whether a fixture has exactly this id or user name. */
  wasHandedOut(id: string): boolean {
    return this.#handedOut.has(id)
  }

  /** Whether a fixture or an added workspace has exactly this id. */
  isOfSomething(id: string): boolean {
    return this.#handedOut.has(id) || this.#places.has(id)
  }

  /** Whether an id was made up and nothing got it since. With `name`: nothing has it in that place of a path. */
  isMadeUp(id: string, name?: string): boolean {
    return (
      (this.#madeUp.has(id) && !this.isOfSomething(id)) ||
      (name !== undefined && this.#madeUp.has(`${name}=${id}`))
    )
  }

  /** The collaboration of a workspace, if known. */
  placeOf(workspaceId: string): string | undefined {
    return this.#places.get(workspaceId)
  }

  /** The task of a run. Undefined if unknown, or if ids of runs may not be unique. */
  taskOf(runId: string): FixtureAnswers['taskRun'] | undefined {
    return this.#runs.get(runId)
  }

  /** The shortest duration of a sync of the workspace in ms, if its fixture says so. */
  leastSyncMs(workspaceId: string): number | undefined {
    return this.#fromCheck.leastMs ?? this.#syncs.leastMs(workspaceId)
  }

  /** The scheduled sync that was running when the fixture was handed out. */
  scheduledSyncOf(workspaceId: string): ScheduledSync | undefined {
    return this.#syncs.scheduledOf(workspaceId)
  }

  /** The mode of a sync. Undefined if the mode parameter is not settled. */
  syncMode({ value }: Exchange): 'synchronous' | 'asynchronous' | undefined {
    const sync = this.#settings.contract?.sync
    if (sync === undefined) return undefined
    return value(sync.parameter) === String(sync.synchronous) ? 'synchronous' : 'asynchronous'
  }

  /** Whether a sync met no other sync of its workspace. */
  isAlone({ begun }: Exchange): boolean {
    return this.#fromCheck.alone ?? begun?.metAnother === false
  }

  /** The error codes that the profile lists for that cause of a refusal. */
  errorCodes(cause: RefusalCause): readonly number[] | undefined {
    return this.#settings.profile?.errors[cause]?.codes
  }

  /** Whether a user name belongs to another organization. */
  isOfAnotherOrganization(username: string): boolean {
    return this.#elsewhere.includes(username)
  }

  /** Whether a user can receive items, if known. */
  receives(username: string): boolean | undefined {
    return this.#receivers.get(username)
  }

  /** Whether that user can receive that very item, if known. */
  receivesItem(username: string, itemId: string): boolean | undefined {
    return this.#receivedItems.get(pair(username, itemId))
  }

  /** Whether a guest takes part in other collaborations, but not in that one. */
  isElsewhereOnly(collaborationId: string, portalId: string): boolean {
    return this.#elsewhereOnly.has(pair(collaborationId, portalId))
  }

  /** The accepted deletion of a collaboration. */
  deletionOf(place: Place): Exchange | undefined {
    return this.#deletions.get(collaborationKey(place))
  }

  /** A provider handed out a fixture. `from`: when it was requested, as a Unix time in ms. */
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

  /** An id was made up. With `name`: nothing has it in that place of a path, though another thing may have it. */
  madeUp(id: string, name?: string): void {
    this.#madeUp.set(name === undefined ? id : `${name}=${id}`, true)
  }

  /** A request is about to be sent. `came` or `broke` follows. */
  begins(begun: Begun): void {
    if (begun.operation === 'sync-workspace') this.#syncs.begins(begun)
  }

  /** No complete answer came, so it is unknown whether the request took effect. */
  broke(begun: Begun): void {
    const { operation, items } = begun
    if (operation === 'sync-workspace') this.#syncs.broke(begun)
    if (operation === 'reassign-items') this.items.broke(items)
  }

  /** The answer came, and all judges have seen it. */
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

/** The facts that a judge may read. */
export interface Facts
  extends Omit<
    Knowledge,
    'items' | 'withCheckKnowledge' | 'handedOut' | 'madeUp' | 'begins' | 'broke' | 'came'
  > {
  readonly items: Pick<ItemFacts, 'ownershipOf' | 'movedAt'>
}

/**
 * Names of first users, such as siteadmin or portal_admin. Another portal may have a user of that name as well. Only
 * words that say nothing about the portal or the person: guest_admin, gadmin and padmin are names of one portal.
 */
const usernamesOfEveryPortal =
  /^(?:(?:(?:site|portal|sys|system|super|root|primary|initial|default|global|gis|arcgis|esri|server|web|app|org|it)[-_.]?)?admin(?:istrator)?|root|user|guest|test)\d*$/i

/** User names of actors of other portals, without those that the host may have as well. */
export function usersElsewhere(actors: Configuration['actors']): string[] {
  const known = Object.values(actors).flatMap(({ username, ...of }) =>
    username === undefined ? [] : [{ username, ...of }],
  )
  const ofHost = known.filter(({ portal }) => portal === 'host').map(({ username }) => username.toLowerCase())
  const others = known.filter(
    ({ username, portal, alsoOfHost = usernamesOfEveryPortal.test(username) }) =>
      portal !== 'host' && !alsoOfHost && !ofHost.includes(username.toLowerCase()),
  )
  return [...new Set(others.map(({ username }) => username))]
}

const pair = (one: string, other: string): string => JSON.stringify([one, other])

/** The collaboration of a path, unique across deployments. */
export const collaborationKey = ({ baseUrl, path }: Place): string =>
  JSON.stringify([baseUrl, path.collaborationID])

/**
 * Who calls which operation in which collaboration. Undefined without a collaboration, or if the caller is
 * unknown.
 */
function callingKey(exchange: Exchange): string | undefined {
  const who = exchange.caller ?? credentialOf(exchange)
  if (who === '' || exchange.path.collaborationID === undefined) return undefined
  return JSON.stringify([collaborationKey(exchange), exchange.operation, who])
}
