/** `cleanup`: removes what a run made and nothing else, from its journal. */
import { truncateSync } from 'node:fs'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { SignIns } from '../../deployment/credentials/sign-ins.ts'
import { FixtureFailure } from '../../deployment/fixtures/fixture-kinds.ts'
import type { JournalEntry, ProviderCleanup, RunEntry } from '../../deployment/journal/journal-entry.ts'
import {
  JournalError,
  JournalFailure,
  JournalWriter,
  type LeftOver,
  leftOverOf,
  readJournal,
} from '../../deployment/journal/journal-file.ts'
import { createRedactor } from '../../deployment/redaction/redaction.ts'
import { hidden } from '../../deployment/redaction/secret-hider.ts'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import { Progress } from '../../reporters/terminal/progress.ts'
import { type Declaring, withOverrides } from '../arguments/option-values.ts'
import { onTarget, type TargetOptions } from '../arguments/target-options.ts'
import { type Kept, noteCleanup, removeCollaborations } from '../cleanup/end-of-run.ts'
import { usageError } from '../command-error.ts'
import { type Surroundings, say } from '../process/surroundings.ts'
import { hearFixtures, openFixturesOf } from '../run/prepare-run.ts'

const help = `
A run notes in journal.ndjson, in its output folder, everything that it is given and does, and cleans up at its end. Use
cleanup after a run that was killed or could not remove everything. The host administrator deletes the collaborations
that the run was given to delete, if effects allows delete-collaboration, and the fixture provider removes the fixtures of
this run. Nothing else is touched. The journal notes what was removed; once nothing is left, cleanup sends nothing. Do not
use it while the run goes on.

Example:
  portal-conformance cleanup portal-conformance-report/journal.ndjson

Exit codes:
  0  nothing is left
  2  the journal or the configuration cannot be used, or belongs to another target
  3  something could not be removed; it is listed`

export function declare({ command, does }: Declaring): void {
  const declared = command(help)
    .argument('<JOURNAL>', 'journal.ndjson of a run')
    .option('--config <FILE>', 'configuration of the target, in place of the one that the journal names')
  withOverrides(declared).action(does(cleanup))
}

/** In place of what the run was made with. */
type CleanupOptions = Pick<TargetOptions, 'config' | 'baseUrl' | 'effects'>

/** Resolves with 0 where nothing is left, 3 where something could not be removed. */
async function cleanup(file: string, options: CleanupOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { run, entries, wholeBytes } = usable(() => readJournal(file))
  const { stdout, environment } = surroundings
  const left = leftOverOf(entries)
  if (run.options.reference === true) {
    say(stdout, `Nothing is left of run ${run.id}: its embedded portal ended with it.`)
    return exitCodes.conformant
  }
  if (left.collaborations.length === 0 && !left.providerDue) {
    say(stdout, `Nothing is left of run ${run.id}: it was cleaned up before, so nothing is sent.`)
    return exitCodes.conformant
  }
  return onTarget(targetOf(run, options), environment, async (target) => {
    const configuration = await target.ready()
    refuseAnotherTarget(run, configuration, file)
    const { text } = createRedactor(configuration)
    const writer = usable(() => {
      // What was cut off by a kill must not stand in the middle of the next line.
      truncateSync(file, wholeBytes)
      return new JournalWriter(file, text)
    })
    const then = asThen(configuration, run)
    // First what is known by name; then the provider, which may have made more than it could tell.
    const named = await removeCollaborations(left.collaborations, then, writer)
    const cleanedUp = await askProvider(then, { run, entries, named, signIns: target.signIns }, surroundings)
    const { kept, provider } = cleanedUp
    noteCleanup(writer, provider, kept)
    say(stdout, text(report(run, left, cleanedUp)))
    return kept.length === 0 && provider !== 'failed' ? exitCodes.conformant : exitCodes.incomplete
  })
}

/** What was made bears the id of the run that made it. */
function asThen(configuration: Configuration, { id }: RunEntry): Configuration {
  const { administration } = configuration
  return administration === undefined
    ? configuration
    : { ...configuration, administration: { ...administration, runId: id } }
}

