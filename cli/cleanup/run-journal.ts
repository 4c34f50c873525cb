/** The journal of a run in its output directory; one that an earlier run left behind is put aside, not lost. */

import { existsSync, readFileSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { JournalEntry, RunEntry } from '../../deployment/journal/journal-entry.ts'
import { JournalFailure, JournalWriter } from '../../deployment/journal/journal-file.ts'
import { createRedactor } from '../../deployment/redaction/redaction.ts'
import { suiteVersion } from '../../deployment/suite-version.ts'
import { makeFolder, whyUnwritable } from '../../reporters/document.ts'
import { jsonIn } from '../../schemas/any-value.ts'
import type { TargetOptions } from '../arguments/target-options.ts'
import { usageError } from '../command-error.ts'
import { keepUsedFixtures } from '../fixtures/used-fixtures.ts'

export interface RunJournal {
  readonly file: string
  readonly writer: JournalWriter
  /** Forgets all but which run it is: to be called where nothing is left of what the run was given. */
  beginAnew(): void
}

/** What the journal is of, and where it is kept. */
interface Journalled {
  readonly configuration: Configuration
  readonly targetOptions: TargetOptions
  /** The output directory. */
  readonly out: string
}

interface BegunRun {
  readonly id: string
  /** Told where an earlier run did not clean up. */
  readonly warn: (message: string) => void
  /** Default: `journal.ndjson`. */
  readonly name?: string
}

/** Begins the journal with its first line. Throws a usage error where it cannot be written: then nothing may be changed. */
export function openRunJournal(
  { configuration, targetOptions, out: directory }: Journalled,
  { id, warn, name = 'journal.ndjson' }: BegunRun,
): RunJournal {
  const file = join(directory, name)
  try {
    makeFolder(directory)
    keepUsedFixtures(directory)
    const aside = putAside(directory, file)
    if (aside !== undefined) {
      warn(`an earlier run did not clean up; to do that: portal-conformance cleanup ${aside}`)
    }
    const writer = new JournalWriter(file, createRedactor(configuration).text)
    const first = firstEntry(id, configuration, targetOptions)
    writer.add(first)
    const beginAnew = () => {
      truncateSync(file)
      writer.add(first)
    }
    return { file, writer, beginAnew }
  } catch (error) {
    if (error instanceof JournalFailure) throw usageError(error.message)
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    throw usageError(
      `${directory}: cannot be written, and a run without a journal changes nothing: ${whyUnwritable(error)}`,
    )
  }
}

function firstEntry(id: string, { target, portals }: Configuration, options: TargetOptions): RunEntry {
  const { config, fault: _, variant: __, latency: ___, ...others } = options
  return {
    entry: 'run',
    format: 'portal-conformance/journal',
    formatVersion: 1,
    id,
    time: new Date().toISOString(),
    suite: { version: suiteVersion },
    target: { baseUrl: target.baseUrl, hostPortal: portals.host.id },
    // Whole: the clean-up may be asked for in another folder.
    options: config === undefined ? others : { ...others, config: resolve(config) },
  }
}

/** Where the journal of an unfinished run stands now; undefined where there was none, or nothing is left of it. */
function putAside(directory: string, file: string): string | undefined {
  if (!existsSync(file)) return undefined
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const first = entryIn(lines[0])
  const last = entryIn(lines.at(-1))
  const settled = last?.entry === 'cleanup' && last.provider !== 'failed' && last.left.length === 0
  if (settled || (first?.entry === 'run' && first.options.reference === true)) {
    rmSync(file)
    return undefined
  }
  const id = first?.entry === 'run' ? first.id.replace(/[^\w-]/g, '') : String(Date.now())
  const aside = join(directory, `journal-${id}.ndjson`)
  renameSync(file, aside)
  return first?.entry === 'run' ? aside : undefined
}

const entryIn = (line = '') => jsonIn(line) as JournalEntry | undefined
