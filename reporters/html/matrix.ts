/** The matrix of operations and kinds of rule. */

import { ruleKinds } from '../../specs/clause.ts'
import { type Outcome, worst } from '../../specs/outcomes.ts'
import { byKey } from '../grouping.ts'
import { outcomeWords } from '../outcome-words.ts'
import type { RequirementResult } from '../results.ts'
import { titleOf } from '../subject-titles.ts'
import { filterAnchor, html, type Markup } from './markup.ts'

/** The kinds of rule in the order of their columns; one that this version does not know comes last. */
function kindsOf(requirements: readonly RequirementResult[]): string[] {
  return [...new Set<string>([...ruleKinds, ...requirements.map(({ kind }) => kind)])]
}

/** A row for each operation, a column for each kind; each cell leads to its requirements. */
export function matrix(requirements: readonly RequirementResult[]): Markup {
  const kinds = kindsOf(requirements)
  const rows = [...byKey(requirements, ({ operation }) => operation)]
  return html`<section aria-labelledby="matrix"><h2 id="matrix">Operations by kind of rule</h2>
<p class="lead">Each cell shows the worst outcome of its requirements, and how many there are. It leads to them.</p>
<div class="scroll" role="group" tabindex="0" aria-labelledby="matrix"><table class="matrix">
<thead><tr><th scope="col">Operation</th>${kinds.map((kind) => html`<th scope="col">${kind}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([operation, ofOperation]) => html`<tr><th scope="row">${titleOf(operation)}</th>${kinds.map((kind) =>
      cell(
        operation,
        kind,
        ofOperation.filter((each) => each.kind === kind),
      ),
    )}</tr>
`,
  )}</tbody></table></div></section>
`
}

function cell(operation: string, kind: string, requirements: readonly RequirementResult[]): Markup {
  if (requirements.length === 0) return html`<td class="empty"><span class="away">no rule</span></td>`
  const outcome = worst(requirements.map((each) => each.outcome))
  const { sign, word } = outcomeWords[outcome]
  return html`<td class="${outcome}"><a href="#${filterAnchor({ operation, kind })}"><i aria-hidden="true">${sign}</i> ${word} <small>${share(outcome, requirements)}</small></a></td>`
}

function share(outcome: Outcome, requirements: readonly RequirementResult[]): string {
  const such = requirements.filter((each) => each.outcome === outcome).length
  return such === requirements.length ? String(such) : `${such} of ${requirements.length}`
}
