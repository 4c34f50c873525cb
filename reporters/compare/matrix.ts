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
import { countOf, titleOf } from '../wording.ts'
import { lookOfVerdict, signedOutcome, verdictText } from './words.ts'

/** The name of a side, linked to its report. */
function nameOf({ label, report }: Side): Inline {
  return report === undefined ? label : linkOf(report.split(/[\\/]/).map(encodeURIComponent).join('/'), label)
}

const worstFirst: readonly Outcome[] = ['failed', 'inconclusive', 'passed']

/** The names of the targets by verdict, the worst first. */
export function verdicts({ sides }: Comparison): Section {
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
  return sectionOf(countOf(sides.length, 'target'), [listOf(items)])
}

/** Targets by operations, the worst first. Targets with the same outcomes share a row. */
export function heat({ sides, requirements }: Comparison): Section {
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
      title: 'Targets by operation',
      id: 'heat',
      lead: 'Each cell shows the worst outcome of its requirements, and how many have it.',
    },
    {
      heads: ['targets', 'verdict', ...operations.map(([subject]) => titleOf(subject))],
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

/** The names of the judged sides by what they have, the rarest first. */
function sidesBy<Key>(comparison: Comparison, keyOf: (at: number) => Key): (readonly [Key, Inline])[] {
  const groups = byKey(judgedOf(comparison), ({ at }) => keyOf(at))
  return [...groups]
    .toSorted(([, one], [, other]) => one.length - other.length)
    .map(([key, several]) => [key, namesOf(several.map(({ side }) => side.label))])
}

/** `✗ failed: vienna`, for each outcome. */
export const outcomesBy = (comparison: Comparison, { outcomes }: Compared): Inline[] =>
  sidesBy(comparison, (at) => outcomes[at] ?? null).map(([outcome, names]) => [
    signedOutcome(outcome),
    ': ',
    names,
  ])

/** Requirements whose outcomes differ, the most failures first. Those that differ in the same way are together. */
export function differing(comparison: Comparison, withSentences: boolean): Section[] {
  const judged = judgedOf(comparison)
  const unlike = comparison.requirements.filter(
    ({ outcomes }) => new Set(judged.map(({ at }) => outcomes[at])).size > 1,
  )
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
export const sentences = (members: readonly ComparedRequirement[]): Node[] => [
  {
    kind: 'fold',
    summary: members.length === 1 ? 'What must hold' : `What must hold, of all ${members.length}`,
    blocks: [factsOf(members.map(({ id, section, text }) => ({ label: id, text: `§${section} ${text}` })))],
  },
]

/** Open points that differ: each answer with its targets. Operations with the same answers are together. */
export function openPoints(comparison: Comparison): Section[] {
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
