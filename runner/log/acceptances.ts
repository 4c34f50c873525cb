/** What the target accepted in this run: of whom, on which fixtures, and when. Rules on what a refusal proves ask it. */
import { Recent } from '../../clauses/recent.ts'
import type { FixtureKind } from '../../deployment/fixtures/fixture-kinds.ts'
import { type OperationId, operationOf } from '../../specs/operations.ts'
import type { Effect, RunExchange } from './exchange.ts'
import type { Fold } from './run-log.ts'

export class Acceptances implements Fold {
  /** When the last request that was accepted had been sent, by actor and for all; in ms of `performance.now()`. */
  readonly #lastSent = new Map<string | undefined, number>()
  readonly #operations = new Map<string, Set<OperationId>>()
  readonly #fixtures = new Recent<true>()
  readonly #handedOut = new Recent<true>()
  /** Items that were handed out more than once. */
  readonly #again = new Set<string>()
  readonly #kinds = new Set<FixtureKind>()
  readonly #added = new Map<string | undefined, number>()
  /** By collaboration: when something in it was accepted last, in ms of `performance.now()`. */
  readonly #takenIn = new Map<string, number>()
  readonly #triedToDelete = new Set<string>()
  /** The delete that was accepted last. */
  #lastDelete: RunExchange | undefined

  /** An answer of success shows that the request was taken, even where it is malformed. */
  came(exchange: RunExchange): void {
    const { asked, took, sentAt, answeredAt } = exchange
    const { actor, operation } = asked
    const isDelete = operation === 'delete-collaboration'
    if (isDelete) this.#triedToDelete.add(String(asked.at.collaborationId))
    if (!took) return
    for (const whose of [actor, undefined])
      this.#lastSent.set(whose, Math.max(this.#lastSent.get(whose) ?? 0, sentAt))
    if (actor !== undefined)
      this.#operations.set(actor, (this.#operations.get(actor) ?? new Set()).add(operation))
    this.#kinds.add(operationOf(operation).on)
    const { collaborationId } = asked.at
    if (isDelete) this.#lastDelete = exchange
    else if (collaborationId !== undefined) this.#takenIn.set(collaborationId, answeredAt)
    if (operation === 'add-workspace') this.#added.set(collaborationId, this.addedTo(collaborationId) + 1)
    for (const fixture of fixturesOf(asked)) this.#fixtures.set(fixture, true)
  }

  /** A provider handed these items out. */
  handedOut(itemIds: readonly string[]): void {
    for (const id of itemIds) {
      const item = `items ${id}`
      if (this.#handedOut.has(item)) this.#again.add(item)
      this.#handedOut.set(item, true)
    }
  }

  /** Whether an item of it was handed out twice, and has been given away: it may be with somebody else. */
  onWhatWasGivenAway(effect: Effect): boolean {
    return fixtureOf(effect).some((item) => this.#again.has(item) && this.#fixtures.has(item))
  }

  /** Whether anything that was sent since then, by that actor where one is given, was accepted. */
  since(time: number, actor?: string): boolean {
    return (this.#lastSent.get(actor) ?? 0) > time
  }

  /** The operations that were accepted of that actor. */
  of(actor: string): readonly OperationId[] {
    return [...(this.#operations.get(actor) ?? [])]
  }

  /**
   * The accepted delete that may have taken that collaboration with it: nobody tried to delete it itself, and another
   * one was deleted since something in it was accepted last. `wasThere`: whether anything was. Undefined where there is
   * none.
   */
  deleteBeside(
    collaborationId: string,
  ): { readonly answer: RunExchange; readonly wasThere: boolean } | undefined {
    const answer = this.#lastDelete
    const takenAt = this.#takenIn.get(collaborationId)
    if (answer === undefined || this.#triedToDelete.has(collaborationId)) return undefined
    return answer.answeredAt > (takenAt ?? 0) ? { answer, wasThere: takenAt !== undefined } : undefined
  }

  /** How many workspaces the run has added to that collaboration. */
  addedTo(collaborationId: string | undefined): number {
    return this.#added.get(collaborationId) ?? 0
  }

  /** How many workspaces the run has added to all of them. */
  get added(): number {
    return [...this.#added.values()].reduce((sum, added) => sum + added, 0)
  }

  /** Whether an operation on a fixture of that kind was accepted. */
  onKind(kind: FixtureKind): boolean {
    return this.#kinds.has(kind)
  }

  /** Whether anything was accepted on the fixture that this was performed on. */
  onFixtureOf(effect: Effect): boolean {
    return fixtureOf(effect).every((fixture) => this.#fixtures.has(fixture))
  }
}

/** What it was performed on, as one text; of several items each. */
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

/** That, and the collaboration that holds it, which is there as well. */
function fixturesOf(effect: Effect): string[] {
  const { collaborationId } = effect.at
  return [
    ...fixtureOf(effect),
    ...(collaborationId === undefined ? [] : [`collaboration ${collaborationId}`]),
  ]
}
