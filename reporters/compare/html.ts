/** A comparison as one page, in the frame that the report has. */
import type { Outcome } from '../../specs/outcomes.ts'
import { byKey } from '../alike.ts'
import { constant, headCells, html, type Markup, pageEnd, pageStart } from '../html/markup.ts'
import { targetWords } from '../outline.ts'
import { coverageSentence } from '../verdict.ts'
import { outcomeWords, titleOf, verdictLooks } from '../wording.ts'
import {
  bareLabel,
  byOperation,
  byVerdict,
  type Compared,
  type Comparison,
  changedBeneath,
  changeWords,
  comparisonSentence,
  differing,
  differingPoints,
  type HeatRow,
  heatOf,
  isAlike,
  isBad,
  mostColumns,
  reasonOf,
  sectionsOf,
  sharesOf,
  signedOutcome,
  type VerdictWord,
  verdictText,
} from './comparison.ts'

/** The page in pieces, a row each. */
export function* comparisonHtml(comparison: Comparison, asMatrix: boolean): Generator<string> {
  for (const piece of page(comparison, asMatrix)) yield String(piece)
}

function* page(comparison: Comparison, asMatrix: boolean): Generator<Markup> {
  const title = `Comparison of ${comparison.sides.length} results`
  yield pageStart(title, 'To the differences')
  const look = isBad(comparison) ? 'failed' : 'passed'
  yield comparisonHead(
    title,
    html`<p class="sentence ${look}">${outcomeWords[look].sign} ${comparisonSentence(comparison)}</p>`,
  )
  if (asMatrix && comparison.sides.length > mostColumns) {
    yield* verdicts(comparison)
    yield* heat(comparison)
    yield* shares(comparison)
    yield* fewPoints(comparison)
  } else {
    yield* sides(comparison)
    if (asMatrix) yield* heat(comparison)
    yield* asMatrix ? matrix(comparison) : changed(comparison)
    yield* beneath(comparison)
    yield* openPoints(comparison)
  }
  yield html`</main>\n`
  yield pageEnd(
    'Written by portal-conformance. Everything that was measured stands in the results that are compared here.',
  )
}

/** The start of what stands in a page about several results. */
export function comparisonHead(title: string, sentence?: Markup): Markup {
  return html`<main class="comparison" id="requirements"><header class="top"><div class="brand"><p>portal-conformance</p><button type="button" id="theme" aria-pressed="false">Dark</button></div>
<h1>${title}</h1>
${sentence}</header>
`
}

/** A wide table, row by row. */
export function* table(label: string, heads: readonly string[], rows: Iterable<Markup>): Generator<Markup> {
  // Who has no pointer scrolls what can take the focus.
  yield html`<div class="table" tabindex="0" role="region" aria-label="${label}"><table><thead><tr>${headCells(heads)}</tr></thead><tbody>
`
  yield* rows
  yield html`</tbody></table></div>
`
}

function* sides({ sides, notes }: Comparison): Generator<Markup> {
  const rows = sides.map((side) => {
    const { key, label, file, target, suiteVersion, run, coverage } = side
    const address = label === target.baseUrl ? '' : target.baseUrl
    const release = [address, targetWords(target)]
    return html`<tr><th scope="row">${key}: ${label}<br><span class="quiet">${file}</span></th><td>${verdictText(side)}${coverage && html`<br><span class="quiet">${coverageSentence(coverage)}</span>`}</td><td>${release.filter(Boolean).join(', ')}</td><td>${`${run.startedAt}, suite ${suiteVersion}, seed ${run.seed}, ${run.runs} cases of each generated check`}</td></tr>
`
  })
  yield* table('What is compared', ['results', 'verdict', 'target', 'run'], rows)
  for (const note of notes)
    yield html`<p class="note">Note: ${note}</p>
`
}

function outcomeCell(outcome: Outcome | null, key: string): Markup {
  const look = outcome ?? 'unseen'
  return html`<td class="outcome ${look}" data-side="${key}">${signedOutcome(outcome)}</td>`
}

