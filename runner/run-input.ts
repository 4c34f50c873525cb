/** The input of a run. */
import { type Configuration, runningProvider } from '../deployment/configuration/configuration.ts'
import type { SignIns } from '../deployment/credentials/sign-ins.ts'
import type { ProviderPlace } from '../deployment/fixtures/fixture-kinds.ts'
import type { Journal } from '../deployment/journal/journal.ts'
import { withoutUndefined } from '../schemas/values.ts'

/** Which checks to judge. Empty lists select everything. Other checks are reported as not tested. */
export interface Selection {
  /** Operation ids. */
  readonly operations: readonly string[]
  /** Globs over requirement and check ids. */
  readonly requirements: readonly string[]
}

export const everything: Selection = { operations: [], requirements: [] }

export interface RunInput {
  readonly configuration: Configuration
  /** The command's logins, so that a refused one is not tried again. Absent: the run has its own. */
  readonly signIns?: SignIns
  /** Absent: no fixtures. */
  readonly provider?: ProviderPlace
  /** Marks what the run makes on the target. */
  readonly runId: string
  /** Records what exists because of the run. Absent: no journal. */
  readonly journal?: Journal
  /** When the run began, in ms since 1970. Default: when its session began. */
  readonly began?: number
  readonly selection: Selection
  /** The expected number of requests, if known. */
  readonly requests?: number
  /** How many workspaces the run announced at most. Absent: any number. */
  readonly mostWorkspaces?: number
  /** Replays only this generated case, as `failure.path` of a result names it. */
  readonly onlyCase?: string
  /** The command line that repeats a finding; ` --requirement ID` is appended. */
  readonly repeatCommand: string
}

/** The input of a run of everything, with the configured fixtures. `others` override it. */
export function inputOf(
  configuration: Configuration,
  runId: string,
  others: Partial<RunInput> = {},
): RunInput {
  return withoutUndefined({
    configuration,
    runId,
    selection: everything,
    repeatCommand: 'portal-conformance run',
    provider: runningProvider(configuration),
    ...others,
  })
}
