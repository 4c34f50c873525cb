/** The journals in an output folder: that of a run, and what those of earlier runs say is used up. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Configuration, listedFixtures } from '../../deployment/configuration/configuration.ts'
import type { RunEntry } from '../../deployment/journal/journal.ts'
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
import { jsonIn } from '../../schemas/values.ts'
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

/** Lists of used-fixtures.json, with the kind that the journal names. A workspace or participant goes with its collaboration. */
const kinds = { collaborations: 'collaboration', items: 'item', taskRuns: 'taskRun' } as const

/** Ids that are used up. */
type UsedUp = Readonly<Record<keyof typeof kinds, readonly string[]>>

/** For each target. */
type Remembered = Readonly<Record<string, UsedUp>>

type Entry = Readonly<Record<string, unknown>>

/**
 * The configuration without the listed fixtures that runs with this output folder used up. Throws a usage error if the
 * file in the folder cannot be read.
 */
export function withoutUsedFixtures(configuration: Configuration, directory: string): Configuration {
  const listed = listedFixtures(configuration)
  const used = listed && usedIn(directory)[configuration.target.baseUrl]
  if (listed === undefined || used === undefined) return configuration
  const left: Record<string, readonly Entry[]> = {}
  const counts: Record<string, number> = {}
  for (const [kind, entries] of Object.entries(listed)) {
    const kept = entries.flatMap((entry): Entry[] => {
      const { collaborationId, runId, itemIds: all } = entry
      if (used.collaborations.includes(String(collaborationId)) || used.taskRuns.includes(String(runId)))
        return []
      if (!Array.isArray(all)) return [entry]
      const itemIds = all.filter((id) => !used.items.includes(String(id)))
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
  if (Object.values(used).every((lists) => Object.values(lists).flat().length === 0)) return
  const text = `${JSON.stringify({ format, formatVersion: 1, used }, undefined, 1)}\n`
  writeFileSync(join(directory, fileName), text)
}

/** What is saved, with what the journals name. */
function usedIn(directory: string): Remembered {
  if (!existsSync(directory)) return {}
  const used: Record<string, UsedUp> = { ...savedIn(join(directory, fileName)) }
  const journals = readdirSync(directory).filter((name) => /^journal.*\.ndjson$/.test(name))
  for (const name of journals) {
    const journal = readIfUsable(join(directory, name))
    // The fixtures of the embedded portal ended with it.
    if (journal === undefined || journal.run.options.reference === true) continue
    const { baseUrl } = journal.run.target
    const lists = Object.entries(kinds).map(([list, kind]) => {
      const before = used[baseUrl]?.[list as keyof UsedUp] ?? []
      const now = journal.entries.flatMap((entry) =>
        entry.entry === 'used' && entry.kind === kind && isUsable(entry.id) ? [entry.id] : [],
      )
      return [list, [...new Set([...before, ...now])]]
    })
    used[baseUrl] = Object.fromEntries(lists)
  }
  return used
}

function savedIn(file: string): Remembered {
  if (!existsSync(file)) return {}
  const value = jsonIn(readFileSync(file, 'utf8')) as Partial<Record<string, unknown>> | undefined
  if (value?.format === format && value.formatVersion === 1) return value.used as Remembered
  throw usageError(`${file}: not a list of used fixtures; delete it to forget what earlier runs used up`)
}
