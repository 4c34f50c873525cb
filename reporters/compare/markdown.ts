/** A comparison as Markdown for a CI step or a pull request. Text from results stands in it escaped. */
import type { Outcome } from '../../specs/outcomes.ts'
import { prose } from '../markdown/escaping.ts'
import { titleOf } from '../wording.ts'
import { byOperation, changedBeneath, differingPoints, isAlike, sectionsOf } from './arrangement.ts'
import { changeWords, comparisonSentence, signedOutcome } from './change-words.ts'
import type { Comparison } from './comparison.ts'

/** Rows of a table; what is beyond is told with its number, since GitHub shows no more than a megabyte. */
const mostRows = 500

export function* comparisonMarkdown(comparison: Comparison, asMatrix: boolean): Generator<string> {
  yield `## Comparison of ${comparison.sides.length} results\n\n`
  yield `**${comparison.lost.length > 0 ? '✗' : '✓'} ${prose(comparisonSentence(comparison))}**\n\n`
  yield* sides(comparison)
  if (asMatrix) yield* matrix(comparison)
  else yield* changed(comparison)
  yield* beneath(comparison)
  yield* openPoints(comparison)
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
    sides.map(({ key, label, target, suiteVersion, run, verdict }) => [
      `**${key}**`,
      prose(label),
      prose(
        [target.version ?? 'not configured', target.edition ?? ''].filter((part) => part !== '').join(', '),
      ),
      prose(target.profile),
      prose(suiteVersion),
      prose(`${run.startedAt}, seed ${run.seed}, ${run.runs} cases`),
      verdict,
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
  const cellsOf = ({ id, outcomes }: { id: string; outcomes: readonly (Outcome | null)[] }): string[] => [
    prose(id),
    ...outcomes.map(signedOutcome),
  ]
  yield '### Requirements that differ\n\n'
  const differing = comparison.requirements.filter((each) => !isAlike(each))
  if (differing.length > 0) yield* table(heads, differing.map(cellsOf))
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
