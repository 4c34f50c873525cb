/** What the run was given and does with it: keeps it to what it may change, and writes it into the journal first. */
import { type Acceptance, acceptanceIfRead } from '../clauses/acceptance.ts'
import type { FixtureAnswers, FixtureKind } from '../deployment/fixtures/fixture-kinds.ts'
import type { Ids } from '../deployment/journal/journal-entry.ts'
import { type EffectWriter, idsIn } from '../deployment/journal/journal-file.ts'
import type { OperationId } from '../specs/operations.ts'
import { isOfOneKind } from './context/unknown.ts'
import { NotTested } from './findings.ts'
import { Acceptances } from './log/acceptances.ts'
import type { Effect, RunExchange } from './log/exchange.ts'

/** Operations that leave behind in a collaboration what only its deletion removes, or that delete it. */
const needDisposable: readonly OperationId[] = ['add-workspace', 'delete-collaboration']

/** What of a request names things that are there: the rest is text, which may be about people. */
const namingParameters = ['items', 'targetUsername', 'targetFoldername', 'portalGroupId']

/** An id of a target is not written longer than that, in characters. */
const longestId = 200

export class Ledger {
  /** Collaborations that were handed out to be deleted and are not known to be gone. */
  readonly left = new Set<string>()
  /** What came of all that was performed. */
  readonly acceptances = new Acceptances()
  readonly #journal: EffectWriter | undefined
  readonly #disposable = new Set<string>()
  readonly #nobodys = new Set<string>()
  readonly #mostWorkspaces: number
  #workspaces = 0
  #sharesIds = false

  /** `mostWorkspaces`: how many workspaces the run announced that it adds at most. */
  constructor(journal?: EffectWriter, mostWorkspaces = Number.POSITIVE_INFINITY) {
    this.#journal = journal
    this.#mostWorkspaces = mostWorkspaces
  }

  /** The provider handed this out. Only a fixture of the kind collaboration may be added to and deleted. */
  handedOut<Kind extends FixtureKind>(kind: Kind, fixture: FixtureAnswers[Kind]): void {
    this.#journal?.fixture(kind, fixture)
    if (kind === 'items') this.acceptances.handedOut((fixture as FixtureAnswers['items']).itemIds)
    this.#noteShared(Object.values(fixture as object))
    if (kind !== 'collaboration') return
    const { collaborationId } = fixture as FixtureAnswers['collaboration']
    this.#disposable.add(collaborationId)
    this.left.add(collaborationId)
  }

  /** Whether workspaces may be added to that collaboration. */
  mayAddTo(collaborationId: string): boolean {
    return this.#disposable.has(collaborationId)
  }

  /** An id that was made up so that nobody can have it: deleting it deletes nothing. */
  madeUp(id: string): string {
    this.#nobodys.add(id)
    return id
  }

  /** Whether things of two kinds were seen that have one id: then that of one may be that of another. */
  get sharesIds(): boolean {
    return this.#sharesIds
  }

  #noteShared(ids: readonly unknown[]): void {
    const texts = ids.filter((id) => typeof id === 'string' && isOfOneKind(id))
    this.#sharesIds ||= new Set(texts).size < texts.length
  }

  /**
   * Writes into the journal what is about to be done, and gives the number of the entry where there is a journal. Throws
   * where it would change what was not handed out for that.
   */
  async enter({ operation, actor, at, request }: Effect): Promise<number | undefined> {
    if (needDisposable.includes(operation)) this.#refuseStrange(operation, String(at.collaborationId))
    const number = await this.#journal?.effect(operation, actor, {
      ...idsIn(at, Object.keys(at)),
      ...idsIn(request, namingParameters),
    })
    if (operation === 'add-workspace') this.#countWorkspace()
    return number
  }

  /** What came of what was entered under that number. */
  answered(number: number | undefined, exchange: RunExchange): void {
    const { operation, at, request } = exchange.asked
    const read = acceptanceIfRead(exchange)
    // Without an answer it may have been added.
    if (operation === 'add-workspace' && read?.accepted === false) this.#workspaces -= 1
    if (read === undefined) return
    const made = madeBy(operation, read)
    if (made !== undefined) this.#noteShared([made.workspaceId, at.collaborationId, request.portalGroupId])
    if (number !== undefined) this.#journal?.answer(number, read.accepted, made)
    if (read.accepted && operation === 'delete-collaboration') this.left.delete(String(at.collaborationId))
  }

  /** Closes the journal. Throws a JournalFailure where what is waiting cannot be written. */
  close(): void {
    this.#journal?.close()
  }

  #countWorkspace(): void {
    const most = this.#mostWorkspaces
    if (this.#workspaces >= most)
      throw new NotTested(
        `the run announced that it adds at most ${most} workspaces and has added them: judge less at a time with --operation`,
        [],
      )
    this.#workspaces += 1
  }

  #refuseStrange(operation: OperationId, collaborationId: string): void {
    if (this.#disposable.has(collaborationId) || this.#nobodys.has(collaborationId)) return
    throw new Error(
      `${operation} on collaboration ${collaborationId}, which no fixture "collaboration" handed out: not sent`,
    )
  }
}

function madeBy(operation: OperationId, read: Acceptance): Ids | undefined {
  if (operation !== 'add-workspace' || !read.accepted) return undefined
  const { id } = (read.body.workspace ?? {}) as { id?: unknown }
  return typeof id === 'string' ? { workspaceId: id.slice(0, longestId) } : undefined
}
