/** The journals in an output folder: that of a run, and what those of earlier runs say is used up. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Configuration, listedFixtures } from '../../deployment/configuration/configuration.ts'
import type { JournalEntry, RunEntry } from '../../deployment/journal/journal.ts'
import {
  isUsable,
  Journal,
  JournalError,
  type ReadJournal,
  readJournal,
} from '../../deployment/journal/journal.ts'
import { createRedactor } from '../../deployment/redaction/redaction.ts'
import { suiteVersion } from '../../deployment/suite-version.ts'
import { makeFolder, whyUnwritable } from '../../reporters/document.ts'
import type { TargetOptions } from '../arguments/target-options.ts'
import { usageError } from '../command-error.ts'

interface Journalled {
  readonly configuration: Configuration
  readonly targetOptions: TargetOptions
}

/**
 * Begins the journal with its first line. `warn` receives where the journal of an earlier run is that did not clean up.
 * Throws a usage error if the journal cannot be written: then the run may change nothing.
 */
export function openRunJournal(
  file: string,
  run: Journalled,
  { runId, warn }: { readonly runId: string; readonly warn: (message: string) => void },
): Journal {
  const out = dirname(file)
  try {
    makeFolder(out)
    keepUsedFixtures(out)
    const aside = putAside(out, file)
    if (aside !== undefined)
      warn(`an earlier run did not clean up; to do that: portal-conformance cleanup ${aside}`)
    return Journal.begin(file, firstEntry(runId, run), createRedactor(run.configuration).text)
  } catch (error) {
    if (error instanceof JournalError) throw usageError(error.message)
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    throw usageError(
      `${out}: cannot be written, and a run without a journal changes nothing: ${whyUnwritable(error)}`,
    )
  }
}

function firstEntry(id: string, { configuration, targetOptions }: Journalled): RunEntry {
  const { target, portals } = configuration
  const { config, fault: _, variant: __, latency: ___, ...others } = targetOptions
  return {
    entry: 'run',
    format: 'portal-conformance/journal',
    formatVersion: 1,
    id,
    time: new Date().toISOString(),
    suite: { version: suiteVersion },
    target: { baseUrl: target.baseUrl, hostPortal: portals.host.id },
    // An absolute path: `cleanup` may run in another folder.
    options: config === undefined ? others : { ...others, config: resolve(config) },
  }
}

/** Renames the journal of a run that did not clean up, and returns its new place; undefined if nothing is left of it. */
function putAside(out: string, file: string): string | undefined {
  if (!existsSync(file)) return undefined
  const journal = readIfUsable(file)
  if (journal !== undefined && (isSettled(journal) || journal.run.options.reference === true)) {
    rmSync(file)
    return undefined
  }
  const id = journal?.run.id.replace(/[^\w-]/g, '') ?? String(Date.now())
  const aside = join(out, `journal-${id}.ndjson`)
  renameSync(file, aside)
  return journal && aside
}

/** Whether nothing is left of that run. */
export const isSettled = ({ things, providerDue }: ReadJournal): boolean =>
  things.length === 0 && !providerDue

function readIfUsable(file: string): ReadJournal | undefined {
  try {
    return readJournal(file)
  } catch (error) {
    if (error instanceof JournalError) return undefined
    throw error
  }
}

const fileName = 'used-fixtures.json'
const format = 'portal-conformance/used-fixtures'

/** Ids that are used up, by kind. A workspace or participant goes with its collaboration. */
interface UsedUp {
  readonly collaborations: readonly string[]
  readonly items: readonly string[]
  readonly taskRuns: readonly string[]
}

/** For each target. */
type Remembered = Readonly<Record<string, UsedUp>>

type Entry = Readonly<Record<string, unknown>>

/**
 * The configuration without the listed fixtures that runs with this output folder used up. Throws a usage error if the
 * file in the folder cannot be read.
 */
