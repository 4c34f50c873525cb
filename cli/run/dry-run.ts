/** `run --dry-run`: what a run would judge on a target and what not, without sending anything. */
import type { Needs } from '../../deployment/administration/announcement.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { createRedactor } from '../../deployment/redaction/redaction.ts'
import { byKey } from '../../reporters/alike.ts'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import { writeAdditions } from '../../reporters/terminal/report.ts'
import { formatOf, pageFor, Sheet } from '../../reporters/terminal/sheet.ts'
import { signed, titleOf } from '../../reporters/wording.ts'
import { isSelected } from '../../runner/applicability.ts'
import { type PlannedCheck, planChecks } from '../../runner/plan.ts'
import { durationOfRun } from '../../runner/run-time.ts'
import { whatToAdd } from '../../runner/what-to-add.ts'
import { requirementOf, requirements } from '../../specs/requirements.ts'
import { declaredChecks } from '../../suites/declared-checks.ts'
import { refuseEmptySelection } from '../arguments/selection.ts'
import { onTarget } from '../arguments/target-options.ts'
import {
  addedToListed,
  deletionOfListed,
  type FixtureNeed,
  fixtureNeeds,
  needLines,
  requestsOfRun,
  roughly,
  untestedFor,
} from '../doctor/run-estimate.ts'
import { durationOfMaking, needsOfRun, whatIsMade, whatIsRemoved } from '../doctor/what-is-made.ts'
import { withoutUsedFixtures } from '../fixtures/used-fixtures.ts'
import type { Surroundings } from '../process/surroundings.ts'
import type { RunOptions } from './conduct-run.ts'

/**
 * Prints, for each operation, the checks that a run would make, and those that it would not, with the reason; how many
 * fixtures it needs, how long it would take, and what to add to the configuration. Needs no credential.
 */
export async function dryRun(options: RunOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { stdout, environment } = surroundings
  return onTarget({ ...options, nothingIsSent: true }, environment, async (target) => {
    const configuration = withoutUsedFixtures(target.configuration, options.out)
    const selection = { operations: options.operation ?? [], requirements: options.requirement ?? [] }
    const definitions = (await declaredChecks()).map(({ definition }) => definition)
    refuseEmptySelection(selection, definitions)
    const selected = new Set(definitions.filter((each) => isSelected(each, selection)).map(({ id }) => id))
    const planned = planChecks(await declaredChecks(), configuration, selection).filter(({ id }) =>
      selected.has(id),
    )
    const sheet = new Sheet(pageFor(stdout, environment))
    const hide = createRedactor(configuration).text
    writePlan(sheet, planned, hide(configuration.target.baseUrl), hide)
    const needs = fixtureNeeds(planned, configuration)
    writeProfile(sheet, configuration.profile)
    const made = await needsOfRun(planned, configuration)
    writeMade(sheet, made, configuration)
    writeNeeds(sheet, needs, configuration)
    const added = addedToListed(planned, configuration)
    if (added !== undefined) sheet.text(2, added)
    writeLength(sheet, planned, made, configuration)
    writeAdditions(
      sheet,
      whatToAdd(planned.map(({ requirement, without }) => ({ requirement, add: without?.add }))),
    )
    writeDeletion(sheet, configuration)
    writeTotal(sheet, planned, needs)
    stdout.write(sheet.toString())
    return exitCodes.conformant
  })
}

function writePlan(
  sheet: Sheet,
  planned: readonly PlannedCheck[],
  baseUrl: string,
  hide: (text: string) => string,
): void {
  sheet.text(0, `What a run would judge on ${baseUrl}; nothing was sent.`)
  const bySubject = byKey(planned, ({ requirement }) => requirementOf(requirement).operation)
  for (const subject of new Set(requirements.map(({ operation }) => operation))) {
    const checks = bySubject.get(subject)
    if (checks === undefined) continue
    const judged = checks.filter(({ without }) => without === undefined)
    sheet.heading(`${titleOf(subject)}: ${judged.length} of ${checks.length} checks`)
    for (const { id } of judged) sheet.text(2, id)
    writeReasons(sheet, checks, hide)
  }
}

function writeMade(sheet: Sheet, made: Needs, configuration: Configuration): void {
  const { administration } = configuration
  if (administration === undefined) return
  sheet.heading('What the run makes itself')
  for (const line of whatIsMade(made, configuration)) sheet.text(2, line)
  if (administration.permitted) sheet.text(2, whatIsRemoved(administration))
}

/** How many fixtures are needed, and what happens where there are fewer. */
function writeNeeds(sheet: Sheet, needs: readonly FixtureNeed[], { run }: Configuration): void {
  if (needs.length === 0) return
  sheet.heading(`Fixtures with --runs ${run.runs}`)
  for (const line of needLines(needs)) sheet.text(2, line)
}

function writeTotal(sheet: Sheet, planned: readonly PlannedCheck[], needs: readonly FixtureNeed[]): void {
  const all = planned.filter(({ without }) => without === undefined).length
  const short = untestedFor(needs).size
  sheet.gap()
  const about = short === 0 ? `${all}` : `About ${all - short}`
  sheet.text(0, `${about} of ${planned.length} checks would be judged.`, 'bold')
}

function writeDeletion(sheet: Sheet, configuration: Configuration): void {
  const deletion = deletionOfListed(configuration)
  if (deletion === undefined) return
  sheet.gap()
  sheet.labelled(0, { text: '!', format: 'yellow' }, deletion)
}

/** Latencies that most targets are between, in milliseconds. */
const [near, far] = [20, 250] as const

function writeLength(
  sheet: Sheet,
  planned: readonly PlannedCheck[],
  made: Needs,
  configuration: Configuration,
): void {
  const requests = requestsOfRun(planned, configuration)
  if (requests === 0) return
  const lasting = (latencyMs: number) =>
    roughly(
      durationOfRun(requests, latencyMs, configuration) + durationOfMaking(made, latencyMs, configuration),
    )
  const further =
    configuration.administration?.permitted === true ? ', and those that make and remove fixtures' : ''
  sheet.heading('Length of a run')
  sheet.text(
    2,
    `About ${requests} requests${further}: ${lasting(near)} where an answer takes ${near} ms, ${lasting(far)} where it takes ${far} ms. \
An estimate; doctor measures.`,
  )
}

function writeReasons(sheet: Sheet, checks: readonly PlannedCheck[], hide: (text: string) => string): void {
  const unjudged = checks.flatMap(({ id, without }) => (without === undefined ? [] : [{ id, ...without }]))
  for (const [reason, several] of byKey(unjudged, (each) => each.reason)) {
    const [{ outcome }] = several as [(typeof several)[number]]
    sheet.labelled(2, { text: `${signed(outcome)}:`, format: formatOf(outcome) }, hide(reason))
    sheet.text(6, several.map(({ id }) => id).join(', '), 'dim')
  }
}

function writeProfile(sheet: Sheet, profile: Configuration['profile']): void {
  if (profile === undefined) return
  sheet.heading(`What the profile ${profile.name} says of open points`)
  for (const { point, effect, says, source } of profile.points) {
    sheet.labelled(2, { text: `${point} (${effect}):`, format: 'dim' }, says)
    sheet.text(6, source, 'dim')
  }
}
