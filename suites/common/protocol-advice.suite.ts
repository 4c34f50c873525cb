/** §4 and §7, good practice beyond the contract: reported as warnings, never part of the verdict. */
import { describe, isAccepted } from '../../clauses/acceptance.ts'
import { type CheckDefinition, suite } from '../../runner/check.ts'
import type { RequestFields } from '../../runner/context/calls.ts'
import { isQuick } from '../../runner/effort.ts'
import { NotApplicable } from '../../runner/findings.ts'
import { targetNeeds } from '../../runner/operation-targets.ts'
import { type OperationId, operationIds } from '../../specs/operations.ts'

/** The checks of this file. */
export const checks: CheckDefinition[] = []

for (const operation of operationIds) judgeAdvice(operation)

function judgeAdvice(operation: OperationId): void {
  const check = suite(checks, targetNeeds(operation))

  check(`protocol/post-only:${operation}`, {}, async (context) => {
    const { accepted, permitted, tried } = context.target(operation)
    const { request, answer: before } = await accepted()
    context.control(before, 'the same request as POST')
    await tried(async (call) => {
      const got = await call(permitted, request, { method: 'GET' })
      context.openPoints.observe('get-on-operation', describe(got))
      context.expect(got, before).toKeep('protocol/post-only')
      // Items that moved nevertheless cannot be used again.
      if (operation === 'reassign-items' && !isQuick(context.configuration.run))
        context
          .expect(await call(permitted, request), got)
          .toBeAccepted('the same request as POST, after it was refused as GET')
    })
  })

  check(`protocol/no-server-error:${operation}`, {}, async (context) => {
    const { controlled, permitted, send } = context.target(operation)
    const { request, answer: before, subject } = await controlled()
    const quick = isQuick(context.configuration.run)
    let judged = false
    for (const bad of badRequests(request, quick ? 1 : 6)) {
      const answer = await subject.call(permitted, bad)
      if (context.expect(answer).keeps('protocol/no-server-error', { valid: false })) judged = true
    }
    if (!quick || !judged)
      context.expect(await send(request), before).toBeAccepted('a valid request after several bad ones')
  })

  check(`protocol/refusal-json:${operation}`, {}, async (context) => {
    const { controlled, tried } = context.target(operation)
    const { request } = await controlled()
    const refusal = await tried((call) => call(context.as.anonymous, request))
    if (isAccepted(refusal))
      throw new NotApplicable(
        'the request without a credential was accepted, so there is no refusal to judge',
      )
    context.openPoints.observe('refusal-status', `without a credential: HTTP ${refusal.status}`)
    context.expect(refusal).toKeep('protocol/refusal-json')
  })
}

/** Requests with one bad value each. The texts are too long to be names. */
function badRequests(request: RequestFields, most: number): RequestFields[] {
  const names = Object.keys(request).filter((name) => name !== 'f')
  const bad = ['', 'x'.repeat(5000), '\u0000']
  return names
    .slice(0, 3)
    .flatMap((name, at) => [at, at + 1].map((next) => ({ ...request, [name]: bad[next % bad.length] })))
    .slice(0, most)
}
