/** Helpers with which faults and variants change the portal. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type OperationId, operationIds, operations } from '../specs/operations.ts'
import { done, type Reason } from './answers.ts'
import { itemIdsIn } from './handlers.ts'
import type { Alter, Answer, Arrival, Call, May, Parts, Rendered } from './parts.ts'
import type { Collaboration, Store, SyncJob, Workspace } from './store.ts'

type Body = Answer['body']

/** Applies these alterations in this order. */
export const all =
  (...alterations: readonly Alter[]): Alter =>
  (parts) => {
    for (const alter of alterations) alter(parts)
  }

/** Alters all operations, or these. */
export const everywhere = (
  alter: (operation: OperationId) => Alter,
  these: readonly OperationId[] = operationIds,
): Alter => all(...these.map(alter))

/** Replaces parts. */
export const replacing =
  (others: Partial<Parts>): Alter =>
  (parts) =>
    void Object.assign(parts, others)

/** Replaces members of one group of parts. */
export const replacingIn =
  <Group extends 'administration' | 'limits' | 'may' | 'timings'>(
    group: Group,
    others: Partial<Parts[Group]>,
  ): Alter =>
  (parts) =>
    void Object.assign(parts[group], others)

/** Wraps one part. */
export const wrapping =
  <Name extends keyof Parts>(name: Name, wrap: (honest: Parts[Name], parts: Parts) => Parts[Name]): Alter =>
  (parts) => {
    parts[name] = wrap(parts[name], parts)
  }

// What a portal remembers of earlier requests.

/** An alteration with a memory of its own in each portal. */
export const remembering =
  <Memory>(empty: () => Memory, alter: (memory: Memory) => Alter): Alter =>
  (parts) =>
    alter(empty())(parts)

/** Returns how often it was called with a value, this time included. */
export function counter<Value>(): (value: Value) => number {
  const counts = new Map<Value, number>()
  return (value) => {
    const count = (counts.get(value) ?? 0) + 1
    counts.set(value, count)
    return count
  }
}

/** Returns for each value whether it occurred before. */
export function seenBefore<Value>(): (value: Value) => boolean {
  const count = counter<Value>()
  return (value) => count(value) > 1
}

/** Returns true at every n-th call. */
export function everyNth(n: number): () => boolean {
  let count = 0
  return () => ++count % n === 0
}

/** The key under which a call is remembered. */
export type Key = (call: Call) => unknown

function add(known: Set<unknown>, keys: unknown, forMs?: number): void {
  for (const key of [keys].flat()) {
    known.add(key)
    if (forMs !== undefined) setTimeout(() => known.delete(key), forMs).unref()
  }
}

/** Keys that one alteration notes and another one uses. */
const withKeys = (note: (known: Set<unknown>) => Alter, then: (known: Set<unknown>) => Alter): Alter =>
  remembering(
    () => new Set<unknown>(),
    (known) => all(note(known), then(known)),
  )

/** Remembers a key or several keys of the accepted requests of an operation, for ever or for some milliseconds. */
export const onceAccepted = (
  operation: OperationId,
  keys: (call: Call, answer: Answer) => unknown,
  then: (known: Set<unknown>) => Alter,
  forMs?: number,
): Alter =>
  withKeys((known) => afterAccepted(operation, (call, answer) => add(known, keys(call, answer), forMs)), then)

/** Remembers a key or several keys of the requests of an operation that were refused for one of these reasons. */
export const onceRefused = (
  operation: OperationId,
  reasons: readonly Reason[],
  keys: Key,
  then: (known: Set<unknown>) => Alter,
): Alter => withKeys((known) => afterRefused(operation, reasons, (call) => add(known, keys(call))), then)

/** The id of the collaboration in the path, as a key. */
export const collaborationOf: Key = ({ params }) => params.collaborationID

// How an operation is handled.

/** Wraps the handler of an operation. `honest` can also handle a different call. */
export const around =
  (
    operation: OperationId,
    wrap: (call: Call, honest: (other?: Call) => Answer | Promise<Answer>) => Answer | Promise<Answer>,
  ): Alter =>
  (parts) => {
    const honest = parts.handlers[operation]
    parts.handlers[operation] = (call) => wrap(call, (other = call) => honest(other))
  }

/** Handles a changed call instead of the received one. */
export const changeCall = (operation: OperationId, change: (call: Call) => Call): Alter =>
  around(operation, (call, honest) => honest(change(call)))

/** Handles some calls of an operation with other parts. */
export const changeParts = (
  operation: OperationId,
  concerns: (call: Call) => boolean,
  altered: Partial<Parts>,
): Alter =>
  changeCall(operation, (call) => (concerns(call) ? { ...call, parts: { ...call.parts, ...altered } } : call))