export function withoutUsedFixtures(configuration: Configuration, directory: string): Configuration {
  const listed = listedFixtures(configuration)
  if (listed === undefined) return configuration
  const used = usedIn(directory)[configuration.target.baseUrl]
  if (used === undefined) return configuration
  const collaborations = new Set(used.collaborations)
  const items = new Set(used.items)
  const taskRuns = new Set(used.taskRuns)
  const left: Record<string, readonly Entry[]> = {}
  const counts: Record<string, number> = {}
  for (const [kind, entries] of Object.entries(listed)) {
    const kept = entries.flatMap((entry): Entry[] => {
      if (collaborations.has(String(entry.collaborationId)) || taskRuns.has(String(entry.runId))) return []
      if (!Array.isArray(entry.itemIds)) return [entry]
      const itemIds = entry.itemIds.filter((id) => !items.has(String(id)))
      return itemIds.length === 0 ? [] : [{ ...entry, itemIds }]
    })
    left[kind] = kept
    const lost = sizeOf(entries) - sizeOf(kept)
    if (lost > 0) counts[kind] = lost
  }
  if (Object.keys(counts).length === 0) return configuration
  const rememberedIn = join(directory, fileName)
  return { ...configuration, fixtures: { static: left }, usedFixtures: { counts, rememberedIn } }
}

/** How many fixtures a list holds; each item counts. */
const sizeOf = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { itemIds }) => sum + (Array.isArray(itemIds) ? itemIds.length : 1), 0)

/** Saves what the journals of the folder name, before a journal is renamed or replaced. */
function keepUsedFixtures(directory: string): void {
  const used = usedIn(directory)
  const lists = Object.values(used).flatMap((ids) => Object.values(ids) as (readonly string[])[])
  if (lists.every((ids) => ids.length === 0)) return
  makeFolder(directory)
  writeFileSync(
    join(directory, fileName),
    `${JSON.stringify({ format, formatVersion: 1, used }, undefined, 1)}\n`,
  )
}

/** What is saved, with what the journals name. */
function usedIn(directory: string): Remembered {
  const used = { ...savedIn(join(directory, fileName)) }
  for (const file of journalsIn(directory)) {
    const journal = readIfUsable(file)
    // The fixtures of the embedded portal ended with it.
    if (journal === undefined || journal.run.options.reference === true) continue
    const { baseUrl } = journal.run.target
    const now = usedUpIn(journal.entries)
    const both = (kind: keyof UsedUp) => [...new Set([...(used[baseUrl]?.[kind] ?? []), ...now[kind]])]
    used[baseUrl] = {
      collaborations: both('collaborations'),
      items: both('items'),
      taskRuns: both('taskRuns'),
    }
  }
  return used
}

function savedIn(file: string): Remembered {
  if (!existsSync(file)) return {}
  let value: { format?: unknown; formatVersion?: unknown; used?: unknown } | undefined
  try {
    value = JSON.parse(readFileSync(file, 'utf8')) as typeof value
  } catch {
    value = undefined
  }
  if (value?.format !== format || value.formatVersion !== 1 || !isRemembered(value.used)) {
    throw usageError(`${file}: not a list of used fixtures; delete it to forget what earlier runs used up`)
  }
  return value.used
}

function isRemembered(value: unknown): value is Remembered {
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).every((target: Partial<Record<keyof UsedUp, unknown>> | null) =>
    [target?.collaborations, target?.items, target?.taskRuns].every(
      (ids) => Array.isArray(ids) && ids.every((id) => typeof id === 'string'),
    ),
  )
}

function journalsIn(directory: string): string[] {
  if (!existsSync(directory)) return []
  return readdirSync(directory)
    .filter((name) => /^journal.*\.ndjson$/.test(name))
    .map((name) => join(directory, name))
}

/** What the entries of a journal used up. */
function usedUpIn(entries: readonly JournalEntry[]): UsedUp {
  const of = (kind: string): string[] =>
    entries.flatMap((entry) =>
      entry.entry === 'used' && entry.kind === kind && isUsable(entry.id) ? [entry.id] : [],
    )
  return { collaborations: of('collaboration'), items: of('item'), taskRuns: of('taskRun') }
}
