/** The result of a requirement that an exchange was seen to break, in a run or in recorded traffic. Redacted. */
import type { Breach } from '../clauses/clause.ts'
import type { Exchange } from '../clauses/exchange.ts'
import { inKnownWords } from '../clauses/known-shapes.ts'
import type { Evidence } from '../deployment/http/exchange.ts'
import type { Redactor } from '../deployment/redaction/redaction.ts'
import { withoutUndefined } from '../schemas/without-undefined.ts'
import type { KnownShape } from '../specs/profile.ts'
import { requirementOf } from '../specs/requirements.ts'
import type { CheckResult } from './check-result.ts'

/** What was seen, and where. */
interface Seen {
  readonly breach: Breach
  readonly exchange: Exchange
  /** Where it was seen, in words. */
  readonly counterexample: string
  /** What was expected of the answer, where that is the whole expectation. */
  readonly wanted?: 'accepted'
}

/** How it is reported. */
interface Reporting {
  readonly redactor: Redactor
  /** The shapes of the profile in use. */
  readonly shapes: readonly KnownShape[] | undefined
  /** The command line that shows it again. */
  readonly replay: string
  /** An exchange as evidence; undefined where there is nothing to show of it. */
  readonly shown: (exchange: Exchange) => Evidence | undefined
}

/** The result: it failed, or warned where the requirement is advice. */
export function breachResult(
  named: Pick<CheckResult, 'id' | 'requirement' | 'operation' | 'title' | 'seenOn'>,
  { breach, exchange, counterexample, wanted }: Seen,
  { redactor: { text }, shapes, replay, shown }: Reporting,
): CheckResult {
  const { requirement } = named
  const { answer, operation } = exchange
  const known = inKnownWords(breach, { requirement, answer, operation, shapes })
  const warned = requirementOf(requirement).level === 'advice'
  const message = text(known.message)
  return withoutUndefined({
    ...named,
    outcome: warned ? 'warned' : 'failed',
    reason: warned ? message : undefined,
    durationMs: 0,
    requests: 0,
    failure: withoutUndefined({
      message,
      expected: [text(breach.expected)],
      actual: text(known.actual),
      wanted,
      counterexample: text(counterexample),
      marks: breach.marks,
      replay: text(replay),
    }),
    evidence: [...(breach.before ?? []), exchange].flatMap((each) => shown(each) ?? []),
  })
}