interface CleanedUp {
  readonly kept: readonly Kept[]
  readonly provider: ProviderCleanup
  /** Why the provider did not clean up. */
  readonly trouble?: string | undefined
}

interface Asked {
  readonly run: RunEntry
  readonly entries: readonly JournalEntry[]
  /** What could not be removed by its name. */
  readonly named: readonly Kept[]
  readonly signIns: SignIns
}

/** Has the provider remove what it handed out. */
async function askProvider(
  configuration: Configuration,
  { run, entries, named, signIns }: Asked,
  surroundings: Surroundings,
): Promise<CleanedUp> {
  const progress = new Progress(surroundings.stderr, [], surroundings.environment)
  try {
    const fixtures = await openFixturesOf(configuration, signIns, entries)
    hearFixtures(fixtures, configuration, surroundings)
    try {
      const provider = await fixtures.cleanup(run.id, (removed, of) =>
        progress.count('Removing', removed, of),
      )
      return { kept: provider === 'done' ? [] : named, provider }
    } finally {
      progress.close()
      await fixtures.close()
    }
  } catch (error) {
    if (!(error instanceof FixtureFailure)) throw error
    return { kept: named, provider: 'failed', trouble: error.message }
  }
}

function report(run: RunEntry, left: LeftOver, { kept, provider, trouble }: CleanedUp): string {
  const removed = left.collaborations.length - kept.length
  const lines = [
    `Run ${run.id} on ${run.target.baseUrl}: ${removed} of ${left.collaborations.length} collaborations removed, with what was added to them.`,
    providerWords[provider],
    ...(trouble === undefined ? [] : [`  ${trouble}`]),
  ]
  if (kept.length === 0 && provider !== 'failed') return [...lines, 'Nothing is left.'].join('\n')
  return [
    ...lines,
    ...(kept.length === 0 ? [] : ['Left:']),
    ...kept.map(
      ({ collaboration: { id, workspaces }, why }) => `  collaboration ${id}${holding(workspaces)}: ${why}`,
    ),
    'To try again, give the same command once more.',
  ].join('\n')
}

function holding(workspaces: readonly string[]): string {
  if (workspaces.length === 0) return ''
  return `, with the workspace${workspaces.length === 1 ? '' : 's'} ${workspaces.join(', ')}`
}

const providerWords: Readonly<Record<ProviderCleanup, string>> = {
  done: 'The fixture provider removed what it handed out for this run.',
  'not-offered': 'The fixture provider removes nothing: what else it handed out is its own.',
  none: 'There is no fixture provider.',
  failed: 'The fixture provider did not clean up: its fixtures may be left.',
}

/** The target of the run, with what is given now in its place. */
function targetOf(run: RunEntry, now: CleanupOptions): TargetOptions {
  if (now.config !== undefined) return now
  const then = run.options as TargetOptions
  if (then.config === undefined || JSON.stringify(then).includes(hidden)) {
    throw usageError('the journal does not say which configuration the run had: give it with --config FILE')
  }
  return { ...then, ...now }
}

/** Throws a usage error: ids of one target may name something else on another. */
function refuseAnotherTarget(run: RunEntry, configuration: Configuration, file: string): void {
  const { text } = createRedactor(configuration)
  const here = {
    baseUrl: text(configuration.target.baseUrl),
    hostPortal: text(configuration.portals.host.id),
  }
  const { baseUrl, hostPortal } = run.target
  if (here.baseUrl === baseUrl && here.hostPortal === hostPortal) return
  throw usageError(
    text(
      `${file} is the journal of another target: it was made on ${baseUrl} with the host portal ${hostPortal}; the configuration names ${here.baseUrl} with ${here.hostPortal}. Nothing was sent.`,
    ),
  )
}

function usable<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof JournalError || error instanceof JournalFailure) throw usageError(error.message)
    const { code, message } = error as NodeJS.ErrnoException
    throw code === undefined ? error : usageError(message)
  }
}
