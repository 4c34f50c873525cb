/** The journal of a run, in its output folder. */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import {
  Journal,
  JournalError,
  JournalFailure,
  type ReadJournal,
  type RunEntry,
  readJournal,
} from '../../deployment/journal/journal.ts'
import { createRedactor } from '../../deployment/redaction/redaction.ts'
import { suiteVersion } from '../../deployment/suite-version.ts'
import { makeFolder, whyUnwritable } from '../../reporters/document.ts'
import type { TargetOptions } from '../arguments/target-options.ts'
import { usageError } from '../command-error.ts'
import { keepUsedFixtures } from '../fixtures/used-fixtures.ts'

interface Journalled {
  readonly configuration: Configuration
  readonly targetOptions: TargetOptions
}

export interface JournalPlace {
  /** The output folder. */
  readonly out: string
  /** Default: `journal.ndjson`. */
  readonly name?: string
}

/**
 * Begins the journal with its first line. `warn` receives where the journal of an earlier run is that did not clean up.
 * Throws a usage error if the journal cannot be written: then the run may change nothing.
 */
export function openRunJournal(
  run: Journalled,
  { out, name = 'journal.ndjson' }: JournalPlace,
  { runId, warn }: { readonly runId: string; readonly warn: (message: string) => void },
): Journal {
  const file = join(out, name)
  try {
    makeFolder(out)
    keepUsedFixtures(out)
    const aside = putAside(out, file)
    if (aside !== undefined)
      warn(`an earlier run did not clean up; to do that: portal-conformance cleanup ${aside}`)
    return Journal.begin(file, firstEntry(runId, run), createRedactor(run.configuration).text)
  } catch (error) {
    if (error instanceof JournalFailure) throw usageError(error.message)
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
