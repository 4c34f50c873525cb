/** The results as Markdown, for the summary of a CI step: short, failures first, within the limit of GitHub. */

import { clientTitle, troublesOf } from '../finding-text.ts'
import { type Outline, outlineOf } from '../outline.ts'
import type { Results } from '../results.ts'
import { code, prose } from '../safe-text.ts'
import { verdictWords } from '../verdict.ts'
import { additionsNote, additionsTitle, gainOf, names, outcomeWords, signed, wordsFor } from '../wording.ts'
import { advice, failures, waivers } from './cards.ts'
import type { Block, Section } from './section.ts'

/** What GitHub takes for the summary of a step, in bytes; it shows nothing of a longer one. */
export const stepSummaryLimit = 1024 * 1024

/** The head of a document takes no more; where there is less room none is worth writing. */
export const leastBytes = 16 * 1024

/** Pieces of the document, at most so many bytes in all; what has no room is counted in its last sentence. */
export function* markdownReport(results: Results, mostBytes = stepSummaryLimit): Generator<string> {
  const outline = outlineOf(results)
  const budget = new Budget(mostBytes)
  const facts = factsOf(results, outline)
  const hasRoom = budget.takes(facts)
  const head = headOf(results, outline)
  if (budget.takes(head)) yield head
  yield* piecesOf(errorsOf(results), budget)
  // Many failures must not take the room in which is said what was not judged, and why.
  yield* piecesOf(failures(outline), budget, mostBytes / 4)
  if (hasRoom) yield facts
  const sections: Section[] = [
    clients(results),
    reasons(outline, 'inconclusive'),
    waivers(outline),
    advice(outline),
    reasons(outline, 'not-tested'),
    additions(outline),
    reasons(outline, 'not-applicable'),
    reasons(outline, 'passed'),
    observations(outline),
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

function headOf(results: Results, { head, notices }: Outline): string {
  return [
    `# ${head.sign} portal-conformance: ${verdictWords(results)}`,
    '',
    `**${prose(`${head.word}: ${head.grounds}`)}**`,
    '',
    ...notices.flatMap(({ title, text }) => [`> **${title}** ${prose(text)}`, '']),
  ].join('\n')
}

/** The target, the run and the counts. */
function factsOf({ suite, run }: Results, { head, counts }: Outline): string {
  const rows = counts.rows.map(({ outcome, count }) => `| ${signed(outcome)} | ${count} |`)
  return [
    '',
    '## Run',
    '',
    `- Target: ${code(head.baseUrl)} (${prose(head.target)})`,
    `- Run: ${code(run.id)}, ${prose(run.startedAt)}, by portal-conformance ${prose(suite.version)}`,
    `- Judged by ${prose(head.effort)}`,
    '',
    `| outcome | of ${prose(counts.title)} |`,
    '| --- | ---: |',
    ...rows,
    '',
  ].join('\n')
}

function errorsOf(results: Results): Section {
  const blocks = troublesOf(results).map(({ message }) => ({ text: `- ${prose(message)}\n`, count: 1 }))
  return { title: 'Errors of the run itself', kind: 'errors of the run', blocks }
}

/** Recorded traffic: what was found about clients, which no requirement speaks of. Empty where the results are of a run. */
function clients({ run: { traffic } }: Results): Section {
  const blocks = (traffic?.client ?? []).map(({ id, level, operation, message, actual, count }) => ({
    text: `- ${level}: ${code(id)}, ${code(operation)}, in ${count} of the exchanges: ${prose(message)} (${prose(actual)})\n`,
    count: 1,
  }))
  return { title: clientTitle, kind: 'findings about clients', blocks }
}

/** What was not judged, or passed with a note, by reason. */
function reasons({ reasons }: Outline, outcome: keyof typeof outcomeWords): Section {
  const section = reasons.find((each) => each.outcome === outcome)
  const { sign, word } = outcomeWords[outcome]
  const blocks = (section?.reasons ?? []).map(
    ({ reason, ids }): Block => ({
      text: `- ${sign} ${prose(reason)}: ${names(ids, code)}\n`,
      count: ids.length,
    }),
  )
  return { title: section?.title ?? '', kind: `requirements that are ${word}`, blocks }
}

function additions({ additions: steps }: Outline): Section {
  const blocks = steps.map((step): Block => {
    const meanings = step.add.flatMap((key) => {
      const words = wordsFor(key)
      return words === undefined ? [] : [`  - ${code(key)}: ${prose(words)}\n`]
    })
    return { text: `- ${step.add.map(code).join(', ')}: ${gainOf(step)}\n${meanings.join('')}`, count: 1 }
  })
  const note: Block[] = steps.length === 0 ? [] : [{ text: `\n${prose(additionsNote)}\n`, count: 0 }]
  return { title: additionsTitle, kind: 'things to add', blocks: [...blocks, ...note] }
}

/** What the contract leaves open, and this target does; folded away. */
function observations({ questions }: Outline): Section {
  const rows = questions.flatMap(({ question, answers }) =>
    answers.map(({ observed, places }) => `- ${prose(question)} ${prose(observed)} (${prose(places)})`),
  )
  const text = [
    '<details><summary>What this target does where the contract leaves it open</summary>',
    '',
    ...rows,
    '',
    '</details>',
    '',
  ].join('\n')
  const blocks = rows.length === 0 ? [] : [{ text, count: rows.length }]
  return { title: 'Observed', kind: 'observations', blocks }
}

/** What the sentence about left out parts may need. */
const reserve = 700

class Budget {
  #left: number
  readonly #leftOut = new Map<string, number>()

  /** `mostBytes`: what the whole document may have, in UTF-8. */
  constructor(mostBytes: number) {
    this.#left = mostBytes - reserve
  }

  /** Whether there is room for the text, and so many bytes more for what follows; it then counts as written. */
  takes(text: string, keeping = 0): boolean {
    const bytes = Buffer.byteLength(text)
    if (bytes > this.#left - keeping) return false
    this.#left -= bytes
    return true
  }

  /** So many things of a kind, told in the plural, had no room. */
  leaveOut(kind: string, count: number): void {
    this.#leftOut.set(kind, (this.#leftOut.get(kind) ?? 0) + count)
  }

  /** What was left out, such as `12 failed checks, 3 observations`; undefined where all is there. */
  leftOut(): string | undefined {
    if (this.#leftOut.size === 0) return undefined
    return [...this.#leftOut].map(([kind, count]) => `${count} ${kind}`).join(', ')
  }
}
