/** Checks, plans and results for the tests of the reporters. */
import type { CheckId, CheckResult, Observation } from '../runner/check-result.ts'
import type { PlannedCheck } from '../runner/plan.ts'
import { type OperationId, operationIds } from '../specs/operations.ts'
import { judgedBy, requirementIdOf, requirementOf, requirementsFor } from '../specs/requirements.ts'
import { assembleResults } from './build-results.ts'
import type { JudgedCheck, Results, Waiver } from './results.ts'

/** The operation after the colon in a check id, if any. */
const operationIn = (id: CheckId): OperationId | undefined =>
  operationIds.find((operation) => operation === id.split(':')[1])

/** A check that passed with one request, with changes. */
export function checkOf(id: CheckId, others: Partial<CheckResult> = {}): CheckResult {
  const requirement = requirementIdOf(id)
  return {
    id,
    requirement,
    operation: judgedBy(requirement, operationIn(id)),
    title: `title of ${id}`,
    outcome: 'passed',
    durationMs: 5,
    requests: 1,
    ...others,
  }
}

export function planOf(id: CheckId, without?: PlannedCheck['without']): PlannedCheck {
  const requirement = requirementIdOf(id)
  const operation = judgedBy(requirement, operationIn(id))
  const operations = operationIds.filter((each) => each === operation)
  const plan = { id, requirement, operation, operations, fixtures: [], title: `title of ${id}` }
  return without === undefined ? plan : { ...plan, without }
}

/** A failed check; `body` is the target's answer. */
export function failedCheck(id: CheckId, message: string, body = '{"success":true}'): CheckResult {
  const { operation } = checkOf(id)
  return checkOf(id, {
    outcome: 'failed',
    failure: {
      message,
      expected: ['refused'],
      actual: 'accepted: HTTP 200',
      counterexample: 'collaborationWorkspaceName of 101 characters',
      seed: 42,
      path: '3:0',
      seen: { times: 2, tries: 3 },
      repeat: `portal-conformance run --config staging.yaml --seed 42 --runs 25 --requirement ${id}`,
    },
    evidence: [
      {
        class: 'accepted',
        operation: operationIds.find((each) => each === operation) ?? 'add-workspace',
        request: {
          method: 'POST',
          url: 'https://staging.example.com/rest/portals/p/collaborations/c/addWorkspace',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: 'collaborationWorkspaceName=a&f=pjson&token=***',
        },
        response: { status: 200, headers: { 'content-type': 'application/json' }, body, durationMs: 12.4 },
        curl: `curl -sS -i -g -X POST 'https://staging.example.com/rest' --data-urlencode 'token='"$PORTAL_CREDENTIAL"`,
      },
    ],
  })
}

/** A failed check of a request that was refused for this reason: different reasons are different causes. */
export function refusedCheck(id: CheckId, refusal: string, body?: string): CheckResult {
  const check = failedCheck(id, `a valid request was not accepted in ${id}`, body)
  const evidence = check.evidence?.map((each) => ({ ...each, class: 'refused' as const, refusal })) ?? []
  return { ...check, failure: { ...check.failure!, wanted: 'accepted' }, evidence }
}

/** Results with only the requirements of these checks. */
export function resultsOf(checks: readonly JudgedCheck[], others: Partial<Results> = {}): Results {
  const run = {
    id: 'pc-0a1b2c3d',
    startedAt: '2025-06-15T12:00:00.000Z',
    durationMs: 5120,
    seed: 42,
    runs: 25,
    requests: 310,
  }
  const results = assembleResults({
    run,
    suite: { version: '0.1.0' },
    target: {
      baseUrl: 'https://staging.example.com/rest',
      version: '11.0',
      edition: 'self-hosted',
      profile: 'none',
    },
    requirements: [...new Set(checks.map(({ requirement }) => requirement))].map((id) => ({
      ...requirementOf(id),
      id,
    })),
    checks,
    observations: [],
    roles: [],
    errors: [],
    complete: true,
  })
  return { ...results, run, ...others }
}

/** An answer to an open point, by default about markup. */
export const observationOf = (observed: string, others: Partial<Observation> = {}): Observation => ({
  id: 'markup',
  operation: 'add-workspace',
  question: 'Is markup filtered?',
  observed,
  ...others,
})

type Exchanges = NonNullable<Results['exchanges']>
type OfOperation = Exchanges['operations'][number]

/** Counts of requests with these operations, and without what they leave out. */
export const exchangesOf = (
  ...operations: (Partial<OfOperation> & Pick<OfOperation, 'operation'>)[]
): Exchanges => ({
  boundsMs: [10, 100],
  sliceMs: 1000,
  operations: operations.map((each) => ({ times: [], slowest: [], slices: [], ...each })),
  callers: [],
  values: [],
})

/** A check id for every requirement; one per operation for common requirements. */
const wholeIds: readonly CheckId[] = requirementsFor('none').flatMap(({ id, operation }) =>
  operation === 'protocol' ? operationIds.map((each) => `${id}:${each}` as const) : [id],
)

/** Results in which every check passed, except the given checks. */
export function wholeResults(changed: readonly JudgedCheck[] = [], others: Partial<Results> = {}): Results {
  const ids = changed.map(({ id }) => id)
  const passed = wholeIds.filter((id) => !ids.includes(id)).map((id) => checkOf(id))
  return resultsOf([...passed, ...changed], others)
}

const waiver: Waiver = {
  reason: 'mended in the next release',
  owner: 'portal team',
  link: 'https://tracker.example.com/1',
  expires: '2999-12-31',
}

/** A check whose failure is waived. */
export function waivedCheck(id: CheckId, message = 'broken'): JudgedCheck {
  return { ...failedCheck(id, message), outcome: 'waived', reason: 'waived', waiver }
}

/** A check of advice that is not kept. */
export function warnedCheck(id: CheckId, message: string): CheckResult {
  return { ...failedCheck(id, message), outcome: 'warned' }
}

/** A check with an outcome and its reason. */
export function openCheck(
  id: CheckId,
  outcome: CheckResult['outcome'],
  reason = 'for a reason',
): CheckResult {
  return checkOf(id, { outcome, reason })
}
