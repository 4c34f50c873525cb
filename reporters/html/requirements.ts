/** The list of all requirements, by operation and kind of rule, with what narrows it. */

import { countsByOutcome, outcomes } from '../../specs/outcomes.ts'
import { byKey } from '../grouping.ts'
import { outcomeWords } from '../outcome-words.ts'
import type { RequirementResult } from '../results.ts'
import { titleOf } from '../subject-titles.ts'
import { Causes } from './causes.ts'
import { countOf, filterAnchor, html, type Markup } from './markup.ts'
import { countsInWords } from './outcome.ts'
import { requirementRow } from './requirement.ts'

/** The filter and the rows, piece by piece. */
export function* requirementList(requirements: readonly RequirementResult[]): Generator<Markup> {
  yield html`<section aria-labelledby="requirements" id="list"><h2 id="requirements">All requirements</h2>
<span id="${filterAnchor({ outcome: 'passed' })}"></span>
${filterForm(requirements)}
<p class="none" hidden>No requirement matches. <button type="button" class="reset">Show all</button></p>
`
  const causes = new Causes()
  for (const [operation, ofOperation] of byKey(requirements, ({ operation }) => operation)) {
    yield html`<section class="operation" aria-label="${titleOf(operation)}"><h3>${titleOf(operation)} <small>${countOf(ofOperation.length, 'requirement')}: ${countsInWords(countsByOutcome(ofOperation))}</small></h3>
`
    for (const [kind, ofKind] of byKey(ofOperation, (requirement) => requirement.kind)) {
      yield html`<div class="kind" id="${filterAnchor({ operation, kind })}"><h4>${kind}</h4>\n`
      for (const requirement of ofKind) yield* requirementRow(requirement, causes)
      yield html`</div>\n`
    }
    yield html`</section>\n`
  }
  if (requirements.length === 0) yield html`<p>These results hold no requirement.</p>\n`
  yield html`</section>\n`
}

function filterForm(requirements: readonly RequirementResult[]): Markup {
  const present = outcomes.filter((outcome) => requirements.some((each) => each.outcome === outcome))
  const distinct = (of: (requirement: RequirementResult) => string): string[] => [
    ...new Set(requirements.map(of)),
  ]
  return html`<form id="filter" role="search" aria-label="Requirements">
<div class="wide"><label for="q">Search</label><input id="q" name="q" type="search" autocomplete="off" spellcheck="false" placeholder="id, sentence, finding"></div>
${choice(
  'outcome',
  'Outcome',
  present.map((outcome) => [outcome, outcomeWords[outcome].word]),
)}
${choice(
  'level',
  'Level',
  distinct(({ level }) => level).map((level) => [level, level]),
)}
${choice(
  'operation',
  'Operation',
  distinct(({ operation }) => operation).map((id) => [id, titleOf(id as RequirementResult['operation'])]),
)}
${choice(
  'kind',
  'Kind of rule',
  distinct(({ kind }) => kind).map((kind) => [kind, kind]),
)}
<div class="hits"><output id="hits" for="q outcome level operation kind">${countOf(requirements.length, 'requirement')}</output> <button type="button" class="reset">Show all</button></div>
</form>
`
}

function choice(name: string, label: string, values: readonly (readonly [string, string])[]): Markup {
  return html`<div><label for="${name}">${label}</label><select id="${name}" name="${name}"><option value="">all</option>${values.map(
    ([value, shown]) => html`<option value="${value}">${shown}</option>`,
  )}</select></div>
`
}
