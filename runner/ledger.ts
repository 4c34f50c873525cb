/** Keeps the run to what it may change, and writes what exists because of it into the journal. */
import { type Acceptance, acceptanceIfRead } from '../clauses/acceptance.ts'
import type { FixtureAnswers, FixtureKind } from '../deployment/fixtures/fixture-kinds.ts'
import type { Journal, UsedEntry } from '../deployment/journal/journal.ts'
import type { OperationId } from '../specs/operations.ts'
import { NotTested } from './findings.ts'
import { Acceptances } from './log/acceptances.ts'
import type { Effect, RunExchange } from './log/run-log.ts'

/** Operations that delete a collaboration, or leave something in it that only its deletion removes. */
const needsDisposable: readonly OperationId[] = ['add-workspace', 'delete-collaboration']

/** Whether no thing of another kind can have this id. Each kind may count its own numbers. */
export const showsItsKind = (id: string): boolean => /[^\d]/.test(id) && id.length >= 6

export class Ledger {
  /** Disposable collaborations that may still exist. */
  readonly left = new Set<string>()
  /** What the target accepted. */
  readonly acceptances = new Acceptances()
  readonly #journal: Journal | undefined
  readonly #listsFixtures: boolean
  /** How often each listed thing was used up, or is about to be. */
  readonly #uses = new Map<string, number>()
  readonly #updates = new Map<string, number>()
  readonly #disposable = new Set<string>()
  readonly #unused = new Set<string>()
  readonly #mostWorkspaces: number
  #workspaces = 0
  #sharesIds = false

  /**
   * `mostWorkspaces`: how many workspaces the run announced at most. `listsFixtures`: later runs must know which
   * fixtures this one used up.
   */
  constructor(journal?: Journal, mostWorkspaces = Number.POSITIVE_INFINITY, listsFixtures = false) {
    this.#journal = journal
    this.#listsFixtures = listsFixtures
    this.#mostWorkspaces = mostWorkspaces
  }

  /** The provider handed out a fixture. Only fixtures of kind collaboration may be added to and deleted. */
  handedOut<Kind extends FixtureKind>(kind: Kind, fixture: FixtureAnswers[Kind]): void {
    if (kind === 'items') this.acceptances.handedOut((fixture as FixtureAnswers['items']).itemIds)
    this.#noteShared(Object.values(fixture as object))
    if (kind !== 'collaboration') return
    const { collaborationId } = fixture as FixtureAnswers['collaboration']
    this.#journal?.handedOut(collaborationId)
    this.#disposable.add(collaborationId)
    this.left.add(collaborationId)
  }

  /** Whether workspaces may be added to that collaboration. */
  mayAddTo(collaborationId: string): boolean {
    return this.#disposable.has(collaborationId)
  }

  /** Records a made-up id that nothing can have, so that deleting it is harmless. */
  madeUp(id: string): string {
    this.#unused.add(id)
    return id
  }

  /** The number of the next update of that federation, or of the last one. */
  updateOf(federationId: string, which: 'next' | 'last'): number {
    const last = this.#updates.get(federationId) ?? 0
    if (which === 'last') return last
    this.#updates.set(federationId, last + 1)
    return last + 1
  }

  /** Whether two things of different kinds had the same id, so that an id does not show its kind. */
  get sharesIds(): boolean {
    return this.#sharesIds
  }

  #noteShared(ids: readonly unknown[]): void {
    const texts = ids.filter((id) => typeof id === 'string' && showsItsKind(id))
    this.#sharesIds ||= new Set(texts).size < texts.length
  }

  /**
   * Records a call about to be sent. Throws if it would change something that was not handed out for that, or if the
   * journal cannot be written.
   */
  record(effect: Effect): void {
    const { operation, at } = effect
    if (needsDisposable.includes(operation)) this.#refuseForeign(operation, String(at.collaborationId))
    this.#journal?.check()
    if (this.#listsFixtures) for (const used of usedBy(effect)) this.#use(used, 1)
    if (operation === 'add-workspace') this.#countWorkspace()
  }

  /** Records the answer to a call. */
  answered(exchange: RunExchange): void {
    const { operation, at, request } = exchange.asked
    const read = acceptanceIfRead(exchange)
    // Without an answer the workspace may exist.
    if (operation === 'add-workspace' && read?.accepted === false) this.#workspaces -= 1
    if (read === undefined) return
    if (!read.accepted && this.#listsFixtures) for (const used of usedBy(exchange.asked)) this.#use(used, -1)
    if (!read.accepted) return
    if (operation === 'add-workspace')
      this.#noteShared([workspaceIn(read), at.collaborationId, request.portalGroupId])
    if (operation !== 'delete-collaboration') return
    const id = String(at.collaborationId)
    this.left.delete(id)
    this.#journal?.deleted(id)
  }

  #use({ kind, id }: Used, change: 1 | -1): void {
    const key = `${kind} ${id}`
    const count = (this.#uses.get(key) ?? 0) + change
    this.#uses.set(key, count)
    if (count > 0) this.#journal?.use(kind, id)
    else this.#journal?.unuse(kind, id)
  }

  #countWorkspace(): void {
    const most = this.#mostWorkspaces
    if (this.#workspaces >= most)
      throw new NotTested(
        `the run has added all ${most} workspaces that it announced: judge less at a time with --operation`,
        [],
      )
    this.#workspaces += 1
  }

  #refuseForeign(operation: OperationId, collaborationId: string): void {
    if (this.#disposable.has(collaborationId) || this.#unused.has(collaborationId)) return
    throw new Error(
      `${operation} on collaboration ${collaborationId}, which no fixture "collaboration" handed out: not sent`,
    )
  }
}

type Used = Pick<UsedEntry, 'kind' | 'id'>

/** What the call uses up. */
function usedBy({ operation, at, request }: Pick<Effect, 'operation' | 'at' | 'request'>): Used[] {
  if (operation === 'delete-collaboration') return [{ kind: 'collaboration', id: String(at.collaborationId) }]
  if (operation === 'update-task-run') return [{ kind: 'taskRun', id: String(at.runId) }]
  if (operation !== 'reassign-items') return []
  const ids = String(request.items ?? '').split(',')
  return ids.map((id) => ({ kind: 'item' as const, id: id.trim() }))
}

const workspaceIn = ({ body }: Extract<Acceptance, { accepted: true }>): unknown =>
  ((body.workspace ?? {}) as { readonly id?: unknown }).id
