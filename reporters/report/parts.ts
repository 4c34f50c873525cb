/** The parts of a report other than findings and tables: the target and run, the verdict, and what was not judged. */

import type { Step } from '../../runner/what-to-add.ts'
import type { ClientFinding } from '../../schemas/types/results.ts'
import type { Outcome } from '../../specs/outcomes.ts'
import { clientTitle, placesInWords } from '../finding-text.ts'
import { bar } from '../html/charts.ts'
import { filterAnchor } from '../html/markup.ts'
import {
  codeOf,
  firstOf,
  type Item,
  idsOf,
  looking,
  type Node,
  outcomeOf,
  type Row,
  type Section,
  textOf,
} from '../nodes.ts'
import type { Outline } from '../outline.ts'
import type { Results } from '../results.ts'
import {
  additionsNote,
  additionsTitle,
  countOf,
  gainOf,
  outcomeWords,
  verdictLooks,
  wordsFor,
} from '../wording.ts'

/** The target and the run. */
export function facts({ run }: Results, { head }: Outline): Node {
  return {
    kind: 'facts',
    rows: [
      { label: 'Target', text: [codeOf(head.baseUrl), ` (${head.target})`] },
      { label: 'Run', text: [codeOf(run.id), `, ${run.startedAt}, ${head.effort}`] },
    ],
  }
}

/** The verdict and its grounds. */
export function verdict({ head }: Outline): Node {
  const { word, grounds, sign } = head
  return { kind: 'conclusion', look: verdictLooks[head.verdict], sign, text: word, grounds }
}

/** Cautions to read before trusting the verdict. */
export function notices(outline: Outline): Node[] {
  return outline.notices.map(({ title, text, grave }) => ({
    kind: 'notice',
    title,
    text,
    look: grave === true ? 'failed' : 'warned',
  }))
}

/** The number of requirements by outcome, linked to them. */
export function counts({ totals }: Results, outline: Outline, observed: boolean): Section {
  const rows = outline.counts.rows.map(
    ({ outcome, count }): Row => ({
      label: { kind: 'link', to: `#${filterAnchor({ outcome })}`, text: outcomeOf(outcome) },
      look: outcome,
      text: String(count),
    }),
  )
  const blocks: Node[] = [
    { kind: 'picture', draw: () => bar(totals) },
    { kind: 'facts', short: true, rows },
    ...(observed ? observedCount(outline) : []),
  ]
  return { kind: 'section', title: `Summary of ${outline.counts.title}`, id: 'counts', blocks }
}

/** The number of observations, because a list of many open points would bury the rest. */
function observedCount({ questions }: Outline): Node[] {
  if (questions.length === 0) return []
  const answers = questions.reduce((sum, each) => sum + each.answers.length, 0)
  const text = `${countOf(answers, 'answer')} to ${countOf(questions.length, 'open point')}; for the list use --verbose or a report`
  return [{ kind: 'facts', rows: [{ label: 'Observed', text }] }]
}

/** Longer lists are cut. results.json has the rest. */
const mostErrors = 50
const mostReasons = 100
const mostSteps = 100
const mostQuestions = 200
const mostAnswers = 50

/** Errors of the suite itself or of the run. */
export function errors({ errors: several }: Outline): Section[] {
  const items = several.map((text): Item => ({ label: '✗', look: 'failed', text }))
  return someItems(
    { title: 'Errors of the run itself', id: 'errors', of: 'errors of the run' },
    firstOf(items, mostErrors, (left) => ({ text: `and ${left} more: results.json holds them` })),
  )
}

/** A part with a list, unless the list is empty. */
function someItems(
  part: Pick<Section, 'title' | 'id' | 'of' | 'aside'>,
  items: readonly Item[],
  note?: string,
): Section[] {
  const notes = note === undefined ? [] : [textOf(note, 'quiet')]
  return items.length === 0 ? [] : [{ kind: 'section', ...part, blocks: [{ kind: 'list', items }, ...notes] }]
}

