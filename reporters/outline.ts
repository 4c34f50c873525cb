/** What a report says, in the order in which it says it: every rendering paints this, and adds nothing of its own. Pure. */

import type { Evidence } from '../deployment/http/exchange.ts'
import { type Step, whatToAdd } from '../runner/what-to-add.ts'
import { isGating, type Outcome, outcomes, type Verdict } from '../specs/outcomes.ts'
import { byKey, findingKey, gistOf, reasonKey } from './alike.ts'
import type { ReportedCheck, RequirementResult, Results } from './results.ts'
import { uncheckedTls, verdictInWords } from './verdict.ts'
import { countOf, durationOf, outcomeWords, placesOf, titleOf, verdictLooks } from './wording.ts'

export interface Outline {
  readonly head: Head
  /** What must be known before the verdict is trusted. */
  readonly notices: readonly Notice[]
  /** Errors of the suite itself or of the run. */
  readonly errors: readonly string[]
  readonly counts: Counts
  /** What was found: what failed, then what was waived, then advice that is not kept. */
  readonly causes: readonly Cause[]
  /** What was not judged or has a note, by outcome and reason. */
  readonly reasons: readonly ReasonSection[]
  /** What to add to the configuration so that the next run judges more, most useful first. */
  readonly additions: readonly Step[]
  /** What the target does where the contract leaves it open. */
  readonly questions: readonly Question[]
}

