/** What failed: the finding in the open, the exchange folded away. */
import { answerHead, caseWords, sightings } from '../finding-text.ts'
import type { Cause, Outline } from '../outline.ts'
import type { ReportedCheck } from '../results.ts'
import { countOf, names, outcomeWords } from '../wording.ts'
import { code, fenced, prose } from './escaping.ts'
import type { Block, Section } from './sections.ts'

/** A longer command does not help at a prompt. */
const longestCommand = 4000

/** Failed checks; those that are alike are told once. */
export function failures({ causes }: Outline): Section {
  return { title: 'Failures', kind: 'failed checks', blocks: blocksOf(causes) }
}

function* blocksOf(causes: readonly Cause[]): Generator<Block> {
  for (const cause of causes.filter(({ check }) => check.outcome === 'failed')) {
    yield { text: failureBlock(cause), count: cause.checks.length }
  }
}

function failureBlock({ requirement, where, check, checks, blocked }: Cause): string {
  const { level, section, text } = requirement
  const { failure } = check
  const same = checks.slice(1).map(({ id }) => id)
  return [
    `### ${outcomeWords.failed.sign} ${code(check.id)}`,
    '',
    `> ${prose(where)}: ${prose(text)} (§${prose(section)}, ${prose(level)})`,
    '',
    ...(failure === undefined ? [] : findingLines(failure)),
    ...(same.length === 0 ? [] : [`- The same at ${names(same, code)}`]),
    ...(blocked.length === 0
      ? []
      : [
          `- Because of this, ${countOf(blocked.length, 'requirement')} could not be judged: ${names(blocked, code)}`,
        ]),
    '',
    ...evidenceLines(check),
    ...(failure === undefined ? [] : ['Again:', '', fenced(failure.replay, 'sh'), '']),
    '',
  ].join('\n')
}

function findingLines(failure: NonNullable<ReportedCheck['failure']>) {
  const { message, expected, actual, counterexample } = failure
  const seen = sightings(failure)
  return [
    `- **Found:** ${prose(message)}`,
    ...expected.map((each) => `- Acceptable: ${prose(each)}`),
    `- Came: ${prose(actual)}`,
    ...(counterexample === undefined ? [] : [`- Case: ${code(caseWords(counterexample))}`]),
    ...(seen === undefined ? [] : [`- Seen: ${seen}`]),
  ]
}

/** The last exchange: the one that the finding rests on. */
function evidenceLines({ evidence = [] }: ReportedCheck): string[] {
  const exchange = evidence.at(-1)
  if (exchange === undefined) return []
  const { request, response, error, curl } = exchange
  const which = evidence.length === 1 ? '' : ` (the last of ${evidence.length} exchanges)`
  return [
    `<details><summary>Request and answer${which}</summary>`,
    '',
    fenced([`${request.method} ${request.url}`, request.body].filter((part) => part !== '').join('\n\n')),
    '',
    fenced([answerHead(response, error), response?.body ?? ''].filter((part) => part !== '').join('\n\n')),
    '',
    ...(curl.length <= longestCommand ? [fenced(curl, 'sh'), ''] : []),
    '</details>',
    '',
  ]
}
