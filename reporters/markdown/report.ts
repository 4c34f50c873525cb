/** The results as Markdown, for the summary of a CI step: short, failures first, within the limit of GitHub. */
import { outcomes } from '../../specs/outcomes.ts'
import { effortOf } from '../effort.ts'
import { outcomeWords } from '../outcome-words.ts'
import type { Results } from '../results.ts'
import { troublesOf } from '../run-troubles.ts'
import { verdictSentence } from '../verdict-sentence.ts'
import { additions } from './additions.ts'
import { Budget } from './budget.ts'
import { clients } from './client.ts'
import { code, prose } from './escaping.ts'
import { failures } from './failures.ts'
import { observations, reasons, waivers } from './reasons.ts'
import type { Section } from './section.ts'

/** What GitHub takes for the summary of a step, in bytes; it shows nothing of a longer one. */
export const stepSummaryLimit = 1024 * 1024

/** The head of a document takes no more; where there is less room none is worth writing. */
export const leastBytes = 16 * 1024

/** Pieces of the document, at most so many bytes in all; what has no room is counted in its last sentence. */
export function* markdownReport(results: Results, mostBytes = stepSummaryLimit): Generator<string> {
  const budget = new Budget(mostBytes)
  const head = headOf(results)
  if (budget.takes(head)) yield head
  yield* piecesOf(errorsOf(results), budget)
  // Many failures must not take the room in which is said what was not judged, and why.
  yield* piecesOf(failures(results), budget, mostBytes / 4)
  const sections: Section[] = [
    clients(results),
    reasons(results, 'inconclusive', 'Could not be told'),
    waivers(results),
    reasons(results, 'warned', 'Advice that is not kept'),
    reasons(results, 'not-tested', 'Not tested'),
    additions(results),
    reasons(results, 'not-applicable', 'Not applicable'),
    reasons(results, 'passed', 'Passed, but with a note'),
    observations(results),
  ]
  for (const section of sections) yield* piecesOf(section, budget)
  const leftOut = budget.leftOut()
  if (leftOut !== undefined) {
    yield `\n---\n\nLeft out, since this summary may have at most ${mostBytes} bytes: ${leftOut}. The file results.json holds all.\n`
  }
}

function* piecesOf({ title, kind, blocks }: Section, budget: Budget, keeping = 0): Generator<string> {
  let begun = false
  for (const { text, count } of blocks) {
    const piece = begun ? text : `\n## ${title}\n\n${text}`
    if (budget.takes(piece, keeping)) {
      yield piece
      begun = true
    } else {
      budget.leaveOut(kind, count)
    }
  }
}

const verdictSigns = { conformant: '✓', 'non-conformant': '✗', incomplete: '?' } as const

function headOf(results: Results): string {
  const { suite, target, run, totals, verdict, requirements, complete } = results
  const release = target.version === undefined ? 'release not configured' : `release ${prose(target.version)}`
  const edition = target.edition === undefined ? '' : `, ${prose(target.edition)}`
  const profile = target.profile === 'none' ? '' : `, profile ${prose(target.profile)}`
  const shown = outcomes.filter((outcome) => totals[outcome] > 0)
  const rows = shown.map((outcome) => {
    const { sign, word } = outcomeWords[outcome]
    return `| ${sign} ${word} | ${totals[outcome]} |`
  })
  return [
    `# ${verdictSigns[verdict]} portal-conformance: ${verdict}`,
    '',
    `**${verdictSentence(results)}**`,
    ...(complete === true
      ? []
      : ['', 'This run was cut short: what follows rests on the part that was measured.']),
    '',
    `- Target: ${code(target.baseUrl)} (${release}${edition}${profile})`,
    `- Run: ${code(run.id)}, ${prose(run.startedAt)}, in ${(run.durationMs / 1000).toFixed(1)} s by portal-conformance ${prose(suite.version)}`,
    `- Judged by ${prose(effortOf(run))}`,
    ...limits(results),
    '',
    `| outcome | of ${requirements.length} requirements |`,
    '| --- | ---: |',
    ...rows,
    '',
  ].join('\n')
}

function limits({ run: { selection, shard } }: Results): string[] {
  const chosen = [...(selection?.operations ?? []), ...(selection?.requirements ?? [])]
  return [
    ...(chosen.length === 0 ? [] : [`- Limited to: ${code(chosen.join(', '))}`]),
    ...(shard === undefined ? [] : [`- Shard: ${shard.index} of ${shard.count}`]),
  ]
}

function errorsOf(results: Results): Section {
  const blocks = troublesOf(results).map(({ message }) => ({ text: `- ${prose(message)}\n`, count: 1 }))
  return { title: 'Errors of the run itself', kind: 'errors of the run', blocks }
}
