/** Reads a journal back, also one that ends in the middle of a line. */
import { readFileSync } from 'node:fs'
import { issuesOf } from '../../schemas/validators.ts'
import type { JournalEntry, RunEntry } from './journal-entry.ts'

export interface Journal {
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
    const { code, message } = error as NodeJS.ErrnoException
    throw new JournalError(
      `${file}: cannot be read: ${code === 'ENOENT' ? 'there is no such file' : message}`,
    )
  }
}

function entryIn(line: string, place: string): JournalEntry {
  let entry: unknown
  try {
    entry = JSON.parse(line)
  } catch {
    throw new JournalError(`${place}: no JSON; a journal has one JSON object on each line`)
  }
  if (issuesOf('journal', entry).length > 0 || !isWhole(entry as JournalEntry)) {
    throw new JournalError(`${place}: no line of a journal; schemas/journal.schema.json says what one is`)
  }
  return entry as JournalEntry
}

function isWhole(entry: JournalEntry): boolean {
  return needed[entry.entry].every((name) => Object.hasOwn(entry, name))
}
