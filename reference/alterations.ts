/** The ways in which most faults and variants alter the portal. */
import type { OperationId } from '../specs/operations.ts'
import type { Answer, Arrival, Call, Parts, Rendered } from './parts.ts'
import type { Reason } from './refusals.ts'

type Body = Readonly<Record<string, unknown>>

/** Puts something around the handler of an operation. */
export function around(
  parts: Parts,
  operation: OperationId,
  wrap: (call: Call, honest: () => Answer | Promise<Answer>) => Answer | Promise<Answer>,
): void {
  const honest = parts.handlers[operation]
  parts.handlers[operation] = (call) => wrap(call, () => honest(call))
}

/** Has an operation performed for another call than the one that came. */
export function changeCall(parts: Parts, operation: OperationId, change: (call: Call) => Call): void {
  const honest = parts.handlers[operation]
  parts.handlers[operation] = (call) => honest(change(call))
}

/** Changes the body of every answer of an operation that accepts. */
export function changeAccepted(
  parts: Parts,
  operation: OperationId,
  change: (body: Body, call: Call) => Body,
): void {
  around(parts, operation, async (call, honest) => {
    const answer = await honest()
    return answer.refused === undefined ? { ...answer, body: change(answer.body, call) } : answer
  })
}

/** Has something happen after each request of an operation that is accepted. */
export function afterAccepted(
  parts: Parts,
  operation: OperationId,
  act: (call: Call, answer: Answer) => void,
): void {
  around(parts, operation, async (call, honest) => {
    const answer = await honest()
    if (answer.refused === undefined) act(call, answer)
    return answer
  })
}

/** Has something happen after each request of an operation that is refused for one of these reasons. */
export function afterRefused(
  parts: Parts,
  operation: OperationId,
  reasons: readonly Reason[],
  act: (call: Call) => void,
): void {
  around(parts, operation, async (call, honest) => {
    const answer = await honest()
    if (answer.refused !== undefined && reasons.includes(answer.refused)) act(call)
    return answer
  })
}

/** Changes the bytes of every answer of an operation that accepts, or of those to such calls. */
export function changeBytes(
  parts: Parts,
  operation: OperationId,
  change: (body: Buffer) => Buffer,
  concerns: (call: Call) => boolean = () => true,
): void {
  const accepted = new WeakSet<Answer>()
  around(parts, operation, async (call, honest) => {
    const answer = await honest()
    if (answer.refused === undefined && concerns(call)) accepted.add(answer)
    return answer
  })
  const honest = parts.render
  parts.render = (answer, arrival) => {
    const rendered = honest(answer, arrival)
    return accepted.has(answer) ? { ...rendered, body: change(rendered.body) } : rendered
  }
}

/** Changes the error of every answer of an operation that refuses for one reason. */
export function changeError(
  parts: Parts,
  operation: OperationId,
  reason: Reason,
  change: (error: Record<string, unknown> & { details: Record<string, unknown>[] }) => Body,
): void {
  around(parts, operation, async (_call, honest) => {
    const answer = await honest()
    if (answer.refused !== reason) return answer
    return { ...answer, body: { error: change(answer.body.error as Parameters<typeof change>[0]) } }
  })
}

/** Accepts what is refused for one reason, or such calls of it; `fields` are those of the answer. */
export function overlook(
  parts: Parts,
  operation: OperationId,
  reason: Reason,
  fields: (call: Call) => Body,
  concerns: (call: Call) => boolean = () => true,
): void {
  around(parts, operation, async (call, honest) => {
    const answer = await honest()
    if (answer.refused !== reason || !concerns(call)) return answer
    return { status: 200, body: { success: true, ...fields(call) } }
  })
}

/** Refuses requests that the honest portal would look at. */
export function refuseWhen(
  parts: Parts,
  operation: OperationId,
  reason: Reason,
  condition: (call: Call) => boolean,
): void {
  around(parts, operation, (call, honest) => (condition(call) ? parts.refuse(reason) : honest()))
}

/** Answers some requests before the portal looks at them; whoever did so before is asked first. */
export function admitBefore(parts: Parts, answer: (arrival: Arrival) => Rendered | undefined): void {
  const honest = parts.admit
  parts.admit = (arrival) => honest(arrival) ?? answer(arrival)
}

/** Lets in further callers besides the honest ones. */
export function alsoMay<Right extends keyof Parts['may']>(
  parts: Parts,
  right: Right,
  others: Parts['may'][Right],
): void {
  const honest = parts.may[right] as (call: Call, subject: unknown) => boolean
  const more = others as typeof honest
  const both = (call: Call, subject: unknown) => honest(call, subject) || more(call, subject)
  parts.may[right] = both as Parts['may'][Right]
}

/** Whether the request carries no credential at all. */
export function isAnonymous({ parts, arrival }: Call): boolean {
  return parts.credentialOf(arrival) === undefined
}

/** Whether the request carries a credential that nobody was given. */
export function hasInvalidCredential(call: Call): boolean {
  return call.user === undefined && !isAnonymous(call)
}
