/** A comparison as a document: of two sides what changed, of several targets a matrix. */
import type {
  Change,
  Compared,
  ComparedOpenPoint,
  ComparedRequirement,
  Comparison,
  Side,
} from '../../schemas/types/comparison.ts'
import { byKey } from '../../schemas/values.ts'
import { type Outcome, worst } from '../../specs/outcomes.ts'
import { page } from '../html/markup.ts'
import { inHtml } from '../html/paint.ts'
import { inMarkdown } from '../markdown/paint.ts'
import {
  type Cell,
  factsOf,
  type Inline,
  type Item,
  linkOf,
  listOf,
  looking,
  type Node,
  namesOf,
  outcomeOf,
  type Section,
  sectionOf,
  tableSection,
} from '../nodes.ts'
import { onTerminal } from '../terminal/paint.ts'
import type { Page } from '../terminal/sheet.ts'
import { coverageSentence } from '../verdict.ts'
import { capitalised, casesOf, countOf, targetWords, titleOf } from '../wording.ts'
import {
  changes,
  changeWords,
  comparisonSentence,
  lookOfVerdict,
  nounOf,
  signedChange,
  signedOutcome,
  verdictText,
} from './words.ts'

interface ComparisonPage extends Page {
  /** Targets by requirements, instead of changes from one side to the other. */
  readonly asMatrix: boolean
}

/** The whole comparison for a terminal, with the result last. */
export function comparisonOnTerminal(
  comparison: Comparison,
  { asMatrix, ...screen }: ComparisonPage,
): string {
  // The table of a matrix has a column for each operation.
  return onTerminal([...parts(comparison, asMatrix, false), conclusion(comparison, asMatrix)], screen)
}

/** In bytes. GitHub does not show a longer summary, and other tools of the step need room too. */
const mostBytes = 900_000

const title = ({ sides }: Comparison): string => `Comparison of ${sides.length} results`

const whole = (comparison: Comparison, asMatrix: boolean): Node[] => [
  conclusion(comparison, asMatrix),
  ...parts(comparison, asMatrix, true),
]

/** The comparison in Markdown, for a CI step or a pull request. */
export function* comparisonMarkdown(comparison: Comparison, asMatrix: boolean): Generator<string> {
  yield `## ${title(comparison)}\n\n`
  yield* inMarkdown(whole(comparison, asMatrix), mostBytes)
}

/** The comparison as a page. */
export function* comparisonHtml(comparison: Comparison, asMatrix: boolean): Generator<string> {
  const content = inHtml(whole(comparison, asMatrix))
  const foot = 'Written by portal-conformance. The compared results hold everything that was measured.'
  yield* page({ title: title(comparison), heading: title(comparison), content, foot })
}

function conclusion(comparison: Comparison, asMatrix: boolean): Node {
  const { sides, lost } = comparison
  const isBad = asMatrix && sides.some((side) => side.judged === false || side.verdict !== 'conformant')
  const look = isBad || lost.length > 0 ? 'failed' : 'passed'
  return { kind: 'conclusion', look, text: comparisonSentence(comparison, asMatrix) }
}

/** `wide`: the medium has room for wide tables, and for the sentences of requirements. */
function* parts(comparison: Comparison, asMatrix: boolean, wide: boolean): Generator<Node> {
  if (asMatrix) yield wide ? heat(comparison) : verdicts(comparison)
  else yield sides(comparison)
  for (const text of comparison.notes) yield { kind: 'notice', title: 'Note:', text, look: 'warned' }
  yield* asMatrix ? differing(comparison, wide) : changed(comparison, wide)
  yield* beneath(comparison, asMatrix)
  yield* openPoints(comparison)
}

function sides({ sides: several }: Comparison): Node {
  const rows = several.map((side): (Inline | Cell)[] => {
    const { label, file, target, suiteVersion, run, coverage } = side
    const address = label === target.baseUrl ? '' : `${target.baseUrl}, `
    const covers = coverage === undefined ? [] : [looking('quiet', coverageSentence(coverage))]
    return [
      looking('strong', label),
      { text: { kind: 'lines', lines: [verdictText(side), ...covers] }, look: lookOfVerdict(side) },
      `${address}${targetWords(target)}`,
      {
        kind: 'lines',
        lines: [
          `${run.startedAt}, suite ${suiteVersion}, seed ${run.seed}, ${casesOf(run.runs)}`,
          looking('quiet', `${run.id}, ${file}`),
        ],
      },
    ]
  })
  return { kind: 'table', label: 'What is compared', heads: ['results', 'verdict', 'target', 'run'], rows }
}

