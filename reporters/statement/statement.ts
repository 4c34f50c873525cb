/** The statement of conformance: what was tested, what was not and why, and how to repeat it. */
import { isGating, type Outcome, outcomes } from '../../specs/outcomes.ts'
import { waiverSentence } from '../finding-text.ts'
import { byKey } from '../grouping.ts'
import { inMarkdown } from '../markdown/paint.ts'
import {
  codeOf,
  firstOf,
  type Inline,
  type Item,
  idOf,
  listOf,
  looking,
  type Node,
  namesOf,
  outcomeOf,
  type Section,
  sectionOf,
  textOf,
} from '../nodes.ts'
import { observed } from '../report/parts.ts'
import type { ReportedCheck, RequirementResult, Results } from '../results.ts'
import { coverageSentence, coveredBy, uncheckedTls } from '../verdict.ts'
import { capitalised, outcomeWords } from '../wording.ts'
import {
  type ClassConformance,
  type ClassStatus,
  classConformances,
  overallStatus,
} from './class-conformance.ts'

/** What accompanies the statement. */
interface StatementContext {
  /** The command line that makes the same run again. */
  readonly command: string
  /** Names of the files beside the statement. */
  readonly files: readonly string[]
}

/** The statement in pieces. */
export function* statement(results: Results, context: StatementContext): Generator<string> {
  yield '# Statement of conformance\n\n![Verdict of the run](badge.svg)\n\n'
  yield* inMarkdown(nodes(results, context), Number.MAX_SAFE_INTEGER)
}

function* nodes(results: Results, { command, files }: StatementContext): Generator<Node> {
  const classes = classConformances(results)
  yield* head(results)
  yield* summary(results, classes)
  yield classTable(classes)
  for (const each of classes) yield classSection(each)
  yield* observed(results)
  yield repeating(results, command)
  yield sectionOf('Files', [
    listOf(files.map((file) => ({ text: codeOf(file) }))),
    textOf([codeOf('sha256sum -c SHA256SUMS'), ' in this folder checks that they are unchanged.']),
  ])
}

function* head({ suite, target, run }: Results): Generator<Node> {
  const release = target.version === undefined ? 'release not stated' : `release ${target.version}`
  const edition = target.edition === undefined ? 'edition not stated' : `${target.edition} edition`
  const profile = target.profile === 'none' ? 'no profile' : `profile ${target.profile}`
  yield textOf(['Judged: ', codeOf(target.baseUrl), ` (${release}, ${edition}, ${profile}).`])
  const insecure = uncheckedTls({ target })
  if (insecure !== undefined) yield textOf(insecure, 'strong')
  yield textOf([
    `By: portal-conformance ${suite.version}, run `,
    codeOf(run.id),
    `, begun ${run.startedAt}, ${run.requests} requests, seed ${run.seed}, ${run.runs} cases of each generated check.`,
  ])
}

const statuses: readonly ClassStatus[] = ['conformant', 'non-conformant', 'not shown', 'not applicable']

function* summary(results: Results, classes: readonly ClassConformance[]): Generator<Node> {
  const coverage = coveredBy(results)
  const titles = (wanted: ClassStatus) =>
    classes.filter(({ status }) => status === wanted).map((each) => each.class.title)
  const sentences = {
    conformant: 'The run shows conformance to every class that applies',
    'non-conformant': 'The deployment does not conform',
    'not shown': 'The run does not show conformance to every class that applies',
  }
  const lists = statuses
    .filter((status) => titles(status).length > 0)
    .map((status) => `${status}: ${titles(status).join(', ')}`)
  const overall = looking('strong', `${sentences[overallStatus(results, classes)]}.`)
  yield textOf([overall, ` ${capitalised(lists.join('; '))}.`])
  if (coverage !== undefined) yield textOf(coverageSentence(coverage), 'strong')
}

const columns: readonly Outcome[] = [
  'passed',
  ...outcomes.filter((each) => !['passed', 'warned'].includes(each)),
]

