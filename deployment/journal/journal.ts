/** The journal of a run: what exists because of it, where, and how to remove it. The run is its only writer. */
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import type {
  CleanupEntry,
  Journal as JournalEntry,
  RunEntry,
  Thing,
  UsedEntry,
} from '../../schemas/types/journal.ts'
import { issuesOf } from '../../schemas/validators.ts'
import { jsonIn } from '../../schemas/values.ts'
import { hidden, hiddenAddress } from '../redaction/hiding.ts'
import { withTexts } from '../redaction/redaction.ts'
import { whyUnreadable } from '../unreadable.ts'

export type { JournalEntry, RunEntry, Thing, UsedEntry }

/** Kinds of things that the run makes through administration. */
export type MadeKind = Thing['kind']

/** Whether the provider cleaned up. `failed`: the next clean-up asks it again. */
export type ProviderCleanup = CleanupEntry['provider']

/** The things that exist because of a run, in memory. */
export class Things {
  readonly #things = new Map<string, Thing>()

  /** In the order in which they were made. */
  get all(): Thing[] {
    return [...this.#things.values()]
  }

  /** The run is about to make or use the thing, or knows more about a thing of that name. */
  add(thing: Thing): void {
    this.remember(thing)
  }

  gone(thing: Thing): void {
    this.#things.delete(keyOf(thing))
  }

  protected remember(thing: Thing): void {
    this.#things.set(keyOf(thing), thing)
  }
}

/**
 * The journal cannot be written, so the run must change nothing more, or the file is no journal, or a damaged one. One
 * line for users.
 */
export class JournalError extends Error {
  override readonly name = 'JournalError'
}

/** Takes secrets and addresses out of a text. */
type Hide = (text: string) => string

/** The place of an entry in the file, in bytes. */
interface Place {
  readonly offset: number
  readonly size: number
}

/** A thing has one line. A newer line is written before the older one is blanked: a kill leaves at least one of them. */
export class Journal extends Things {
  readonly file: string
  readonly #descriptor: number
  readonly #hides: Hide[]
  readonly #places = new Map<string, Place>()
  /** Blank lines. */
  #free: Place[] = []
  #end = 0
  #failed: JournalError | undefined

  /** Begins a journal with its first line. Throws a JournalError if the file cannot be written. */
  static begin(file: string, run: RunEntry, hide: Hide): Journal {
    const journal = new Journal(file, 'w', hide)
    journal.#put('run', run)
    return journal
  }

