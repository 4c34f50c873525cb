/** Annotations as commands to GitHub Actions, which reads them from what a step prints. */

import type { RequirementResult, Results } from '../../reporters/results.ts'
import { safeText } from '../../reporters/safe-text.ts'
import { clientCases, troublesOf } from '../../reporters/test-cases.ts'
import { outcomeWords } from '../../reporters/wording.ts'

type Kind = 'error' | 'warning'

interface Annotation {
  readonly title: string
  readonly lines: readonly string[]
}

/** GitHub shows no more of a kind for a step. */
const mostOfAKind = 10
/** Characters of a message. */
const longestMessage = 1000

/**
 * Errors for what failed, for what recorded clients did wrong and for errors of the run, warnings for what could not be told and for advice that is not
 * kept. Where there are more than ten of a kind, the last one says how many.
 */
export function annotations(results: Results): string[] {
  const having = (...outcomes: RequirementResult['outcome'][]): Annotation[] =>
    results.requirements.filter(({ outcome }) => outcomes.includes(outcome)).map(annotationOf)
  const troubles = troublesOf(results).map(({ message }) => ({ title: 'the run itself', lines: [message] }))
  const clients = clientCases(results)
    .filter(({ failed }) => failed)
    .map(({ id, message }) => ({ title: id, lines: [message] }))
  return [
    ...commands('error', [...troubles, ...having('failed'), ...clients]),
    ...commands('warning', having('inconclusive', 'warned')),
  ]
}

function annotationOf({ id, text, outcome, reason, checks }: RequirementResult): Annotation {
  const check = checks.find((each) => each.outcome === outcome)
  const failure = check?.failure
  const found = failure?.message ?? check?.reason ?? reason ?? 'no reason given'
  const again = failure === undefined ? [] : [`Again: ${failure.replay}`]
  return {
    title: `${outcomeWords[outcome].word}: ${id}`,
    lines: [text, found, ...again],
  }
}

function commands(kind: Kind, all: readonly Annotation[]): string[] {
  if (all.length <= mostOfAKind) return all.map((each) => command(kind, each))
  const shown = all.slice(0, mostOfAKind - 1)
  const left = all.length - shown.length
  const last = {
    title: `${left} more`,
    lines: [`${left} more ${kind}s like these: the report and results.json hold all.`],
  }
  return [...shown, last].map((each) => command(kind, each))
}

function command(kind: Kind, { title, lines }: Annotation): string {
  const message = lines.map((line) => shortened(safeText(line))).join('\n')
  return `::${kind} title=${escapedProperty(safeText(title))}::${escapedData(message)}`
}

const escapedData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const escapedProperty = (text: string): string =>
  escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

function shortened(text: string): string {
  return text.length <= longestMessage ? text : `${text.slice(0, longestMessage)}…`
}
