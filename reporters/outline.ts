/** The content of a report, in order. All formats show it and add nothing. Pure. */

import { type Step, whatToAdd } from '../runner/what-to-add.ts'
import { isGating, type Outcome, outcomes, type Verdict } from '../specs/outcomes.ts'
import { type Card, findingsByCause } from './cards.ts'
import { byKey, reasonKey } from './grouping.ts'
import type { RequirementResult, Results } from './results.ts'
import { uncheckedTls, verdictInWords } from './verdict.ts'
import { countOf, durationOf, outcomeWords, placesOf, verdictLooks } from './wording.ts'

export interface Outline {
  readonly head: Head
  /** Cautions to read before trusting the verdict. */
  readonly notices: readonly Notice[]
  /** Errors of the suite itself or of the run. */
  readonly errors: readonly string[]
  readonly counts: Counts
  /** What the target does wrong: failures, then waived ones, then advice not kept. */
  readonly cards: readonly Card[]
  /** Checks that were not judged or have a note, by outcome and reason. */
  readonly reasons: readonly ReasonSection[]
  /** What to add to the configuration so that the next run judges more, most useful first. */
  readonly additions: readonly Step[]
  /** How the target behaves at open points of the contract. */
  readonly questions: readonly Question[]
}

export interface Head {
  readonly verdict: Verdict
  readonly sign: string
  /** `Non-conformant`, `Conformant for 5 of 7 operations`. */
  readonly word: string
  /** The grounds of the verdict, in sentences that follow the word and a colon. */
  readonly grounds: string
  readonly baseUrl: string
  /** `release 11.0, self-hosted, profile arcgis`. */
  readonly target: string
  /** `seed 42, 25 cases of each generated check, 310 requests in 5.1 s`. */
  readonly effort: string
}

export interface Notice {
  /** `Cut short.` */
  readonly title: string
  readonly text: string
  /** It puts the verdict itself in doubt. */
  readonly grave?: true
}

export interface Counts {
  /** `107 requirements: 95 gate (must and implied), 12 do not (advice)`. */
  readonly title: string
  readonly rows: readonly { readonly outcome: Outcome; readonly count: number }[]
}

export interface ReasonSection {
  readonly outcome: Outcome
  readonly title: string
  readonly reasons: readonly Reason[]
}

export interface Reason {
  readonly reason: string
  readonly ids: readonly string[]
}

export interface Question {
  readonly question: string
  readonly answers: readonly { readonly observed: string; readonly places: string }[]
}

const noReason = 'no reason given'

export function outlineOf(results: Results): Outline {
  const { requirements, errors = [] } = results
  const cards = findingsByCause(results)
  return {
    head: headOf(results),
    notices: noticesOf(results),
    errors,
    counts: countsOf(results),
    cards,
    reasons: reasonSections(requirements, new Set(cards.flatMap(({ blocked }) => blocked))),
    additions: additionsAfter(results),
    questions: [...byKey(results.observations, ({ question }) => question)].map(([question, several]) => ({
      question,
      answers: [...byKey(several, ({ observed }) => observed)].map(([observed, same]) => ({
        observed,
        places: placesOf(same.map(({ operation }) => operation)),
      })),
    })),
  }
}

/** The verdict, the target and the run, for the top of a report. */
function headOf(results: Results): Head {
  const { verdict, target, run } = results
  return {
    verdict,
    sign: outcomeWords[verdictLooks[verdict]].sign,
    ...verdictInWords(results),
    baseUrl: target.baseUrl,
    target: targetWords(target),
    effort: `${effortOf(run)} in ${durationOf(run.durationMs)}`,
  }
}

/** `release 11.0, self-hosted, profile arcgis`. */
export function targetWords({ version, edition, profile }: Results['target']): string {
  return [
    version === undefined ? 'release not configured' : `release ${version}`,
    ...(edition === undefined ? [] : [edition]),
    ...(profile === 'none' ? [] : [`profile ${profile}`]),
  ].join(', ')
}

/** Requests that were sent, or exchanges that were recorded. */
function effortOf({ seed, runs, requests, traffic }: Results['run']): string {
  if (traffic === undefined)
    return `seed ${seed}, ${runs} cases of each generated check, ${countOf(requests, 'request')}`
  return `recorded traffic: ${countOf(traffic.exchanges, 'exchange')} in ${countOf(traffic.recordings, 'recording')}`
}

