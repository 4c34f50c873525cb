/** What the target accepted in this run. Explanations of refusals use it. */
import { alsoMay } from '../../clauses/callers.ts'
import type { Part } from '../../clauses/exchange.ts'
import { Recent } from '../../clauses/recent.ts'
import type { FixtureKind } from '../../deployment/fixtures/fixture-kinds.ts'
import { type OperationId, operationOf } from '../../specs/operations.ts'
import type { Effect, Fold, RunExchange } from './run-log.ts'

export class Acceptances implements Fold {
  /** When the last accepted request was sent, by actor and for all, in ms of `performance.now()`. */
  readonly #lastSent = new Map<string | undefined, number>()
  readonly #operations = new Map<string, Set<OperationId>>()
  readonly #fixtures = new Recent<true>()
  readonly #handedOut = new Recent<true>()
  /** Items that were handed out more than once. */
  readonly #handedOutAgain = new Set<string>()
  readonly #added = new Map<string | undefined, number>()
  /** When something was last accepted in a collaboration, in ms of `performance.now()`. */
  readonly #lastAcceptedIn = new Map<string, number>()
  readonly #triedToDelete = new Set<string>()
  /** The last accepted exchange of each operation, and how many there were. */
  readonly #last = new Map<OperationId, { readonly exchange: RunExchange; readonly count: number }>()
  /** The last accepted delete. */
  #lastDelete: RunExchange | undefined

  /** A malformed success was performed as well. */
  came(exchange: RunExchange): void {
    const { asked, succeeded, sentAt, answeredAt } = exchange
    const { actor, operation } = asked
    const isDelete = operation === 'delete-collaboration'
    if (isDelete) this.#triedToDelete.add(String(asked.at.collaborationId))
    if (!succeeded) return
    for (const whose of [actor, undefined])
      this.#lastSent.set(whose, Math.max(this.#lastSent.get(whose) ?? 0, sentAt))
    if (actor !== undefined)
      this.#operations.set(actor, (this.#operations.get(actor) ?? new Set()).add(operation))
    this.#last.set(operation, { exchange, count: this.onOperation(operation) + 1 })
    const { collaborationId } = asked.at
    if (isDelete) this.#lastDelete = exchange
    else if (collaborationId !== undefined) this.#lastAcceptedIn.set(collaborationId, answeredAt)
    if (operation === 'add-workspace') this.#added.set(collaborationId, this.addedTo(collaborationId) + 1)
    for (const fixture of fixturesOf(asked)) this.#fixtures.set(fixture, true)
  }

  /** A provider handed out these items. */
  handedOut(itemIds: readonly string[]): void {
    for (const id of itemIds) {
      const item = `items ${id}`
      if (this.#handedOut.has(item)) this.#handedOutAgain.add(item)
      this.#handedOut.set(item, true)
    }
  }

  /** Whether an item was handed out twice and reassigned, so that its owner is uncertain. */
  onReassignedItems(effect: Effect): boolean {
    return fixtureOf(effect).some((item) => this.#handedOutAgain.has(item) && this.#fixtures.has(item))
  }

  /** Whether any request sent since then was accepted, of that actor if given. */
  since(time: number, actor?: string): boolean {
    return (this.#lastSent.get(actor) ?? 0) > time
  }

  /** How often that operation was accepted. */
  onOperation(operation: OperationId): number {
    return this.#last.get(operation)?.count ?? 0
  }

  /** The last accepted exchange of that operation. */
  lastOn(operation: OperationId): RunExchange | undefined {
    return this.#last.get(operation)?.exchange
  }

  /** The operations that were accepted for that actor. */
  of(actor: string): readonly OperationId[] {
    return [...(this.#operations.get(actor) ?? [])]
  }

  /**
   * The accepted delete of another collaboration that may have removed this one as well, since nothing was accepted in
   * this one after it. Undefined if there is none. `wasThere`: whether anything was ever accepted in this one.
   */
  deleteOfAnother(
    collaborationId: string,
  ): { readonly answer: RunExchange; readonly wasThere: boolean } | undefined {
    const answer = this.#lastDelete
    const takenAt = this.#lastAcceptedIn.get(collaborationId)
    if (answer === undefined || this.#triedToDelete.has(collaborationId)) return undefined
    return answer.answeredAt > (takenAt ?? 0) ? { answer, wasThere: takenAt !== undefined } : undefined
  }

  /** How many workspaces the run added to that collaboration. */
  addedTo(collaborationId: string | undefined): number {
    return this.#added.get(collaborationId) ?? 0
  }

  /** How many workspaces the run added in all. */
  get added(): number {
    return [...this.#added.values()].reduce((sum, added) => sum + added, 0)
  }

  /** Whether an operation on a fixture of that kind was accepted. */
  onKind(kind: FixtureKind): boolean {
    return [...this.#last.keys()].some((operation) => operationOf(operation).on === kind)
  }

  /** Whether anything was accepted on the same fixture. */
  onFixtureOf(effect: Effect): boolean {
    return fixtureOf(effect).every((fixture) => this.#fixtures.has(fixture))
  }
}

/** The fixture of a call as a key; for several items, one key each. */
export function fixtureOf({ operation, at, request }: Effect): string[] {
  const { on } = operationOf(operation)
  const ids: Readonly<Partial<Record<FixtureKind, readonly unknown[]>>> = {
    collaboration: [at.collaborationId],
    participant: [`${at.collaborationId}/${at.participantPortalId}`],
    workspace: [at.workspaceId],
    taskRun: [`${at.taskId}/${at.runId}`],
    federation: [at.federationId],
    items: Array.isArray(request.items) ? request.items : [request.items],
  }
  return (ids[on] ?? []).map((id) => `${on} ${id}`)
}

/** The fixture and its collaboration, which exists as well. */
function fixturesOf(effect: Effect): string[] {
  const { collaborationId } = effect.at
  return [
    ...fixtureOf(effect),
    ...(collaborationId === undefined ? [] : [`collaboration ${collaborationId}`]),
  ]
}

/** Whether the actor may call the operation on some things (§5). */
export const mayCallSome = (operation: OperationId, actor: Part | undefined): boolean =>
  [operationOf(operation).calledBy, ...(alsoMay[operation] ?? [])].some((name) => name === actor)