function outcomeCells({ outcomes }: Compared, { sides }: Comparison): Markup[] {
  return sides.map(({ key }, at) => outcomeCell(outcomes[at] ?? null, key))
}

function* changed(comparison: Comparison): Generator<Markup> {
  const keys = comparison.sides.map(({ key }) => key)
  for (const { change, groups, count } of sectionsOf(comparison)) {
    const { sign, title } = changeWords[change]
    yield html`<h2>${sign} ${title} (${count})</h2>
`
    const rows = groups.flatMap(({ members }) =>
      members.map(
        (
          member,
        ) => html`<tr><th scope="row">${member.id}<br><span class="quiet">§${member.section} ${member.text}</span></th>${outcomeCells(member, comparison)}<td>${reasonOf(member)}</td></tr>
`,
      ),
    )
    yield* table(title, ['requirement', ...keys, 'why'], rows)
  }
  const same = comparison.counts[0]?.same ?? 0
  yield html`<p class="quiet">${same} of ${comparison.requirements.length} requirements have the same outcome.</p>
`
}

/** Names that stand in the open: the others are folded. */
const mostLabels = 12

function labels(several: readonly string[]): Markup {
  if (several.length <= mostLabels) return html`${several.join(', ')}`
  return html`<details><summary>${several.length} targets</summary>${several.join(', ')}</details>`
}

const verdictClasses: Readonly<Record<VerdictWord, Outcome>> = {
  ...verdictLooks,
  'not judged': 'inconclusive',
}

function* verdicts(comparison: Comparison): Generator<Markup> {
  const rows = byVerdict(comparison).map(
    ({ verdict, text, sides: several }) =>
      html`<tr><th scope="row" class="${verdictClasses[verdict]}">${several.length} ${text}</th><td>${labels(several.map(bareLabel))}</td></tr>\n`,
  )
  yield* table('Verdicts', ['verdict', 'targets'], rows)
  for (const note of comparison.notes) {
    yield html`<details class="notice"><summary>${note.slice(0, 120)}${note.length > 120 ? '…' : ''}</summary>${note}</details>\n`
  }
}

/** Targets by operations: only those that are not like the most stand in the open. */
function* heat(comparison: Comparison): Generator<Markup> {
  const { subjects, rows } = heatOf(comparison)
  const alike = byKey(rows, ({ heats }) =>
    JSON.stringify(heats.map(({ outcome, count }) => [outcome, count])),
  )
  const usual = [...alike.values()].reduce((one, other) => (other.length > one.length ? other : one))
  const folded = usual.length > mostLabels ? usual : []
  const shown = [...alike.values()].filter((several) => several !== folded).flat()
  const heads = ['target', ...subjects.map((subject) => titleOf(subject))]
  yield html`<h2 id="heat">Targets by operation</h2>
<p class="quiet">Each cell shows the worst outcome of its requirements, and how many have it.</p>
`
  if (shown.length > 0) yield* table('Targets by operation', heads, shown.map(heatRow))
  if (folded.length > 0) {
    yield html`<details><summary>${folded.length} targets that are alike</summary>\n`
    yield* table('Targets that are alike', heads, folded.slice(0, 1).map(heatRow))
    yield html`<p>${folded.map(({ side }) => side.label).join(', ')}</p></details>\n`
  }
}

function heatRow({ heats, side }: HeatRow): Markup {
  return html`<tr><th scope="row">${bareLabel(side)} <small>${verdictText(side)}</small></th>${heats.map(
    ({ outcome, count, of }) =>
      outcome === null
        ? html`<td></td>`
        : html`<td class="heat ${outcome}">${signedOutcome(outcome)}${count < of ? ` ${count}` : ''}</td>`,
  )}</tr>
`
}

