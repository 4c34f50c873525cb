/** The ways in which most faults and variants alter the portal. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type OperationId, operations } from '../specs/operations.ts'
import { done, type Reason } from './answers.ts'
import type { Answer, Arrival, Call, May, Parts, Rendered, Subjects } from './parts.ts'
import type { Collaboration, SyncJob, Workspace } from './store.ts'

type Body = Answer['body']

/** Puts others in the place of those parts. */
export const replacing =
  (others: Partial<Parts>) =>
  (parts: Parts): void =>
    void Object.assign(parts, others)

/** The same within one of the groups of parts. */
export const replacingIn =
  <Group extends 'administration' | 'limits' | 'may' | 'timings'>(
    group: Group,
    others: Partial<Parts[Group]>,
  ) =>
  (parts: Parts): void =>
    void Object.assign(parts[group], others)

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

/** Has an operation performed for such calls as a portal would whose parts are altered so. */
export function changeParts(
  parts: Parts,
  operation: OperationId,
  concerns: (call: Call) => boolean,
  altered: Partial<Parts>,
): void {
  changeCall(parts, operation, (call) =>
    concerns(call) ? { ...call, parts: { ...parts, ...altered } } : call,
  )
}

/** Puts fields over those of every answer of an operation that accepts; one that is undefined is left out. */
export function changeAccepted(
  parts: Parts,
  operation: OperationId,
  fields: (call: Call, body: Body) => Body,
): void {
  around(parts, operation, async (call, honest) => {
    const answer = await honest()
    if (answer.refused !== undefined) return answer
    return { ...answer, body: { ...answer.body, ...fields(call, answer.body) } }
  })
}

/** The same of the workspace that was added. */
export function changeAdded(parts: Parts, fields: (call: Call, workspace: Body) => Body): void {
  changeAccepted(parts, 'add-workspace', (call, body) => {
    const workspace = body.workspace as Body
    return { workspace: { ...workspace, ...fields(call, workspace) } }
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

/** What was last asked for, by whomever; requests take long enough to meet. */
export function lastAsked(parts: Parts, operation: OperationId): () => Call {
  let last: Call
  around(parts, operation, async (call, honest) => {
    last = call
    await sleep(5)
    return honest()
  })
  return () => last
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
  changeRendered(parts, (rendered, answer) =>
    accepted.has(answer) ? { ...rendered, body: change(rendered.body) } : rendered,
  )
}

/** Puts fields over those of the error for a target who may not receive the items (§7). */
export function changeError(parts: Parts, fields: (details: readonly Body[]) => Body): void {
  around(parts, 'reassign-items', async (_call, honest) => {
    const answer = await honest()
    if (answer.refused !== 'ineligible-target') return answer
    const error = answer.body.error as { readonly details: readonly Body[] }
    return { ...answer, body: { error: { ...error, ...fields(error.details) } } }
  })
}

/** The same of the entries of its details. */
export function changeDetails(parts: Parts, fields: (entry: Body, at: number) => Body): void {
  changeError(parts, (details) => ({
    details: details.map((entry, at) => ({ ...entry, ...fields(entry, at) })),
  }))
}

/** Changes every answer as it goes over the wire. */
export function changeRendered(
  parts: Parts,
  change: (rendered: Rendered, answer: Answer, arrival: Arrival) => Rendered,
): void {
  const honest = parts.render
  parts.render = (answer, arrival) => change(honest(answer, arrival), answer, arrival)
}

/** The same with further headers. */
export const withHeaders = (rendered: Rendered, headers: Rendered['headers']): Rendered => ({
  ...rendered,
  headers: { ...rendered.headers, ...headers },
})

/** Sends every answer by so many milliseconds later. */
export function delayAnswers(parts: Parts, ms: () => number): void {
  const honest = parts.send
  parts.send = async (rendered, arrival) => {
    await sleep(ms(), undefined, { ref: false })
    await honest(rendered, arrival)
  }
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
    return done(fields(call))
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

/** Refuses requests in which that holds of one of these parameters, each of which belongs to one operation. */
export function refuseText(
  parts: Parts,
  reason: Reason,
  names: readonly string[],
  isOdd: (text: string) => boolean,
): void {
  for (const { id, parameters } of operations)
    for (const { name } of parameters.filter((each) => names.includes(each.name)))
      refuseWhen(parts, id, reason, ({ form }) => {
        const text = form.get(name)
        return text !== undefined && isOdd(text)
      })
}

/** Answers some requests before the portal looks at them; whoever did so before is asked first. */
export function admitBefore(parts: Parts, answer: (arrival: Arrival) => Rendered | undefined): void {
  const honest = parts.admit
  parts.admit = (arrival) => honest(arrival) ?? answer(arrival)
}

/** Decides anew who may do something; `may`: whether the honest portal lets the caller. */
export function changeMay<Right extends keyof May>(
  parts: Parts,
  right: Right,
  decide: (may: boolean, call: Call, subject: Subjects[Right]) => boolean,
): void {
  const honest: May[Right] = parts.may[right]
  const anew = (call: Call, subject: Subjects[Right]) => decide(honest(call, subject), call, subject)
  parts.may[right] = anew as May[Right]
}

/** Lets in further callers besides the honest ones. */
export function alsoMay<Right extends keyof May>(parts: Parts, right: Right, others: May[Right]): void {
  changeMay(parts, right, (may, call, subject) => may || others(call, subject))
}

/** Puts fields over those of workspaces as answers show them. */
export function changeView(parts: Parts, fields: (workspace: Workspace, shown: Body) => Body): void {
  const honest = parts.viewWorkspace
  parts.viewWorkspace = (workspace) => {
    const shown = honest(workspace)
    return { ...shown, ...fields(workspace, shown) }
  }
}

/** Lets a sync start beside one that is in progress. */
export function startBeside(parts: Parts, lets: (running: SyncJob, call: Call) => boolean): void {
  const honest = parts.syncGate
  parts.syncGate = (call, workspace) =>
    workspace.sync !== undefined && lets(workspace.sync, call) ? undefined : honest(call, workspace)
}

/** Keeps collaborations that were deleted in the store, for as long as the portal runs. */
export function keepDeleted(parts: Parts): void {
  parts.remove = (_store, collaboration) => {
    collaboration.deletedAt = performance.now()
  }
}

/** Shows deleted collaborations to some operations. */
export function showDeleted(
  parts: Parts,
  isThere: (collaboration: Collaboration, operation: OperationId) => boolean,
): void {
  keepDeleted(parts)
  const honest = parts.visible
  parts.visible = (collaboration, operation) =>
    honest(collaboration, operation) || isThere(collaboration, operation)
}

/** Tells of each value whether it was asked about before. */
export function seenBefore<Value>(): (value: Value) => boolean {
  const seen = new Set<Value>()
  return (value) => {
    const before = seen.has(value)
    seen.add(value)
    return before
  }
}

/** Whether the request carries no credential at all. */
export function isAnonymous({ parts, arrival }: Call): boolean {
  return parts.credentialOf(arrival) === undefined
}

/** Whether the request carries a credential that nobody was given. */
export function hasInvalidCredential(call: Call): boolean {
  return call.user === undefined && !isAnonymous(call)
}
