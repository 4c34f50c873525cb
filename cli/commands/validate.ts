/** `validate`: judges recorded traffic. Nothing is sent. */
import { randomBytes } from 'node:crypto'
import { inUse, loadProfile } from '../../deployment/configuration/load-profile.ts'
import { buildResults } from '../../reporters/build-results.ts'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import type { Results } from '../../reporters/results.ts'
import {
  checkResults,
  type JudgedTraffic,
  judgeTraffic,
  trafficSummary,
} from '../../runner/traffic/judged-traffic.ts'
import { HarError, readRecordings } from '../../runner/traffic/recordings.ts'
import { type Declaring, type ReportsOptions, withReports } from '../arguments/option-values.ts'
import { asUsageError } from '../command-error.ts'
import { type CommandContext, say } from '../process/command-context.ts'
import { deliver } from '../run/deliver.ts'
import { forShell } from '../run/repeat-command.ts'

const help = `
Judges recorded exchanges of real clients and servers; sends nothing. It finds the base URL in the recording. What a
recording cannot show, such as who a caller was, is not tested. Requests that no conforming server needs to accept are
reported separately, as findings about the client. Every report hides the credentials of recordings.

--profile says what f=json means and which deviations are known, such as --profile arcgis. Without a profile, answers to
f=json that are not JSON are not judged.

Examples:
  portal-conformance validate recording.har
  portal-conformance validate recording.har --profile arcgis
  portal-conformance validate recordings/ --reporter terminal,json,html --out judged

Exit codes:
  0  nothing in the recordings breaks the contract (a recording never shows all of it)
  1  a requirement failed, or a client broke the contract
  2  usage error, or a recording cannot be read
  3  the recordings have none of the operations, or no answer that could be judged
  4  the reports could not be written`

export function declare({ command, does }: Declaring): void {
  const declared = command(help)
    .argument('<HAR...>', 'recordings, or folders of files that end in .har')
    .option('--profile <NAME>', 'what is known of the deployment: a built-in profile or a file', 'none')
  withReports(declared).action(does(validate))
}

/** Throws a CommandError if a recording cannot be read. */
async function validate(
  paths: readonly string[],
  { out, reporter, profile: name }: ReportsOptions & { readonly profile: string },
  commandContext: CommandContext,
): Promise<ExitCode> {
  const known = loadProfile(name, process.cwd())
  const profile = known && inUse(known)
  const [startedAt, began] = [new Date(), performance.now()]
  const recordings = await readRecordings(paths).catch(asUsageError(HarError))
  const judged = judgeTraffic(recordings.exchanges, profile)
  const writing = {
    redactor: recordings.secrets.redactor(),
    repeat: repeatOf(paths, name),
    profile,
  }
  const traffic = trafficSummary(judged, recordings, writing)
  const results = buildResults({
    checks: checkResults(judged, writing),
    planned: [],
    run: {
      id: `pc-${randomBytes(4).toString('hex')}`,
      startedAt: startedAt.toISOString(),
      durationMs: Math.round(performance.now() - began),
      seed: 0,
      runs: 0,
      traffic,
    },
    target: { baseUrl: traffic.baseUrls[0]?.url ?? 'none found', profile: profile?.name ?? 'none' },
    errors: [],
    interrupted: false,
  })
  const nothing = nothingJudged(judged)
  const ending = { code: exitCodeFor(results, nothing !== undefined) }
  const code = await deliver(results, { out, reporters: reporter, ending }, commandContext)
  if (nothing !== undefined) say(commandContext.stderr, nothing)
  return code
}

/** The command that judges the recordings again. */
const repeatOf = (paths: readonly string[], profile: string): string =>
  [
    ...['portal-conformance', 'validate', ...paths.map(forShell)],
    ...(profile === 'none' ? [] : ['--profile', forShell(profile)]),
  ].join(' ')

/** A recording never shows all of the contract, so an incomplete verdict is 0. */
function exitCodeFor({ verdict, run }: Results, nothing: boolean): ExitCode {
  const ofClient = run.traffic?.client.some(({ level }) => level === 'finding') ?? false
  if (verdict === 'non-conformant' || ofClient) return exitCodes.nonConformant
  return nothing ? exitCodes.incomplete : exitCodes.conformant
}

function nothingJudged({ exchanges, unjudged }: JudgedTraffic): string | undefined {
  if (exchanges.some(({ answer }) => answer !== undefined)) return undefined
  if (exchanges.length === 0) return 'Nothing was judged: none of the seven operations is in the recordings.'
  const reasons = [...unjudged].map(([reason, count]) => `${reason} (${count})`).join('; ')
  return `Nothing was judged: none of ${exchanges.length} exchanges has an answer that can be judged: ${reasons}.`
}
