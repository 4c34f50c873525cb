/** `run --dry-run`: what a run would judge on a target, and what not. Sends nothing. */
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { createRedactor } from '../../deployment/redaction/redaction.ts'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import { byKey } from '../../reporters/grouping.ts'
import { type Item, type Node, outcomeOf, type Section, textOf } from '../../reporters/nodes.ts'
import { additions } from '../../reporters/report/parts.ts'
import { onTerminal } from '../../reporters/terminal/paint.ts'
import { pageFor } from '../../reporters/terminal/sheet.ts'
import { titleOf } from '../../reporters/wording.ts'
import { isSelected, type PlannedCheck, planChecks } from '../../runner/plan.ts'
import { requirementOf, requirements } from '../../specs/requirements.ts'
import { declaredChecks } from '../../suites/declared-checks.ts'
import { refuseEmptySelection } from '../arguments/selection.ts'
import { onTarget } from '../arguments/target-options.ts'
import { withoutUsedFixtures } from '../cleanup/run-journal.ts'
import { needLines } from '../doctor/fixture-needs.ts'
import { type Forecast, forecastOf, whatIsRemoved } from '../doctor/forecast.ts'
import { roughly } from '../doctor/run-estimate.ts'
import type { CommandContext } from '../process/command-context.ts'
import type { RunOptions } from './conduct-run.ts'

/**
 * Prints for each operation the checks that a run would make, and the others with the reason. Then how many fixtures the
 * run needs, how long it takes, and what to add to the configuration. Needs no credential.
 */
export async function dryRun(options: RunOptions, commandContext: CommandContext): Promise<ExitCode> {
  const { stdout, environment } = commandContext
  return onTarget({ ...options, nothingIsSent: true }, commandContext, async (target) => {
    const configuration = withoutUsedFixtures(target.configuration, options.out)
    const selection = { operations: options.operation ?? [], requirements: options.requirement ?? [] }
    const definitions = await declaredChecks()
    refuseEmptySelection(selection, definitions)
    const selected = new Set(definitions.filter((each) => isSelected(each, selection)).map(({ id }) => id))
    const planned = planChecks(await declaredChecks(), configuration, selection).filter(({ id }) =>
      selected.has(id),
    )
    const forecast = forecastOf(planned, configuration)
    const hide = createRedactor(configuration).text
    stdout.write(onTerminal(preview(planned, forecast, configuration, hide), pageFor(stdout, environment)))
    return exitCodes.conformant
  })
}

type Hide = (text: string) => string

function* preview(
  planned: readonly PlannedCheck[],
  forecast: Forecast,
  configuration: Configuration,
  hide: Hide,
): Generator<Node> {
  const { add, deletion, judged, isShort } = forecast
  yield textOf(`What a run would judge on ${hide(configuration.target.baseUrl)}; nothing was sent.`)
  yield* planOf(planned, hide)
  yield* madeByRun(forecast, configuration)
  yield* needsOf(forecast, configuration)
  yield* lengthOf(forecast, configuration)
  yield* additions(add)
  if (deletion !== undefined) yield { kind: 'notice', title: '!', text: deletion, look: 'warned' }
  const about = isShort ? `At most ${judged}` : `${judged}`
  yield { kind: 'section', title: `${about} of ${planned.length} checks would be judged.`, blocks: [] }
}

/** A part with a line for each text. */
const part = (title: string, texts: readonly string[], ...below: readonly Node[]): Section => ({
  kind: 'section',
  title,
  blocks: [...texts.map((text) => textOf(text)), ...below],
})

function* planOf(planned: readonly PlannedCheck[], hide: Hide): Generator<Section> {
  const bySubject = byKey(planned, ({ requirement }) => requirementOf(requirement).operation)
  for (const subject of new Set(requirements.map(({ operation }) => operation))) {
    const checks = bySubject.get(subject)
    if (checks === undefined) continue
    const judged = checks.filter(({ without }) => without === undefined)
    yield part(
      `${titleOf(subject)}: ${judged.length} of ${checks.length} checks`,
      judged.map(({ id }) => id),
      { kind: 'list', items: reasonsOf(checks, hide) },
    )
  }
}

function reasonsOf(checks: readonly PlannedCheck[], hide: Hide): Item[] {
  const unjudged = checks.flatMap(({ id, without }) => (without === undefined ? [] : [{ id, ...without }]))
  return [...byKey(unjudged, (each) => each.reason)].map(([reason, several]) => {
    const [{ outcome }] = several as [(typeof several)[number]]
    const ids = several.map(({ id }) => id).join(', ')
    return { label: [outcomeOf(outcome), ':'], text: hide(reason), below: [ids] }
  })
}

function* madeByRun({ made }: Forecast, { administration }: Configuration): Generator<Section> {
  if (made === undefined || administration === undefined) return
  const removed = administration.permitted ? [whatIsRemoved(administration)] : []
  yield part('What the run makes itself', [...made, ...removed])
}

/** How many fixtures are needed, and what happens if there are fewer. */
function* needsOf({ needs, added }: Forecast, { run }: Configuration): Generator<Node> {
  const below = added === undefined ? [] : [added]
  if (needs.length > 0) yield part(`Fixtures with --runs ${run.runs}`, [...needLines(needs), ...below])
  else yield* below.map((text) => textOf(text))
}

/** Most targets answer within these times, in milliseconds. */
const [near, far] = [20, 250] as const

function* lengthOf(
  { requests, durationMs }: Forecast,
  { administration }: Configuration,
): Generator<Section> {
  if (requests === 0) return
  const lasting = (latencyMs: number) => roughly(durationMs(latencyMs))
  const further = administration?.permitted === true ? ', and those that make and remove fixtures' : ''
  yield part('Length of a run', [
    `About ${requests} requests${further}: ${lasting(near)} where an answer takes ${near} ms, ${lasting(far)} where it takes ${far} ms. \
An estimate; doctor measures.`,
  ])
}
