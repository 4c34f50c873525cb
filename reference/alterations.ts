/** What a permitted variant is, and the ways in which most faults and variants alter the portal. */
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

/** One way of keeping the contract that differs from the plain portal: it settles an open point differently. */
export interface Variant {
  /** In kebab-case. */
  readonly id: string
  /** What the portal does differently. */
  readonly sentence: string
  /**
   * What shows that a deployment may be so: a section of the contract that leaves it open, a public document or a report;
   * or `noEvidence`.
   */
  readonly because: string
  /** The self-test combines it with no other: a run on it takes long, or others would hide what it says. */
  readonly takesLong?: true
  /** Globs over requirement ids: the self-test judges no others, since that would take too long. Absent: all. */
  readonly judged?: readonly string[]
  /** What a run may leave open, where it cannot see all that it wants to see. Absent: nothing. */
  readonly may?: Readonly<Partial<Record<'not-tested' | 'inconclusive' | 'not-applicable', Opening>>>
  readonly alter?: Alter
  /** What the configuration of a run must say about it. */
  readonly configure?: (configuration: ConfigurationFile) => void
}

/** Of what was made up to try the general rules: no mechanism of the suite is there for its sake alone. */
export const noEvidence = 'no evidence: made up to try the general rules'

/** Variants by their ids. */
export const variantsOf = (variants: Readonly<Record<string, Omit<Variant, 'id'>>>): readonly Variant[] =>
  Object.entries(variants).map(([id, variant]) => ({ id, ...variant }))

type Body = Answer['body']

/** Puts others in the place of those parts. */
export const replacing =
  (others: Partial<Parts>): Alter =>
  (parts) =>
    void Object.assign(parts, others)

/** The same within one of the groups of parts. */
export const replacingIn =
  <Group extends 'administration' | 'limits' | 'may' | 'timings'>(
    group: Group,
    others: Partial<Parts[Group]>,
  ): Alter =>
  (parts) =>
    void Object.assign(parts[group], others)

/** Puts something around one of the parts. */
export const wrapping =
  <Name extends keyof Parts>(name: Name, wrap: (honest: Parts[Name], parts: Parts) => Parts[Name]): Alter =>
  (parts) => {
    parts[name] = wrap(parts[name], parts)
  }

/** Puts something around the handler of an operation, which can be given another call than the one that came. */
export const around =
  (
    operation: OperationId,
    wrap: (call: Call, honest: (other?: Call) => Answer | Promise<Answer>) => Answer | Promise<Answer>,
  ): Alter =>
  (parts) => {
    const honest = parts.handlers[operation]
    parts.handlers[operation] = (call) => wrap(call, (other = call) => honest(other))
  }

/** Has an operation performed for another call than the one that came. */
export const changeCall = (operation: OperationId, change: (call: Call) => Call): Alter =>
  around(operation, (call, honest) => honest(change(call)))

/** Has an operation performed for such calls as a portal would whose parts are altered so. */
export const changeParts = (
  operation: OperationId,
  concerns: (call: Call) => boolean,
  altered: Partial<Parts>,
): Alter =>
  changeCall(operation, (call) => (concerns(call) ? { ...call, parts: { ...call.parts, ...altered } } : call))

/** Puts fields over those of every answer of an operation that accepts; one that is undefined is left out. */
export const changeAccepted = (operation: OperationId, fields: (call: Call, body: Body) => Body): Alter =>
  around(operation, async (call, honest) => {
    const answer = await honest()
    if (answer.refused !== undefined) return answer
    return { ...answer, body: { ...answer.body, ...fields(call, answer.body) } }
  })

/** As above, of the workspace that was added. */
export const changeAdded = (fields: (call: Call, workspace: Body) => Body): Alter =>
  changeAccepted('add-workspace', (call, body) => {
    const workspace = body.workspace as Body
    return { workspace: { ...workspace, ...fields(call, workspace) } }
  })

/** Has something happen after each request of an operation that is accepted. */
export const afterAccepted = (operation: OperationId, act: (call: Call, answer: Answer) => void): Alter =>
  around(operation, async (call, honest) => {
    const answer = await honest()
    if (answer.refused === undefined) act(call, answer)
    return answer
  })

