/** Reads a file of waivers and refuses what must not be committed: nothing in it may be idle, unknown or overdue. */
import { ConfigurationError, unknownKey } from '../../deployment/configuration/configuration-error.ts'
import { readSource, type SourceDocument } from '../../deployment/configuration/configuration-source.ts'
import { type Issue, issuesOf } from '../../schemas/validators.ts'
import { nearest } from '../arguments/selection.ts'
import { covers, isExpired, isFor, subjectOf, type WaiverInUse, type WrittenWaiver } from './waiver.ts'

/** What a file of waivers is read for. */
export interface WaiverContext {
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
  const { waivers } = document.value as { waivers: readonly WrittenWaiver[] }
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
function subjectProblem(waiver: WrittenWaiver, { checks }: WaiverContext): string | undefined {
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
function expiryProblem(waiver: WrittenWaiver, { today, baseUrl }: WaiverContext): string | undefined {
  if (!isFor(waiver, baseUrl) || !isExpired(waiver, today)) return undefined
  const { expires, owner } = waiver
  return `${subjectOf(waiver)}: expired: its last day was ${expires} (UTC), its owner is ${owner}; take it out or give it a new date`
}
