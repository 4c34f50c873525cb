/** `cleanup`: removes what a run made, by its journal, and nothing else. */
import { join } from 'node:path'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { FixtureFailure } from '../../deployment/fixtures/fixture-kinds.ts'
import {
  Journal,
  JournalError,
  type ProviderCleanup,
  type RunEntry,
  readJournal,
} from '../../deployment/journal/journal.ts'
import { createRedactor } from '../../deployment/redaction/redaction.ts'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import { Progress } from '../../reporters/terminal/progress.ts'
import { type Declaring, withOverrides } from '../arguments/option-values.ts'
import { onTarget, recordedTarget, type TargetOptions } from '../arguments/target-options.ts'
import { cleanUp, leftoversIn } from '../cleanup/end-of-run.ts'
import { isSettled } from '../cleanup/run-journal.ts'
import { asUsageError, usageError } from '../command-error.ts'
import { type CommandContext, hearFixtures, say, warningsTo } from '../process/command-context.ts'
import { isFolder } from '../results/results-files.ts'
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
    .argument('<JOURNAL>', 'journal.ndjson of a run, or its folder')
    .option('--config <FILE>', 'configuration of the target, in place of the one that the journal names')
  withOverrides(declared).action(does(cleanup))
}

/** Override the options of the run. */
type CleanupOptions = Pick<TargetOptions, 'config' | 'baseUrl' | 'effects'>

/** Resolves with 0 if nothing is left, 3 if something could not be removed. */
async function cleanup(
  path: string,
  options: CleanupOptions,
  commandContext: CommandContext,
): Promise<ExitCode> {
  const file = (await isFolder(path)) ? join(path, 'journal.ndjson') : path
  const read = usable(() => readJournal(file))
  const { run } = read
  const { stdout } = commandContext
  const ended = run.options.reference === true && 'its embedded portal ended with it.'
  const why = ended || (isSettled(read) && 'it was cleaned up before, so nothing is sent.')
  if (why) {
    say(stdout, `Nothing is left of run ${run.id}: ${why}`)
    return exitCodes.conformant
  }
  return onTarget(recordedTarget(file, run.options, options), commandContext, async (target) => {
    const ready = await target.ready()
    refuseAnotherTarget(run, ready, file)
    const { administration } = ready
    // The id of the run is in the names of everything that the run made.
    const configuration =
      administration === undefined
        ? ready
        : { ...ready, administration: { ...administration, runId: run.id } }
    const { text } = createRedactor(configuration)
    const journal = usable(() => Journal.goOn(read, text))
    const progress = new Progress(commandContext.stderr, [], commandContext.environment)
    const warn = warningsTo(commandContext, configuration)
    const opened = openFixturesOf(configuration, target.signIns, journal)
    const fixtures = await opened.catch(asUsageError(FixtureFailure))
    hearFixtures(fixtures, warn)
    const onRemoved = (removed: number, of: number) => progress.count('Removing', removed, of)
    try {
      const given = leftoversIn(read.things).length
      const ofRun = { runId: run.id, configuration, fixtures, journal, warn, onRemoved }
      const { provider, left } = await cleanUp(ofRun, journal)
      const isClean = left.length === 0 && provider !== 'failed'
      const isProvided = administration === undefined || configuration.fixtures !== undefined
      const deleted = `${given - left.length} of ${given} collaborations removed, with what was added to them.`
      const lines = [
        `Run ${run.id} on ${run.target.baseUrl}: ${isProvided ? deleted : ownWords(provider)}`,
        ...(isProvided ? [providerWords[provider]] : []),
        ...(left.length === 0 ? [] : ['Left:']),
        ...left.map(
          ({ thing, why }) => `  collaboration ${thing.id}, with the workspaces that the run added: ${why}`,
        ),
        isClean ? 'Nothing is left.' : 'To try again, repeat the command.',
      ]
      say(stdout, text(lines.join('\n')))
      return isClean ? exitCodes.conformant : exitCodes.incomplete
    } finally {
      progress.close()
      await fixtures.close()
      journal.close()
    }
  })
}

/** For a run that makes its fixtures itself. */
const ownWords = (provider: ProviderCleanup): string =>
  provider === 'done'
    ? 'everything that it made is removed.'
    : 'some of what it made is left: see the warning.'

const providerWords: Readonly<Record<ProviderCleanup, string>> = {
  done: 'The fixture provider removed what it handed out for this run.',
  'not-offered': 'The fixture provider removes nothing: what else it handed out is its own.',
  none: 'There is no fixture provider.',
  failed: 'The fixture provider did not clean up: its fixtures may be left.',
}

/** Throws a usage error for another target, where an id may name something else. */
function refuseAnotherTarget({ target: then }: RunEntry, configuration: Configuration, file: string): void {
  const { text } = createRedactor(configuration)
  const [baseUrl, hostPortal] = [configuration.target.baseUrl, configuration.portals.host.id].map(text)
  // Without an id, the login did not work: nothing can be removed, and the reasons say why.
  if (baseUrl === then.baseUrl && (hostPortal === then.hostPortal || hostPortal === '')) return
  throw usageError(
    text(
      `${file} is the journal of another target: it was made on ${then.baseUrl} with the host portal ${then.hostPortal}; the configuration names ${baseUrl} with ${hostPortal}. Nothing was sent.`,
    ),
  )
}

/** Throws a usage error if the journal cannot be used. */
function usable<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    return asUsageError(JournalError)(error)
  }
}
