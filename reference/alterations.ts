/** Permitted variants, and helpers with which faults and variants change the portal. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type OperationId, operations } from '../specs/operations.ts'
import { done, type Reason } from './answers.ts'
import type { ConfigurationFile } from './configuration.ts'
import type { Alter, Answer, Arrival, Call, May, Parts, Rendered, Subjects } from './parts.ts'
import type { Collaboration, SyncJob, Workspace } from './store.ts'

/** Requirements that a run may leave open on a variant, and the reason that it must give. */
export interface Opening {
  /** Globs over ids. */
  readonly requirements: readonly string[]
  readonly because: RegExp
}

/** A conforming portal that settles an open point of the contract in another way. */
export interface Variant {
  /** In kebab-case. */
  readonly id: string
  /** What the portal does differently. */
  readonly sentence: string
  /**
   * Evidence that deployments may do so: a section of the contract that leaves it open, a public document or a report;
   * or `noEvidence`.
   */
  readonly because: string
  /** The self-test never combines it, because a run takes long or it would hide other variants. */
  readonly takesLong?: true
  /** Globs over the requirement ids that the self-test judges, to save time. Absent: all. */
  readonly judged?: readonly string[]
  /** What a run may leave open because the variant hides it. Absent: nothing. */
  readonly may?: Readonly<Partial<Record<'not-tested' | 'inconclusive' | 'not-applicable', Opening>>>
  readonly alter?: Alter
  /** What the configuration of a run must state about it. */
  readonly configure?: (configuration: ConfigurationFile) => void
}

/** For variants invented to try the general rules. No mechanism of the suite exists only for such a variant. */
export const noEvidence = 'no evidence: made up to try the general rules'

/** Turns a table by id into a list of variants. */
export const variantsOf = (variants: Readonly<Record<string, Omit<Variant, 'id'>>>): readonly Variant[] =>
  Object.entries(variants).map(([id, variant]) => ({ id, ...variant }))

type Body = Answer['body']

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

/** Acts after each accepted request of an operation. */
export const afterAccepted = (operation: OperationId, act: (call: Call, answer: Answer) => void): Alter =>
  around(operation, async (call, honest) => {
    const answer = await honest()
    if (answer.refused === undefined) act(call, answer)
    return answer
  })

/** Acts after each request of an operation that was refused for one of these reasons. */
export const afterRefused = (
  operation: OperationId,
  reasons: readonly Reason[],
  act: (call: Call) => void,
): Alter =>
  around(operation, async (call, honest) => {
    const answer = await honest()
    if (answer.refused !== undefined && reasons.includes(answer.refused)) act(call)
    return answer
  })

/** The most recent call of an operation, from any caller. Delays requests, so that simultaneous ones overlap. */
export function lastAsked(parts: Parts, operation: OperationId): () => Call {
  let last: Call
  around(operation, async (call, honest) => {
    last = call
    await sleep(5)
    return honest()
  })(parts)
  return () => last
}

/** Changes the bytes of the accepted answers of an operation, for all or some calls. */
export const changeBytes =
  (
    operation: OperationId,
    change: (body: Buffer) => Buffer,
    concerns: (call: Call) => boolean = () => true,
  ): Alter =>
  (parts) => {
    const accepted = new WeakSet<Answer>()
    around(operation, async (call, honest) => {
      const answer = await honest()
      if (answer.refused === undefined && concerns(call)) accepted.add(answer)
      return answer
    })(parts)
    changeRendered((rendered, answer) =>
      accepted.has(answer) ? { ...rendered, body: change(rendered.body) } : rendered,
    )(parts)
  }

/** Overrides fields of the error for an ineligible target (§7). */
export const changeError = (fields: (details: readonly Body[]) => Body): Alter =>
  around('reassign-items', async (_call, honest) => {
    const answer = await honest()
    if (answer.refused !== 'ineligible-target') return answer
    const error = answer.body.error as { readonly details: readonly Body[] }
    return { ...answer, body: { error: { ...error, ...fields(error.details) } } }
  })

