/** Writes a journal: what is about to be done is on disk before it is done, so that a killed run keeps it. */
import { closeSync, openSync, writeSync } from 'node:fs'
import type { OperationId } from '../../specs/operations.ts'
import type { FixtureAnswers, FixtureKind } from '../fixtures/fixture-kinds.ts'
import { withTexts } from '../redaction/redaction.ts'
import type {
  CleanupEntry,
  Ids,
  JournalEntry,
  MadeEntry,
  MakingEntry,
  RemovedEntry,
  RunEntry,
} from './journal-entry.ts'

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
  /** Lines that are not written yet. */
  #waiting = ''
  /** Settles when they are. */
  #writing: Promise<void> | undefined
  #failed: JournalFailure | undefined

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

  /** One more line, written when this returns. Throws a JournalFailure where it cannot be. */
  add(entry: RunEntry | MakingEntry | MadeEntry | RemovedEntry | CleanupEntry): void {
    this.#waiting += `${JSON.stringify(this.#safe(entry))}\n`
    this.#flush()
  }

  /** With all others of this turn: each line that is written alone costs as much as half a request. */
  #writeSoon(entry: JournalEntry): Promise<void> {
    this.#waiting += `${JSON.stringify(entry)}\n`
    this.#writing ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        this.#writing = undefined
        try {
          this.#flush()
          resolve()
        } catch (error) {
          reject(error)
        }
      })
    })
    return this.#writing
  }

  /** For what has happened: nobody waits for it, and whoever adds the next line is told where it cannot be written. */
  #note(entry: JournalEntry): void {
    this.#writeSoon(entry).catch(() => undefined)
  }

  fixture<Kind extends FixtureKind>(kind: Kind, fixture: FixtureAnswers[Kind]): void {
    this.#note({ entry: 'fixture', time: now(), kind, ids: this.#safe(idsIn(fixture, naming)) })
  }

  /**
   * To be awaited before the operation is performed: it is on disk then. The number that comes back is for its answer.
   * Rejects with a JournalFailure where it cannot be written.
   */
  async effect(operation: OperationId, actor: string | undefined, on: Ids): Promise<number> {
    this.#effects += 1
    const number = this.#effects
    const by = actor === undefined ? {} : { actor }
    await this.#writeSoon({ entry: 'effect', time: now(), number, operation, ...by, on: this.#safe(on) })
    return number
  }

  answer(number: number, accepted: boolean, made?: Ids): void {
    this.#note({
      entry: 'answer',
      number,
      accepted,
      ...(made === undefined ? {} : { made: this.#safe(made) }),
    })
  }

  /** Writes what is waiting, unless writing failed before. Throws a JournalFailure where it cannot be written. */
  close(): void {
    try {
      if (this.#failed === undefined) this.#flush()
    } finally {
      closeSync(this.#descriptor)
    }
  }

  #flush(): void {
    if (this.#failed !== undefined) throw this.#failed
    if (this.#waiting === '') return
    const lines = Buffer.from(this.#waiting)
    this.#waiting = ''
    try {
      if (writeSync(this.#descriptor, lines) < lines.length) throw new Error('the disk is full')
    } catch (error) {
      this.#failed = this.#failure(error)
      throw this.#failed
    }
  }

  #safe<Value>(value: Value): Value {
    return withTexts(value, (text) => this.#hidden(text))
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

let lastMoment = 0
let lastWritten = ''

/** Written once for all lines of one millisecond. */
function now(): string {
  const moment = Date.now()
  if (moment !== lastMoment) [lastMoment, lastWritten] = [moment, new Date(moment).toISOString()]
  return lastWritten
}
