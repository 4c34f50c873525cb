/** Groups findings into cards: one card for each thing that the target does wrong. Pure. */
import type { Evidence } from '../deployment/http/exchange.ts'
import { operationIds, operationOf } from '../specs/operations.ts'
import type { Outcome } from '../specs/outcomes.ts'
import { byKey, gistOf } from './grouping.ts'
import type { ReportedCheck, RequirementResult, Results } from './results.ts'
import { countOf } from './wording.ts'

export interface Finding {
  readonly requirement: RequirementResult
  readonly check: ReportedCheck
}

export interface Card {
  /** Failed, waived, or warned for advice. */
  readonly outcome: Outcome
  /** All findings of the cause, the most specific first. */
  readonly findings: readonly [Finding, ...Finding[]]
  /** Requirements that could not be judged because their checks ended at the same refusal. */
  readonly blocked: readonly string[]
}

/** The order of cards by outcome. */
const found: readonly Outcome[] = ['failed', 'waived', 'warned']

/** The findings of a run by cause. Causes that affect the most requirements come first. */
export function findingsByCause({ requirements }: Pick<Results, 'requirements'>): Card[] {
  const causes = joinedAcrossOperations(causesOf(requirements)).map(({ findings }) => specificFirst(findings))
  const blocked = blockedBy(causes, requirements)
  const cards = causes.map(
    (findings): Card => ({
      outcome: found.find((outcome) => findings.some(({ check }) => check.outcome === outcome)) ?? 'failed',
      findings,
      blocked: (blocked.get(findings) ?? []).map(({ id }) => id),
    }),
  )
  const rankOf = (card: Card): number[] => [
    found.indexOf(card.outcome),
    -affected(card).length - card.blocked.length,
    Number(isCommon(card.findings[0])),
  ]
  return ranked(cards, rankOf)
}

/** The requirements of a card's findings. */
export const affected = ({ findings }: Pick<Card, 'findings'>): string[] => [
  ...new Set(findings.map(({ requirement }) => requirement.id)),
]

/** `8 findings of 3 requirements`. */
export const sizeOf = ({ findings }: Card): string =>
  `${countOf(findings.length, 'finding')} of ${countOf(affected({ findings }).length, 'requirement')}`

/** What the target did wrong. */
interface Deviation {
  /** `content`: an accepted answer is wrong. `effect`: the effect of the operation is wrong. */
  readonly how: 'accepted' | 'refused' | 'unanswered' | 'content' | 'effect' | 'unseen'
  readonly operation: string
  /** Distinguishes two such deviations of one operation. */
  readonly detail: string
}

type Findings = [Finding, ...Finding[]]

interface Cause extends Deviation {
  readonly findings: Findings
  readonly waived: boolean
}

function deviationOf({ requirement, check }: Finding): Deviation {
  const { evidence, failure, operation: judged } = check
  const last = evidence?.at(-1)
  if (last === undefined)
    return {
      how: 'unseen',
      operation: judged,
      detail: `${requirement.id}\n${gistOf(failure?.message ?? '')}`,
    }
  const { operation } = last
  if (operation === undefined) return { how: 'effect', operation: judged, detail: 'page' }
  if (last.class === 'refused') return { how: 'refused', operation, detail: gistOf(last.refusal ?? '') }
  if (last.class === 'no-verdict')
    return { how: 'unanswered', operation, detail: gistOf(last.error ?? String(last.response?.status)) }
  const how = failure?.marks?.response === undefined ? 'accepted' : 'content'
  return { how, operation, detail: requirement.kind }
}

/** Findings about the interplay of operations show the deviations of the operations. */
const isInterplay = ({ requirement }: Finding): boolean => requirement.operation === 'lifecycle'

/** Whether answers of other operations show it. */
const isConsequence = (finding: Finding): boolean =>
  finding.requirement.kind === 'consequences' && !isInterplay(finding)

/** Whether it is a common rule of all operations. */
const isCommon = ({ requirement }: Finding): boolean => requirement.operation === 'protocol'

function causesOf(requirements: readonly RequirementResult[]): Cause[] {
  const findings = requirements.flatMap((requirement) =>
    requirement.checks
      .filter(({ failure, outcome }) => failure !== undefined && found.includes(outcome))
      .sort((one, other) => Number(one.id !== requirement.id) - Number(other.id !== requirement.id))
      .map((check) => ({ requirement, check })),
  )
  const direct = findings.filter((each) => !isConsequence(each) && !isInterplay(each))
  const causes: Cause[] = []
  for (const finding of [...direct, ...findings.filter(isConsequence), ...findings.filter(isInterplay)]) {
    const shown = deviationOf(finding)
    // Its effect is that something is accepted after it, or that something is refused.
    const effect: Deviation = { how: 'effect', operation: finding.check.operation, detail: shown.how }
    const known = causeWith(causes, finding, shown)
    const deviation = known === undefined && isConsequence(finding) ? effect : shown
    const cause = known ?? causeWith(causes, finding, deviation)
    if (cause === undefined) causes.push({ ...deviation, waived: isWaived(finding), findings: [finding] })
    else cause.findings.push(finding)
  }
  return causes
}

