/** A comparison as a document: of two sides what changed, of several targets a matrix. */
import type { Compared, ComparedRequirement, Comparison } from '../../schemas/types/comparison.ts'
import { byKey } from '../grouping.ts'
import { page } from '../html/markup.ts'
import { inHtml } from '../html/paint.ts'
import { inMarkdown } from '../markdown/paint.ts'
import {
  type Cell,
  type Inline,
  type Item,
  listOf,
  looking,
  type Node,
  namesOf,
  type Section,
  sectionOf,
} from '../nodes.ts'
import { onTerminal } from '../terminal/paint.ts'
import type { Page } from '../terminal/sheet.ts'
import { coverageSentence } from '../verdict.ts'
import { targetWords } from '../wording.ts'
import { differing, heat, openPoints, outcomesBy, sentences, verdicts } from './matrix.ts'
import {
  changes,
  changeWords,
  comparisonSentence,
  lookOfVerdict,
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
          `${run.startedAt}, suite ${suiteVersion}, seed ${run.seed}, ${run.runs} cases of each generated check`,
          looking('quiet', `${run.id}, ${file}`),
        ],
      },
    ]
  })
  return { kind: 'table', label: 'What is compared', heads: ['results', 'verdict', 'target', 'run'], rows }
}

// Fixed and gone ones have the reason of the earlier outcome.
const reasonOf = ({ reasons }: Compared): string => reasons.at(-1) || reasons[0] || ''

/** Requirements by change, those that changed in the same way for the same reason together. */
function* changed({ requirements }: Comparison, withSentences: boolean): Generator<Section> {
  for (const change of changes.filter((each) => each !== 'same')) {
    const { word, look, title: heading } = changeWords[change]
    const such = requirements.filter((requirement) => requirement.changes[0] === change)
    const groups = byKey(such, (each) => JSON.stringify([each.outcomes, reasonOf(each)]))
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

/** `✓ passed → ✗ failed: the reason`. */
const wentOf = (compared: Compared): string =>
  [compared.outcomes.map(signedOutcome).join(' → '), reasonOf(compared)].filter(Boolean).join(': ')

/** Changed checks of unchanged requirements, muted unless one passed before. Those that no longer pass come first. */
function* beneath(comparison: Comparison, asMatrix: boolean): Generator<Section> {
  const { requirements, lost } = comparison
  const checks = requirements.flatMap((requirement) => requirement.checks)
  if (checks.length === 0) return
  const isLost = ({ id }: Compared): boolean => lost.includes(id)
  const items = [...checks.filter(isLost), ...checks.filter((check) => !isLost(check))].map(
    (check): Item => ({
      ...(isLost(check) ? { label: signedChange('broken'), look: 'failed' } : { look: 'quiet' }),
      text: check.id,
      below: asMatrix ? outcomesBy(comparison, check) : [wentOf(check)],
    }),
  )
  yield sectionOf(`Changed checks of unchanged requirements (${checks.length})`, [listOf(items)], {
    of: 'changed checks',
  })
}