/** Replaces a parameter of the path or the form where `found` returns another value. */
export const takeFor = (
  operation: OperationId,
  name: string,
  found: (call: Call, sent: string) => string | undefined,
): Alter =>
  changeCall(operation, (call) => {
    const inPath = call.params[name]
    const value = found(call, inPath ?? call.form.get(name) ?? '')
    if (value === undefined) return call
    return inPath === undefined
      ? { ...call, form: call.form.with(name, value) }
      : { ...call, params: { ...call.params, [name]: value } }
  })

/** Acts after each accepted request of an operation, at once or after this many milliseconds. */
export const afterAccepted = (
  operation: OperationId,
  act: (call: Call, answer: Answer) => void,
  laterMs = 0,
): Alter =>
  around(operation, async (call, honest) => {
    const answer = await honest()
    if (answer.refused === undefined) after(laterMs, () => act(call, answer))
    return answer
  })

/** Acts after each request of an operation that was refused for one of these reasons, at once or later. */
export const afterRefused = (
  operation: OperationId,
  reasons: readonly Reason[],
  act: (call: Call) => void,
  laterMs = 0,
): Alter =>
  around(operation, async (call, honest) => {
    const answer = await honest()
    if (answer.refused !== undefined && reasons.includes(answer.refused)) after(laterMs, () => act(call))
    return answer
  })

/** Acts after this many milliseconds. 0: at once. */
export function after(ms: number, act: () => void): void {
  if (ms === 0) act()
  else setTimeout(act, ms).unref()
}

/** Refuses some calls before the honest portal handles them. */
export const refuseWhen = (
  operation: OperationId,
  reason: Reason,
  condition: (call: Call) => boolean,
): Alter => around(operation, (call, honest) => (condition(call) ? call.parts.refuse(reason) : honest()))

/**
 * Refuses requests in which one of these parameters has an odd value. Applies to every operation with such a parameter.
 */
export const refuseText =
  (names: readonly string[], isOdd: (text: string) => boolean): Alter =>
  (parts) => {
    for (const { id, parameters } of operations)
      for (const { name } of parameters.filter((each) => names.includes(each.name)))
        refuseWhen(id, 'bad-value', ({ form }) => {
          const text = form.get(name)
          return text !== undefined && isOdd(text)
        })(parts)
  }

/** The fields of an accepted answer besides `success`, where they repeat the request. */
export function echoOf(call: Call): Body {
  const { operation, params, parts } = call
  switch (operation) {
    case 'update-task-run':
      return { taskId: params.taskID, runId: params.runID }
    case 'reassign-items':
      return { itemId: itemIdsIn(call)[0] }
    case 'sync-workspace':
      return { jobId: parts.newId('job'), key: parts.newId('job') }
    case 'update-participant':
      return { collaborationId: params.collaborationID, portalId: params.participantPortalID }
    case 'update-federation':
      return { federationId: params.federationID }
    default:
      return {}
  }
}

/** Accepts some calls that the honest portal refuses for this reason. `fields`: the fields of the answer. */
export const overlook = (
  operation: OperationId,
  reason: Reason,
  concerns: (call: Call) => boolean = () => true,
  fields: (call: Call) => Body = echoOf,
): Alter =>
  around(operation, async (call, honest) => {
    const answer = await honest()
    return answer.refused === reason && concerns(call) ? done(fields(call)) : answer
  })

// What an answer holds, and how it is sent.

/** Overrides fields of the accepted answers of an operation. An undefined field is omitted. */
export const changeAccepted = (operation: OperationId, fields: (call: Call, body: Body) => Body): Alter =>
  around(operation, async (call, honest) => {
    const answer = await honest()
    if (answer.refused !== undefined) return answer
    return { ...answer, body: { ...answer.body, ...fields(call, answer.body) } }
  })

/** Overrides fields of the added workspace in an answer. */
export const changeAdded = (fields: (call: Call, workspace: Body) => Body): Alter =>
  changeAccepted('add-workspace', (call, body) => {
    const workspace = body.workspace as Body
    return { workspace: { ...workspace, ...fields(call, workspace) } }
  })

/** The id of the added workspace in an answer. */
export const addedId = ({ body }: Answer): string => (body.workspace as { readonly id: string }).id

/** Overrides fields of workspaces in answers. */
export const changeView = (fields: (workspace: Workspace, shown: Body) => Body): Alter =>
  wrapping('viewWorkspace', (honest) => (workspace) => {
    const shown = honest(workspace)
    return { ...shown, ...fields(workspace, shown) }
  })

