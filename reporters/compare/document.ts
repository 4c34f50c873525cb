/** A comparison as a document: the sides, the differences, and the result. */
import type { Compared, ComparedRequirement, Comparison, Side } from '../../schemas/types/comparison.ts'
import type { Outcome } from '../../specs/outcomes.ts'
import { byKey } from '../grouping.ts'
import { page } from '../html/markup.ts'
import { inHtml } from '../html/paint.ts'
import { inMarkdown } from '../markdown/paint.ts'
import {
  type Cell,
  type Conclusion,
  firstOf,
  type Inline,
  type Item,
  looking,
  type Node,
  namesOf,
  outcomeOf,
  type Row,
  type Section,
  textOf,
} from '../nodes.ts'
import { onTerminal } from '../terminal/paint.ts'
import type { Page } from '../terminal/sheet.ts'
import { coverageSentence } from '../verdict.ts'
import { countOf, targetWords, titleOf, verdictLooks } from '../wording.ts'
import {
  bareLabel,
  byOperation,
  byVerdict,
  changedBeneath,
  changes,
  changeWords,
  comparisonSentence,
  differing,
  differingPoints,
  type Group,
  type HeatRow,
  hasOneOutcome,
  heatOf,
  isBad,
  mostColumns,
  sectionsOf,
  sharesOf,
  signedChange,
  signedOutcome,
  verdictText,
} from './comparison.ts'

/** How many entries each part shows. */
interface Extent {
  /** For many targets: differing requirements, and notes. */
  readonly differing: number
  readonly notes: number
  /** Names of targets on one line. */
  readonly names: number
  /** Targets by operation, and answers to open points. */
  readonly tables: boolean
  /** The sentence of each requirement that changed. */
  readonly sentences: boolean
}

const onScreen: Extent = { differing: 10, notes: 3, names: 5, tables: false, sentences: false }
const inSummary: Extent = { differing: 500, notes: 20, names: 12, tables: true, sentences: false }
const onPage: Extent = {
  differing: Number.POSITIVE_INFINITY,
  notes: 100,
  names: 100,
  tables: true,
  sentences: true,
}

interface ComparisonPage extends Page {
  /** Targets by requirements, instead of changes from one side to the other. */
  readonly asMatrix: boolean
}

/** The whole comparison for a terminal, with the result last. */
export function comparisonOnTerminal(
  comparison: Comparison,
  { asMatrix, ...screen }: ComparisonPage,
): string {
  return onTerminal([...parts(comparison, asMatrix, onScreen), conclusion(comparison)], screen)
}

/** In bytes. GitHub does not show a longer summary, and other tools of the step need room too. */
const mostBytes = 900_000

const title = ({ sides }: Comparison): string => `Comparison of ${sides.length} results`

/** The comparison in Markdown, for a CI step or a pull request. */
export function* comparisonMarkdown(comparison: Comparison, asMatrix: boolean): Generator<string> {
  yield `## ${title(comparison)}\n\n`
  yield* inMarkdown([conclusion(comparison), ...parts(comparison, asMatrix, inSummary)], mostBytes)
}

/** The comparison as a page. */
export function* comparisonHtml(comparison: Comparison, asMatrix: boolean): Generator<string> {
  const content = inHtml([conclusion(comparison), ...parts(comparison, asMatrix, onPage)])
  const foot = 'Written by portal-conformance. The compared results hold everything that was measured.'
  yield* page({ title: title(comparison), heading: title(comparison), content, foot })
}

function conclusion(comparison: Comparison): Conclusion {
  const look = isBad(comparison) ? 'failed' : 'passed'
  return { kind: 'conclusion', look, text: comparisonSentence(comparison) }
}

function* parts(comparison: Comparison, asMatrix: boolean, extent: Extent): Generator<Node> {
  if (asMatrix && comparison.sides.length > mostColumns) {
    yield* verdicts(comparison, extent)
    if (extent.tables) yield* heat(comparison)
    yield shares(comparison, extent)
    yield* answersOfMany(comparison, extent)
    return
  }
  yield* sides(comparison)
  if (asMatrix && extent.tables) yield* heat(comparison)
  yield* asMatrix ? matrix(comparison) : changed(comparison, extent)
  yield* beneath(comparison)
  yield* openPoints(comparison)
  yield asMatrix ? totals(comparison) : counts(comparison)
}

const notesOf = (notes: readonly string[], most: number): Node[] =>
  firstOf(notes, most, (left) => `and ${countOf(left, 'more note')}`).map((text) => ({
    kind: 'notice',
    title: 'Note:',
    text,
    look: 'warned',
  }))

