/** What is known when an answer came: what a judge may rest on beside the exchange itself. */

import type { ActorName } from '../deployment/configuration/configuration.ts'
import type { FixtureAnswers, FixtureKind } from '../deployment/fixtures/fixture-kinds.ts'
import type { OperationId } from '../specs/operations.ts'
import { credentialOf } from './credential.ts'
import type { Exchange } from './exchange.ts'

/** The part that a caller plays; strangers have no credential, or one that nobody was given. */
export type Caller = ActorName | 'anonymous' | 'impostor'

/** What a path names on a deployment. */
type Place = Pick<Exchange, 'baseUrl' | 'path'>

/** Who holds an item, as far as that can be told. */
export interface Holding {
  /** User name. */
  readonly owner: string
  /** When that was last changed, as a Unix time in ms; before everything where a fixture says it. */
  readonly since: number
}

export interface Facts {
  /**
   * An accepted exchange that differs in that parameter alone: same operation, path and credential, all other
   * parameters equal. Without it a refusal may have any reason.
   */
  readonly controlFor: (exchange: Exchange, parameter: string) => Exchange | undefined
  /** Whether this operation was accepted for a caller who may, so that a refusal says something of who asks. */
  readonly works: (exchange: Exchange) => boolean
  /** Whether it was accepted for the same caller in the same collaboration before. */
  readonly workedFor: (exchange: Exchange) => boolean
  /** The user name of a part, where it is known. */
  readonly usernameOf: (caller: Caller) => string | undefined
  /** Whether a fixture has this very id or user name. */
  readonly wasHandedOut: (id: string) => boolean
  /** Whether an id was made up, so that nothing on the deployment has it. */
  readonly isMadeUp: (id: string) => boolean
  /** The collaboration that a workspace is in; undefined where it is not known. */
  readonly placeOf: (workspaceId: string) => string | undefined
  /** The task that a run belongs to; undefined where it is not known, or where ids of runs may not be unique. */
  readonly taskOf: (runId: string) => { readonly userName: string; readonly taskId: string } | undefined
  /** Who holds an item; undefined where it is not known, as after requests for it that overlapped. */
  readonly holdingOf: (itemId: string) => Holding | undefined
  /** Whether a user is known to be able to receive items, or not to be. */
  readonly receives: (username: string) => boolean | undefined
  /** The accepted deletion of a collaboration. */
  readonly deletionOf: (place: Place) => Exchange | undefined
  /** How far the clock of the deployment may be from ours, in ms. */
  readonly clockToleranceMs: number
  /** How long an effect may take until it shows, in ms. */
  readonly settleMs: number
  /** How long a guest may take until it hears of a deletion, in ms; absent: not known. */
  readonly guestRefreshMs?: number
}

export interface Settings {
  readonly clockToleranceMs: number
  readonly settleMs: number
  readonly guestRefreshMs?: number | undefined
  readonly usernames?: Readonly<Partial<Record<ActorName, string | undefined>>>
  /** Accepted exchanges that differ in one parameter, where a whole recording is there to look for them. */
  readonly controlFor?: Facts['controlFor']
}

/** A request that is on its way, with the items that it names. */
export interface Begun {
  readonly operation: OperationId
  readonly items: readonly string[]
}

interface Item {
  holding: Holding | undefined
  /** Requests about it that are under way; more than one at once make its fate unknown. */
  under: number
}

/** Ids that are shorter may be numbers in a list, in characters. */
const shortestId = 8

/** Facts that are no longer needed go first, so that a long run does not fill the memory. */
const mostKept = 20_000

/**
 * Gathers facts from what a run is given and from its exchanges in the order of their answers. A judge looks at an
 * exchange before the exchange itself becomes a fact.
 */
export class Knowledge implements Facts {
  readonly clockToleranceMs: number
  readonly settleMs: number
  readonly guestRefreshMs?: number
  readonly #controlFor: Facts['controlFor']
  #control: Exchange | undefined
  readonly #usernames: NonNullable<Settings['usernames']>
  readonly #handedOut = new Map<string, true>()
  readonly #madeUp = new Set<string>()
  readonly #worked = new Set<string>()
  /** Undefined: workspaces of more than one collaboration have had the id. */
  readonly #places = new Map<string, string | undefined>()
  readonly #items = new Map<string, Item>()
  readonly #runs = new Map<string, FixtureAnswers['taskRun']>()
  readonly #receivers = new Map<string, boolean>()
  readonly #deletions = new Map<string, Exchange>()

  constructor({ clockToleranceMs, settleMs, guestRefreshMs, usernames, controlFor }: Settings) {
    this.clockToleranceMs = clockToleranceMs
    this.settleMs = settleMs
    if (guestRefreshMs !== undefined) this.guestRefreshMs = guestRefreshMs
    this.#usernames = usernames ?? {}
    this.#controlFor = controlFor ?? (() => undefined)
  }

  controlFor(exchange: Exchange, parameter: string): Exchange | undefined {
    return this.#control ?? this.#controlFor(exchange, parameter)
  }

  /** Looks with an exchange that whoever asks knows to be the control of what is looked at. */
  withControl<T>(control: Exchange | undefined, look: () => T): T {
    this.#control = control
    try {
      return look()
    } finally {
      this.#control = undefined
    }
  }

  works({ operation, baseUrl }: Exchange): boolean {
    return this.#worked.has(`${baseUrl} ${operation}`)
  }

  workedFor(exchange: Exchange): boolean {
    return this.#worked.has(callingKey(exchange))
  }

