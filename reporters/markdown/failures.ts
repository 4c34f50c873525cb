/** What failed: the finding in the open, the exchange folded away. */
import { answerHead, sightings } from '../finding-text.ts'
import { byKey } from '../grouping.ts'
import { outcomeWords } from '../outcome-words.ts'
import type { ReportedCheck, RequirementResult, Results } from '../results.ts'
import { code, fenced, prose } from './escaping.ts'
import { type Block, names, type Section } from './section.ts'

interface Failed {
  readonly requirement: RequirementResult
  readonly check: ReportedCheck
}

/** A longer command does not help at a prompt. */
const longestCommand = 4000

/** Failed checks; those of one finding are told once. */
export function failures({ requirements }: Results): Section {
  const failed = requirements.flatMap((requirement) =>
    requirement.checks
      .filter(({ outcome }) => outcome === 'failed')
      .map((check) => ({ requirement, check }) satisfies Failed),
  )
  const alike = byKey(failed, ({ requirement, check }) => check.failure?.message ?? requirement.id)
  return { title: 'Failures', kind: 'failed checks', blocks: blocksOf(alike.values()) }
}

function* blocksOf(groups: Iterable<readonly Failed[]>): Generator<Block> {
  for (const group of groups) {
    const [first, ...others] = group as [Failed, ...Failed[]]
    yield { text: failureBlock(first, others), count: group.length }
  }
}

function failureBlock({ requirement, check }: Failed, others: readonly Failed[]): string {
  const { level, section, text } = requirement
  const { failure } = check
  const same = others.map((each) => each.check.id)
  return [
    `### ${outcomeWords.failed.sign} ${code(check.id)}`,
    '',
    `> ${prose(text)} (§${prose(section)}, ${prose(level)})`,
    '',
    ...(failure === undefined ? [] : findingLines(failure)),
    ...(same.length === 0 ? [] : [`- The same at ${names(same, code)}`]),
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
    ...(counterexample === undefined ? [] : [`- Case: ${prose(counterexample)}`]),
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