/** Changes the bytes of the accepted answers of an operation, for all or some calls. */
export const changeBytes = (
  operation: OperationId,
  change: (body: Buffer) => Buffer,
  concerns: (call: Call) => boolean = () => true,
): Alter =>
  remembering(
    () => new WeakSet<Answer>(),
    (accepted) =>
      all(
        afterAccepted(operation, (call, answer) => {
          if (concerns(call)) accepted.add(answer)
        }),
        changeRendered((rendered, answer) =>
          accepted.has(answer) ? { ...rendered, body: change(rendered.body) } : rendered,
        ),
      ),
  )

/** Overrides fields of the error for an ineligible target (§7). */
export const changeError = (fields: (details: readonly Body[], call: Call) => Body): Alter =>
  around('reassign-items', async (call, honest) => {
    const answer = await honest()
    if (answer.refused !== 'ineligible-target') return answer
    const error = answer.body.error as { readonly details: readonly Body[] }
    return { ...answer, body: { error: { ...error, ...fields(error.details, call) } } }
  })

/** Overrides fields of the entries in the details of that error. */
export const changeDetails = (fields: (entry: Body, at: number, call: Call) => Body): Alter =>
  changeError((details, call) => ({
    details: details.map((entry, at) => ({ ...entry, ...fields(entry, at, call) })),
  }))

/** Changes every answer before it is sent. */
export const changeRendered = (
  change: (rendered: Rendered, answer: Answer, arrival: Arrival) => Rendered,
): Alter =>
  wrapping('render', (honest) => (answer, arrival) => change(honest(answer, arrival), answer, arrival))

/** Adds headers to an answer. */
export const withHeaders = (rendered: Rendered, headers: Rendered['headers']): Rendered => ({
  ...rendered,
  headers: { ...rendered.headers, ...headers },
})

/** Delays every answer by this many milliseconds. */
export const delayAnswers = (ms: () => number): Alter =>
  wrapping('send', (honest) => async (rendered, arrival) => {
    await sleep(ms(), undefined, { ref: false })
    await honest(rendered, arrival)
  })

/** Answers some requests before the portal reads them. Earlier answers of this kind take precedence. */
export const admitBefore = (answer: (arrival: Arrival) => Rendered | undefined): Alter =>
  wrapping('admit', (honest) => (arrival) => honest(arrival) ?? answer(arrival))

// Who may do what.

type SubjectOf<Operation extends OperationId> = Parameters<May[Operation]>[1]

/** Changes who may do something. `may`: the decision of the honest portal. */
export const changeMay =
  <Operation extends OperationId>(
    operation: Operation,
    decide: (may: boolean, call: Call, subject: SubjectOf<Operation>) => boolean,
  ): Alter =>
  (parts) => {
    const honest = parts.may[operation] as (call: Call, subject: SubjectOf<Operation>) => boolean
    const anew = (call: Call, subject: SubjectOf<Operation>) => decide(honest(call, subject), call, subject)
    parts.may[operation] = anew as May[Operation]
  }

/** Also allows other callers. */
export const alsoMay = <Operation extends OperationId>(
  operations: Operation | readonly Operation[],
  others: (call: Call, subject: SubjectOf<Operation>) => boolean,
): Alter =>
  all(
    ...[operations]
      .flat()
      .map((operation) =>
        changeMay(operation as Operation, (may, call, subject) => may || others(call, subject)),
      ),
  )

/** Whether the request has no credential. */
export function isAnonymous({ parts, arrival }: Call): boolean {
  return parts.credentialOf(arrival) === undefined
}

/** Whether the request has an invalid credential. */
export function hasInvalidCredential(call: Call): boolean {
  return call.user === undefined && !isAnonymous(call)
}

// Syncs and deletions.

/** Allows a sync to start while another one is running. */
export const startBeside = (lets: (running: SyncJob, call: Call) => boolean): Alter =>
  wrapping(
    'syncGate',
    (honest) => (call, workspace) =>
      workspace.sync !== undefined && lets(workspace.sync, call) ? undefined : honest(call, workspace),
  )

/** Keeps deleted collaborations in the store. */
export const keepDeleted = replacing({
  remove(_store, collaboration) {
    collaboration.deletedAt = performance.now()
  },
})

/** Acts after each delete, at once or after this many milliseconds. `remove` deletes further collaborations. */
export const afterEachDelete = (
  act: (store: Store, collaboration: Collaboration, remove: Parts['remove']) => void,
  laterMs = 0,
): Alter =>
  wrapping('remove', (honest) => (store, collaboration) => {
    honest(store, collaboration)
    after(laterMs, () => act(store, collaboration, honest))
  })