/** Has something happen after each request of an operation that is refused for one of these reasons. */
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

/** What was last asked for, by whomever; requests take long enough to meet. */
export function lastAsked(parts: Parts, operation: OperationId): () => Call {
  let last: Call
  around(operation, async (call, honest) => {
    last = call
    await sleep(5)
    return honest()
  })(parts)
  return () => last
}

/** Changes the bytes of every answer of an operation that accepts, or of those to such calls. */
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

/** Puts fields over those of the error for a target who may not receive the items (§7). */
export const changeError = (fields: (details: readonly Body[]) => Body): Alter =>
  around('reassign-items', async (_call, honest) => {
    const answer = await honest()
    if (answer.refused !== 'ineligible-target') return answer
    const error = answer.body.error as { readonly details: readonly Body[] }
    return { ...answer, body: { error: { ...error, ...fields(error.details) } } }
  })

/** As above, of the entries of its details. */
export const changeDetails = (fields: (entry: Body, at: number) => Body): Alter =>
  changeError((details) => ({
    details: details.map((entry, at) => ({ ...entry, ...fields(entry, at) })),
  }))

/** Changes every answer as it goes over the wire. */
export const changeRendered = (
  change: (rendered: Rendered, answer: Answer, arrival: Arrival) => Rendered,
): Alter =>
  wrapping('render', (honest) => (answer, arrival) => change(honest(answer, arrival), answer, arrival))

/** As above, with further headers. */
export const withHeaders = (rendered: Rendered, headers: Rendered['headers']): Rendered => ({
  ...rendered,
  headers: { ...rendered.headers, ...headers },
})

/** Sends every answer by this many milliseconds later. */
export const delayAnswers = (ms: () => number): Alter =>
  wrapping('send', (honest) => async (rendered, arrival) => {
    await sleep(ms(), undefined, { ref: false })
    await honest(rendered, arrival)
  })

/** Accepts what is refused for one reason, or such calls of it; `fields` are those of the answer. */
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

/** Refuses requests that the honest portal would look at. */
export const refuseWhen = (
  operation: OperationId,
  reason: Reason,
  condition: (call: Call) => boolean,
): Alter => around(operation, (call, honest) => (condition(call) ? call.parts.refuse(reason) : honest()))

/** Refuses requests in which that holds of one of these parameters; each belongs to one operation. */
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

/** Answers some requests before the portal reads them; earlier answers of this kind go first. */
export const admitBefore = (answer: (arrival: Arrival) => Rendered | undefined): Alter =>
  wrapping('admit', (honest) => (arrival) => honest(arrival) ?? answer(arrival))

/** Decides anew who may do something; `may`: whether the honest portal lets the caller. */
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

/** Lets in further callers besides the honest ones. */
export const alsoMay = <Right extends keyof May>(right: Right, others: May[Right]): Alter =>
  changeMay(right, (may, call, subject) => may || others(call, subject))

/** Lets those callers in as well once an honest one was: to what is the same of both calls. */
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

/** Puts fields over those of workspaces as answers show them. */
export const changeView = (fields: (workspace: Workspace, shown: Body) => Body): Alter =>
  wrapping('viewWorkspace', (honest) => (workspace) => {
    const shown = honest(workspace)
    return { ...shown, ...fields(workspace, shown) }
  })

/** Lets a sync start beside one that is in progress. */
export const startBeside = (lets: (running: SyncJob, call: Call) => boolean): Alter =>
  wrapping(
    'syncGate',
    (honest) => (call, workspace) =>
      workspace.sync !== undefined && lets(workspace.sync, call) ? undefined : honest(call, workspace),
  )

/** Keeps collaborations that were deleted in the store, for as long as the portal runs. */
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

/** Gives for each value whether it was asked about before. */
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

/** Whether the request carries an invalid credential. */
export function hasInvalidCredential(call: Call): boolean {
  return call.user === undefined && !isAnonymous(call)
}
