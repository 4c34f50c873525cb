/** The journals in an output folder: that of a run, and what those of earlier runs say is used up. */
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type Configuration, listedFixtures } from '../../deployment/configuration/configuration.ts'
import {
  isUsable,
  Journal,
  type JournalEntry,
  JournalError,
  type ReadJournal,
  type RunEntry,
  readJournal,
  type UsedEntry,
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
    const { baseUrl } = run.configuration.target
    const used = usedIn(out, baseUrl)
    const aside = putAside(file, baseUrl)
    if (aside !== undefined)
      warn(`an earlier run did not clean up; to do that: portal-conformance cleanup ${aside}`)
    const journal = Journal.begin(file, firstEntry(runId, run), createRedactor(run.configuration).text)
    for (const { kind, id } of used) journal.use(kind, id)
    return journal
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
    process: { pid: process.pid, host: hostname() },
    suite: { version: suiteVersion },
    target: { baseUrl: target.baseUrl, hostPortal: portals.host.id },
    // An absolute path: `cleanup` may run in another folder.
    options: config === undefined ? others : { ...others, config: resolve(config) },
  }
}

/**
 * Renames the journal of a run that did not clean up, and returns its new place; undefined if nothing is left of it. Also
 * renames one that knows what is used up of another target.
 */
function putAside(file: string, baseUrl: string): string | undefined {
  if (!existsSync(file)) return undefined
  const journal = readIfUsable(file)
  const isOver = journal !== undefined && !isDue(journal)
  const isOfAnother = journal?.run.target.baseUrl !== baseUrl && journal?.entries.some(isUsed) === true
  if (isOver && !isOfAnother) {
    rmSync(file)
    return undefined
  }
  const id = journal?.run.id.replace(/[^\w-]/g, '') ?? String(Date.now())
  const aside = join(dirname(file), `journal-${id}.ndjson`)
  renameSync(file, aside)
  return isOver ? undefined : journal && aside
}

/** Whether nothing is left of that run. */
export const isSettled = ({ things, providerDue }: ReadJournal): boolean =>
  things.length === 0 && !providerDue

/** The embedded portal and its fixtures ended with their run. */
const isDue = (journal: ReadJournal): boolean => !isSettled(journal) && journal.run.options.reference !== true

/** The command that cleans up after the run of the journal. Undefined: nothing is left, or there is no journal. */
export function cleanUpCommand(file: string): string | undefined {
  const journal = readIfUsable(file)
  return journal !== undefined && isDue(journal) ? `portal-conformance cleanup ${file}` : undefined
}

/** Throws a usage error if another process of this host still writes the journal, and its report beside it. */
export function refuseIfGoingOn(file: string): void {
  const journal = readIfUsable(file)
  if (journal === undefined || isSettled(journal)) return
  const { id, process: { pid, host } = {} } = journal.run
  if (pid === undefined || pid === process.pid || host !== hostname()) return
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return
  }
  throw usageError(
    `run ${id} (process ${pid}) still uses ${dirname(file)}: choose another folder with --out. If it is over, clean up first: portal-conformance cleanup ${file}`,
  )
}

/** Undefined if there is no journal, or none that can be read. */
function readIfUsable(file: string): ReadJournal | undefined {
  try {
    return readJournal(file)
  } catch (error) {
    if (error instanceof JournalError) return undefined
    throw error
  }
}

type Entry = Readonly<Record<string, unknown>>

/**
 * The configuration without the listed fixtures that runs with this output folder used up. A workspace or participant
 * goes with its collaboration.
 */
export function withoutUsedFixtures(configuration: Configuration, directory: string): Configuration {
  const listed = listedFixtures(configuration)
  if (listed === undefined) return configuration
  const used = new Set(usedIn(directory, configuration.target.baseUrl).map(({ kind, id }) => `${kind} ${id}`))
  const left: Record<string, readonly Entry[]> = {}
  const counts: Record<string, number> = {}
  for (const [kind, entries] of Object.entries(listed)) {
    const kept = entries.flatMap((entry): Entry[] => {
      const { collaborationId, runId, itemIds: all } = entry
      if (used.has(`collaboration ${collaborationId}`) || used.has(`taskRun ${runId}`)) return []
      if (!Array.isArray(all)) return [entry]
      const itemIds = all.filter((id) => !used.has(`item ${id}`))
      return itemIds.length === 0 ? [] : [{ ...entry, itemIds }]
    })
    left[kind] = kept
    const lost = sizeOf(entries) - sizeOf(kept)
    if (lost > 0) counts[kind] = lost
  }
  if (Object.keys(counts).length === 0) return configuration
  const rememberedIn = join(directory, 'journal*.ndjson')
  return { ...configuration, fixtures: { static: left }, usedFixtures: { counts, rememberedIn } }
}

/** How many fixtures a list holds; each item counts. */
const sizeOf = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { itemIds }) => sum + (Array.isArray(itemIds) ? itemIds.length : 1), 0)

const isUsed = (entry: JournalEntry): entry is UsedEntry => entry.entry === 'used' && isUsable(entry.id)

/** What the journals of the folder say is used up on a target. A run takes it over into its own journal. */
function usedIn(directory: string, baseUrl: string): UsedEntry[] {
  if (!existsSync(directory)) return []
  const journals = readdirSync(directory).filter((name) => /^journal.*\.ndjson$/.test(name))
  return journals.flatMap((name) => {
    const journal = readIfUsable(join(directory, name))
    // The fixtures of the embedded portal ended with it.
    const isOther = journal?.run.target.baseUrl !== baseUrl || journal.run.options.reference === true
    return isOther ? [] : journal.entries.filter(isUsed)
  })
}
