/** The parts of a report other than findings and tables: the target and run, the verdict, and what was not judged. */
import { type Step, whatToAdd } from '../../runner/what-to-add.ts'
import type { ClientFinding } from '../../schemas/types/results.ts'
import { byKey } from '../../schemas/values.ts'
import { isGating, type Outcome, outcomes } from '../../specs/outcomes.ts'
import type { Card } from '../cards.ts'
import type { Ending } from '../exit-codes.ts'
import { reasonKey } from '../grouping.ts'
import { filterAnchor } from '../html/markup.ts'
import {
  codeOf,
  factsOf,
  type Item,
  idsOf,
  linkOf,
  listOf,
  looking,
  type Node,
  outcomeOf,
  type Row,
  type Section,
  sectionOf,
  textOf,
} from '../nodes.ts'
import type { RequirementResult, Results } from '../results.ts'
import { asText } from '../terminal/paint.ts'
import { uncheckedTls, verdictInWords } from '../verdict.ts'
import {
  casesOf,
  countOf,
  durationOf,
  outcomeWords,
  placesOf,
  targetWords,
  verdictLooks,
  wordsFor,
} from '../wording.ts'

/** The target and the run. */
export function facts({ target, run }: Results): Node {
  const effort = `${effortOf(run)} in ${durationOf(run.durationMs)}`
  return factsOf([
    { label: 'Target', text: [codeOf(target.baseUrl), ` (${targetWords(target)})`] },
    { label: 'Run', text: [codeOf(run.id), `, ${run.startedAt}, ${effort}`] },
  ])
}

/** Requests that were sent, or exchanges that were recorded. */
function effortOf({ seed, runs, requests, traffic }: Results['run']): string {
  if (traffic === undefined) return `seed ${seed}, ${casesOf(runs)}, ${countOf(requests, 'request')}`
  return `recorded traffic: ${countOf(traffic.exchanges, 'exchange')} in ${countOf(traffic.recordings, 'recording')}`
}

/** The verdict and its grounds. */
export function verdict(results: Results): Node {
  const { word, grounds } = verdictInWords(results)
  return { kind: 'conclusion', look: verdictLooks[results.verdict], text: word, grounds }
}

/** The exit code and its reason, if the verdict does not explain it. */
export const ending = ({ code = 0, why }: Partial<Ending> = {}): Node[] =>
  why === undefined ? [] : [{ kind: 'notice', title: `Exit ${code}:`, text: why, look: 'failed' }]

/** Cautions to read before trusting the verdict. */
export function notices(results: Results): Node[] {
  const { selection, stopped, rounds, putOff } = results.run
  const chosen = [...(selection?.operations ?? []), ...(selection?.requirements ?? [])].join(', ')
  const cautions = {
    'Insecure.': uncheckedTls(results)?.replace('Insecure: ', ''),
    'Cut short.':
      results.complete === true
        ? undefined
        : 'The run ended early: the verdict rests on the part that was measured.',
    'Rounds.': rounds && roundsSentence(rounds, results),
    'Stopped:': stopped,
    [putOff?.throttled ? 'Throttled.' : 'Retried.']: putOff && putOffSentence(putOff),
    'Filtered.': selection && `Only a selection was judged: ${chosen}. Everything else is not tested.`,
  }
  return Object.entries(cautions).flatMap(([title, text]): Node[] =>
    // An insecure connection puts the verdict itself in doubt.
    text === undefined
      ? []
      : [{ kind: 'notice', title, text, look: title === 'Insecure.' ? 'failed' : 'warned' }],
  )
}

/** Requests that the target did not serve at once, and the pace after that. */
function putOffSentence(putOff: NonNullable<Results['run']['putOff']>): string {
  const { throttled, unavailable, busy = 0, perSecond } = putOff
  const parts = [
    ...(throttled === 0 ? [] : [`${throttled} throttled (429)`]),
    ...(unavailable === 0 ? [] : [`${unavailable} with 502 to 504 or no connection`]),
    ...(busy === 0 ? [] : [`${busy} as busy (409 or 423)`]),
  ]
  const pace = perSecond === undefined ? '' : ` It kept up with about ${perSecond} requests a second.`
  return `The run retried ${countOf(throttled + unavailable + busy, 'request')}: ${parts.join(', ')}.${pace}`
}

/** If a fault did not show in n exchanges, its rate is below this number divided by n with 95 % probability: -ln(0.05). */
const ninetyFive = 3

