/** A waiver as a run works with it: which checks it covers, on which deployments, and until when. */
import picomatch from 'picomatch'
import { ConfigurationError, unknownKey } from '../../deployment/configuration/configuration-error.ts'
import { readSource, type SourceDocument } from '../../deployment/configuration/configuration-source.ts'
import { waiverSentence } from '../../reporters/finding-text.ts'
import type { JudgedCheck, Results, Waiver } from '../../reporters/results.ts'
import type { CheckResult } from '../../runner/check-result.ts'
import { type Issue, issuesOf } from '../../schemas/validators.ts'
import { withoutUndefined } from '../../schemas/without-undefined.ts'
import { nearest } from '../arguments/selection.ts'

export interface WaiverEntry extends Waiver {
  /** Exact id of a requirement; exactly one of this and `check` is there. */
  readonly requirement?: string
  /** Exact id of a check. */
  readonly check?: string
  /** Glob over base URLs. */
  readonly target: string
}

/** One that is for the target of the run. */
export interface WaiverInUse extends WaiverEntry {
  /** File, line and column. */
  readonly place: string
}

/** Whether it covers that check; the part of a check id before the colon is its requirement. */
export function covers({ requirement, check }: WaiverEntry, checkId: string): boolean {
  return check === undefined ? requirement === checkId.split(':')[0] : check === checkId
}

/** Whether the waiver is for that deployment. A base URL that is written out is taken as it stands, brackets and all. */
export function isFor({ target }: WaiverEntry, baseUrl: string): boolean {
  const pattern = target.trim().replace(/(?<=[^/])\/+$/, '')
  return pattern === baseUrl || picomatch(pattern, { dot: true, nonegate: true })(baseUrl)
}

/** `check add-workspace/creates`, as messages name it. */
function subjectOf({ requirement, check }: WaiverEntry): string {
  return check === undefined ? `requirement ${requirement}` : `check ${check}`
}

/** Whether its last day is over; both are dates such as 2026-12-31, in UTC. */
export function isExpired({ expires }: Pick<Waiver, 'expires'>, today: string): boolean {
  return expires < today
}

/** Today's date in UTC, such as 2026-12-31. */
export function dateOf(now: Date): string {
  return now.toISOString().slice(0, 10)
}

/**
 * The checks, those that a waiver covers as waived. Only what was judged and found wanting can be waived: a check that
 * failed, or advice that was not kept. What is inconclusive or not tested stays so. The failure stays visible.
 */
export function applyWaivers(
  checks: readonly CheckResult[],
  waivers: readonly WaiverInUse[],
): readonly JudgedCheck[] {
  return checks.map((check) => {
    if (check.outcome !== 'failed' && check.outcome !== 'warned') return check
    const waiver = waivers.find((each) => covers(each, check.id))
    if (waiver === undefined) return check
    const waived = { ...check, outcome: 'waived' as const, waiver: reportedWaiver(waiver) }
    return { ...waived, reason: waiverSentence(waived) as string }
  })
}

function reportedWaiver({ reason, owner, link, expires }: Waiver): Waiver {
  return withoutUndefined({ reason, owner, link, expires })
}

/**
 * One line for each waiver whose checks were all judged in this run and broke nothing. Where one of them was
 * inconclusive or not tested, the failure may still be there: that is no reason to complain.
 */
export function staleWaivers(
  waivers: readonly WaiverInUse[],
  { requirements, target }: Pick<Results, 'requirements' | 'target'>,
): string[] {
  const checks = requirements.flatMap((requirement) => requirement.checks)
  return waivers.flatMap((waiver) => {
    const outcomes = checks.filter(({ id }) => covers(waiver, id)).map(({ outcome }) => outcome)
    const settled = outcomes.every((outcome) => outcome === 'passed' || outcome === 'not-applicable')
    if (!settled || !outcomes.includes('passed')) return []
    return [
      `${waiver.place}: ${subjectOf(waiver)}: passes now on ${target.baseUrl}: take the waiver of ${waiver.owner} out`,
    ]
  })
}

/** What a file of waivers is read for. */
interface WaiverContext {
  /** Ids of all checks of the suite. */
  readonly checks: readonly string[]
  /** Base URL of the deployment under test. */
  readonly baseUrl: string
  /** The date in UTC, such as 2026-12-31. */
  readonly today: string
}

/** The waivers for the target of the run. Throws a ConfigurationError that names everything that is wrong with the file. */
export function loadWaivers(file: string, context: WaiverContext): readonly WaiverInUse[] {
  const document = readSource({ file })
  refuse(issuesOf('waivers', document.value).map((issue) => placedIssue(issue, document)))
  const { waivers } = document.value as { waivers: readonly WaiverEntry[] }
  const placed = waivers.map((waiver, at) => ({ ...waiver, place: document.placeOf(`waivers[${at}]`).name }))
  refuse(
    placed.flatMap((waiver, at) => {
      const problem =
        subjectProblem(waiver, context) ??
        doubledProblem(waiver, placed.slice(0, at), context) ??
        expiryProblem(waiver, context)
      return problem === undefined ? [] : [`${waiver.place}: ${problem}`]
    }),
  )
  return placed.filter((waiver) => isFor(waiver, context.baseUrl))
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new ConfigurationError(problems)
}

function placedIssue({ path, message, key, allowed }: Issue, document: SourceDocument): string {
  const words = key === undefined || allowed === undefined ? message : `${path}: ${unknownKey(key, allowed)}`
  return `${document.placeOf(path).name}: ${words}`
}

/** Exactly one of requirement and check, and one that exists. */
function subjectProblem(waiver: WaiverEntry, { checks }: WaiverContext): string | undefined {
  const { requirement, check } = waiver
  if ((requirement === undefined) === (check === undefined)) {
    const found = requirement === undefined ? 'neither' : 'both'
    return `exactly one of requirement and check expected, ${found} found`
  }
  const requirements = [...new Set(checks.map((id) => id.split(':')[0] as string))]
  const known = check === undefined ? requirements : checks
  const id = (requirement ?? check) as string
  if (known.includes(id)) return undefined
  const variants = checks.filter((each) => each.startsWith(`${id}:`))
  const hint =
    variants.length > 0 ? `; it is a requirement, proved by ${variants.join(', ')}` : nearest(id, known)
  return `${subjectOf(waiver)}: there is none of that id${hint}`
}

/** What two waivers cover together on one target would have two reasons and two dates. */
function doubledProblem(
  waiver: WaiverInUse,
  before: readonly WaiverInUse[],
  { checks, baseUrl }: WaiverContext,
): string | undefined {
  const earlier = before.find(
    (other) =>
      (waiver.target === other.target || (isFor(waiver, baseUrl) && isFor(other, baseUrl))) &&
      checks.some((id) => covers(waiver, id) && covers(other, id)),
  )
  if (earlier === undefined) return undefined
  return `${subjectOf(waiver)}: doubled: the waiver at ${earlier.place} covers it already`
}

/** Only for the target of the run: what becomes of others is decided there. */
function expiryProblem(waiver: WaiverEntry, { today, baseUrl }: WaiverContext): string | undefined {
  if (!isFor(waiver, baseUrl) || !isExpired(waiver, today)) return undefined
  const { expires, owner } = waiver
  return `${subjectOf(waiver)}: expired: its last day was ${expires} (UTC), its owner is ${owner}; take it out or give it a new date`
}
