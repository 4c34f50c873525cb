/** What a run of the checks is given. */

import { type Configuration, fixturesUrl } from '../deployment/configuration/configuration.ts'
import type { SignIns } from '../deployment/credentials/sign-ins.ts'
import { withoutUndefined } from '../schemas/without-undefined.ts'

/** Which checks to judge; empty lists select everything. The others are reported as not tested. */
export interface Selection {
  /** Operation ids. */
  readonly operations: readonly string[]
  /** Globs over requirement and check ids. */
  readonly requirements: readonly string[]
}

export const everything: Selection = { operations: [], requirements: [] }

export interface RunInput {
  readonly configuration: Configuration
  /** Those of the command, so that a login that it refused once is not tried again; absent: the run has its own. */
  readonly signIns?: SignIns
  /** Where fixtures are handed out over HTTP; absent: nowhere. */
  readonly fixturesUrl?: string
  /** Marks what the run makes on the target. */
  readonly runId: string
  /** The file in which everything is noted that the run is given and does; absent: nowhere. */
  readonly journal?: string
  /** When the run began, in ms since 1970; absent: when its session did. */
  readonly began?: number
  readonly selection: Selection
  /** Requests that the run may be expected to send; absent: not known. */
  readonly requests?: number
  /** How many workspaces the run announced that it adds at most; absent: any number. */
  readonly mostWorkspaces?: number
  /** A replay: only this case of the generated ones, as `failure.path` of a result names it. */
  readonly onlyCase?: string
  /** The command line that a finding is shown again with; ` --requirement ID` is appended to it. */
  readonly replayCommand: string
}

/** The input of a run of everything, with the fixtures that the configuration names; `others` go over it. */
export function inputOf(
  configuration: Configuration,
  runId: string,
  others: Partial<RunInput> = {},
): RunInput {
  return withoutUndefined({
    ...{ configuration, runId, selection: everything, replayCommand: 'portal-conformance run' },
    fixturesUrl: fixturesUrl(configuration),
    ...others,
  })
}
