/** The evidence as an HTTP archive (HAR 1.2): a page for each check, an entry for each exchange. */

import { jsonList } from '../json-list.ts'
import { verdictSentence } from '../outline.ts'
import type { ReportedCheck, RequirementResult, Results } from '../results.ts'
import { momentOf } from '../run-times.ts'
import { safeText } from '../safe-text.ts'
import { checksOf } from '../test-cases.ts'
import { entryOf } from './entry.ts'

/** Pieces of the document. Fields that begin with an underscore are our own; the format allows them. */
export function* harReport(results: Results): Generator<string> {
  const { suite, target, run, verdict, totals } = results
  const head = {
    version: '1.2',
    creator: { name: 'portal-conformance', version: suite.version },
    comment: safeText(
      `${target.baseUrl}: ${verdictSentence(results)} The exchanges are redacted, long bodies are cut.`,
    ),
    _run: run.id,
    _verdict: verdict,
    _totals: totals,
    _complete: results.complete === true,
  }
  yield `{"log":${JSON.stringify(head).slice(0, -1)},\n"pages":[`
  yield* jsonList(pagesOf(results))
  yield '\n],\n"entries":['
  yield* jsonList(entriesOf(results))
  yield '\n]}}\n'
}

function* pagesOf(results: Results): Generator<object> {
  for (const requirement of results.requirements) {
    for (const check of checksOf(requirement)) yield pageOf(results, requirement, check)
  }
}

function pageOf({ run }: Results, requirement: RequirementResult, check: ReportedCheck): object {
  const { id, title, outcome, evidence = [], failure, reason } = check
  const why = failure?.message ?? reason
  return {
    startedDateTime: momentOf(run, evidence[0]?.atMs),
    id,
    title: safeText(`${id}: ${title}`),
    pageTimings: {},
    comment: why === undefined ? outcome : safeText(`${outcome}: ${why}`),
    _outcome: outcome,
    _requirement: requirement.id,
    _level: requirement.level,
    _section: requirement.section,
  }
}

function* entriesOf({ requirements, run }: Results): Generator<object> {
  for (const { checks } of requirements) {
    for (const { id, evidence = [] } of checks) {
      for (const exchange of evidence) {
        yield {
          pageref: id,
          startedDateTime: momentOf(run, exchange.atMs),
          ...entryOf(exchange),
          comment: id,
          ...(exchange.actor === undefined ? {} : { _actor: exchange.actor }),
          _curl: exchange.curl,
        }
      }
    }
  }
}
