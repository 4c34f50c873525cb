/** The end of a report: counts, the findings again, what was not judged and why, the verdict. */
import { type Outcome, outcomes, type Verdict } from '../../specs/outcomes.ts'
import { additionsAfter } from '../additions.ts'
import { gistOf } from '../gist.ts'
import { byKey } from '../grouping.ts'
import { outcomeWords } from '../outcome-words.ts'
import type { RequirementResult, Results } from '../results.ts'
import { putOffSentence, verdictSentence } from '../verdict-sentence.ts'
import { writeAdditions } from './additions.ts'
import { names } from './names.ts'
import { formatOf, signed } from './outcome-signs.ts'
import type { Sheet } from './sheet.ts'
import type { Format } from './style.ts'

export function writeSummary(sheet: Sheet, results: Results): void {
  writeCounts(sheet, results)
  writeFailuresAgain(sheet, results.requirements)
  writeReasons(sheet, results.requirements, 'waived', 'Waived: failed, but does not count')
  writeReasons(sheet, results.requirements, 'inconclusive', 'Could not be told')
  writeReasons(sheet, results.requirements, 'not-tested', 'Not tested')
  writeReasons(sheet, results.requirements, 'not-applicable', 'Not applicable')
  writeReasons(sheet, results.requirements, 'passed', 'Passed, but with fewer cases than asked for')
  writeErrors(sheet, results)
  writeAdditions(sheet, additionsAfter(results))
  writeVerdict(sheet, results)
}

function writeCounts(sheet: Sheet, { totals, requirements }: Results): void {
  sheet.gap()
  sheet.text(0, `Summary of ${requirements.length} requirements`, 'bold')
  const shownFirst: readonly Outcome[] = ['passed', ...outcomes.filter((outcome) => outcome !== 'passed')]
  for (const outcome of shownFirst.filter((each) => totals[each] > 0)) {
    const label = { text: signed(outcome, { padded: true }), format: formatOf(outcome) }
    sheet.labelled(2, label, String(totals[outcome]))
  }
}

function writeFailuresAgain(sheet: Sheet, requirements: readonly RequirementResult[]): void {
  const failed = requirements.flatMap(({ checks }) =>
    checks.flatMap(({ id, outcome, failure }) =>
      outcome === 'failed' && failure !== undefined ? [{ id, ...failure }] : [],
    ),
  )
  if (failed.length === 0) return
  sheet.gap()
  sheet.text(0, 'Failures', 'bold')
  for (const several of byKey(failed, ({ message }) => gistOf(message)).values()) {
    const ids = several.map(({ id }) => id)
    sheet.labelled(2, { text: signed('failed'), format: formatOf('failed') }, names(ids))
    sheet.text(6, several[0]?.message ?? '')
    sheet.command(6, several[0]?.replay ?? '')
  }
}

function writeReasons(
  sheet: Sheet,
  requirements: readonly RequirementResult[],
  outcome: Outcome,
  title: string,
): void {
  const such = requirements.filter(
    (requirement) =>
      requirement.outcome === outcome && (outcome !== 'passed' || requirement.reason !== undefined),
  )
  if (such.length === 0) return
  sheet.gap()
  sheet.text(0, title, 'bold')
  for (const several of byKey(such, ({ reason = '' }) => gistOf(reason)).values()) {
    const reason = several[0]?.reason ?? 'no reason given'
    // The reason of a waived failure begins with that word itself.
    const label = outcome === 'waived' ? outcomeWords.waived.sign : `${signed(outcome)}:`
    sheet.labelled(2, { text: label, format: formatOf(outcome) }, reason)
    sheet.text(6, names(several.map(({ id }) => id)), 'dim')
  }
}

function writeErrors(sheet: Sheet, { errors, complete, run }: Results): void {
  if (errors !== undefined) {
    sheet.gap()
    sheet.text(0, 'Errors of the run itself', 'bold')
    for (const error of errors) sheet.labelled(2, { text: '✗', format: 'red' }, error)
  }
  if (run.stopped !== undefined) {
    sheet.gap()
    sheet.text(0, `Stopped: ${run.stopped}`, 'yellow')
  }
  if (run.putOff !== undefined) {
    sheet.gap()
    sheet.text(0, putOffSentence(run.putOff), 'dim')
  }
  if (complete === true) return
  sheet.gap()
  sheet.text(0, 'This run was cut short: what follows rests on the part that was measured.', 'yellow')
}

const verdictFormats: Record<Verdict, Format> = {
  conformant: 'green',
  'non-conformant': 'red',
  incomplete: 'yellow',
}

function writeVerdict(sheet: Sheet, results: Results): void {
  sheet.gap()
  sheet.text(0, verdictSentence(results), verdictFormats[results.verdict])
}
