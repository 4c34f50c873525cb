/** `run --dry-run`: what a run would judge on a target, and what not. Sends nothing. */
import { createRedactor, withTexts } from '../../deployment/redaction/redaction.ts'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import { type Item, type Node, outcomeOf, type Section, textOf } from '../../reporters/nodes.ts'
import { additions } from '../../reporters/report/parts.ts'
import { onTerminal } from '../../reporters/terminal/paint.ts'
import { pageFor } from '../../reporters/terminal/sheet.ts'
import { titleOf } from '../../reporters/wording.ts'
import { isSelected, type PlannedCheck, planChecks } from '../../runner/plan.ts'
import { byKey } from '../../schemas/values.ts'
import { requirementOf, requirements } from '../../specs/requirements.ts'
import { declaredChecks } from '../../suites/declared-checks.ts'
import { refuseEmptySelection } from '../arguments/selection.ts'
import { onTarget } from '../arguments/target-options.ts'
import { withoutUsedFixtures } from '../cleanup/run-journal.ts'
import { type Examination, examination, sectionsOf } from '../doctor/examination.ts'
import type { CommandContext } from '../process/command-context.ts'
import { loadWaivers, today } from '../waivers/waiver.ts'
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
    if (options.waivers !== undefined)
      loadWaivers(options.waivers, {
        checks: definitions.map(({ id }) => id),
        baseUrl: configuration.target.baseUrl,
        today: today(),
      })
    const planned = planChecks(definitions, configuration, selection).filter((check) =>
      isSelected(check, selection),
    )
    const found = examination({ configuration, base: {} }, planned)
    const hide = createRedactor(configuration).text
    const document = preview(planned, withTexts(found, hide), hide)
    stdout.write(onTerminal(document, pageFor(stdout, environment)))
    return exitCodes.conformant
  })
}

function* preview(
  planned: readonly PlannedCheck[],
  found: Examination,
  hide: (text: string) => string,
): Generator<Node> {
  yield textOf(`What a run would judge on ${found.baseUrl}; nothing was sent.`)
  yield* planOf(planned, hide)
  yield* sectionsOf(found.parts.filter(({ title }) => title !== 'Target' && title !== 'Credentials'))
  yield* additions(found.add)
  const judged = planned.filter(({ without }) => without === undefined).length
  yield { kind: 'section', title: `${judged} of ${planned.length} checks would be judged.`, blocks: [] }
}

function* planOf(planned: readonly PlannedCheck[], hide: (text: string) => string): Generator<Section> {
  const bySubject = byKey(planned, ({ requirement }) => requirementOf(requirement).operation)
  for (const subject of new Set(requirements.map(({ operation }) => operation))) {
    const checks = bySubject.get(subject)
    if (checks === undefined) continue
    const judged = checks.filter(({ without }) => without === undefined)
    yield {
      kind: 'section',
      title: `${titleOf(subject)}: ${judged.length} of ${checks.length} checks`,
      blocks: [...judged.map(({ id }) => textOf(id)), { kind: 'list', items: reasonsOf(checks, hide) }],
    }
  }
}

function reasonsOf(checks: readonly PlannedCheck[], hide: (text: string) => string): Item[] {
  const unjudged = checks.flatMap(({ id, without }) => (without === undefined ? [] : [{ id, ...without }]))
  return [...byKey(unjudged, (each) => each.reason)].map(([reason, several]) => {
    const [{ outcome }] = several as [(typeof several)[number]]
    const ids = several.map(({ id }) => id).join(', ')
    return { label: [outcomeOf(outcome), ':'], text: hide(reason), below: [ids] }
  })
}