/** The name of a side, linked to its report. */
function nameOf(side: Side): Inline {
  const name = bareLabel(side)
  if (side.report === undefined) return name
  const to = side.report.split(/[\\/]/).map(encodeURIComponent).join('/')
  return { kind: 'link', to, text: name }
}

const lookOfVerdict = ({ verdict, judged }: Side): Outcome =>
  judged === false ? 'inconclusive' : verdictLooks[verdict]

function* sides({ sides: several, notes }: Comparison): Generator<Node> {
  const rows = several.map((side): (Inline | Cell)[] => {
    const { key, label, file, target, suiteVersion, run, coverage } = side
    const address = label === target.baseUrl ? '' : `${target.baseUrl}, `
    const covers = coverage === undefined ? [] : [looking('quiet', coverageSentence(coverage))]
    return [
      [looking('strong', key), ' ', side.report === undefined ? label : nameOf(side)],
      { text: { kind: 'lines', lines: [verdictText(side), ...covers] }, look: lookOfVerdict(side) },
      `${address}${targetWords(target)}`,
      {
        kind: 'lines',
        lines: [
          `${run.startedAt}, suite ${suiteVersion}, seed ${run.seed}, ${run.runs} cases of each generated check`,
          looking('quiet', `${run.id}, ${file}`),
        ],
      },
    ]
  })
  yield {
    kind: 'table',
    label: 'What is compared',
    heads: ['results', 'verdict', 'target', 'run'],
    rows,
  }
  yield* notesOf(notes, Number.POSITIVE_INFINITY)
}

const lookOf = (outcome: Outcome | null): Outcome => outcome ?? 'not-applicable'

const cellOf = (outcome: Outcome | null): Cell => ({ text: signedOutcome(outcome), look: lookOf(outcome) })

function* changed(comparison: Comparison, { sentences }: Extent): Generator<Section> {
  for (const { change, groups, count } of sectionsOf(comparison)) {
    const items = groups.map((group): Item => {
      const { outcomes, reason, members } = group
      const went = [outcomes.map(signedOutcome).join(' → '), reason].filter(Boolean).join(': ')
      return {
        label: signedChange(change),
        look: changeWords[change].look,
        text: namesOf(
          members.map(({ id }) => id),
          mostNames,
        ),
        below: [went],
        blocks: sentences ? sentencesOf(group) : [],
        count: members.length,
      }
    })
    yield {
      kind: 'section',
      title: `${changeWords[change].title} (${count})`,
      of: `requirements that are ${changeWords[change].word}`,
      blocks: [{ kind: 'list', items }],
    }
  }
}

/** Further ones are only counted. */
const mostNames = 40

const sentencesOf = ({ members }: Group): Node[] => [
  {
    kind: 'fold',
    summary: members.length === 1 ? 'What must hold' : `What must hold, of all ${members.length}`,
    blocks: [
      {
        kind: 'facts',
        rows: members.map(({ id, section, text }) => ({ label: id, text: `§${section} ${text}` })),
      },
    ],
  },
]

function counts({ counts: several, requirements }: Comparison): Section {
  const rows = changes
    .filter((change) => (several[0]?.[change] ?? 0) > 0)
    .map(
      (change): Row => ({
        label: [signedChange(change)],
        look: changeWords[change].look,
        text: String(several[0]?.[change]),
      }),
    )
  return {
    kind: 'section',
    title: `Summary of ${requirements.length} requirements`,
    blocks: [{ kind: 'facts', short: true, rows }],
  }
}

/** The verdicts of many targets. */
function* verdicts(comparison: Comparison, extent: Extent): Generator<Node> {
  const rows = byVerdict(comparison).map(
    ({ verdict, text, sides: several }): Row => ({
      label: `${several.length} ${text}`,
      look: verdict === 'not judged' ? 'inconclusive' : verdictLooks[verdict],
      text: namesOf(several.map(bareLabel), extent.names),
    }),
  )
  yield { kind: 'section', title: `${comparison.sides.length} targets`, blocks: [{ kind: 'facts', rows }] }
  const shown = extent.tables ? comparison.notes : comparison.notes.map(shortened)
  yield* notesOf(shown, extent.notes)
}

/** Notes name all their targets. */
const shortened = (text: string): string => (text.length > 160 ? `${text.slice(0, 160)}…` : text)

/** More targets than this with equal outcomes share one row. */
const mostEqualRows = 12