/** Parts of reports on recorded traffic only: its source, what was skipped, and findings about clients. */
export function recordedTraffic({ run: { traffic } }: Results): Section[] {
  if (traffic === undefined) return []
  return [
    ...someItems({ title: 'Recorded', id: 'recorded' }, [
      ...traffic.baseUrls.map(({ url, exchanges }) => ({
        label: `${countOf(exchanges, 'exchange')}:`,
        text: ['under ', codeOf(url)],
      })),
      ...traffic.leftOut.map(({ reason, count }) => ({ label: `left out, ${count}:`, text: reason })),
    ]),
    ...someItems(
      { title: clientTitle, id: 'client', of: 'findings about clients' },
      traffic.client.map(clientItem),
    ),
  ]
}

function clientItem(finding: ClientFinding): Item {
  const { id, level, operation, message, expected, actual, count } = finding
  const rows = [
    { label: 'Expected', text: expected },
    { label: 'Sent', text: actual },
    { label: 'Where', text: placesInWords(finding) },
  ]
  return {
    ...(level === 'finding' ? { label: '✗ finding', look: 'failed' } : { label: '· note', look: 'quiet' }),
    text: [codeOf(id), `, ${operation}, in ${countOf(count, 'exchange')}`],
    blocks: [textOf(message), { kind: 'facts', rows }],
  }
}

/** Checks with these outcomes that were not judged or have a note, by reason. */
export function reasons(outline: Outline, ...wanted: readonly Outcome[]): Section[] {
  return outline.reasons
    .filter(({ outcome }) => wanted.includes(outcome))
    .flatMap(({ outcome, title, reasons: several }) => {
      const items = several.map(
        ({ reason, ids }): Item => ({
          label: [outcomeOf(outcome), ':'],
          text: reason,
          below: [idsOf(ids)],
          count: ids.length,
        }),
      )
      const all = several.reduce((sum, { ids }) => sum + ids.length, 0)
      return someItems(
        {
          title,
          id: outcome === 'passed' ? 'shortened' : filterAnchor({ outcome }),
          of: `requirements that are ${outcomeWords[outcome].word}`,
          aside: countOf(all, 'requirement'),
        },
        firstOf(items, mostReasons, (left) => ({ text: `and ${countOf(left, 'more reason')}` })),
      )
    })
}

/** What to add to the configuration so that the next run judges more. */
export function additions(steps: readonly Step[]): Section[] {
  const items = steps.map(
    (step): Item => ({
      label: '+',
      look: 'not-tested',
      text: [
        step.add.flatMap((key, at) => (at === 0 ? [codeOf(key)] : [', ', codeOf(key)])),
        `: ${gainOf(step)}`,
      ],
      below: step.add.flatMap((key) => {
        const words = wordsFor(key)
        return words === undefined ? [] : [[codeOf(key), `: ${words}`]]
      }),
    }),
  )
  return someItems(
    { title: additionsTitle, id: 'add', of: 'things to add' },
    firstOf(items, mostSteps, (left) => ({
      text: `and ${countOf(left, 'more thing')}: results.json holds them`,
    })),
    additionsNote,
  )
}

const observedNote = 'The contract leaves these open: nothing here counts for or against conformance.'

/** How the target behaves at open points of the contract. Never part of the verdict. */
export function observed({ questions }: Outline): Section[] {
  const items = questions.map(
    ({ question, answers }): Item => ({
      text: question,
      below: firstOf(
        answers.map(({ observed: came, places }) => [looking('quiet', `${places}:`), ` ${came}`]),
        mostAnswers,
        (left) => [`and ${left} more in results.json`],
      ),
    }),
  )
  return someItems(
    {
      title: 'Observed: what this target does where the contract leaves a choice',
      id: 'observed',
      of: 'observations',
    },
    firstOf(items, mostQuestions, (left) => ({
      text: `and ${countOf(left, 'more question')} in results.json`,
    })),
    observedNote,
  )
}
