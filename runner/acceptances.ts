/** What the target accepted in this run: of whom, on which fixtures, and when. Rules on what a refusal proves ask it. */
import type { Part } from '../clauses/exchange.ts'
import { answersWithSuccess } from '../clauses/portal-like.ts'
import { Recent } from '../clauses/recent.ts'
import type { FixtureKind } from '../deployment/fixtures/fixture-kinds.ts'
import { type Answer, BodyLimitError } from '../deployment/http/exchange.ts'
import { type OperationId, operationOf } from '../specs/operations.ts'

/** One performance of an operation. */
export interface Effect {
  readonly operation: OperationId
  readonly actor?: Part | undefined
  /** What the path names. */
  readonly at: Readonly<Record<string, string | undefined>>
  readonly request: Readonly<Record<string, unknown>>
}

export class Acceptances {
  readonly #effects = new WeakMap<Answer, Effect>()
  readonly #taken = new WeakSet<Answer>()
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
  #lastDelete: Answer | undefined

  /** That performance was answered so. */
  note(effect: Effect, answer: Answer): void {
    this.#effects.set(answer, effect)
    const isDelete = effect.operation === 'delete-collaboration'
    if (isDelete) this.#triedToDelete.add(String(effect.at.collaborationId))
    // An answer of success shows that the request was taken, even where it is malformed.
    if (!withinLimits(() => answersWithSuccess(answer, effect.operation))) return
    this.#taken.add(answer)
    const { actor, operation } = effect
    for (const whose of [actor, undefined])
      this.#lastSent.set(whose, Math.max(this.#lastSent.get(whose) ?? 0, answer.sentAt))
    if (actor !== undefined)
      this.#operations.set(actor, (this.#operations.get(actor) ?? new Set()).add(operation))
    this.#kinds.add(operationOf(operation).on)
    const { collaborationId } = effect.at
    if (isDelete) this.#lastDelete = answer
    else if (collaborationId !== undefined) this.#takenIn.set(collaborationId, answer.answeredAt)
    if (operation === 'add-workspace') this.#added.set(collaborationId, this.addedTo(collaborationId) + 1)
    for (const fixture of fixturesOf(effect)) this.#fixtures.set(fixture, true)
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

  /** What was performed to get that answer; undefined where it did not come through the ledger. */
  effectOf(answer: Answer): Effect | undefined {
    return this.#effects.get(answer)
  }

  /** Whether this was an answer of success, well-formed or not. */
  readonly took = (answer: Answer): boolean => this.#taken.has(answer)

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
  deleteBeside(collaborationId: string): { readonly answer: Answer; readonly wasThere: boolean } | undefined {
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

/** What is read of an answer; undefined where its body is beyond the limits of what is read at all. */
export function withinLimits<Read>(read: () => Read): Read | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof BodyLimitError) return undefined
    throw error
  }
}
