/** A comparison as one page that loads nothing and runs nothing. hono/html escapes whatever stands in it. */
import { html, raw } from 'hono/html'
import type { Outcome } from '../../specs/outcomes.ts'
import { safeText } from '../safe-text.ts'
import { titleOf } from '../subject-titles.ts'
import { byOperation, changedBeneath, differingPoints, isAlike, reasonOf, sectionsOf } from './arrangement.ts'
import { changeWords, comparisonSentence, signedOutcome } from './change-words.ts'
import type { Compared, Comparison } from './comparison.ts'
import { policy, style } from './html-style.ts'

type Markup = ReturnType<typeof html>

/** The page in pieces, a row each. */
export function* comparisonHtml(comparison: Comparison, asMatrix: boolean): Generator<string> {
  for (const piece of page(comparison, asMatrix)) yield String(piece)
}

function* page(comparison: Comparison, asMatrix: boolean): Generator<Markup> {
  const title = `Comparison of ${comparison.sides.length} results`
  yield html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${raw(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${raw(style)}</style></head>
<body><main><h1>${title}</h1>
<p class="sentence ${comparison.lost.length > 0 ? 'bad' : 'good'}">${comparison.lost.length > 0 ? '✗' : '✓'} ${comparisonSentence(comparison)}</p>
`
  yield* sides(comparison)
  if (asMatrix) yield* matrix(comparison)
  else yield* changed(comparison)
  yield* beneath(comparison)
  yield* openPoints(comparison)
  yield html`</main></body></html>
`
}

function* table(
  label: string,
  {
    heads,
    rows,
    kind = 'changes',
  }: { heads: readonly string[]; rows: Iterable<Markup>; kind?: 'changes' | 'wide' },
): Generator<Markup> {
  // Who has no pointer scrolls what can take the focus.
  yield html`<div class="table" tabindex="0" role="region" aria-label="${safeText(label)}"><table class="${kind}"><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>
`
  yield* rows
  yield html`</tbody></table></div>
`
}

function* sides({ sides, notes }: Comparison): Generator<Markup> {
  const rows = sides.map(({ key, label, file, target, suiteVersion, run, verdict }) => {
    const address = label === target.baseUrl ? '' : target.baseUrl
    const release = [
      address,
      target.version ?? 'release not configured',
      target.edition,
      `profile ${target.profile}`,
    ]
    return html`<tr><th scope="row">${key}: ${safeText(label)}<br><span class="quiet">${safeText(file)}</span></th><td>${verdict}</td><td>${safeText(release.filter(Boolean).join(', '))}</td><td>${safeText(`${run.startedAt}, suite ${suiteVersion}, seed ${run.seed}, ${run.runs} cases of each generated check`)}</td></tr>
`
  })
  yield* table('What is compared', { heads: ['results', 'verdict', 'target', 'run'], rows })
  for (const note of notes)
    yield html`<p class="note">Note: ${safeText(note)}</p>
`
}

const looks: Readonly<Record<Outcome, string>> = {
  passed: 'good',
  failed: 'bad',
  inconclusive: 'unsure',
  warned: 'warn',
  waived: 'warn',
  'not-tested': 'info',
  'not-applicable': 'quiet',
}

function outcomeCell(outcome: Outcome | null, key: string): Markup {
  const look = outcome === null ? 'quiet' : looks[outcome]
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
        ) => html`<tr><th scope="row">${member.id}<br><span class="quiet">§${safeText(member.section)} ${safeText(member.text)}</span></th>${outcomeCells(member, comparison)}<td>${safeText(reasonOf(member))}</td></tr>
`,
      ),
    )
    yield* table(title, { heads: ['requirement', ...keys, 'why'], rows })
  }
  const same = comparison.counts[0]?.same ?? 0
  yield html`<p class="quiet">${same} of ${comparison.requirements.length} requirements have the same outcome.</p>
`
}

function* matrix(comparison: Comparison): Generator<Markup> {
  const heads = ['requirement', ...comparison.sides.map(({ key }) => key)]
  const rowOf = (each: Compared): Markup =>
    html`<tr><th scope="row">${each.id}</th>${outcomeCells(each, comparison)}</tr>
`
  for (const [operation, requirements] of byOperation(comparison)) {
    const title = safeText(titleOf(operation))
    const differing = requirements.filter((each) => !isAlike(each)).length
    yield html`<h2>${title}</h2>
<details ${differing > 0 ? raw('open') : ''}><summary>${requirements.length} requirements, ${differing === 0 ? 'all alike' : `${differing} differ`}</summary>
`
    yield* table(title, { heads, rows: rowsOf(requirements, rowOf), kind: 'wide' })
    yield html`</details>
`
  }
}

function* rowsOf<Item>(items: readonly Item[], rowOf: (item: Item) => Markup): Generator<Markup> {
  for (const item of items) yield rowOf(item)
}

function* beneath(comparison: Comparison): Generator<Markup> {
  const checks = changedBeneath(comparison)
  if (checks.length === 0) return
  const title = 'Checks that changed beneath a requirement that did not'
  const opened = checks.some(({ lost }) => lost)
  yield html`<h2>${title}</h2>
<details ${opened ? raw('open') : ''}><summary>${checks.length}</summary>
`
  const heads = ['check', ...comparison.sides.map(({ key }) => key), 'why']
  const rowOf = ({ check, lost }: (typeof checks)[number]): Markup =>
    html`<tr><th scope="row" class="${lost ? 'bad' : 'quiet'}">${lost ? '✗ ' : ''}${safeText(check.id)}</th>${outcomeCells(check, comparison)}<td>${safeText(check.reasons.at(-1) ?? '')}</td></tr>
`
  yield* table(title, { heads, rows: rowsOf(checks, rowOf) })
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
        : html`<td data-side="${keys[at] ?? ''}"><ul>${values.map((value) => html`<li>${safeText(value)}</li>`)}</ul></td>`,
    )
    return html`<tr><th scope="row">${safeText(question)}<br><span class="quiet">${safeText(operations.join(', '))}</span></th>${cells}</tr>
`
  })
  yield* table(title, { heads: ['open point', ...keys], rows })
}