/** The number of judged exchanges, and the rate of a fault that they would have found. */
function roundsSentence(
  { count, requests, lastSeed }: NonNullable<Results['run']['rounds']>,
  { run, requirements }: Results,
): string {
  const looks = requirements.reduce((sum, each) => sum + (each.looks?.exchanges ?? 0), 0)
  const looked = looks === 0 ? '' : `, ${countOf(looks, 'judged answer')}`
  const rate = Math.floor(requests / ninetyFive)
  const found =
    rate < 1
      ? ''
      : ` A fault that shows in 1 of ${rate} requests would have been found with 95 % probability.`
  return `${countOf(count, 'round')} with ${count === 1 ? `seed ${run.seed}` : `seeds ${run.seed} to ${lastSeed}`}, ${countOf(requests, 'request')}${looked}.${found}`
}

/** The number of requirements by outcome, linked to them. */
export function counts({ requirements, totals, observations }: Results, observed: boolean): Section {
  const rows = (['passed', ...outcomes.filter((each) => each !== 'passed')] as const)
    .filter((outcome) => totals[outcome] > 0)
    .map(
      (outcome): Row => ({
        label: linkOf(`#${filterAnchor({ outcome })}`, outcomeOf(outcome)),
        look: outcome,
        text: String(totals[outcome]),
      }),
    )
  return sectionOf(
    `Summary of ${requirementCount(requirements)}`,
    [{ kind: 'facts', short: true, rows }, ...(observed ? observedCount(observations) : [])],
    { id: 'counts' },
  )
}

/** The number of requirements, and how many of them make the verdict, if not all do. */
function requirementCount(requirements: readonly RequirementResult[]): string {
  const gating = requirements.filter(({ level }) => isGating(level))
  const others = byKey(
    requirements.filter(({ level }) => !isGating(level)),
    ({ level }) => level,
  )
  const named = { advice: 'of advice', 'must (profile)': 'of the profile' }
  const rest = [...others]
    .map(([level, several]) => `${several.length} ${named[level as keyof typeof named]}`)
    .join(' and ')
  const shares = `: ${gating.length} must and implied, which make the verdict; ${rest}`
  return `${countOf(requirements.length, 'requirement')}${rest === '' ? '' : shares}`
}

/** The number of observations, because a list of many open points would bury the rest. */
function observedCount(observations: Results['observations']): Node[] {
  if (observations.length === 0) return []
  const answers = byKey(observations, ({ question, observed }) => JSON.stringify([question, observed])).size
  const questions = byKey(observations, ({ question }) => question).size
  const text = `${countOf(answers, 'answer')} to ${countOf(questions, 'open point')}; for the list use --verbose or a report`
  return [factsOf([{ label: 'Observed', text }])]
}

/** Errors of the suite itself or of the run. */
export function errors({ errors: several = [] }: Results): Section[] {
  return someItems(
    { title: 'Errors of the run itself', id: 'errors', of: 'errors of the run' },
    several.map((text): Item => ({ label: '✗', look: 'failed', text })),
  )
}

/** A part with a list, unless the list is empty. */
function someItems(
  { title, ...others }: Pick<Section, 'title' | 'id' | 'of' | 'aside'>,
  items: readonly Item[],
  note?: string,
): Section[] {
  const blocks = [listOf(items), ...(note === undefined ? [] : [textOf(note, 'quiet')])]
  return items.length === 0 ? [] : [sectionOf(title, blocks, others)]
}

export const clientTitle = 'Client: requests that no conforming server needs to accept'

/** Parts of reports on recorded traffic only: its source, what was skipped, and findings about clients. */
export function recordedTraffic({ run: { traffic } }: Results): Section[] {
  if (traffic === undefined) return []
  return [
    ...someItems({ title: 'Recorded', id: 'recorded' }, [
      ...traffic.baseUrls.map(({ url, exchanges }) => ({
        label: `${countOf(exchanges, 'exchange')}:`,
        text: ['under ', codeOf(url)],
      })),
      ...traffic.leftOut.map(({ reason, count }) => ({
        label: `${countOf(count, 'entry', 'entries')} left out:`,
        text: reason,
      })),
    ]),
    ...someItems(
      { title: clientTitle, id: 'client', of: 'findings about clients' },
      traffic.client.map(clientItem),
    ),
  ]
}

const clientItem = (finding: ClientFinding): Item => ({
  label: finding.level === 'finding' ? '✗ finding' : '· note',
  look: finding.level === 'finding' ? 'failed' : 'quiet',
  text: [codeOf(finding.id), `, ${finding.operation}, in ${countOf(finding.count, 'exchange')}`],
  blocks: clientNodes(finding),
})

