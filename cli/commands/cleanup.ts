/** `cleanup`: removes what a run made, by its journal, and nothing else. */
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { SignIns } from '../../deployment/credentials/sign-ins.ts'
import { FixtureFailure } from '../../deployment/fixtures/fixture-kinds.ts'
import {
  Journal,
  JournalError,
  type ProviderCleanup,
  type RunEntry,
  readJournal,
  type Thing,
} from '../../deployment/journal/journal.ts'
import { hidden } from '../../deployment/redaction/hiding.ts'
import { createRedactor } from '../../deployment/redaction/redaction.ts'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import { Progress } from '../../reporters/terminal/progress.ts'
import { type Declaring, withOverrides } from '../arguments/option-values.ts'
import { onTarget, type TargetOptions } from '../arguments/target-options.ts'
import { type Kept, leftoversIn, settle } from '../cleanup/end-of-run.ts'
import { isSettled } from '../cleanup/run-journal.ts'
import { usageError } from '../command-error.ts'
import { type CommandContext, hearFixtures, say, warningsTo } from '../process/command-context.ts'
import { openFixturesOf } from '../run/prepare-run.ts'

const help = `
A run notes in journal.ndjson, in its output folder, everything that is there because of it, and cleans up at its end. Use
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

/** Override the options of the run. */
type CleanupOptions = Pick<TargetOptions, 'config' | 'baseUrl' | 'effects'>

/** Resolves with 0 if nothing is left, 3 if something could not be removed. */
async function cleanup(
  file: string,
  options: CleanupOptions,
  commandContext: CommandContext,
): Promise<ExitCode> {
  const read = usable(() => readJournal(file))
  const { run } = read
  const { stdout } = commandContext
  if (run.options.reference === true) {
    say(stdout, `Nothing is left of run ${run.id}: its embedded portal ended with it.`)
    return exitCodes.conformant
  }
  if (isSettled(read)) {
    say(stdout, `Nothing is left of run ${run.id}: it was cleaned up before, so nothing is sent.`)
    return exitCodes.conformant
  }
  return onTarget(targetOf(run, options), commandContext, async (target) => {
    const configuration = await target.ready()
    refuseAnotherTarget(run, configuration, file)
    const { text } = createRedactor(configuration)
    const journal = usable(() => Journal.goOn(read, text))
    try {
      const ofRun = withRunId(configuration, run)
      const given = leftoversIn(read.things)
      const { signIns } = target
      const asked = await askProvider(ofRun, { signIns, journal, runId: run.id }, commandContext)
      const { provider } = asked
      const kept = await settle(journal, provider, ofRun)
      say(stdout, text(report(run, given, kept, asked)))
      return kept.length === 0 && provider !== 'failed' ? exitCodes.conformant : exitCodes.incomplete
    } finally {
      journal.close()
    }
  })
}

/** The id of the run is in the names of everything that the run made. */
function withRunId(configuration: Configuration, { id }: RunEntry): Configuration {
  const { administration } = configuration
  return administration === undefined
    ? configuration
    : { ...configuration, administration: { ...administration, runId: id } }
}

interface Asked {
  readonly provider: ProviderCleanup
  /** Why the provider did not clean up. */
  readonly trouble?: string
}

/** Lets the provider remove what it handed out. */
async function askProvider(
  configuration: Configuration,
  { signIns, journal, runId }: { signIns: SignIns; journal: Journal; runId: string },
  commandContext: CommandContext,
): Promise<Asked> {
  const progress = new Progress(commandContext.stderr, [], commandContext.environment)
  try {
    const fixtures = await openFixturesOf(configuration, signIns, journal)
    hearFixtures(fixtures, warningsTo(commandContext, configuration))
    try {
      const onRemoved = (removed: number, of: number) => progress.count('Removing', removed, of)
      return { provider: await fixtures.cleanup(runId, onRemoved) }
    } finally {
      progress.close()
      await fixtures.close()
    }
  } catch (error) {
    if (!(error instanceof FixtureFailure)) throw error
    return { provider: 'failed', trouble: error.message }
  }
}

function report(
  run: RunEntry,
  given: readonly Thing[],
  kept: readonly Kept[],
  { provider, trouble }: Asked,
): string {
  const removed = given.length - kept.length
  const lines = [
    `Run ${run.id} on ${run.target.baseUrl}: ${removed} of ${given.length} collaborations removed, with what was added to them.`,
    providerWords[provider],
    ...(trouble === undefined ? [] : [`  ${trouble}`]),
    ...(kept.length === 0 ? [] : ['Left:']),
    ...kept.map(
      ({ thing, why }) => `  collaboration ${thing.id}, with the workspaces that the run added: ${why}`,
    ),
  ]
  const isClean = kept.length === 0 && provider !== 'failed'
  return [...lines, isClean ? 'Nothing is left.' : 'To try again, repeat the command.'].join('\n')
}

const providerWords: Readonly<Record<ProviderCleanup, string>> = {
  done: 'The fixture provider removed what it handed out for this run.',
  'not-offered': 'The fixture provider removes nothing: what else it handed out is its own.',
  none: 'There is no fixture provider.',
  failed: 'The fixture provider did not clean up: its fixtures may be left.',
}

/** The target of the run; the options of this command override those of the run. */
function targetOf(run: RunEntry, now: CleanupOptions): TargetOptions {
  if (now.config !== undefined) return now
  const then = run.options as TargetOptions
  if (then.config === undefined || JSON.stringify(then).includes(hidden)) {
    throw usageError('the journal does not say which configuration the run had: name it with --config FILE')
  }
  return { ...then, ...now }
}

/** Throws a usage error for another target, where an id may name something else. */
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

/** Throws a usage error if the journal cannot be used. */
function usable<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const isKnown = error instanceof JournalError || code !== undefined
    throw isKnown ? usageError(message) : error
  }
}