function* shares(comparison: Comparison): Generator<Markup> {
  const unlike = differing(comparison)
  yield html`<h2 id="differing">Requirements that differ (${unlike.length})</h2>\n`
  const rowOf = (requirement: (typeof unlike)[number]): Markup =>
    html`<tr><th scope="row">${requirement.id}<br><span class="quiet">§${requirement.section} ${requirement.text}</span></th><td><ul>${sharesOf(
      requirement,
      comparison,
    ).map(
      ({ outcome, labels: several }) =>
        html`<li><span class="o ${outcome ?? ''}">${signedOutcome(outcome)}</span> ${several.length > comparison.sides.length / 2 ? `${several.length} targets` : labels(several)}</li>`,
    )}</ul></td></tr>\n`
  if (unlike.length > 0)
    yield* table('Requirements that differ', ['requirement', 'outcomes'], unlike.map(rowOf))
}

/** Open points of many targets: the answers, each with those who give it. */
function* fewPoints(comparison: Comparison): Generator<Markup> {
  const points = differingPoints(comparison)
  if (points.length === 0) return
  yield html`<h2>Different on an open point of the contract</h2>
<p class="quiet">None of it is wrong.</p>
`
  for (const { question, operations, observed } of points) {
    const answers = byKey(
      comparison.sides.flatMap(({ label, judged }, at) =>
        judged === false ? [] : [{ label, answer: (observed[at] ?? []).join('; ') }],
      ),
      ({ answer }) => answer,
    )
    yield html`<details><summary>${question} <small>${operations.join(', ')}: ${answers.size} answers</small></summary><ul>${[
      ...answers,
    ].map(
      ([answer, several]) =>
        html`<li>${answer === '' ? 'not observed' : answer}: ${labels(several.map(({ label }) => label))}</li>`,
    )}</ul></details>\n`
  }
}

function* matrix(comparison: Comparison): Generator<Markup> {
  const heads = ['requirement', ...comparison.sides.map(({ key }) => key)]
  const rowOf = (each: Compared): Markup =>
    html`<tr><th scope="row">${each.id}</th>${outcomeCells(each, comparison)}</tr>
`
  for (const [operation, requirements] of byOperation(comparison)) {
    const title = titleOf(operation)
    const unlike = requirements.filter((each) => !isAlike(each)).length
    yield html`<h2>${title}</h2>
<details ${unlike > 0 ? constant('open') : ''}><summary>${requirements.length} requirements, ${unlike === 0 ? 'all alike' : `${unlike} differ`}</summary>
`
    yield* table(title, heads, requirements.map(rowOf))
    yield html`</details>
`
  }
}

function* beneath(comparison: Comparison): Generator<Markup> {
  const checks = changedBeneath(comparison)
  if (checks.length === 0) return
  const title = 'Checks that changed beneath a requirement that did not'
  const opened = checks.some(({ lost }) => lost)
  yield html`<h2>${title}</h2>
<details ${opened ? constant('open') : ''}><summary>${checks.length}</summary>
`
  const heads = ['check', ...comparison.sides.map(({ key }) => key), 'why']
  const rowOf = ({ check, lost }: (typeof checks)[number]): Markup =>
    html`<tr><th scope="row" class="${lost ? 'failed' : 'quiet'}">${lost ? '✗ ' : ''}${check.id}</th>${outcomeCells(check, comparison)}<td>${check.reasons.at(-1) ?? ''}</td></tr>
`
  yield* table(title, heads, checks.map(rowOf))
  yield html`</details>
`
}

function* openPoints(comparison: Comparison): Generator<Markup> {
  const points = differingPoints(comparison)
  if (points.length === 0) return
  const title = 'Different on an open point of the contract'
  yield html`<h2>${title}</h2>
<p class="quiet">None of it is wrong.</p>
`
  const keys = comparison.sides.map(({ key }) => key)
  const rows = points.map(({ question, operations, observed }) => {
    const cells = observed.map((values, at) =>
      values.length === 0
        ? html`<td class="quiet" data-side="${keys[at] ?? ''}">not observed</td>`
        : html`<td data-side="${keys[at] ?? ''}"><ul>${values.map((value) => html`<li>${value}</li>`)}</ul></td>`,
    )
    return html`<tr><th scope="row">${question}<br><span class="quiet">${operations.join(', ')}</span></th>${cells}</tr>
`
  })
  yield* table(title, ['open point', ...keys], rows)
}
