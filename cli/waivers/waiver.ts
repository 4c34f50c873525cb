/** A waiver: which checks it covers, on which deployments, and until when. */
import picomatch from 'picomatch'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { ConfigurationError, unknownKey } from '../../deployment/configuration/configuration-error.ts'
import { readSource, type SourceDocument } from '../../deployment/configuration/configuration-source.ts'
import { createRedactor, withTexts } from '../../deployment/redaction/redaction.ts'
import { waiverSentence } from '../../reporters/finding-text.ts'
import type { JudgedCheck, Waiver } from '../../reporters/results.ts'
import type { CheckResult } from '../../runner/check-result.ts'
import type { WaiverEntry } from '../../schemas/types/waivers.ts'
import { type Issue, issuesOf } from '../../schemas/validators.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import { requirementIdOf } from '../../specs/requirements.ts'
import { nearest } from '../arguments/selection.ts'

export interface WaiverInUse extends WaiverEntry {
  /** File, line and column. */
  readonly place: string
}

/** Whether the waiver covers the check. */
export function covers({ requirement, also = [], check }: WaiverEntry, checkId: string): boolean {
  const proven = requirementIdOf(checkId)
  return check === checkId || requirement === proven || also.includes(proven)
}

/** Whether the waiver is for the deployment. A complete base URL is taken literally, also with brackets in it. */
export function isFor({ target }: WaiverEntry, baseUrl: string): boolean {
  const pattern = target.trim().replace(/(?<=[^/])\/+$/, '')
  return pattern === baseUrl || picomatch(pattern, { dot: true, nonegate: true })(baseUrl)
}

/** The subject of the waiver in messages, such as `check add-workspace/creates`. */
export function subjectOf({ requirement, check }: WaiverEntry): string {
  return check === undefined ? `requirement ${requirement}` : `check ${check}`
}

/** Today's date in UTC, such as 2026-12-31. */
export const today = (): string => new Date().toISOString().slice(0, 10)

/**
 * The checks; those that a waiver covers are waived. Only a failed check and advice that is not kept can be waived, not a
 * check that is inconclusive or not tested. The failure stays visible.
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

/** The waivers without secrets in the texts that people wrote. */
export function withoutSecrets(
  waivers: readonly WaiverInUse[],
  configuration: Configuration,
): readonly WaiverInUse[] {
  const { text } = createRedactor(configuration)
  return waivers.map((waiver) => {
    const { reason, owner, link } = waiver
    return { ...waiver, ...withTexts(withoutUndefined({ reason, owner, link }), text) }
  })
}

/** The run that reads a file of waivers. */
interface WaiverContext {
  /** Ids of all checks of the suite. */
  readonly checks: readonly string[]
  /** Base URL of the deployment under test. */
  readonly baseUrl: string
  /** The date in UTC, such as 2026-12-31. */
  readonly today: string
}

/** The waivers, also those for other targets. Throws a ConfigurationError that names every mistake in the file. */
export function loadWaivers(file: string, context: WaiverContext): readonly WaiverInUse[] {
  const document = readSource({ file })
  refuse(issuesOf('waivers', document.value).map((issue) => placedIssue(issue, document)))
  const { waivers } = document.value as { waivers: readonly WaiverEntry[] }
  const placed = waivers.map((waiver, at) => ({ ...waiver, place: document.placeOf(`waivers[${at}]`).name }))
  refuse(
    placed.flatMap((waiver) => {
      const problem = subjectProblem(waiver, context) ?? expiryProblem(waiver, context)
      return problem === undefined ? [] : [`${waiver.place}: ${problem}`]
    }),
  )
  return placed
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new ConfigurationError(problems)
}

function placedIssue({ path, message, key, allowed }: Issue, document: SourceDocument): string {
  const words = key === undefined || allowed === undefined ? message : `${path}: ${unknownKey(key, allowed)}`
  return `${document.placeOf(path).name}: ${words}`
}

/** An entry needs exactly one of requirement and check, and the id must exist. */
function subjectProblem(
  { requirement, also = [], check }: WaiverEntry,
  { checks }: WaiverContext,
): string | undefined {
  if ((requirement === undefined) === (check === undefined)) {
    const found = requirement === undefined ? 'neither' : 'both'
    return `exactly one of requirement and check expected, ${found} found`
  }
  if (check !== undefined && also.length > 0)
    return 'also names further requirements, which a waiver of a check lacks'
  const known = check === undefined ? [...new Set<string>(checks.map(requirementIdOf))] : checks
  const id = [(requirement ?? check) as string, ...also].find((each) => !known.includes(each))
  if (id === undefined) return undefined
  return `${check === undefined ? 'requirement' : 'check'} ${id}: there is no such id${nearest(id, known)}`
}

/** Only a waiver for the target of the run must not be expired. */
function expiryProblem(waiver: WaiverEntry, { today, baseUrl }: WaiverContext): string | undefined {
  if (!isFor(waiver, baseUrl) || waiver.expires >= today) return undefined
  const { expires, owner } = waiver
  return `${subjectOf(waiver)}: expired: its last day was ${expires} (UTC), its owner is ${owner}; remove it or set a new date`
}
