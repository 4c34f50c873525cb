/** The journal of a run as a file: written before each effect, and read again. */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { jsonIn } from '../../schemas/any-value.ts'
import { issuesOf } from '../../schemas/validators.ts'
import type { OperationId } from '../../specs/operations.ts'
import type { FixtureAnswers, FixtureKind } from '../fixtures/fixture-kinds.ts'
import { withTexts } from '../redaction/redaction.ts'
import { hidden, hiddenAddress } from '../redaction/secret-hider.ts'
import { whyUnreadable } from '../unreadable.ts'
import type {
  CleanupEntry,
  EffectEntry,
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

interface Journal {
  readonly run: RunEntry
  /** In the order in which they were written, `run` among them. */
  readonly entries: readonly JournalEntry[]
  /** Bytes of the lines that are whole; what follows was cut off by a kill. */
  readonly wholeBytes: number
}

/** The file is no journal, or one that cannot be trusted. One line for users. */
export class JournalError extends Error {
  override readonly name = 'JournalError'
}

const lineEnd = 10

/** What each kind of line must have. */
const needed: { readonly [Kind in JournalEntry['entry']]: readonly string[] } = {
  run: ['format', 'formatVersion', 'id', 'time', 'suite', 'target', 'options'],
  fixture: ['kind', 'ids'],
  effect: ['number', 'operation', 'on'],
  answer: ['number', 'accepted'],
  making: ['kind', 'name', 'portal'],
  made: ['name', 'id'],
  removed: ['collaborationId'],
  cleanup: ['provider', 'left'],
}

/** Throws a JournalError that says what is wrong and where. A damaged last line is passed over. */
export function readJournal(file: string): Journal {
  const bytes = bytesOf(file)
  const wholeBytes = bytes.lastIndexOf(lineEnd) + 1
  const lines = bytes.subarray(0, wholeBytes).toString('utf8').split('\n').slice(0, -1)
  const entries = lines.map((line, index) => entryIn(line, `${file}: line ${index + 1}`))
  const [run] = entries
  if (run?.entry !== 'run') {
    throw new JournalError(`${file}: no journal of a run: its first line must say which run it is`)
  }
  return { run, entries, wholeBytes }
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new JournalError(`${file}: cannot be read: ${whyUnreadable(error)}`)
  }
}

function entryIn(line: string, place: string): JournalEntry {
  const entry = jsonIn(line)
  if (entry === undefined)
    throw new JournalError(`${place}: no JSON; a journal has one JSON object on each line`)
  if (issuesOf('journal', entry).length > 0 || !isWhole(entry as JournalEntry)) {
    throw new JournalError(`${place}: no line of a journal; schemas/journal.schema.json says what one is`)
  }
  return entry as JournalEntry
}

function isWhole(entry: JournalEntry): boolean {
  return needed[entry.entry].every((name) => Object.hasOwn(entry, name))
}

/** A collaboration that was handed out as disposable and is not known to be gone. */
export interface LeftCollaboration {
  readonly id: string
  /** Workspaces that the run added to it. */
  readonly workspaces: readonly string[]
  /** Whether a delete was sent whose answer the journal does not have. */
  readonly perhapsGone: boolean
}

export interface LeftOver {
  readonly collaborations: readonly LeftCollaboration[]
  /** Whether the provider still has to be asked to clean up. */
  readonly providerDue: boolean
}

/** Whether an id is written in the journal as it is, and not hidden. */
export const isUsable = (id: string): boolean => !id.includes(hidden) && !id.includes(hiddenAddress)

/** What is left after all these entries. */
export function leftOverOf(entries: readonly JournalEntry[]): LeftOver {
  const disposable = new Map<string, { workspaces: string[]; perhapsGone: boolean }>()
  const unanswered = new Map<number, EffectEntry>()
  let providerDue = true
  const gone = (id: string) => {
    if (isUsable(id)) disposable.delete(id)
  }
  for (const entry of entries) {
    if (entry.entry === 'fixture') {
      providerDue = true
      if (entry.kind === 'collaboration')
        disposable.set(collaborationOf(entry.ids), { workspaces: [], perhapsGone: false })
    }
    if (entry.entry === 'making') providerDue = true
    if (entry.entry === 'effect') unanswered.set(entry.number, entry)
    if (entry.entry === 'answer') {
      const effect = unanswered.get(entry.number)
      unanswered.delete(entry.number)
      if (effect === undefined || !entry.accepted) continue
      const id = collaborationOf(effect.on)
      if (effect.operation === 'delete-collaboration') gone(id)
      if (effect.operation === 'add-workspace')
        disposable.get(id)?.workspaces.push(String(entry.made?.workspaceId ?? 'of unknown id'))
    }
    if (entry.entry === 'removed') gone(entry.collaborationId)
    if (entry.entry === 'cleanup') {
      providerDue = entry.provider === 'failed'
      if (entry.provider === 'done') disposable.clear()
    }
  }
  for (const { operation, on } of unanswered.values()) {
    const place = disposable.get(collaborationOf(on))
    if (operation === 'delete-collaboration' && place !== undefined) place.perhapsGone = true
  }
  const collaborations = [...disposable].map(([id, rest]) => ({ id, ...rest }))
  return { collaborations, providerDue }
}

const collaborationOf = (ids: EffectEntry['on']): string => String(ids.collaborationId)
