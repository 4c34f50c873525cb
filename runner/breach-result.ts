/** Makes the result of a requirement that an exchange breaks, in a run or in recorded traffic. Redacted. */
import type { Breach } from '../clauses/clause.ts'
import type { Exchange } from '../clauses/exchange.ts'
import { inKnownWords } from '../clauses/reported-answers.ts'
import type { Evidence } from '../deployment/http/exchange.ts'
import type { Redactor } from '../deployment/redaction/redaction.ts'
import { withoutUndefined } from '../schemas/values.ts'
import type { KnownShape } from '../specs/profile.ts'
import { requirementOf } from '../specs/requirements.ts'
import type { CheckResult } from './check-result.ts'

/** The breach and its exchange. */
interface Seen {
  readonly breach: Breach
  readonly exchange: Exchange
  /** Where it was seen, in words. */
  readonly counterexample: string
  /** Set if the whole expectation was that the request is accepted. */
  readonly wanted?: 'accepted'
}

/** How the breach is reported. */
interface Reporting {
  readonly redactor: Redactor
  /** The shapes of the profile in use. */
  readonly shapes: readonly KnownShape[] | undefined
  /** The command line that shows it again. */
  readonly repeat: string
  /** The seed of the run. Absent for recorded traffic. */
  readonly seed?: number
  /** The exchange as evidence. Undefined if there is nothing to show. */
  readonly shown: (exchange: Exchange) => Evidence | undefined
}

/** The result: failed, or warned for advice. */
export function breachResult(
  named: Pick<CheckResult, 'id' | 'requirement' | 'operation' | 'title' | 'seenOn'>,
  { breach, exchange, counterexample, wanted }: Seen,
  { redactor: { text }, shapes, repeat, seed, shown }: Reporting,
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
      seed,
      marks: breach.marks,
      repeat: text(repeat),
    }),
    evidence: [...(breach.before ?? []), exchange].flatMap((each) => shown(each) ?? []),
  })
}