function classTable(classes: readonly ClassConformance[]): Section {
  const rows = classes.map(({ class: each, status, requirements }): Inline[] => [
    each.title,
    looking('strong', status),
    ...columns.map((outcome) => String(countOf(requirements, outcome))),
  ])
  const heads = ['Class', 'Statement', ...columns.map((each) => outcomeWords[each].word)]
  const lead =
    'Must and implied requirements by outcome; rules that all operations share count in each class. Advice and rules of a profile are no part of conformance.'
  return sectionOf('Classes', [textOf(lead), { kind: 'table', label: 'Classes', heads, rows }])
}

const countOf = (requirements: readonly RequirementResult[], outcome: Outcome): number =>
  requirements.filter((each) => isGating(each.level) && each.outcome === outcome).length

function repeating({ run }: Results, command: string): Section {
  const which =
    run.options === undefined
      ? ' The results do not say which configuration was used: put it in place of FILE.'
      : ''
  const text = `The same seed makes the same requests. The configuration file that the command names is not part of this folder, and credentials come from the environment.${which}`
  return sectionOf('How to repeat it', [{ kind: 'code', text: command }, textOf(text)])
}

const unjudged: readonly Outcome[] = ['inconclusive', 'not-tested', 'not-applicable']

function classSection({ class: { title, text }, status, reasons, requirements }: ClassConformance): Section {
  const why = `Why it is ${status === 'not shown' ? 'not called conformant' : status}:`
  const shortened = requirements.filter(({ outcome, reason }) => outcome === 'passed' && reason !== undefined)
  return sectionOf(`${title}: ${status}`, [
    textOf(text),
    ...(reasons.length === 0 ? [] : [textOf(why), listOf(reasons.map((reason) => ({ text: reason })))]),
    requirementTable(requirements),
    ...findings('Failed', requirements, 'failed'),
    ...findings('Failed, and waived', requirements, 'waived'),
    ...findings('Advice not kept', requirements, 'warned'),
    ...unjudged.flatMap((outcome) =>
      reasonsFor(
        `${capitalised(outcomeWords[outcome].word)}, and why`,
        requirements.filter((each) => each.outcome === outcome),
      ),
    ),
    ...reasonsFor('Passed with fewer cases than requested', shortened),
  ])
}

function requirementTable(requirements: readonly RequirementResult[]): Node {
  const byOutcome = outcomes.flatMap((outcome) => requirements.filter((each) => each.outcome === outcome))
  return {
    kind: 'table',
    label: 'Requirements',
    heads: ['Requirement', 'What must hold', 'Level', '§', 'Outcome'],
    rows: byOutcome.map(({ id, text, level, section, outcome }) => [
      idOf(id),
      text,
      level,
      section,
      outcomeOf(outcome),
    ]),
  }
}

/** Above this, a requirement shows the number of its findings only. */
const mostFindings = 3

function findings(title: string, requirements: readonly RequirementResult[], outcome: Outcome): Section[] {
  const items = requirements.flatMap(({ id, level, checks }): Item[] => {
    const such = checks.filter((each) => each.outcome === outcome)
    if (such.length === 0) return []
    const rest = (left: number): Item => ({ text: `and ${left} more in results.json` })
    return [
      { text: [idOf(id), ` (${level})`], blocks: [listOf(firstOf(such.map(finding), mostFindings, rest))] },
    ]
  })
  return items.length === 0 ? [] : [sectionOf(title, [listOf(items)])]
}

function finding(check: ReportedCheck): Item {
  const { id, failure, reason } = check
  const waived = waiverSentence(check)
  return {
    text: [idOf(id), `: ${failure?.message ?? reason ?? ''}`],
    below: [
      ...(failure === undefined ? [] : [['came: ', codeOf(failure.actual)]]),
      ...(waived === undefined ? [] : [waived]),
    ],
  }
}

function reasonsFor(title: string, such: readonly RequirementResult[]): Section[] {
  if (such.length === 0) return []
  const reasons = byKey(such, (each) => each.reason ?? 'no reason given')
  const items = [...reasons].map(([reason, several]): Item => {
    const ids = several.map(({ id }) => idOf(id))
    return { text: [`${reason}: `, namesOf(ids, Number.POSITIVE_INFINITY)] }
  })
  return [sectionOf(title, [listOf(items)])]
}