  usernameOf(caller: Caller): string | undefined {
    return caller === 'anonymous' || caller === 'impostor' ? undefined : this.#usernames[caller]
  }

  wasHandedOut(id: string): boolean {
    return this.#handedOut.has(id)
  }

  isMadeUp(id: string): boolean {
    return this.#madeUp.has(id)
  }

  placeOf(workspaceId: string): string | undefined {
    return this.#places.get(workspaceId)
  }

  taskOf(runId: string): FixtureAnswers['taskRun'] | undefined {
    return this.#runs.get(runId)
  }

  holdingOf(itemId: string): Holding | undefined {
    const item = this.#items.get(itemId)
    return item === undefined || item.under > 1 ? undefined : item.holding
  }

  receives(username: string): boolean | undefined {
    return this.#receivers.get(username)
  }

  deletionOf(place: Place): Exchange | undefined {
    return this.#deletions.get(collaborationKey(place))
  }

  /** A provider handed this out. */
  handedOut<Kind extends FixtureKind>(kind: Kind, fixture: FixtureAnswers[Kind]): void {
    for (const id of Object.values(fixture).flat())
      if (typeof id === 'string') keep(this.#handedOut, id, true)
    if (kind === 'workspace' || kind === 'scheduledSync') {
      const { workspaceId, collaborationId } = fixture as FixtureAnswers['workspace']
      keep(this.#places, workspaceId, collaborationId)
    } else if (kind === 'taskRun') {
      const run = fixture as FixtureAnswers['taskRun']
      // A number that counts the runs of a task is not that of one run.
      if (run.runId.length >= shortestId) keep(this.#runs, run.runId, run)
    } else if (kind === 'items') {
      const { owner, itemIds } = fixture as FixtureAnswers['items']
      for (const id of itemIds)
        keep(this.#items, id, { holding: { owner, since: Number.NEGATIVE_INFINITY }, under: 0 })
    } else if (kind === 'eligibleUser' || kind === 'ineligibleUser') {
      keep(this.#receivers, (fixture as FixtureAnswers['eligibleUser']).username, kind === 'eligibleUser')
    }
  }

  /** This id was made up: nothing has it. */
  madeUp(id: string): void {
    this.#madeUp.add(id)
  }

  /** A request is about to be sent. Every one that began ends in `came` or `broke`. */
  begins({ operation, items }: Begun): void {
    if (operation !== 'reassign-items') return
    for (const item of this.#known(items)) {
      item.under += 1
      // Which of them the deployment takes first is not known, and so not what becomes of the item.
      if (item.under > 1) item.holding = undefined
    }
  }

  /** No complete answer came: whether the request had an effect is not known. */
  broke({ operation, items }: Begun): void {
    if (operation !== 'reassign-items') return
    for (const item of this.#known(items)) {
      item.under = Math.max(0, item.under - 1)
      item.holding = undefined
    }
  }

  /** The answer came, and every judge has looked at it. */
  came(exchange: Exchange): void {
    const { operation, accepted, answer, caller } = exchange
    if (accepted !== undefined && caller !== 'anonymous' && caller !== 'impostor') {
      this.#worked.add(`${exchange.baseUrl} ${operation}`)
      if (exchange.path.collaborationID !== undefined && credentialOf(exchange) !== '')
        this.#note(callingKey(exchange))
    }
    if (operation === 'delete-collaboration' && accepted !== undefined && !this.deletionOf(exchange))
      keep(this.#deletions, collaborationKey(exchange), exchange)
    if (operation === 'reassign-items') this.#moved(exchange)
    if (operation === 'add-workspace' && accepted !== undefined) {
      const id = (accepted.workspace as { id?: unknown } | null | undefined)?.id
      if (typeof id === 'string' && answer !== undefined) {
        const place = exchange.path.collaborationID as string
        const known = this.#places.has(id) && this.#places.get(id) !== place
        keep(this.#places, id, known ? undefined : place)
      }
    }
  }

  #note(key: string): void {
    this.#worked.add(key)
    if (this.#worked.size > mostKept) this.#worked.delete(this.#worked.values().next().value as string)
  }

  #moved({ accepted, answeredAt, asked, path }: Exchange): void {
    const items = this.#known(Array.isArray(asked.items) ? asked.items : [])
    for (const item of items) {
      item.under = Math.max(0, item.under - 1)
      const from = item.holding?.owner
      if (item.under > 0 || from === undefined) continue
      if (accepted === undefined) {
        // What a refusal leaves behind is another question: whether they moved is not known.
        item.holding = undefined
      } else if (sameText(from, path.userName) && typeof asked.targetUsername === 'string') {
        item.holding = { owner: asked.targetUsername, since: answeredAt ?? Number.POSITIVE_INFINITY }
      } else item.holding = undefined
    }
  }

  #known(items: readonly unknown[]): Item[] {
    const ids = new Set(items.map((id) => String(id).trim()))
    return [...ids].flatMap((id) => this.#items.get(id) ?? [])
  }
}

/** Whether two names or ids are one; whether their case matters is open. */
export const sameText = (one: string, other: string | undefined): boolean =>
  one.toLowerCase() === other?.toLowerCase()

const collaborationKey = ({ baseUrl, path }: Place): string => JSON.stringify([baseUrl, path.collaborationID])

/** Empty credentials are nobody's: they tell no caller from another. */
const callingKey = (exchange: Exchange): string =>
  credentialOf(exchange) === ''
    ? 'nobody'
    : JSON.stringify([collaborationKey(exchange), exchange.operation, credentialOf(exchange)])

function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.set(key, value)
  if (map.size > mostKept) map.delete(map.keys().next().value as string)
}
