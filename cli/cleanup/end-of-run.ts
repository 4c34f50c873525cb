/** Cleans up at the end of a run, also of one that was interrupted, and notes what is left. */
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { OpenFixtures } from '../../deployment/fixtures/fixture-sources.ts'
import { leftOverOf } from '../../deployment/journal/left-over.ts'
import { readJournal } from '../../deployment/journal/read-journal.ts'
import { firstLine } from '../process/run-errors.ts'
import { cleanUpFixtures } from '../run/clean-up-fixtures.ts'
import { type Kept, removeCollaborations } from './remove-collaborations.ts'
import type { RunJournal } from './run-journal.ts'

export interface EndedRun {
  readonly id: string
  readonly configuration: Configuration
  readonly fixtures: OpenFixtures
  readonly journal: RunJournal
  /** Aborted where the user interrupted. */
  readonly signal: AbortSignal
  readonly warn: (message: string) => void
}

/** How long deleting what is left may take, in milliseconds. */
const removalMs = 5000

/** Never rejects: what could not be removed is warned of, with the command that tries again. */
export async function cleanUpRun(run: EndedRun): Promise<void> {
  const { id, fixtures, journal, signal, warn } = run
  try {
    const provider = await cleanUpFixtures(fixtures, id, signal, warn)
    // A provider that removed what it handed out has removed what was made in it.
    const left = provider === 'done' ? [] : await removeRest(run)
    const ids = left.map(({ collaboration }) => collaboration.id)
    journal.writer.add({ entry: 'cleanup', time: new Date().toISOString(), provider, left: ids })
    if (left.length > 0) warn(whatIsLeft(left))
    if (left.length > 0 || provider === 'failed')
      warn(`to clean up later: portal-conformance cleanup ${journal.file}`)
  } catch (error) {
    warn(`${firstLine(error)}: what the run made may be left over; its journal: ${journal.file}`)
  } finally {
    journal.writer.close()
  }
}

/** Deletes what the checks were given to delete and did not. */
function removeRest({ configuration, journal }: EndedRun): Promise<Kept[]> {
  const { collaborations } = leftOverOf(readJournal(journal.file).entries)
  if (collaborations.length === 0) return Promise.resolve([])
  return removeCollaborations(collaborations, configuration, {
    onRemoved: (collaborationId) =>
      journal.writer.add({ entry: 'removed', time: new Date().toISOString(), collaborationId }),
    signal: AbortSignal.timeout(removalMs),
  })
}

function whatIsLeft(left: readonly Kept[]): string {
  const [first, ...others] = left
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  const what = left.length === 1 ? '1 collaboration is' : `${left.length} collaborations are`
  const workspaces = left.reduce((sum, { collaboration }) => sum + collaboration.workspaces.length, 0)
  const added =
    workspaces === 0
      ? `nothing was added to ${left.length === 1 ? 'it' : 'them'}`
      : `with ${workspaces} ${workspaces === 1 ? 'workspace' : 'workspaces'} that the run added`
  return `${what} left, ${added}: ${first?.collaboration.id}${more} (${first?.why})`
}
