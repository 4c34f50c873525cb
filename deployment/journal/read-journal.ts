/** Reads a journal back, also one that ends in the middle of a line. */

import { readFileSync } from 'node:fs'
import { jsonIn } from '../../schemas/any-value.ts'
import { issuesOf } from '../../schemas/validators.ts'
import { hidden, hiddenAddress } from '../redaction/secret-hider.ts'
import { whyUnreadable } from '../unreadable.ts'
import type { EffectEntry, JournalEntry, RunEntry } from './journal-entry.ts'

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