  /** Continues a journal that was read. Throws a JournalError if the file cannot be written. */
  static goOn({ file, lines, end }: ReadJournal, hide: Hide): Journal {
    const journal = new Journal(file, 'r+', hide)
    // Remove what a kill left of the last line, so that the next line begins on its own.
    ftruncateSync(journal.#descriptor, end)
    journal.#end = end
    for (const { entry, place } of lines) {
      journal.#places.set(keyOf(entry), place)
      if (entry.entry === 'thing') journal.remember(entry)
    }
    return journal
  }

  private constructor(file: string, flags: 'w' | 'r+', hide: Hide) {
    super()
    this.file = file
    this.#hides = [hide]
    try {
      this.#descriptor = openSync(file, flags)
    } catch (error) {
      throw cannotBeWritten(file, error as Error)
    }
  }

  /** Adds a function that hides: for credentials that the run gets later. */
  hideAlso(hide: Hide): void {
    this.#hides.push(hide)
  }

  /** Throws a JournalError if writing failed before. */
  check(): void {
    if (this.#failed !== undefined) throw this.#failed
  }

  /** The thing is in the file when this returns. Throws a JournalError if it is not: then it must not be made. */
  override add(thing: Thing): void {
    super.add(thing)
    // An earlier clean-up does not cover a new thing.
    this.#drop('cleanup')
    this.#put(keyOf(thing), thing)
  }

  override gone(thing: Thing): void {
    super.gone(thing)
    this.#drop(keyOf(thing))
  }

  /** Notes a collaboration that the provider handed out to be deleted. Things of the run itself have a line already. */
  handedOut(id: string): void {
    if (!this.all.some((thing) => thing.kind === 'collaboration' && thing.id === id))
      this.add(givenCollaboration(id))
  }

  /** The target reports that it deleted the collaboration. The run checks its own things again at the end. */
  deleted(id: string): void {
    this.gone(givenCollaboration(id))
  }

  /** Notes that the run is about to use up a fixture of a list in the configuration. */
  use(kind: UsedEntry['kind'], id: string): void {
    const entry: UsedEntry = { entry: 'used', kind, id }
    if (!this.#places.has(keyOf(entry))) this.#put(keyOf(entry), entry)
  }

  /** Takes back a note of `use`: the fixture was not used up. */
  unuse(kind: UsedEntry['kind'], id: string): void {
    this.#drop(keyOf({ entry: 'used', kind, id }))
  }

  /** Notes that a clean-up is over. If nothing is left, blank lines go: the rounds of a long run do not fill the disk. */
  cleanedUp(provider: ProviderCleanup): void {
    if (provider === 'done') for (const thing of this.all) this.gone(thing)
    this.#drop('cleanup')
    const [first] = this.#places.values()
    if (this.#places.size === 1 && first !== undefined) {
      ftruncateSync(this.#descriptor, first.size)
      this.#end = first.size
      this.#free = []
    }
    this.#put('cleanup', { entry: 'cleanup', time: new Date().toISOString(), provider })
  }

  close(): void {
    if (this.#failed === undefined) closeSync(this.#descriptor)
    this.#failed ??= cannotBeWritten(this.file, new Error('it is closed'))
  }

  #put(key: string, entry: JournalEntry): void {
    const safe = withTexts(entry, (text) => this.#hides.reduce((shown, hide) => hide(shown), text))
    const text = JSON.stringify(safe)
    const place = this.#placeFor(Buffer.byteLength(text) + 1)
    this.#write(text, place)
    this.#end = Math.max(this.#end, place.offset + place.size)
    this.#drop(key)
    this.#places.set(key, place)
  }

  #drop(key: string): void {
    const place = this.#places.get(key)
    if (place === undefined) return
    this.#places.delete(key)
    this.#write('', place)
    this.#free.push(place)
  }

  /** A blank line that is long enough, or the end of the file: it grows with what exists, not with what existed. */
  #placeFor(size: number): Place {
    const at = this.#free.findIndex((place) => place.size >= size)
    return this.#free.splice(at, at < 0 ? 0 : 1)[0] ?? { offset: this.#end, size }
  }

  /** Fills the line with spaces behind the text. */
  #write(text: string, { offset, size }: Place): void {
    this.check()
    const line = Buffer.alloc(size, ' ')
    line.write(text)
    line.write('\n', size - 1)
    try {
      const written = writeSync(this.#descriptor, line, 0, size, offset)
      if (written < size) throw new Error('the disk is full')
    } catch (error) {
      this.#failed = cannotBeWritten(this.file, error as Error)
      throw this.#failed
    }
  }
}

const givenCollaboration = (id: string): Thing => ({
  entry: 'thing',
  kind: 'collaboration',
  id,
  portal: 'host',
  remove: `/portals/self/collaborations/${encodeURIComponent(id)}/delete`,
})

const cannotBeWritten = (file: string, { message }: Error): JournalError =>
  new JournalError(`the journal ${file} cannot be written, so nothing may be changed: ${message}`)

/** A thing of the run has a name of its own; one that was handed out has an id only. */
function keyOf(entry: JournalEntry): string {
  if (entry.entry === 'run' || entry.entry === 'cleanup') return entry.entry
  return JSON.stringify([entry.entry, entry.kind, 'name' in entry ? entry.name : entry.id])
}

/** The content of a journal. */
export interface ReadJournal {
  readonly file: string
  readonly run: RunEntry
  readonly entries: readonly JournalEntry[]
  readonly things: readonly Thing[]
  /** Whether the provider has not cleaned up yet. */
  readonly providerDue: boolean
  readonly lines: readonly Line[]
  /** The end of the last complete line. */
  readonly end: number
}

interface Line {
  readonly entry: JournalEntry
  readonly place: Place
}

/** Reads a journal, and skips what a kill cut off. Throws a JournalError that says what is wrong and where. */
export function readJournal(file: string): ReadJournal {
  const bytes = bytesOf(file)
  const lines: Line[] = []
  let offset = 0
  let count = 0
  for (let at = bytes.indexOf('\n'); at >= 0; at = bytes.indexOf('\n', offset)) {
    const line = bytes.toString('utf8', offset, at)
    count += 1
    // A kill may have cut off a line that replaced a blank one: the older line of its key is still there.
    const isBlank = line.startsWith(' ') || (line.endsWith(' ') && jsonIn(line) === undefined)
    if (!isBlank)
      lines.push({ entry: entryIn(line, `${file}: line ${count}`), place: { offset, size: at + 1 - offset } })
    offset = at + 1
  }
  const entries = lines.map(({ entry }) => entry)
  const [run] = entries
  if (run?.entry !== 'run')
    throw new JournalError(`${file}: no journal of a run: its first line must say which run it is`)
  const cleanup = entries.findLast((entry) => entry.entry === 'cleanup')
  return {
    file,
    run,
    entries,
    lines,
    end: offset,
    things: entries.filter((entry) => entry.entry === 'thing'),
    providerDue: cleanup === undefined || cleanup.provider === 'failed',
  }
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
  if (issuesOf('journal', entry).length > 0)
    throw new JournalError(`${place}: no line of a journal; schemas/journal.schema.json says what one is`)
  return entry as JournalEntry
}

/** Whether an id of a journal can be used: it is not hidden. */
export const isUsable = (id: string): boolean => !id.includes(hidden) && !id.includes(hiddenAddress)
