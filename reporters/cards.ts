/** Groups findings into cards: one card for each thing that the target does wrong. Pure. */
import type { Evidence } from '../deployment/http/exchange.ts'
import { byKey } from '../schemas/values.ts'
import { operationIds, operationOf } from '../specs/operations.ts'
import type { Outcome } from '../specs/outcomes.ts'
import { gistOf } from './grouping.ts'
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
  const causes = causesOf(requirements).map(specificFirst)
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

type Findings = readonly [Finding, ...Finding[]]

/** How the target deviated, where, and what distinguishes two such deviations of one operation. */
type Deviation = readonly [
  // `content`: an accepted answer is wrong. `effect`: the effect of the operation is wrong.
  how: 'accepted' | 'refused' | 'unanswered' | 'content' | 'effect' | 'unseen',
  operation: string,
  detail: string,
]

function deviationOf({ requirement, check }: Finding): Deviation {
  const { evidence, failure, operation: judged } = check
  const last = evidence?.at(-1)
  if (last === undefined) return ['unseen', judged, `${requirement.id}: ${gistOf(failure?.message ?? '')}`]
  const { operation, refusal = '', error, response } = last
  if (operation === undefined) return ['effect', judged, 'page']
  if (last.class === 'refused') return ['refused', operation, gistOf(refusal)]
  if (last.class === 'no-verdict') return ['unanswered', operation, gistOf(error ?? String(response?.status))]
  return [failure?.marks?.response === undefined ? 'accepted' : 'content', operation, requirement.kind]
}

/** Findings about the interplay of operations show the deviations of the operations. */
const isInterplay = ({ requirement }: Finding): boolean => requirement.operation === 'lifecycle'

/** Whether answers of other operations show it. */
const isConsequence = (finding: Finding): boolean =>
  finding.requirement.kind === 'consequences' && !isInterplay(finding)

/** Whether it is a common rule of all operations. */
const isCommon = ({ requirement }: Finding): boolean => requirement.operation === 'protocol'

function causesOf(requirements: readonly RequirementResult[]): Findings[] {
  const findings = requirements.flatMap((requirement) =>
    requirement.checks
      .filter(({ failure, outcome }) => failure !== undefined && found.includes(outcome))
      .sort((one, other) => Number(one.id !== requirement.id) - Number(other.id !== requirement.id))
      .map((check) => ({ requirement, check })),
  )
  const causes = new Map<string, Findings>()
  for (const finding of ranked(findings, (each) => [
    Number(isInterplay(each)),
    Number(isConsequence(each)),
  ])) {
    const key = causeIn(causes, finding)
    causes.set(key, together(causes.get(key), [finding]))
  }
  const joined = new Map<string, Findings>()
  for (const [cause, several] of causes) {
    const key = acrossOperations(several) ?? cause
    joined.set(key, together(joined.get(key), several))
  }
  return [...joined.values()]
}

const together = (known: Findings | undefined, more: Findings): Findings =>
  known === undefined ? more : [...known, ...more]

const isWaived = ({ check }: Finding): boolean => check.outcome === 'waived'

/** The key of the cause, among those that are known. */
function causeIn(causes: ReadonlyMap<string, Findings>, finding: Finding): string {
  const deviation = deviationOf(finding)
  const keyOf = (...of: Deviation): string => JSON.stringify([isWaived(finding), ...of])
  const key = keyOf(...deviation)
  if (causes.has(key)) return key
  if (isInterplay(finding)) {
    const [operation = ''] = operationsOf([finding])
    const ofOperation = [...causes].find(
      ([, several]) =>
        isWaived(several[0]) === isWaived(finding) && operationsOf(several).includes(operation),
    )
    return ofOperation?.[0] ?? key
  }
  // Its effect is that something is accepted after it, or that something is refused.
  return isConsequence(finding) ? keyOf('effect', finding.check.operation, deviation[0]) : key
}

/** The key of a cause that several operations share: they break a common rule, or accept the same callers. */
function acrossOperations(findings: Findings): string | undefined {
  const [how, , detail] = deviationOf(findings[0])
  const ofRoles = how === 'accepted' && detail === 'roles'
  const shared = [findings.find(isCommon)?.requirement.id, ofRoles ? callersOf(findings).sort().join() : '']
  return shared.some(Boolean) ? JSON.stringify([isWaived(findings[0]), how, detail, ...shared]) : undefined
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
      Number(isMain(requirement) !== failsPlainly),
    ]
  }
  return ranked(findings, rankOf) as unknown as Findings
}

/** Whether the requirement says that the operation accepts valid requests at all. */
function isMain({ id, operation }: RequirementResult): boolean {
  const known = operationIds.find((each) => each === operation)
  return known !== undefined && operationOf(known).requirements[0].id === id
}

/** The things by their ranks, which are compared from left to right. */
function ranked<Thing>(things: readonly Thing[], rankOf: (thing: Thing) => readonly number[]): Thing[] {
  return things.toSorted((first, second) => {
    const [one, other] = [rankOf(first), rankOf(second)]
    const at = one.findIndex((part, index) => part !== other[index])
    return at < 0 ? 0 : (one[at] as number) - (other[at] as number)
  })
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
    return others.every((each) => each === cause) ? cause : undefined
  })
}

/** The operation and the words of the last refusal. Undefined if the last answer is none, or is a page. */
function refusalOf(evidence: readonly Evidence[] = []): string | undefined {
  const { operation, refusal } = evidence.at(-1) ?? {}
  if (operation === undefined || refusal === undefined) return undefined
  return JSON.stringify([operation, gistOf(refusal)])
}
