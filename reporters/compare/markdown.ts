/** A comparison as Markdown for a CI step or a pull request. Text from results stands in it escaped. */
import { prose } from '../safe-text.ts'
import { coverageSentence } from '../verdict.ts'
import { names, outcomeWords, titleOf } from '../wording.ts'
import {
  byOperation,
  byVerdict,
  type Compared,
  type Comparison,
  changedBeneath,
  changeWords,
  comparisonSentence,
  differing,
  differingPoints,
  heatOf,
  isAlike,
  isBad,
  mostColumns,
  sectionsOf,
  sharesOf,
  signedOutcome,
  verdictText,
} from './comparison.ts'

/** Rows of a table; what is beyond is told with its number, since GitHub shows no more than a megabyte. */
const mostRows = 500

/** GitHub shows nothing of a longer summary, in bytes; other tools of the step need room too. */
const mostBytes = 900_000

/** At most so many bytes, what matters first; what has no room is told with its number. */
export function* comparisonMarkdown(comparison: Comparison, asMatrix: boolean): Generator<string> {
  let bytes = 0
  for (const piece of pieces(comparison, asMatrix)) {
    bytes += Buffer.byteLength(piece)
    if (bytes > mostBytes) {
      yield '\n\nThe rest has no room in this summary: the page of the matrix has all.\n'
      return
    }
    yield piece
  }
}

function* pieces(comparison: Comparison, asMatrix: boolean): Generator<string> {
  yield `## Comparison of ${comparison.sides.length} results\n\n`
  yield `**${isBad(comparison) ? '✗' : '✓'} ${prose(comparisonSentence(comparison))}**\n\n`
  if (asMatrix && comparison.sides.length > mostColumns) {
    yield* fleet(comparison)
    return
  }
  yield* sides(comparison)
  if (asMatrix) yield* matrix(comparison)
  else yield* changed(comparison)
  yield* beneath(comparison)
  yield* openPoints(comparison)
}

/** Names that stand in a cell of a fleet. */
const mostLabels = 12

const labelled = (labels: readonly string[]): string => names(labels, prose, mostLabels)

/** Many targets: how they ended, what does not hold everywhere, and a row of signs for each. */
function* fleet(comparison: Comparison): Generator<string> {
  yield* table(
    ['verdict', 'targets', 'which'],
    byVerdict(comparison).map(({ text, sides: several }) => [
      text,
      String(several.length),
      labelled(several.map(({ label }) => label)),
    ]),
  )
  for (const note of comparison.notes) yield `> Note: ${prose(note)}\n\n`
  const unlike = differing(comparison)
  yield `### Requirements that differ (${unlike.length})\n\n`
  if (unlike.length === 0) yield 'None.\n\n'
  else
    yield* table(
      ['requirement', 'outcome: targets'],
      unlike.map((requirement) => [
        prose(requirement.id),
        sharesOf(requirement, comparison)
          .map(({ outcome, labels }) =>
            labels.length > mostLabels
              ? `${signedOutcome(outcome)}: ${labels.length}`
              : `${signedOutcome(outcome)}: ${labelled(labels)}`,
          )
          .join('<br>'),
      ]),
    )
  const { subjects, rows } = heatOf(comparison)
  yield '<details><summary>Every target</summary>\n\n'
  yield* table(
    ['target', 'verdict', ...subjects.map((subject) => prose(titleOf(subject)))],
    rows.map(({ side, heats }) => [
      prose(side.label),
      verdictText(side),
      ...heats.map(({ outcome, count, of }) =>
        outcome === null ? '' : `${outcomeWords[outcome].sign}${count < of ? ` ${count}` : ''}`,
      ),
    ]),
  )
  yield '</details>\n\n'
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`

function* table(heads: readonly string[], rows: readonly (readonly string[])[]): Generator<string> {
  yield row(heads)
  yield row(heads.map(() => '---'))
  for (const cells of rows.slice(0, mostRows)) yield row(cells)
  yield '\n'
  if (rows.length > mostRows) yield `and ${rows.length - mostRows} more\n\n`
}

function* sides({ sides, notes }: Comparison): Generator<string> {
  yield* table(
    ['', 'target', 'release', 'profile', 'suite', 'run', 'verdict'],
    sides.map(({ key, label, target, suiteVersion, run, ...side }) => [
      `**${key}**`,
      prose(label),
      prose(
        [target.version ?? 'not configured', target.edition ?? ''].filter((part) => part !== '').join(', '),
      ),
      prose(target.profile),
      prose(suiteVersion),
      prose(`${run.startedAt}, seed ${run.seed}, ${run.runs} cases`),
      [verdictText(side), side.coverage && prose(coverageSentence(side.coverage))]
        .filter(Boolean)
        .join('<br>'),
    ]),
  )
  for (const note of notes) yield `> Note: ${prose(note)}\n\n`
}

function* changed(comparison: Comparison): Generator<string> {
  for (const { change, groups, count } of sectionsOf(comparison)) {
    yield `### ${changeWords[change].sign} ${changeWords[change].title} (${count})\n\n`
    const rows = groups.flatMap(({ members, outcomes, reason }) =>
      members.map(({ id }) => [prose(id), ...outcomes.map(signedOutcome), prose(reason)]),
    )
    yield* table(['requirement', ...comparison.sides.map(({ key }) => key), 'why'], rows)
  }
  const same = comparison.counts[0]?.same ?? 0
  yield `${same} of ${comparison.requirements.length} requirements have the same outcome.\n\n`
}

function* matrix(comparison: Comparison): Generator<string> {
  const heads = ['requirement', ...comparison.sides.map(({ key }) => key)]
  const cellsOf = ({ id, outcomes }: Compared): string[] => [prose(id), ...outcomes.map(signedOutcome)]
  yield '### Requirements that differ\n\n'
  const unlike = comparison.requirements.filter((each) => !isAlike(each))
  if (unlike.length > 0) yield* table(heads, unlike.map(cellsOf))
  else yield 'None.\n\n'
  for (const [operation, requirements] of byOperation(comparison)) {
    yield `<details><summary>${prose(titleOf(operation))}: all ${requirements.length}</summary>\n\n`
    yield* table(heads, requirements.map(cellsOf))
    yield '</details>\n\n'
  }
}

function* beneath(comparison: Comparison): Generator<string> {
  const checks = changedBeneath(comparison)
  if (checks.length === 0) return
  const isLost = checks.some(({ lost }) => lost)
  yield `<details${isLost ? ' open' : ''}><summary>Checks that changed beneath a requirement that did not (${checks.length})</summary>\n\n`
  yield* table(
    ['check', ...comparison.sides.map(({ key }) => key), 'why'],
    checks.map(({ check, lost }) => [
      lost ? `**✗ ${prose(check.id)}**` : prose(check.id),
      ...check.outcomes.map(signedOutcome),
      prose(check.reasons.at(-1) ?? ''),
    ]),
  )
  yield '</details>\n\n'
}

function* openPoints(comparison: Comparison): Generator<string> {
  const points = differingPoints(comparison)
  if (points.length === 0) return
  yield '### Different on an open point of the contract\n\nNone of it is wrong.\n\n'
  yield* table(
    ['open point', 'operations', ...comparison.sides.map(({ key }) => key)],
    points.map(({ question, operations, observed }) => [
      prose(question),
      prose(operations.join(', ')),
      ...observed.map((values) => (values.length === 0 ? 'not observed' : values.map(prose).join('<br>'))),
    ]),
  )
}