const isWaived = ({ check }: Finding): boolean => check.outcome === 'waived'

const causeWith = (causes: readonly Cause[], finding: Finding, deviation: Deviation): Cause | undefined =>
  causes.find(
    ({ how, operation, detail, waived }) =>
      how === deviation.how &&
      operation === deviation.operation &&
      waived === isWaived(finding) &&
      (detail === deviation.detail || (isInterplay(finding) && how === 'accepted')),
  )

/** The same deviation of several operations is one cause if it breaks a common rule or accepts the same callers. */
function joinedAcrossOperations(causes: readonly Cause[]): Cause[] {
  const joined: Cause[] = []
  for (const cause of causes) {
    const same = joined.find(
      (other) =>
        other.how === cause.how &&
        other.detail === cause.detail &&
        other.waived === cause.waived &&
        (breakCommonRule(other, cause) || acceptSameCallers(other, cause)),
    )
    if (same === undefined) joined.push(cause)
    else same.findings.push(...cause.findings)
  }
  return joined
}

function breakCommonRule(one: Cause, other: Cause): boolean {
  const rules = new Set(one.findings.filter(isCommon).map(({ requirement }) => requirement.id))
  return other.findings.some((finding) => isCommon(finding) && rules.has(finding.requirement.id))
}

function acceptSameCallers(one: Cause, other: Cause): boolean {
  if (one.how !== 'accepted' || one.detail !== 'roles') return false
  const [callers, others] = [one, other].map(({ findings }) => callersOf(findings).sort().join())
  return callers !== '' && callers === others
}

/** The callers of the requests behind the findings. */
export function callersOf(findings: readonly Finding[]): string[] {
  return [...new Set(findings.flatMap(({ check }) => check.evidence?.at(-1)?.actor ?? []))]
}

/** The operations whose answers show the findings. */
export function operationsOf(findings: readonly Finding[]): string[] {
  return [...new Set(findings.map(({ check }) => check.evidence?.at(-1)?.operation ?? check.operation))]
}

/** Sorts findings: the one that says most about the cause comes first. */
function specificFirst(findings: Findings): Findings {
  const areSeveral = operationsOf(findings).length > 1
  // If an ordinary request fails, and not only one with a special value, the whole operation is concerned.
  const failsPlainly = findings.some((finding) => isCommon(finding) && finding.check.outcome === 'failed')
  const rankOf = (finding: Finding): number[] => {
    const { requirement, check } = finding
    return [
      found.indexOf(check.outcome),
      Number(isInterplay(finding)),
      // A check that only expected acceptance does not know the reason for the refusal.
      Number(check.failure?.wanted === 'accepted'),
      Number(isCommon(finding) !== areSeveral),
      Number(!isCommon(finding) && requirement.operation !== check.evidence?.at(-1)?.operation),
      Number(isMain(requirement) !== failsPlainly),
    ]
  }
  return ranked(findings, rankOf) as Findings
}

/** Whether the requirement says that the operation accepts valid requests at all. */
function isMain({ id, operation }: RequirementResult): boolean {
  const known = operationIds.find((each) => each === operation)
  return known !== undefined && operationOf(known).requirements[0].id === id
}

/** The things by their ranks, which are compared from left to right. */
function ranked<Thing>(things: readonly Thing[], rankOf: (thing: Thing) => readonly number[]): Thing[] {
  const all = things.map((thing) => ({ thing, rank: rankOf(thing) }))
  all.sort((one, other) => {
    const at = one.rank.findIndex((part, index) => part !== other.rank[index])
    return at < 0 ? 0 : (one.rank[at] as number) - (other.rank[at] as number)
  })
  return all.map(({ thing }) => thing)
}

/** For each cause the requirements whose undecided checks all ended at its refusal. */
function blockedBy(
  causes: readonly Findings[],
  requirements: readonly RequirementResult[],
): Map<Findings | undefined, RequirementResult[]> {
  const byRefusal = new Map<string, Findings>()
  for (const findings of causes)
    for (const { check } of findings) {
      const refusal = check.outcome === 'failed' ? refusalOf(check.evidence) : undefined
      if (refusal !== undefined && !byRefusal.has(refusal)) byRefusal.set(refusal, findings)
    }
  const open = requirements.filter(({ outcome }) => outcome === 'inconclusive')
  return byKey(open, ({ checks }) => {
    const undecided = checks.filter(({ outcome }) => outcome === 'inconclusive')
    const [cause, ...others] = undecided.map(({ evidence }) => byRefusal.get(refusalOf(evidence) ?? ''))
    return others.includes(undefined) ? undefined : cause
  })
}

/** The operation and the words of the last refusal. Undefined if the last answer is none, or is a page. */
function refusalOf(evidence: readonly Evidence[] = []): string | undefined {
  const { operation, refusal } = evidence.at(-1) ?? {}
  if (operation === undefined || refusal === undefined) return undefined
  return JSON.stringify([operation, gistOf(refusal)])
}