/** Overrides fields of the entries in the details of that error. */
export const changeDetails = (fields: (entry: Body, at: number) => Body): Alter =>
  changeError((details) => ({
    details: details.map((entry, at) => ({ ...entry, ...fields(entry, at) })),
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

/** Accepts some calls that the honest portal refuses for this reason. `fields`: the fields of the answer. */
export const overlook = (
  operation: OperationId,
  reason: Reason,
  fields: (call: Call) => Body,
  concerns: (call: Call) => boolean = () => true,
): Alter =>
  around(operation, async (call, honest) => {
    const answer = await honest()
    if (answer.refused !== reason || !concerns(call)) return answer
    return done(fields(call))
  })

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
  (reason: Reason, names: readonly string[], isOdd: (text: string) => boolean): Alter =>
  (parts) => {
    for (const { id, parameters } of operations)
      for (const { name } of parameters.filter((each) => names.includes(each.name)))
        refuseWhen(id, reason, ({ form }) => {
          const text = form.get(name)
          return text !== undefined && isOdd(text)
        })(parts)
  }

/** Answers some requests before the portal reads them. Earlier answers of this kind take precedence. */
export const admitBefore = (answer: (arrival: Arrival) => Rendered | undefined): Alter =>
  wrapping('admit', (honest) => (arrival) => honest(arrival) ?? answer(arrival))

/** Changes who may do something. `may`: the decision of the honest portal. */
export const changeMay =
  <Right extends keyof May>(
    right: Right,
    decide: (may: boolean, call: Call, subject: Subjects[Right]) => boolean,
  ): Alter =>
  (parts) => {
    const honest: May[Right] = parts.may[right]
    const anew = (call: Call, subject: Subjects[Right]) => decide(honest(call, subject), call, subject)
    parts.may[right] = anew as May[Right]
  }

/** Also allows other callers. */
export const alsoMay = <Right extends keyof May>(right: Right, others: May[Right]): Alter =>
  changeMay(right, (may, call, subject) => may || others(call, subject))

/** Also allows other callers after an allowed call with the same key. `same`: the key. */
export const alsoMayAfter =
  <Right extends keyof May>(
    right: Right,
    others: May[Right],
    same: (call: Call, subject: Subjects[Right]) => unknown,
  ): Alter =>
  (parts) => {
    const known = new Set<unknown>()
    changeMay(right, (may, call, subject) => {
      const what = same(call, subject)
      if (may) known.add(what)
      return may || (known.has(what) && others(call, subject))
    })(parts)
  }

/** Overrides fields of workspaces in answers. */
export const changeView = (fields: (workspace: Workspace, shown: Body) => Body): Alter =>
  wrapping('viewWorkspace', (honest) => (workspace) => {
    const shown = honest(workspace)
    return { ...shown, ...fields(workspace, shown) }
  })

/** Allows a sync to start while another one is running. */
export const startBeside = (lets: (running: SyncJob, call: Call) => boolean): Alter =>
  wrapping(
    'syncGate',
    (honest) => (call, workspace) =>
      workspace.sync !== undefined && lets(workspace.sync, call) ? undefined : honest(call, workspace),
  )

/** Keeps deleted collaborations in the store. */
export function keepDeleted(parts: Parts): void {
  parts.remove = (_store, collaboration) => {
    collaboration.deletedAt = performance.now()
  }
}

/** Shows deleted collaborations to some operations. */
export const showDeleted =
  (isThere: (collaboration: Collaboration, operation: OperationId) => boolean): Alter =>
  (parts) => {
    keepDeleted(parts)
    const honest = parts.visible
    parts.visible = (collaboration, operation) =>
      honest(collaboration, operation) || isThere(collaboration, operation)
  }

/** Returns for each value whether it occurred before. */
export function seenBefore<Value>(): (value: Value) => boolean {
  const seen = new Set<Value>()
  return (value) => {
    const before = seen.has(value)
    seen.add(value)
    return before
  }
}

/** Whether the request has no credential. */
export function isAnonymous({ parts, arrival }: Call): boolean {
  return parts.credentialOf(arrival) === undefined
}

/** Whether the request has an invalid credential. */
export function hasInvalidCredential(call: Call): boolean {
  return call.user === undefined && !isAnonymous(call)
}
