/** Writes a journal: each line in one call that has ended before the effect begins, so that a killed run keeps it. */
import { closeSync, openSync, writeSync } from 'node:fs'
import type { OperationId } from '../../specs/operations.ts'
import type { FixtureAnswers, FixtureKind } from '../fixture-kinds.ts'
import type { Ids, JournalEntry } from './journal-entry.ts'

/** What of a fixture names something; a provider may hand out more, which is nobody's business. */
const naming = [
  'collaborationId',
  'workspaceId',
  'participantPortalId',
  'groupId',
  'owner',
  'itemIds',
  'username',
  'userName',
  'taskId',
  'runId',
  'federationId',
]

/** Fields whose words are our own. */
const ours = ['entry', 'format', 'time', 'kind', 'operation', 'actor', 'provider']

/** Ids come back again and again: so many are remembered as they are written. */
const mostRemembered = 10_000

/** The journal cannot be written: nothing may be changed any more. One line for users. */
export class JournalFailure extends Error {
  override readonly name = 'JournalFailure'
}

export class JournalWriter {
  readonly #file: string
  readonly #descriptor: number
  readonly #hide: (text: string) => string
  readonly #written = new Map<string, string>()
  #effects = 0

  /**
   * Appends to that file, which is made where there is none; `hide` takes secrets and addresses out of a text. Throws
   * a JournalFailure where it cannot be opened.
   */
  constructor(file: string, hide: (text: string) => string) {
    this.#file = file
    this.#hide = hide
    try {
      this.#descriptor = openSync(file, 'a')
    } catch (error) {
      throw this.#failure(error)
    }
  }

  /** One more line. Throws a JournalFailure where it cannot be written. */
  add(entry: JournalEntry): void {
    const safe = (key: string, value: unknown): unknown =>
      typeof value === 'string' && !ours.includes(key) ? this.#hidden(value) : value
    try {
      writeSync(this.#descriptor, `${JSON.stringify(entry, safe)}\n`)
    } catch (error) {
      throw this.#failure(error)
    }
  }

  fixture<Kind extends FixtureKind>(kind: Kind, fixture: FixtureAnswers[Kind]): void {
    this.add({ entry: 'fixture', time: now(), kind, ids: idsIn(fixture, naming) })
  }

  /** To be called before the operation is performed; the number that comes back is for its answer. */
  effect(operation: OperationId, actor: string | undefined, on: Ids): number {
    this.#effects += 1
    const by = actor === undefined ? {} : { actor }
    this.add({ entry: 'effect', time: now(), number: this.#effects, operation, ...by, on })
    return this.#effects
  }

  answer(number: number, accepted: boolean, made?: Ids): void {
    this.add({ entry: 'answer', number, accepted, ...(made === undefined ? {} : { made }) })
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  #hidden(text: string): string {
    const known = this.#written.get(text)
    if (known !== undefined) return known
    const written = this.#hide(text)
    if (this.#written.size >= mostRemembered) this.#written.clear()
    this.#written.set(text, written)
    return written
  }

  #failure(error: unknown): JournalFailure {
    const { message } = error as Error
    return new JournalFailure(
      `the journal ${this.#file} cannot be written, so nothing may be changed: ${message}`,
    )
  }
}

/** The fields of those names that hold texts or lists of them. */
export function idsIn(value: object, names: readonly string[]): Ids {
  const isIds = (field: unknown): boolean =>
    typeof field === 'string' || (Array.isArray(field) && field.every((id) => typeof id === 'string'))
  return Object.fromEntries(
    Object.entries(value).filter(([name, field]) => names.includes(name) && isIds(field)),
  ) as Ids
}

const now = (): string => new Date().toISOString()