/** Requirements by change, those that changed in the same way for the same reason together. */
function* changed({ requirements }: Comparison, withSentences: boolean): Generator<Section> {
  for (const change of changes.filter((each) => each !== 'same')) {
    const { word, look, title: heading } = changeWords[change]
    const such = requirements.filter((requirement) => requirement.changes[0] === change)
    const groups = byKey(such, wentOf)
    const items = [...groups.values()].map((members): Item => {
      const [first] = members as [ComparedRequirement]
      return {
        label: signedChange(change),
        look,
        text: namesOf(members.map(({ id }) => id)),
        below: [wentOf(first)],
        blocks: withSentences ? sentences(members) : [],
        count: members.length,
      }
    })
    if (such.length > 0)
      yield sectionOf(`${heading} (${such.length})`, [listOf(items)], { of: `requirements that are ${word}` })
  }
}

/** `✓ passed → ✗ failed: the reason`. Without a reason of the later outcome, the earlier one has its reason. */
function wentOf({ outcomes, reasons }: Compared): string {
  const explained = reasons.findLastIndex((reason) => reason !== '')
  const words = outcomes.map((outcome, at) =>
    at === explained ? `${signedOutcome(outcome)}: ${reasons[at]}` : signedOutcome(outcome),
  )
  return words.join(' → ')
}

/** Changed checks of unchanged requirements, muted unless one passed before; those that changed in the same way together. */
function* beneath(comparison: Comparison, asMatrix: boolean): Generator<Section> {
  const interest = ({ changes: went }: Compared): number => changes.findIndex((each) => went.includes(each))
  const checks = comparison.requirements
    .flatMap((requirement) => requirement.checks)
    .filter((check) => isUnlike(comparison, check))
    .toSorted((one, other) => interest(one) - interest(other))
  if (checks.length === 0) return
  const groups = byKey(checks, (check) => (asMatrix ? JSON.stringify(check.outcomes) : wentOf(check)))
  const items = [...groups.values()].map((members): Item => {
    const [first] = members as [Compared]
    const change = changes[interest(first)] as Change
    const isLost = change === 'broken' || change === 'lost'
    return {
      ...(asMatrix && !isLost ? {} : { label: signedChange(change) }),
      look: isLost ? changeWords[change].look : 'quiet',
      text: namesOf(members.map(({ id }) => id)),
      below: asMatrix ? outcomesBy(comparison, first) : [wentOf(first)],
      count: members.length,
    }
  })
  yield sectionOf(`Changed checks of unchanged requirements (${checks.length})`, [listOf(items)], {
    of: 'changed checks',
  })
}

// The matrix of several targets: their verdicts, their worst outcomes, and where they differ.

/** The name of a side, linked to its report. */
function nameOf({ label, report }: Side): Inline {
  return report === undefined ? label : linkOf(report.split(/[\\/]/).map(encodeURIComponent).join('/'), label)
}

const worstFirst: readonly Outcome[] = ['failed', 'inconclusive', 'passed']

/** The names of the targets by verdict, the worst first. */
function verdicts({ sides }: Comparison): Section {
  const groups = worstFirst.flatMap((look) => [
    ...byKey(
      sides.filter((side) => lookOfVerdict(side) === look),
      verdictText,
    ),
  ])
  const items = groups.map(
    ([text, several]): Item => ({
      label: `${several.length} ${text}:`,
      look: lookOfVerdict(several[0] as Side),
      text: namesOf(several.map(nameOf)),
    }),
  )
  return sectionOf(countOf(sides.length, nounOf(sides)), [listOf(items)])
}

/** Targets by operations, the worst first. Targets with the same outcomes share a row. */
function heat({ sides, requirements }: Comparison): Section {
  const operations = [...byKey(requirements, ({ operation }) => operation)]
  const rows = sides.map((side, at) => ({
    side,
    cells: operations.map(([, several]) => heatCell(several.flatMap(({ outcomes }) => outcomes[at] ?? []))),
  }))
  const groups = byKey(rows, ({ side, cells }) => JSON.stringify([verdictText(side), cells]))
  const rankOf = ([row]: readonly HeatRow[]): number =>
    worstFirst.indexOf(lookOfVerdict((row as HeatRow).side))
  const ranked = [...groups.values()].toSorted(
    (one, other) => rankOf(one) - rankOf(other) || failures(other) - failures(one),
  )
  return tableSection(
    {
      title: `${capitalised(nounOf(sides))}s by operation`,
      id: 'heat',
      lead: 'Each cell shows the worst outcome of its requirements, and how many have it.',
    },
    {
      heads: [`${nounOf(sides)}s`, 'verdict', ...operations.map(([subject]) => titleOf(subject))],
      rows: ranked.map((several) => {
        const { side, cells } = several[0] as HeatRow
        const names = namesOf(several.map((row) => nameOf(row.side)))
        return [names, { text: verdictText(side), look: lookOfVerdict(side) }, ...cells]
      }),
    },
  )
}

