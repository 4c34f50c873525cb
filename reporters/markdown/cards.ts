/** The cards of a report in Markdown: what the target does wrong, what was sent, expected and answered, and how to see it again. */
import type { Outcome } from '../../specs/outcomes.ts'
import { alsoWords, askedIn, inTheirWords, pageIn, sentWords, sizeOf, whereOf } from '../card-words.ts'
import { type Card, callersOf } from '../cards.ts'
import { caseWords } from '../case-words.ts'
import { answerHead, longestCommand, sightings, waiverSentence } from '../finding-text.ts'
import type { Outline } from '../outline.ts'
import type { ReportedCheck } from '../results.ts'
import { code, fenced, prose } from '../safe-text.ts'
import { countOf, names, outcomeWords } from '../wording.ts'
import type { Block, Section } from './section.ts'

const having = ({ cards }: Outline, outcome: Outcome): Card[] =>
  cards.filter((card) => card.outcome === outcome)

/** A block for each cause of failed checks. */
export function failures(outline: Outline): Section {
  return { title: 'Failures', kind: 'failed checks', blocks: blocksOf(having(outline, 'failed')) }
}

function* blocksOf(cards: readonly Card[]): Generator<Block> {
  for (const card of cards) yield { text: cardBlock(card), count: card.findings.length }
}

/** Failures that do not count, with who answers for them. */
export function waivers(outline: Outline): Section {
  const waived = having(outline, 'waived').flatMap(({ findings }) => findings.map(({ check }) => check))
  const blocks = waived.map((check): Block => {
    const found = check.failure === undefined ? '' : ` Found: ${prose(check.failure.message)}`
    const why = prose(waiverSentence(check) ?? check.reason ?? 'no reason given')
    return { text: `- ${outcomeWords.waived.sign} ${code(check.id)}: ${why}.${found}\n`, count: 1 }
  })
  return { title: 'Waived', kind: 'waived checks', blocks }
}

/** Advice that is not kept, where nothing else shows the same cause. */
export function advice(outline: Outline): Section {
  const blocks = having(outline, 'warned').map(({ findings }): Block => {
    const [{ check }] = findings
    const ids = names(
      findings.map((each) => each.check.id),
      code,
    )
    const came = prose(check.failure?.actual ?? '')
    return {
      text: `- ${outcomeWords.warned.sign} ${prose(check.failure?.message ?? '')} (came: ${came}): ${ids}\n`,
      count: findings.length,
    }
  })
  return { title: 'Advice that is not kept', kind: 'requirements that are warned', blocks }
}

function cardBlock(card: Card): string {
  const { findings, blocked } = card
  const [{ requirement, check }] = findings
  const { level, section, text } = requirement
  const callers = callersOf(findings)
  const also = inTheirWords(findings.slice(1), card).map(
    (each) =>
      `- Also: ${prose(alsoWords(each))}: ${names(
        each.checks.map(({ id }) => id),
        code,
      )}`,
  )
  return [
    `### ${outcomeWords.failed.sign} ${code(check.id)}${findings.length === 1 ? '' : ` (${sizeOf(card)})`}`,
    '',
    `> ${prose(whereOf(card))}: ${prose(text)} (§${prose(section)}, ${prose(level)})`,
    '',
    ...findingLines(check),
    ...also,
    ...(callers.length > 1 ? [`- Callers: ${names(callers, code)}`] : []),
    ...(blocked.length === 0
      ? []
      : [
          `- Because of this, ${countOf(blocked.length, 'requirement')} could not be judged: ${names(blocked, code)}`,
        ]),
    '',
    ...evidenceLines(check),
    ...(check.failure === undefined ? [] : ['Again:', '', fenced(check.failure.replay, 'sh'), '']),
    '',
  ].join('\n')
}

function findingLines(check: ReportedCheck): string[] {
  const { failure } = check
  if (failure === undefined) return []
  const { message, expected, actual, counterexample } = failure
  const seen = sightings(failure)
  return [
    `- **Found:** ${prose(message)}`,
    `- **Sent:** ${prose(sentWords(check))}`,
    ...expected.map((each) => `- **Expected:** ${prose(each)}`),
    `- **Came:** ${prose(actual)}`,
    ...(counterexample === undefined ? [] : [`- Case: ${code(caseWords(counterexample))}`]),
    ...(seen === undefined ? [] : [`- Seen: ${seen}`]),
  ]
}

/** The request and its answer; where a page shows the effect, the page after them. */
function evidenceLines(check: ReportedCheck): string[] {
  const asked = askedIn(check)
  if (asked === undefined) return []
  const { request, response, error, curl } = asked
  const count = check.evidence?.length ?? 1
  const shown = pageIn(check)
  const which = count === 1 ? '' : ` (one of ${count} exchanges)`
  const answered = [answerHead(response, error), shown === undefined ? (response?.body ?? '') : '']
  const page =
    shown === undefined
      ? []
      : [
          `Page${shown.later === undefined ? '' : `, ${shown.later}`}:`,
          '',
          fenced(
            `${shown.page.request.method} ${shown.page.request.url}\n\n${answerHead(shown.page.response, shown.page.error)}`,
          ),
          '',
        ]
  return [
    `<details><summary>Request and answer${which}</summary>`,
    '',
    fenced([`${request.method} ${request.url}`, request.body].filter((part) => part !== '').join('\n\n')),
    '',
    fenced(answered.filter((part) => part !== '').join('\n\n')),
    '',
    ...page,
    ...(curl.length <= longestCommand ? [fenced(curl, 'sh'), ''] : []),
    '</details>',
    '',
  ]
}
