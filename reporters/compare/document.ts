/** A comparison as a document: the sides, the differences, and the result. */
import type { Compared, ComparedRequirement, Comparison } from '../../schemas/types/comparison.ts'
import type { Outcome } from '../../specs/outcomes.ts'
import { byKey } from '../grouping.ts'
import { page } from '../html/markup.ts'
import { inHtml } from '../html/paint.ts'
import { inMarkdown } from '../markdown/paint.ts'
import {
  type Cell,
  factsOf,
  firstOf,
  type Inline,
  type Item,
  listOf,
  looking,
  type Node,
  namesOf,
  type Row,
  type Section,
  sectionOf,
  tableSection,
  textOf,
} from '../nodes.ts'
import { onTerminal } from '../terminal/paint.ts'
import type { Page } from '../terminal/sheet.ts'
import { coverageSentence } from '../verdict.ts'
import { countOf, targetWords } from '../wording.ts'
import { type Extent, heat, nameOf, notesOf, openPoints, shares, verdicts } from './fleet.ts'
import {
  changes,
  changeWords,
  comparisonSentence,
  isBad,
  lookOf,
  lookOfVerdict,
  mostColumns,
  signedChange,
  signedOutcome,
  verdictText,
} from './words.ts'

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

const conclusion = (comparison: Comparison): Node => ({
  kind: 'conclusion',
  look: isBad(comparison) ? 'failed' : 'passed',
  text: comparisonSentence(comparison),
})

function* parts(comparison: Comparison, asMatrix: boolean, extent: Extent): Generator<Node> {
  if (asMatrix && comparison.sides.length > mostColumns) {
    yield* verdicts(comparison, extent)
    if (extent.tables) yield heat(comparison)
    yield shares(comparison, extent)
    yield* openPoints(comparison, extent)
    return
  }
  yield sides(comparison)
  yield* notesOf(comparison.notes, Number.POSITIVE_INFINITY)
  if (asMatrix && extent.tables) yield heat(comparison)
  yield* asMatrix ? matrix(comparison) : changed(comparison, extent)
  yield* beneath(comparison)
  yield* openPoints(comparison, extent)
  yield asMatrix ? totals(comparison) : counts(comparison)
}

function sides({ sides: several }: Comparison): Node {
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
  return { kind: 'table', label: 'What is compared', heads: ['results', 'verdict', 'target', 'run'], rows }
}

/** `✓ passed → ✗ failed: the reason`. */
const wentOf = ({ outcomes }: Compared, reason: string | undefined): string =>
  [outcomes.map(signedOutcome).join(' → '), reason].filter(Boolean).join(': ')

/** Further ones are only counted. */
const mostNames = 40
const mostChecks = 200

/** Requirements by change, those that changed in the same way for the same reason together. Unchanged ones are only counted. */
function* changed({ requirements }: Comparison, { sentences }: Extent): Generator<Section> {
  // Fixed and gone ones have the reason of the earlier outcome.
  const reasonOf = ({ reasons }: Compared): string => reasons.at(-1) || reasons[0] || ''
  for (const change of changes.filter((each) => each !== 'same')) {
    const { word, look, title: heading } = changeWords[change]
    const such = requirements.filter((requirement) => requirement.changes[0] === change)
    const groups = byKey(such, (each) => JSON.stringify([each.outcomes, reasonOf(each)]))
    const items = [...groups.values()].map((members): Item => {
      const [first] = members as [ComparedRequirement]
      return {
        label: signedChange(change),
        look,
        text: namesOf(
          members.map(({ id }) => id),
          mostNames,
        ),
        below: [wentOf(first, reasonOf(first))],
        blocks: sentences ? sentencesOf(members) : [],
        count: members.length,
      }
    })
    if (such.length > 0)
      yield sectionOf(`${heading} (${such.length})`, [listOf(items)], { of: `requirements that are ${word}` })
  }
}

const sentencesOf = (members: readonly ComparedRequirement[]): Node[] => [
  {
    kind: 'fold',
    summary: members.length === 1 ? 'What must hold' : `What must hold, of all ${members.length}`,
    blocks: [factsOf(members.map(({ id, section, text }) => ({ label: id, text: `§${section} ${text}` })))],
  },
]

/** Requirements with different outcomes, and the number of the others. */
function* matrix({ sides: several, requirements }: Comparison): Generator<Section> {
  const unlike = requirements.filter(({ outcomes }) => new Set(outcomes).size > 1)
  const rows = unlike.map(({ id, outcomes }) => [
    id,
    ...outcomes.map((outcome): Cell => ({ text: signedOutcome(outcome), look: lookOf(outcome) })),
  ])
  const part = { title: `Requirements that differ (${unlike.length})`, of: 'requirements that differ' }
  if (rows.length > 0)
    yield tableSection(part, { heads: ['requirement', ...several.map(({ key }) => key)], rows })
  const alike = requirements.filter((each) => !unlike.includes(each))
  if (alike.length > 0) yield sectionOf(`Requirements that are alike (${alike.length})`, uniform(alike))
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

/** Changed checks of unchanged requirements, muted unless one passed before. Those that no longer pass come first. */
function* beneath({ requirements, lost }: Comparison): Generator<Section> {
  const checks = requirements.flatMap((requirement) => requirement.checks)
  if (checks.length === 0) return
  const isLost = ({ id }: Compared): boolean => lost.includes(id)
  const items = [...checks.filter(isLost), ...checks.filter((check) => !isLost(check))].map(
    (check): Item => ({
      ...(isLost(check) ? { label: signedChange('broken'), look: 'failed' } : { look: 'quiet' }),
      text: `${check.id}: ${wentOf(check, check.reasons.at(-1))}`,
    }),
  )
  yield sectionOf(
    `Changed checks of unchanged requirements (${checks.length})`,
    [listOf(firstOf(items, mostChecks, (left) => ({ text: `and ${left} more` })))],
    { of: 'changed checks' },
  )
}

function counts({ counts: [first], requirements }: Comparison): Section {
  const rows = changes
    .filter((change) => (first?.[change] ?? 0) > 0)
    .map(
      (change): Row => ({
        label: [signedChange(change)],
        look: changeWords[change].look,
        text: String(first?.[change]),
      }),
    )
  return sectionOf(`Summary of ${requirements.length} requirements`, [{ kind: 'facts', short: true, rows }])
}

function totals({ sides: several, lost }: Comparison): Section {
  const rows = several.map((side): Row => {
    const counted = Object.entries(side.totals)
      .filter(([, count]) => count > 0)
      .map(([outcome, count]) => `${signedOutcome(outcome as Outcome)} ${count}`)
    return { label: side.key, text: `${side.label}: ${verdictText(side)}; ${counted.join(', ')}` }
  })
  const lostRow: Row = {
    label: `Passed on ${several[0]?.key}, not on every other`,
    look: 'failed',
    text: namesOf(lost, mostNames),
  }
  return sectionOf('Summary', [factsOf(lost.length > 0 ? [...rows, lostRow] : rows)])
}