/** Throttled requests, and the pace after that. */
export function putOffSentence({
  throttled,
  unavailable,
  busy = 0,
  perSecond,
}: NonNullable<Results['run']['putOff']>): string {
  const parts = [
    ...(throttled === 0 ? [] : [`${throttled} with 429`]),
    ...(unavailable === 0 ? [] : [`${unavailable} with 502 to 504 or no connection`]),
    ...(busy === 0 ? [] : [`${busy} as busy (409 or 423)`]),
  ]
  const pace = perSecond === undefined ? '' : ` It kept up with about ${perSecond} requests a second.`
  return `The target throttled ${countOf(throttled + unavailable + busy, 'request')}, and the run retried: ${parts.join(', ')}.${pace}`
}

function noticesOf(results: Results): Notice[] {
  const { selection, stopped, rounds, putOff } = results.run
  const notices: Notice[] = []
  const tell = (title: string, text: string) => notices.push({ title, text })
  const insecure = uncheckedTls(results)
  if (insecure !== undefined)
    notices.push({ title: 'Insecure.', text: insecure.replace('Insecure: ', ''), grave: true })
  if (results.complete !== true)
    tell('Cut short.', 'The run ended early: the verdict rests on the part that was measured.')
  if (rounds !== undefined) tell('Rounds.', roundsSentence(rounds, results))
  if (stopped !== undefined) tell('Stopped:', stopped)
  if (putOff !== undefined) tell('Throttled.', putOffSentence(putOff))
  if (selection !== undefined) {
    const chosen = [...selection.operations, ...selection.requirements].join(', ')
    tell('Filtered.', `Only a selection was judged: ${chosen}. Everything else is not tested.`)
  }
  return notices
}

/** If a fault did not show in n exchanges, its rate is below this number divided by n with 95 % probability: -ln(0.05). */
const ninetyFive = 3

/** The number of judged exchanges, and the rate of a fault that they would have found. */
function roundsSentence(
  { count, requests, lastSeed }: NonNullable<Results['run']['rounds']>,
  { run, requirements }: Results,
): string {
  const looks = requirements.reduce((sum, each) => sum + (each.looks?.exchanges ?? 0), 0)
  const looked = looks === 0 ? '' : `, ${looks} judged answers`
  const rate = Math.floor(requests / ninetyFive)
  const found =
    rate < 1
      ? ''
      : ` A fault that shows in 1 of ${rate} requests would have been found with 95 % probability.`
  return `${countOf(count, 'round')} with ${count === 1 ? `seed ${run.seed}` : `seeds ${run.seed} to ${lastSeed}`}, ${requests} requests${looked}.${found}`
}

function countsOf({ requirements, totals }: Results): Counts {
  const gating = requirements.filter(({ level }) => isGating(level)).length
  const others = byKey(
    requirements.filter(({ level }) => !isGating(level)),
    ({ level }) => level,
  )
  const rest = [...others].map(([level, several]) => `${several.length} ${level}`).join(', ')
  const shownFirst: readonly Outcome[] = ['passed', ...outcomes.filter((outcome) => outcome !== 'passed')]
  return {
    title: `${countOf(requirements.length, 'requirement')}${rest === '' ? '' : `: ${gating} must and implied, which make the verdict, and ${rest}`}`,
    rows: shownFirst
      .filter((outcome) => totals[outcome] > 0)
      .map((outcome) => ({ outcome, count: totals[outcome] })),
  }
}

const unjudged: readonly (readonly [Outcome, string])[] = [
  ['inconclusive', 'Could not be decided'],
  ['not-tested', 'Not tested'],
  ['not-applicable', 'Not applicable'],
  ['passed', 'Passed, but with fewer cases than requested'],
]

/** Reasons that a finding already gives are omitted. */
function reasonSections(
  requirements: readonly RequirementResult[],
  reported: ReadonlySet<string>,
): ReasonSection[] {
  return unjudged.flatMap(([outcome, title]) => {
    const such = requirements.filter(
      (each) =>
        each.outcome === outcome &&
        !reported.has(each.id) &&
        (outcome !== 'passed' || each.reason !== undefined),
    )
    const reasons = [...byKey(such, reasonKey).values()].map((several) => ({
      reason: several[0]?.reason ?? noReason,
      ids: several.map(({ id }) => id),
    }))
    return reasons.length === 0 ? [] : [{ outcome, title, reasons }]
  })
}

/** The steps, most useful first. None if everything possible was judged. */
function additionsAfter({ requirements }: Results): Step[] {
  return whatToAdd(
    requirements.flatMap(({ id, checks }) => checks.map(({ add }) => ({ requirement: id, add }))),
  )
}

/** The requirements with a waived check, whatever their outcome. */
export function waivedRequirements({ requirements }: Pick<Results, 'requirements'>): RequirementResult[] {
  return requirements.filter(({ checks }) => checks.some(({ outcome }) => outcome === 'waived'))
}