function clientNodes({ message, expected, actual, count, places }: ClientFinding): Node[] {
  const others = count - places.length
  const rows = [
    { label: 'Expected', text: expected },
    { label: 'Sent', text: actual },
    { label: 'Where', text: `${places.join('; ')}${others > 0 ? `; and ${others} more` : ''}` },
  ]
  return [textOf(message), factsOf(rows)]
}

interface ClientCase extends Pick<ClientFinding, 'id' | 'message'> {
  /** A note is no failure. */
  readonly failed: boolean
  readonly text: string
}

/** Findings about clients, each with an id of its own, for formats that know only tests. */
export function clientCases({ run: { traffic } }: Results): ClientCase[] {
  const named = byKey(traffic?.client ?? [], ({ id, operation }) => `${id}:${operation}`)
  return [...named].flatMap(([name, several]) =>
    several.map((finding, at) => ({
      id: at === 0 ? name : `${name}:${at + 1}`,
      message: finding.message,
      failed: finding.level === 'finding',
      text: asText([...clientNodes(finding), { kind: 'exchange', exchange: finding.evidence, of: 1 }]),
    })),
  )
}

const unjudged: readonly (readonly [Outcome, string])[] = [
  ['inconclusive', 'Could not be decided'],
  ['not-tested', 'Not tested'],
  ['not-applicable', 'Not applicable'],
  ['passed', 'Passed, but with fewer cases than requested'],
]

/** Requirements that were not judged or have a note, by reason. Those that a card explains are omitted. */
export function reasons({ requirements }: Results, cards: readonly Card[]): Section[] {
  const explained = new Set(cards.flatMap(({ blocked }) => blocked))
  const open = requirements.filter(
    ({ id, outcome, reason }) => !explained.has(id) && (outcome !== 'passed' || reason !== undefined),
  )
  return unjudged.flatMap(([outcome, title]) => {
    const such = open.filter((each) => each.outcome === outcome)
    const items = [...byKey(such, reasonKey).values()].map(
      (several): Item => ({
        label: [outcomeOf(outcome), ':'],
        text: several[0]?.reason ?? 'no reason given',
        below: [idsOf(several.map(({ id }) => id))],
        count: several.length,
      }),
    )
    const part = {
      title,
      id: outcome === 'passed' ? 'shortened' : filterAnchor({ outcome }),
      of: `requirements that are ${outcomeWords[outcome].word}`,
      aside: countOf(such.length, 'requirement'),
    }
    return someItems(part, items)
  })
}

/** What to add after a run, the most useful first. None if everything possible was judged. */
export function additionsAfter({ requirements }: Results): Section[] {
  const lacking = requirements.flatMap(({ id, checks }) =>
    checks.map(({ add }) => ({ requirement: id, add })),
  )
  return additions(whatToAdd(lacking))
}

/** What to add to the configuration so that the next run judges more. */
export function additions(steps: readonly Step[]): Section[] {
  const items = steps.map(
    (step): Item => ({
      label: '+',
      look: 'not-tested',
      text: [
        step.add.flatMap((key, at) => (at === 0 ? [codeOf(key)] : [', ', codeOf(key)])),
        `: ${countOf(step.checks, 'more check')} of ${countOf(step.requirements.length, 'requirement')}`,
      ],
      below: step.add.flatMap((key) => {
        const words = wordsFor(key)
        return words === undefined ? [] : [[codeOf(key), `: ${words}`]]
      }),
    }),
  )
  return someItems(
    { title: 'What to add to have more tested, most useful first', id: 'add', of: 'things to add' },
    items,
    'Each count assumes that everything above it was added. fixtures.KIND is a list in fixtures.static, or a kind that your fixture provider offers; effects.OPERATION is an entry of the list effects.',
  )
}

/** How the target behaves at open points of the contract. Never part of the verdict. */
export function observed({ observations }: Results): Section[] {
  const items = [...byKey(observations, ({ question }) => question)].map(
    ([question, several]): Item => ({
      text: question,
      below: [...byKey(several, ({ observed: came }) => came)].map(([came, such]) => [
        looking('quiet', `${placesOf(such.map(({ operation }) => operation))}:`),
        ` ${came}`,
      ]),
    }),
  )
  return someItems(
    {
      title: 'Observed: what this target does where the contract leaves a choice',
      id: 'observed',
      of: 'observations',
    },
    items,
    'The contract leaves these open: nothing here counts for or against conformance.',
  )
}
