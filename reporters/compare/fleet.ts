/** The parts of a comparison of several targets: their verdicts, their worst outcomes, and where they differ. */
import type {
  Compared,
  ComparedOpenPoint,
  ComparedRequirement,
  Comparison,
  Side,
} from '../../schemas/types/comparison.ts'
import { type Outcome, worst } from '../../specs/outcomes.ts'
import { byKey } from '../grouping.ts'
import {
  type Cell,
  factsOf,
  firstOf,
  type Inline,
  type Item,
  linkOf,
  listOf,
  looking,
  type Node,
  namesOf,
  outcomeOf,
  type Row,
  type Section,
  sectionOf,
  textOf,
} from '../nodes.ts'
import { countOf, titleOf } from '../wording.ts'
import { bareLabel, lookOf, lookOfVerdict, mostColumns, signedOutcome, verdictText } from './words.ts'

/** How many entries each part shows. */
export interface Extent {
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

export const notesOf = (notes: readonly string[], most: number): Node[] =>
  firstOf(notes, most, (left) => `and ${countOf(left, 'more note')}`).map((text) => ({
    kind: 'notice',
    title: 'Note:',
    text,
    look: 'warned',
  }))

/** The name of a side, linked to its report. */
export function nameOf(side: Side): Inline {
  const name = bareLabel(side)
  if (side.report === undefined) return name
  return linkOf(side.report.split(/[\\/]/).map(encodeURIComponent).join('/'), name)
}

/** The verdicts of many targets, the worst first. Partial verdicts and targets that were not judged are separate. */
export function* verdicts({ sides, notes }: Comparison, extent: Extent): Generator<Node> {
  const worstFirst = ['not judged', 'non-conformant', 'incomplete', 'conformant']
  const wordOf = ({ verdict, judged }: Side): string => (judged === false ? 'not judged' : verdict)
  const rows = worstFirst.flatMap((word) =>
    [
      ...byKey(
        sides.filter((side) => wordOf(side) === word),
        verdictText,
      ),
    ].map(
      ([text, several]): Row => ({
        label: `${several.length} ${text}`,
        look: lookOfVerdict(several[0] as Side),
        text: namesOf(several.map(bareLabel), extent.names),
      }),
    ),
  )
  yield sectionOf(`${sides.length} targets`, [factsOf(rows)])
  yield* notesOf(extent.tables ? notes : notes.map(shortened), extent.notes)
}

/** Notes name all their targets. */
const shortened = (text: string): string => (text.length > 160 ? `${text.slice(0, 160)}…` : text)

/** The worst outcome of a target at an operation, and the number of requirements with it. */
interface Heat {
  readonly outcome: Outcome | null
  readonly count: number
  readonly of: number
}

interface HeatRow {
  readonly side: Side
  readonly heats: readonly Heat[]
}

function heatIn(requirements: readonly ComparedRequirement[], at: number): Heat {
  const known = requirements.flatMap(({ outcomes }) => outcomes[at] ?? [])
  if (known.length === 0) return { outcome: null, count: 0, of: 0 }
  const outcome = worst(known)
  return { outcome, count: known.filter((each) => each === outcome).length, of: known.length }
}

const failuresFirst = (one: { heats: readonly Heat[] }, other: { heats: readonly Heat[] }): number => {
  const [failures = 0, others = 0] = [one, other].map(
    ({ heats }) => heats.filter(({ outcome }) => outcome === 'failed').length,
  )
  return others - failures
}

/** More targets than this with equal outcomes share one row. */
const mostEqualRows = 12

/** Targets by operations, those with the most failures first. Those with the most frequent outcomes are folded. */
export function heat({ sides, requirements }: Comparison): Section {
  const columns = [...byKey(requirements, ({ operation }) => operation)]
    .map(([subject, several]) => ({ subject, heats: sides.map((_, at) => heatIn(several, at)) }))
    .sort(failuresFirst)
  const rows = sides
    .map((side, at): HeatRow => ({ side, heats: columns.map(({ heats }) => heats[at] as Heat) }))
    .sort(failuresFirst)
  const groups = byKey(rows, ({ heats }) =>
    JSON.stringify(heats.map(({ outcome, count }) => [outcome, count])),
  )
  const usual = [...groups.values()].reduce((one, other) => (other.length > one.length ? other : one))
  const alike = usual.length > mostEqualRows ? usual : []
  const shown = [...groups.values()].filter((several) => several !== alike).flat()
  const heads = ['target', ...columns.map(({ subject }) => titleOf(subject))]
  const tableOf = (label: string, several: readonly HeatRow[]): Node => ({
    kind: 'table',
    label,
    heads,
    rows: several.map(heatRow),
  })
  const folded: Node = {
    kind: 'fold',
    summary: `${alike.length} targets with the same outcomes`,
    blocks: [
      tableOf('Targets that are alike', alike.slice(0, 1)),
      textOf(alike.map(({ side }) => side.label).join(', ')),
    ],
  }
  return sectionOf(
    'Targets by operation',
    [
      textOf('Each cell shows the worst outcome of its requirements, and how many have it.', 'quiet'),
      ...(shown.length > 0 ? [tableOf('Targets by operation', shown)] : []),
      ...(alike.length > 0 ? [folded] : []),
    ],
    { id: 'heat' },
  )
}

const heatRow = ({ heats, side }: HeatRow): (Inline | Cell)[] => [
  [nameOf(side), ' ', looking('quiet', verdictText(side))],
  ...heats.map(({ outcome, count, of }) =>
    outcome === null ? '' : { text: outcomeOf(outcome, count < of ? ` ${count}` : ''), look: outcome },
  ),
]

/** The judged sides, and their places among all. */
const judgedOf = ({ sides }: Comparison) =>
  sides
    .map(({ key, label, judged }, at) => ({ key, label, judged, at }))
    .filter(({ judged }) => judged !== false)

/** The outcomes of many targets where they differ, the most failures first, and the rarest outcome of each first. */
export function shares(comparison: Comparison, extent: Extent): Section {
  const judged = judgedOf(comparison)
  const failing = ({ outcomes }: Compared): number => outcomes.filter((each) => each === 'failed').length
  const differing = comparison.requirements
    .filter(({ outcomes }) => new Set(judged.map(({ at }) => outcomes[at])).size > 1)
    .sort((one, other) => failing(other) - failing(one))
  const items = differing.map(({ id, section, text, outcomes }): Item => {
    const lines = [...byKey(judged, ({ at }) => outcomes[at] ?? null)]
      .sort(([, one], [, other]) => one.length - other.length)
      .map(([outcome, several]): Inline => {
        const isMost = several.length > comparison.sides.length / 2
        const labels = several.map(({ label }) => label)
        return [
          looking(lookOf(outcome), signedOutcome(outcome)),
          isMost ? `: ${several.length} targets` : [': ', namesOf(labels, extent.names)],
        ]
      })
    const sentence = extent.sentences ? [looking('quiet', `§${section} ${text}`)] : []
    return { label: `${id}:`, text: { kind: 'lines', lines: [...sentence, ...lines] } }
  })
  const rest = (left: number): Item => ({ text: `and ${left} more: the page of the matrix has all` })
  return sectionOf(
    `Requirements that differ (${differing.length})`,
    [listOf(firstOf(items, extent.differing, rest))],
    { id: 'requirements', of: 'requirements that differ' },
  )
}

/** Operations with the same differences in an open point. */
interface OpenPointGroup extends Omit<ComparedOpenPoint, 'operation'> {
  readonly operations: readonly string[]
}

/** The open points that differ, then those that some sides did not observe. */
function differingPoints({ openPoints }: Comparison): OpenPointGroup[] {
  const differing = (['different', 'partly'] as const).flatMap((kind) =>
    openPoints.filter(({ difference }) => difference === kind),
  )
  const groups = byKey(differing, ({ id, observed }) => JSON.stringify([id, observed]))
  return [...groups.values()].map((points) => {
    const [{ operation: _, ...first }] = points as [ComparedOpenPoint]
    return { ...first, operations: points.map(({ operation }) => operation) }
  })
}

/** Open points that differ: each answer with its targets. Of many targets they are folded, or only counted. */
export function* openPoints(comparison: Comparison, { tables }: Extent): Generator<Section> {
  const points = differingPoints(comparison)
  if (points.length === 0) return
  const areMany = comparison.sides.length > mostColumns
  const folds = points.map(({ question, operations, observed }): Node => {
    const answers = byKey(judgedOf(comparison), ({ at }) => (observed[at] ?? []).join('; '))
    const items = [...answers].map(([answer, several]): Item => {
      const text = answer === '' ? 'not observed' : answer
      return areMany
        ? { text: [`${text}: `, namesOf(several.map(({ label }) => label))] }
        : { label: `${several.map(({ key }) => key).join(', ')}:`, text }
    })
    return {
      kind: 'fold',
      summary: [`${question} `, looking('quiet', `${operations.join(', ')}: ${answers.size} answers`)],
      open: !areMany,
      blocks: [listOf(items)],
    }
  })
  const count = countOf(points.length, 'open point differs', 'open points differ')
  const blocks = areMany && !tables ? [textOf(`${count}: the page of the matrix has all`)] : folds
  yield sectionOf('Different on an open point of the contract: none of it is wrong', blocks, {
    of: 'open points',
  })
}
