/** The journal of a run in its output directory, and what is cleaned up at its end, also where it was interrupted. */

import { existsSync, readFileSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { acceptance, describe } from '../../clauses/acceptance.ts'
import type { OnRemoved } from '../../deployment/administration/removal.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { refererOf } from '../../deployment/credentials/ready-actors.ts'
import type { OpenFixtures } from '../../deployment/fixtures/fixture-sources.ts'
import { Client } from '../../deployment/http/client.ts'
import { type Answer, BodyLimitError, errorCodeOf, TransportError } from '../../deployment/http/exchange.ts'
import type { JournalEntry, ProviderCleanup, RunEntry } from '../../deployment/journal/journal-entry.ts'
import {
  besideOf,
  isUsable,
  JournalFailure,
  JournalWriter,
  type LeftCollaboration,
  leftOverOf,
  readJournal,
} from '../../deployment/journal/journal-file.ts'
import { createRedactor } from '../../deployment/redaction/redaction.ts'
import { suiteVersion } from '../../deployment/suite-version.ts'
import { makeFolder, whyUnwritable } from '../../reporters/document.ts'
import { countOf } from '../../reporters/wording.ts'
import { outgoing } from '../../runner/context/calls.ts'
import { jsonIn } from '../../schemas/any-value.ts'
import { withoutUndefined } from '../../schemas/without-undefined.ts'
import type { TargetOptions } from '../arguments/target-options.ts'
import { usageError } from '../command-error.ts'
import { keepUsedFixtures } from '../fixtures/used-fixtures.ts'
import { firstLine } from '../process/run-errors.ts'
import { cleanUpFixtures } from '../run/prepare-run.ts'

interface EndedRun {
  readonly id: string
  readonly configuration: Configuration
  readonly fixtures: OpenFixtures
  readonly journal: RunJournal
  /** Aborted where the user interrupted. */
  readonly signal: AbortSignal
  readonly warn: (message: string) => void
  /** Told how much of what the run made is removed. */
  readonly onProgress?: OnRemoved
}

/** How long deleting what is left may take, in milliseconds. */
const removalMs = 5000

/** Never rejects: what could not be removed is warned of, with the command that tries again. */
export async function cleanUpRun(run: EndedRun): Promise<void> {
  const { id, fixtures, journal, signal, warn, onProgress } = run
  try {
    const provider = await cleanUpFixtures(fixtures, { runId: id, signal, warn, onProgress })
    // A provider that removed what it handed out has removed what was made in it.
    const left = provider === 'done' ? [] : await removeRest(run)
    noteCleanup(journal.writer, provider, left)
    if (left.length > 0) warn(whatIsLeft(left))
    if (left.length > 0 || provider === 'failed')
      warn(`to clean up later: portal-conformance cleanup ${journal.file}`)
  } catch (error) {
    warn(`${firstLine(error)}: what the run made may be left over; its journal: ${journal.file}`)
  }
}

/** Has a provider that goes on take back what a round used: a long run must not fill the target, nor its own journal. */
export async function cleanUpRound({
  id,
  fixtures,
  journal,
  signal,
  warn,
}: Omit<EndedRun, 'configuration'>): Promise<void> {
  if (fixtures.lasting !== true) return
  if ((await cleanUpFixtures(fixtures, { runId: id, signal, warn })) === 'done') journal.beginAnew()
}

/** Deletes what the checks were given to delete and did not. */
function removeRest({ configuration, journal }: EndedRun): Promise<Kept[]> {
  const { collaborations } = leftOverOf(readJournal(journal.file).entries)
  if (collaborations.length === 0) return Promise.resolve([])
  const signal = AbortSignal.timeout(removalMs)
  return removeCollaborations(collaborations, configuration, journal.writer, signal)
}

/** Writes into the journal what became of the clean-up. */
export function noteCleanup(writer: JournalWriter, provider: ProviderCleanup, left: readonly Kept[]): void {
  const ids = left.map(({ collaboration }) => collaboration.id)
  writer.add({ entry: 'cleanup', time: new Date().toISOString(), provider, left: ids })
}

function whatIsLeft(left: readonly Kept[]): string {
  const [first, ...others] = left
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  const workspaces = left.reduce((sum, { collaboration }) => sum + collaboration.workspaces.length, 0)
  const added =
    workspaces === 0
      ? `nothing was added to ${left.length === 1 ? 'it' : 'them'}`
      : `with ${countOf(workspaces, 'workspace')} that the run added`
  return `${countOf(left.length, 'collaboration is', 'collaborations are')} left, ${added}: ${first?.collaboration.id}${more} (${first?.why})`
}

/** A collaboration that is still there, as far as is known, and what kept it from being deleted. */
export interface Kept {
  readonly collaboration: LeftCollaboration
  readonly why: string
}

const operation = 'delete-collaboration'

/**
 * Writes down each that is gone, as soon as it is, and resolves with those that could not be deleted. Once the signal is
 * aborted the others stay.
 */
export async function removeCollaborations(
  left: readonly LeftCollaboration[],
  configuration: Configuration,
  writer: JournalWriter,
  signal?: AbortSignal,
): Promise<Kept[]> {
  const { hostAdministrator } = configuration.actors
  const all = (why: string): Kept[] => left.map((collaboration) => ({ collaboration, why }))
  if (!configuration.effects.includes(operation)) return all(`effects does not allow ${operation}`)
  if (hostAdministrator === undefined)
    return all(configuration.absent?.hostAdministrator ?? 'actors.hostAdministrator is missing')
  const { credential, portal } = hostAdministrator
  const actor = 'hostAdministrator'
  const identity = withoutUndefined({
    actor,
    credential,
    portal,
    referer: refererOf(hostAdministrator),
  } as const)
  // A limiter of its own: what the worker sent last is not known to the one that is there.
  const own = { ...configuration, http: { ...configuration.http } }
  const client = new Client(own, withoutUndefined({ signal }))
  const remove = async (collaboration: LeftCollaboration): Promise<Kept | undefined> => {
    const { id, perhapsGone } = collaboration
    if (!isUsable(id)) return { collaboration, why: 'its id is hidden in the journal' }
    try {
      const at = { collaborationId: id }
      const answer = await client.send(outgoing(configuration, identity, operation, at, {}, {}))
      if (isGone(answer)) {
        writer.add({ entry: 'removed', time: new Date().toISOString(), collaborationId: id })
        return undefined
      }
      const perhaps = perhapsGone ? '; a delete was under way when the run ended, so it may be gone' : ''
      return { collaboration, why: `${describe(answer)}${perhaps}` }
    } catch (error) {
      if (!(error instanceof TransportError || error instanceof BodyLimitError)) throw error
      return { collaboration, why: error.message }
    }
  }
  try {
    return (await Promise.all(left.map(remove))).filter((kept) => kept !== undefined)
  } finally {
    await client.close()
  }
}

const absent = [404, 410]

/** Deleted now, or not there any more. */
const isGone = (answer: Answer): boolean =>
  acceptance(answer).accepted || absent.includes(answer.status) || absent.includes(errorCodeOf(answer))

interface RunJournal {
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
    // Of a run that was killed while it folded its journal, which still stands.
    rmSync(besideOf(file), { force: true })
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