/** Targets by operations. Those with the most frequent outcomes are folded. */
function* heat(comparison: Comparison): Generator<Section> {
  const { subjects, rows } = failingFirst(heatOf(comparison))
  const groups = [
    ...byKey(rows, ({ heats }) =>
      JSON.stringify(heats.map(({ outcome, count }) => [outcome, count])),
    ).values(),
  ]
  const usual = groups.reduce((one, other) => (other.length > one.length ? other : one))
  const alike = usual.length > mostEqualRows ? usual : []
  const shown = groups.filter((several) => several !== alike).flat()
  const heads = ['target', ...subjects.map((subject) => titleOf(subject))]
  const tableOf = (label: string, several: readonly HeatRow[]): Node => ({
    kind: 'table',
    ...{ label, heads, rows: several.map(heatRow), tinted: true },
  })
  const folded: Node[] = [
    {
      kind: 'fold',
      summary: `${alike.length} targets with the same outcomes`,
      blocks: [
        tableOf('Targets that are alike', alike.slice(0, 1)),
        textOf(alike.map(({ side }) => side.label).join(', ')),
      ],
    },
  ]
  yield {
    kind: 'section',
    title: 'Targets by operation',
    id: 'heat',
    blocks: [
      textOf('Each cell shows the worst outcome of its requirements, and how many have it.', 'quiet'),
      ...(shown.length > 0 ? [tableOf('Targets by operation', shown)] : []),
      ...(alike.length > 0 ? folded : []),
    ],
  }
}

/** The targets and operations with the most failures come first, so that they are visible without scrolling. */
function failingFirst({ subjects, rows }: ReturnType<typeof heatOf>): ReturnType<typeof heatOf> {
  const isFailing = ({ outcome }: HeatRow['heats'][number]): number => Number(outcome === 'failed')
  const failures = subjects.map((_, at) =>
    rows.reduce((sum, { heats }) => sum + isFailing(heats[at] as HeatRow['heats'][number]), 0),
  )
  const order = subjects
    .map((_, at) => at)
    .sort((one, other) => (failures[other] ?? 0) - (failures[one] ?? 0))
  const countIn = ({ heats }: HeatRow): number => heats.reduce((sum, heat) => sum + isFailing(heat), 0)
  return {
    subjects: order.map((at) => subjects[at] as (typeof subjects)[number]),
    rows: rows
      .map(({ side, heats }) => ({ side, heats: order.map((at) => heats[at] as (typeof heats)[number]) }))
      .sort((one, other) => countIn(other) - countIn(one)),
  }
}

function heatRow({ heats, side }: HeatRow): (Inline | Cell)[] {
  return [
    [nameOf(side), ' ', looking('quiet', verdictText(side))],
    ...heats.map(({ outcome, count, of }) =>
      outcome === null ? '' : { text: outcomeOf(outcome, count < of ? ` ${count}` : ''), look: outcome },
    ),
  ]
}

/** The outcomes of many targets, if they differ. */
function shares(comparison: Comparison, extent: Extent): Section {
  const unlike = differing(comparison)
  const items = unlike.map((requirement): Item => {
    const { id, section, text } = requirement
    const lines = sharesOf(requirement, comparison).map(
      ({ outcome, labels }): Inline => [
        looking(lookOf(outcome), signedOutcome(outcome)),
        labels.length > comparison.sides.length / 2
          ? `: ${labels.length} targets`
          : [': ', namesOf(labels, extent.names)],
      ],
    )
    const sentence = extent.sentences ? [looking('quiet', `§${section} ${text}`)] : []
    return { label: `${id}:`, text: { kind: 'lines', lines: [...sentence, ...lines] } }
  })
  const rest = (left: number): Item => ({ text: `and ${left} more: the page of the matrix has all` })
  return {
    kind: 'section',
    title: `Requirements that differ (${unlike.length})`,
    id: 'requirements',
    of: 'requirements that differ',
    blocks: [{ kind: 'list', items: firstOf(items, extent.differing, rest) }],
  }
}

const openPointTitle = 'Different on an open point of the contract: none of it is wrong'