interface HeatRow {
  readonly side: Side
  readonly cells: readonly (string | (Cell & { readonly look: Outcome }))[]
}

const failures = ([row]: readonly HeatRow[]): number =>
  row?.cells.filter((cell) => typeof cell === 'object' && cell.look === 'failed').length ?? 0

function heatCell(outcomes: readonly Outcome[]): HeatRow['cells'][number] {
  if (outcomes.length === 0) return ''
  const look = worst(outcomes)
  const count = outcomes.filter((each) => each === look).length
  return { text: [outcomeOf(look), count < outcomes.length ? ` ${count}` : ''], look }
}

/** The judged sides, and their places among all. */
const judgedOf = ({ sides }: Comparison) =>
  sides.map((side, at) => ({ side, at })).filter(({ side }) => side.judged !== false)

/** Whether judged sides have different outcomes. */
const isUnlike = (comparison: Comparison, { outcomes }: Compared): boolean =>
  new Set(judgedOf(comparison).map(({ at }) => outcomes[at])).size > 1

/** The names of the judged sides by what they have, the rarest first. */
function sidesBy<Key>(comparison: Comparison, keyOf: (at: number) => Key): (readonly [Key, Inline])[] {
  const groups = byKey(judgedOf(comparison), ({ at }) => keyOf(at))
  return [...groups]
    .toSorted(([, one], [, other]) => one.length - other.length)
    .map(([key, several]) => [key, namesOf(several.map(({ side }) => side.label))])
}

/** `✗ failed: vienna`, for each outcome. */
const outcomesBy = (comparison: Comparison, { outcomes }: Compared): Inline[] =>
  sidesBy(comparison, (at) => outcomes[at] ?? null).map(([outcome, names]) => [
    signedOutcome(outcome),
    ': ',
    names,
  ])

/** Requirements whose outcomes differ, the most failures first. Those that differ in the same way are together. */
function differing(comparison: Comparison, withSentences: boolean): Section[] {
  const unlike = comparison.requirements.filter((each) => isUnlike(comparison, each))
  if (unlike.length === 0) return []
  const failing = ([first]: readonly Compared[]): number =>
    first?.outcomes.filter((each) => each === 'failed').length ?? 0
  const groups = [...byKey(unlike, ({ outcomes }) => JSON.stringify(outcomes)).values()]
  const items = groups
    .toSorted((one, other) => failing(other) - failing(one))
    .map((members): Item => {
      const [first] = members as [ComparedRequirement]
      return {
        text: namesOf(members.map(({ id }) => id)),
        below: outcomesBy(comparison, first),
        blocks: withSentences ? sentences(members) : [],
        count: members.length,
      }
    })
  const others = { id: 'requirements', of: 'requirements that differ' }
  return [sectionOf(`Requirements that differ (${unlike.length})`, [listOf(items)], others)]
}

/** The sentences of requirements, folded. */
const sentences = (members: readonly ComparedRequirement[]): Node[] => [
  {
    kind: 'fold',
    summary: members.length === 1 ? 'What must hold' : `What must hold, of all ${members.length}`,
    blocks: [factsOf(members.map(({ id, section, text }) => ({ label: id, text: `§${section} ${text}` })))],
  },
]

/** Open points that differ: each answer with its targets. Operations with the same answers are together. */
function openPoints(comparison: Comparison): Section[] {
  const differ = comparison.openPoints.filter(({ difference }) => difference === 'different')
  const groups = byKey(differ, ({ id, observed }) => JSON.stringify([id, observed]))
  const folds = [...groups.values()].map((points): Node => {
    const [{ question, observed }] = points as [ComparedOpenPoint]
    const where = points.map(({ operation }) => operation).join(', ')
    const answers = sidesBy(comparison, (at) => (observed[at] ?? []).join('; '))
    const items = answers.map(([answer, names]): Item => ({ text: [names, `: ${answer || 'not observed'}`] }))
    return {
      kind: 'fold',
      summary: [`${question} `, looking('quiet', `${where}: ${answers.length} answers`)],
      open: comparison.sides.length === 2,
      blocks: [listOf(items)],
    }
  })
  const title = 'Different on an open point of the contract: none of it is wrong'
  return folds.length === 0 ? [] : [sectionOf(title, folds, { of: 'open points' })]
}
