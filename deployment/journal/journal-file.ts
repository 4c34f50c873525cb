/** The journal of a run as a file: written before each effect, and read again. */
import {
  appendFileSync,
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
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
  FixtureEntry,
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

const cannotBeWritten = (file: string, { message }: Error): JournalFailure =>
  new JournalFailure(`the journal ${file} cannot be written, so nothing may be changed: ${message}`)

/** Takes secrets and addresses out of a text. */
type Hide = (text: string) => string

/** Adds what is written now and then, line by line: whoever writes effects may have folded the file meanwhile. */
export class JournalWriter {
  readonly #file: string
  readonly #hide: Hide

  /** For that file, which is made where there is none. Throws a JournalFailure where it cannot be written. */
  constructor(file: string, hide: Hide) {
    this.#file = file
    this.#hide = hide
    this.#append('')
  }

  /** One more line, written when this returns. Throws a JournalFailure where it cannot be. */
  add(entry: RunEntry | MakingEntry | MadeEntry | RemovedEntry | CleanupEntry): void {
    this.#append(`${JSON.stringify(withTexts(entry, this.#hide))}\n`)
  }

  #append(text: string): void {
    try {
      appendFileSync(this.#file, text)
    } catch (error) {
      throw cannotBeWritten(this.#file, error as Error)
    }
  }
}

/** What is left is written there, before it takes the place of the journal. */
export const besideOf = (file: string): string => `${file}.folded`

/** A journal of so many bytes is folded: some ten thousand requests. */
export const foldedAt = 4 * 2 ** 20

/** Writes what a run is given and does, as it goes on. */
export class EffectWriter {
  readonly #file: string
  readonly #hide: Hide
  readonly #written = new Map<string, string>()
  #descriptor: number
  /** In the file. */
  #bytes: number
  readonly #foldAt: number
  #nextFold: number
  #effects = 0
  /** Lines that are not written yet. */
  #waiting = ''
  /** Settles when they are. */
  #writing: Promise<void> | undefined
  #failed: JournalFailure | undefined

  /**
   * Appends to that file, and folds it once it has `foldAt` bytes; Infinity: never, since somebody else writes too, or
   * reads what was done. Throws a JournalFailure where it cannot be opened.
   */
  constructor(file: string, hide: Hide, foldAt: number) {
    this.#file = file
    this.#hide = hide
    this.#foldAt = foldAt
    this.#nextFold = foldAt
    try {
      this.#descriptor = openSync(file, 'a')
      this.#bytes = fstatSync(this.#descriptor).size
    } catch (error) {
      throw cannotBeWritten(file, error as Error)
    }
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
      // What comes after that must not go into whatever file has its number then.
      this.#failed ??= cannotBeWritten(this.#file, new Error('it is closed'))
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
      this.#bytes += lines.length
      if (this.#bytes >= this.#nextFold) this.#fold()
    } catch (error) {
      this.#failed = cannotBeWritten(this.#file, error as Error)
      throw this.#failed
    }
  }

  /** A new file takes the place of the old one at once: a run that is killed leaves one of the two, whole. */
  #fold(): void {
    const beside = besideOf(this.#file)
    try {
      const left = foldedOf(readJournal(this.#file).entries)
      writeFileSync(beside, left.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
    } catch {
      // All that was written still stands: it goes on growing.
      rmSync(beside, { force: true })
      this.#nextFold = 2 * this.#bytes
      return
    }
    // Some systems rename no file that is open.
    closeSync(this.#descriptor)
    renameSync(beside, this.#file)
    this.#descriptor = openSync(this.#file, 'a')
    this.#bytes = fstatSync(this.#descriptor).size
    this.#nextFold = Math.max(this.#foldAt, 2 * this.#bytes)
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
  const { disposable, unanswered, providerDue } = remainderOf(entries)
  const perhapsGone = new Set(
    unanswered.flatMap(({ operation, on }) =>
      operation === 'delete-collaboration' ? [collaborationOf(on)] : [],
    ),
  )
  const collaborations = [...disposable].map(([id, { workspaces }]) => ({
    id,
    workspaces,
    perhapsGone: perhapsGone.has(id),
  }))
  return { collaborations, providerDue }
}

/** Fewer lines that say the same of what is left, whatever follows them. Throws where a clean-up has begun. */
export function foldedOf(entries: readonly JournalEntry[]): JournalEntry[] {
  if (!entries.every(({ entry }) => foldable.includes(entry)))
    throw new Error('not the journal of a run alone')
  const { disposable, unanswered } = remainderOf(entries)
  const given = [...disposable.values()].map(({ fixture, workspaces }) =>
    workspaces.length === 0 ? fixture : { ...fixture, workspaces },
  )
  const stillDue = unanswered.filter(({ operation }) => leaving.includes(operation))
  return [...entries.filter(({ entry }) => entry === 'run'), ...given, ...stillDue]
}

const foldable: readonly JournalEntry['entry'][] = ['run', 'fixture', 'effect', 'answer']

/** Operations whose answers say what is left. */
const leaving: readonly OperationId[] = ['add-workspace', 'delete-collaboration']

interface Remainder {
  /** Collaborations that are not known to be gone, with the workspaces that the run added to them. */
  readonly disposable: ReadonlyMap<
    string,
    { readonly fixture: FixtureEntry; readonly workspaces: readonly string[] }
  >
  readonly unanswered: readonly EffectEntry[]
  readonly providerDue: boolean
}

function remainderOf(entries: readonly JournalEntry[]): Remainder {
  const disposable = new Map<string, { fixture: FixtureEntry; workspaces: string[] }>()
  const unanswered = new Map<number, EffectEntry>()
  let providerDue = true
  const gone = (id: string) => {
    if (isUsable(id)) disposable.delete(id)
  }
  for (const entry of entries) {
    if (entry.entry === 'fixture') {
      providerDue = true
      const { workspaces = [], ...fixture } = entry
      if (entry.kind === 'collaboration')
        disposable.set(collaborationOf(entry.ids), { fixture, workspaces: [...workspaces] })
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
  return { disposable, unanswered: [...unanswered.values()], providerDue }
}

const collaborationOf = (ids: EffectEntry['on']): string => String(ids.collaborationId)