export interface Head {
  readonly verdict: Verdict
  readonly sign: string
  /** `Non-conformant`, `Conformant for 5 of 7 operations`. */
  readonly word: string
  /** What the verdict rests on, in sentences that follow the word and a colon. */
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

/** Findings that are alike. */
export interface Cause {
  readonly requirement: RequirementResult
  /** The operation, or the part of the contract. */
  readonly where: string
  /** The first of them. */
  readonly check: ReportedCheck
  readonly checks: readonly ReportedCheck[]
  /** Requirements that could not be judged because of it: they got the same answer in place of one to go on from. */
  readonly blocked: readonly string[]
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
  const causes = causesOf(requirements)
  return {
    head: headOf(results),
    notices: noticesOf(results),
    errors,
    counts: countsOf(results),
    causes,
    reasons: reasonSections(requirements, new Set(causes.flatMap(({ blocked }) => blocked))),
    additions: additionsAfter(results),
    questions: [...byKey(results.observations, ({ question }) => question)].map(([question, several]) => ({
      question,
      answers: [...byKey(several, ({ observed }) => observed)].map(([observed, alike]) => ({
        observed,
        places: placesOf(alike.map(({ operation }) => operation)),
      })),
    })),
  }
}

/** The verdict, the target and the run, as they stand at the top. */
export function headOf(results: Results): Head {
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

/** What the target put off, and at what pace it was asked then. */
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
  const pace =
    perSecond === undefined ? '' : ` It was found to keep up with about ${perSecond} requests a second.`
  return `The target put off ${throttled + unavailable + busy} requests, which were repeated: ${parts.join(', ')}.${pace}`
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
  if (putOff !== undefined) tell('Put off.', putOffSentence(putOff))
  if (selection !== undefined) {
    const chosen = [...selection.operations, ...selection.requirements].join(', ')
    tell('Filtered.', `Only a selection was judged: ${chosen}. Everything else is not tested.`)
  }
  return notices
}

/** With so many exchanges in which a fault did not show, its rate is below this share of one with 95 %: -ln(0.05). */
const ninetyFive = 3

/** How much was judged, and what rate of fault that would have found. */
function roundsSentence(
  { count, requests, lastSeed }: NonNullable<Results['run']['rounds']>,
  { run, requirements }: Results,
): string {
  const looks = requirements.reduce((sum, each) => sum + (each.looks?.exchanges ?? 0), 0)
  const looked = looks === 0 ? '' : `, ${looks} looks of requirements at exchanges`
  const rate = Math.floor(requests / ninetyFive)
  const found =
    rate < 1 ? '' : ` A fault that shows in 1 of ${rate} requests would have been found with 95 %.`
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

const found: readonly Outcome[] = ['failed', 'waived', 'warned']

function causesOf(requirements: readonly RequirementResult[]): Cause[] {
  const findings = requirements.flatMap((requirement) =>
    requirement.checks
      .filter(({ failure, outcome }) => failure !== undefined && found.includes(outcome))
      .map((check) => ({ requirement, check })),
  )
  const blocked = blockedBy(requirements)
  const causes = [...byKey(findings, ({ requirement, check }) => findingKey(requirement, check))].map(
    ([key, several]): Cause => {
      const [{ requirement, check }] = several as [(typeof findings)[number]]
      const checks = several.map((each) => each.check)
      return {
        requirement,
        where: placeOf(requirement, checks),
        check,
        checks,
        blocked: blocked.get(key) ?? [],
      }
    },
  )
  return found.flatMap((outcome) => causes.filter(({ check }) => check.outcome === outcome))
}

/** What a finding is about: the operation, also of a common rule where all of the checks are of the same one. */
function placeOf({ operation }: RequirementResult, checks: readonly ReportedCheck[]): string {
  const [first, ...others] = new Set(checks.map((check) => check.operation))
  return titleOf(first === undefined || others.length > 0 ? operation : first)
}

/**
 * By the key of a failed finding, the requirements of which every open check ended at the answer that the finding is
 * about: the same refusal, of the same operation. A requirement counts at the first such finding only.
 */
function blockedBy(requirements: readonly RequirementResult[]): Map<string, string[]> {
  const causes = new Map<string, string>()
  for (const requirement of requirements) {
    for (const check of requirement.checks) {
      const refusal = check.outcome === 'failed' ? refusalOf(check.evidence) : undefined
      if (refusal !== undefined && !causes.has(refusal)) causes.set(refusal, findingKey(requirement, check))
    }
  }
  const blocked = new Map<string, string[]>()
  for (const { id, outcome, checks } of requirements) {
    if (outcome !== 'inconclusive') continue
    const keys = checks
      .filter((check) => check.outcome === 'inconclusive')
      .map(({ evidence }) => causes.get(refusalOf(evidence) ?? ''))
    const [first] = keys
    if (first === undefined || keys.includes(undefined)) continue
    blocked.set(first, [...(blocked.get(first) ?? []), id])
  }
  return blocked
}

/** Which operation the last answer refused, and in which words; undefined where it did not, or a page did. */
function refusalOf(evidence: readonly Evidence[] = []): string | undefined {
  const { class: read, operation, response } = evidence.at(-1) ?? {}
  if (read !== 'refused' || operation === undefined || response === undefined) return undefined
  return JSON.stringify([operation, response.status, gistOf(response.body)])
}

const unjudged: readonly (readonly [Outcome, string])[] = [
  ['inconclusive', 'Could not be told'],
  ['not-tested', 'Not tested'],
  ['not-applicable', 'Not applicable'],
  ['passed', 'Passed, but with fewer cases than asked for'],
]

/** Reasons that stand at a finding already are left out. */
function reasonSections(
  requirements: readonly RequirementResult[],
  told: ReadonlySet<string>,
): ReasonSection[] {
  return unjudged.flatMap(([outcome, title]) => {
    const such = requirements.filter(
      (each) =>
        each.outcome === outcome && !told.has(each.id) && (outcome !== 'passed' || each.reason !== undefined),
    )
    const reasons = [...byKey(such, reasonKey).values()].map((several) => ({
      reason: several[0]?.reason ?? noReason,
      ids: several.map(({ id }) => id),
    }))
    return reasons.length === 0 ? [] : [{ outcome, title, reasons }]
  })
}

/** The steps, most useful first; none where all was judged that could be. */
function additionsAfter({ requirements }: Results): Step[] {
  return whatToAdd(
    requirements.flatMap(({ id, checks }) => checks.map(({ add }) => ({ requirement: id, add }))),
  )
}

/** The requirements of which a check was waived, whatever their outcome. */
export function waivedRequirements({ requirements }: Pick<Results, 'requirements'>): RequirementResult[] {
  return requirements.filter(({ checks }) => checks.some(({ outcome }) => outcome === 'waived'))
}