/** Open points of many targets: each answer with its targets. */
function* answersOfMany(comparison: Comparison, { tables }: Extent): Generator<Section> {
  const points = differingPoints(comparison)
  if (points.length === 0) return
  const folds = points.map(({ question, operations, observed }): Node => {
    const answers = byKey(
      comparison.sides.flatMap(({ label, judged }, at) =>
        judged === false ? [] : [{ label, answer: (observed[at] ?? []).join('; ') }],
      ),
      ({ answer }) => answer,
    )
    const items = [...answers].map(([answer, several]) => ({
      text: [`${answer === '' ? 'not observed' : answer}: `, namesOf(several.map(({ label }) => label))],
    }))
    return {
      kind: 'fold',
      summary: [`${question} `, looking('quiet', `${operations.join(', ')}: ${answers.size} answers`)],
      blocks: [{ kind: 'list', items }],
    }
  })
  const count = countOf(points.length, 'open point differs', 'open points differ')
  const blocks = tables ? folds : [textOf(`${count}: the page of the matrix has all`)]
  yield { kind: 'section', title: openPointTitle, of: 'open points', blocks }
}

/** Requirements with different outcomes, by operation, and the number of the others. */
function* matrix(comparison: Comparison): Generator<Section> {
  const heads = ['requirement', ...comparison.sides.map(({ key }) => key)]
  for (const [operation, requirements] of byOperation(comparison)) {
    const label = titleOf(operation)
    const unlike = requirements.filter((each) => !hasOneOutcome(each))
    const rows = unlike.map((each) => [each.id, ...each.outcomes.map(cellOf)])
    yield {
      kind: 'section',
      title: label,
      aside: `${countOf(requirements.length, 'requirement')}, ${unlike.length === 0 ? 'all alike' : countOf(unlike.length, 'differs', 'differ')}`,
      of: 'requirements',
      blocks: [
        ...(unlike.length === 0 ? [] : [{ kind: 'table', label, heads, rows } as const]),
        ...uniform(requirements.filter(hasOneOutcome)),
      ],
    }
  }
}

const ordinary: readonly (Outcome | null)[] = ['passed', 'not-applicable', 'not-tested']

/** Equal outcomes take one line. The names are visible unless all passed. */
function uniform(requirements: readonly ComparedRequirement[]): Node[] {
  return [...byKey(requirements, ({ outcomes }) => outcomes[0] ?? null)].map(([outcome, several]) => ({
    kind: 'fold',
    summary: [
      looking(lookOf(outcome), `${signedOutcome(outcome)} on all:`),
      ` ${countOf(several.length, 'requirement')}`,
    ],
    open: !ordinary.includes(outcome),
    blocks: [textOf(several.map(({ id }) => id).join(', '))],
  }))
}

function totals({ sides: several, lost }: Comparison): Section {
  const rows = several.map((side): Row => {
    const counted = Object.entries(side.totals)
      .filter(([, count]) => count > 0)
      .map(([outcome, count]) => `${signedOutcome(outcome as Outcome)} ${count}`)
    return { label: side.key, text: `${side.label}: ${verdictText(side)}; ${counted.join(', ')}` }
  })
  const lostRow = {
    label: `Passed on ${several[0]?.key}, not on every other`,
    look: 'failed',
    text: namesOf(lost, mostNames),
  } as const
  return {
    kind: 'section',
    title: 'Summary',
    blocks: [{ kind: 'facts', rows: lost.length > 0 ? [...rows, lostRow] : rows }],
  }
}

/** Changed checks of unchanged requirements, muted unless one passed before. */
function* beneath(comparison: Comparison): Generator<Section> {
  const checks = changedBeneath(comparison)
  if (checks.length === 0) return
  const items = checks.map(
    ({ check, lost }): Item => ({
      ...(lost ? { label: signedChange('broken'), look: 'failed' } : { look: 'quiet' }),
      text: `${check.id}: ${wentOf(check)}`,
    }),
  )
  yield {
    kind: 'section',
    title: `Changed checks of unchanged requirements (${checks.length})`,
    of: 'changed checks',
    blocks: [{ kind: 'list', items: firstOf(items, mostChecks, (left) => ({ text: `and ${left} more` })) }],
  }
}

const mostChecks = 200

const wentOf = ({ outcomes, reasons }: Compared): string =>
  [outcomes.map(signedOutcome).join(' → '), reasons.at(-1)].filter(Boolean).join(': ')

function* openPoints(comparison: Comparison): Generator<Section> {
  const points = differingPoints(comparison)
  if (points.length === 0) return
  const rows = points.map(({ question, operations, observed }): Inline[] => [
    question,
    operations.join(', '),
    ...observed.map(
      (values): Inline => (values.length === 0 ? 'not observed' : { kind: 'lines', lines: values }),
    ),
  ])
  const heads = ['open point', 'operations', ...comparison.sides.map(({ key }) => key)]
  yield {
    kind: 'section',
    title: openPointTitle,
    of: 'open points',
    blocks: [{ kind: 'table', label: openPointTitle, heads, rows }],
  }
}
