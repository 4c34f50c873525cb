/** Family of checks: valid requests that the target must accept, and what their answers must hold. */
import fc from 'fast-check'
import { isAccepted } from '../../clauses/acceptance.ts'
import type { ContractRequirementId } from '../../clauses/catalogue.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { type Derivation, requestsHolding } from '../../runner/cases/requests.ts'
import { type CheckDefinition, type Needs, suite, usesUp } from '../../runner/check.ts'
import type { CheckId } from '../../runner/check-result.ts'
import type { RequestFields } from '../../runner/context/calls.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { type Cases, isQuick } from '../../runner/effort.ts'
import { Discarded } from '../../runner/findings.ts'
import { targetNeeds } from '../../runner/operation-targets.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import type { OperationId } from '../../specs/operations.ts'
import { operationJudgedBy, requirementIdOf } from '../../specs/requirements.ts'

type Judge = (answer: Answer, request: RequestFields) => void

export interface Acceptance extends Pick<Needs, 'title' | 'traits'> {
  readonly id: CheckId
  /** `accept`: a refusal breaks the requirement. `keep`: the answer must keep the clause; a refusal proves nothing. */
  readonly must: readonly ('accept' | 'keep')[]
  /** The parameter that the check is about. Default: all. */
  readonly about?: string
  /** How the requests vary. Default: texts as people write them. */
  readonly requests?: Derivation
  /** Values in the requests, drawn for each request. */
  readonly values?: (
    context: CheckContext,
  ) => fc.Arbitrary<RequestFields> | Promise<fc.Arbitrary<RequestFields>>
  /** Values to send once each, before drawn ones. */
  readonly examples?: (context: CheckContext) => readonly RequestFields[] | Promise<readonly RequestFields[]>
  /** Values for a quick run instead of the examples. Default: those of the first example. */
  readonly quick?: (context: CheckContext) => readonly RequestFields[]
  readonly cases?: Cases
  /** Concurrent requests. Default: the concurrency of the run. */
  readonly width?: number
  /** Changes the request with that number. */
  readonly alter?: (request: RequestFields, number: number, context: CheckContext) => RequestFields
  /** What else the check judges. */
  readonly further?: (context: CheckContext, judge: Judge) => Promise<void>
}

/** Declares a check for each row. */
export function acceptances(checks: CheckDefinition[], rows: readonly Acceptance[]): void {
  for (const row of rows) {
    const { id, title, traits } = row
    const needs = withoutUndefined({ title, traits })
    suite(checks, targetNeeds(operationOfRow(row)))(id, needs, (context) => judgeRow(row, context))
  }
}

const clauseOf = ({ id }: Acceptance) => requirementIdOf(id) as ContractRequirementId
const operationOfRow = (row: Acceptance): OperationId => operationJudgedBy(clauseOf(row))

async function judgeRow(row: Acceptance, context: CheckContext): Promise<void> {
  const operation = operationOfRow(row)
  const { width, cases = 'some', alter = (request: RequestFields) => request } = row
  const { given, forAll, configuration } = context
  const { send, fresh, fixed, accepted } = context.target(operation)
  // Drawn ahead, because a shared group may go to other checks meanwhile.
  if (!usesUp(operation)) await fresh()
  const judge = judgeOf(row, context)
  const valid = given.requests(operation, {
    text: 'ordinary',
    ...row.requests,
    fixed: { ...fixed, ...row.requests?.fixed },
  })
  const values = await row.values?.(context)
  const requests =
    values === undefined ? valid : fc.tuple(valid, values).map(([request, held]) => ({ ...request, ...held }))
  const { seed } = configuration.run
  const examples = requestsHolding(valid, (await row.examples?.(context)) ?? [], seed)
  const quick = row.quick && requestsHolding(valid, row.quick(context), seed)
  // If requests use up their fixture, the check also judges the request that checks share.
  const shared = usesUp(operation) && values === undefined ? await accepted() : undefined
  if (shared !== undefined) judge(shared.answer, shared.request)
  await forAll(
    requests,
    async (made, number) => {
      const request = alter(made, number, context)
      judge(await send(request), request)
    },
    withoutUndefined({ cases, examples, quick, width, judged: shared === undefined ? 0 : 1 }),
  )
  if (!isQuick(configuration.run)) await row.further?.(context, judge)
}

function judgeOf(row: Acceptance, { expect, control }: CheckContext): Judge {
  const { must, about } = row
  return (answer, request) => {
    const shown =
      about === undefined ? JSON.stringify(request) : `${about}: ${JSON.stringify(request[about])}`
    // Whether an open parameter may be left out is open as well.
    const leavesOut = Object.values(request).includes(undefined)
    if (!must.includes('accept') && leavesOut && !isAccepted(answer))
      throw new Discarded('a parameter that was left out is required here')
    if (must.includes('accept')) expect(answer).toBeAccepted(shown, ...(about === undefined ? [] : [about]))
    else control(answer, 'a generated valid request')
    if (must.includes('keep')) expect(answer).toKeep(clauseOf(row))
  }
}

/** The values in as few requests as possible, with those of different parameters together. */
export function packed(values: readonly RequestFields[]): RequestFields[] {
  const packs: RequestFields[] = []
  for (const value of values) {
    const names = Object.keys(value)
    const free = packs.find((pack) => names.every((name) => !Object.hasOwn(pack, name)))
    if (free === undefined) packs.push({ ...value })
    else Object.assign(free, value)
  }
  return packs
}
