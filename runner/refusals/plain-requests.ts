/** Ordinary valid requests that the suite sends for itself, to see what the target accepts now. */
import { isAccepted } from '../../clauses/acceptance.ts'
import { isStranger, type Part } from '../../clauses/exchange.ts'
import { runningProvider } from '../../deployment/configuration/configuration.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { requestSchema } from '../../schemas/catalogue.ts'
import { type OperationId, operationOf } from '../../specs/operations.ts'
import { inDomain } from '../cases/realistic.ts'
import { define } from '../check.ts'
import { buildContext } from '../context/build-context.ts'
import type { Caller, RequestFields } from '../context/calls.ts'
import type { CheckContext } from '../context/context.ts'
import { type Effect, succeeded } from '../log/run-log.ts'
import { targetNeeds } from '../operation-targets.ts'
import { withoutJudging } from '../plan.ts'
import { everything } from '../run-input.ts'
import type { Session } from '../session.ts'

const contentType = 'application/x-www-form-urlencoded; charset=utf-8'

/**
 * Sends a valid request on a new fixture, by that actor or by the operation's usual caller. If it is refused, it is
 * tried without optional parameters, then with a charset, because any acceptance is a sign of life. Returns the first
 * answer.
 */
export function sendPlainRequest(
  session: Session,
  operation: OperationId,
  by: Part = operationOf(operation).calledBy,
): Promise<Answer | undefined> {
  return answerTo(session, { operation, by }, async (context, caller) => {
    const { fixed, fresh } = context.target(operation)
    const request = withPlainValues(session, operation, await context.given.request(operation, fixed))
    const { call } = await fresh()
    const answer = await call(caller, withOwnNames(session, request))
    if (succeeded(answer)) return answer
    const { targetFoldername: _, ...bare } = request
    const second = await call(caller, withOwnNames(session, bare))
    if (!succeeded(second)) await call(caller, withOwnNames(session, request), { contentType })
    return answer
  })
}

/**
 * Sends one plain request on a thing that nothing else used, without retries and with its own texts. Undefined if that
 * is impossible here.
 */
export function sendPlainRequestOnce(session: Session, operation: OperationId): Promise<Answer | undefined> {
  const by = operationOf(operation).calledBy
  return answerTo(session, { operation, by }, async (context, caller) => {
    const target = context.target(operation)
    const whole = withPlainValues(session, operation, await context.given.request(operation, target.fixed))
    const { call } = await freshSubjectFor(session, context, operation)
    const ask = () => call(caller, withOwnNames(session, withOwnAddress(session, whole)), { once: true })
    return operation === 'sync-workspace' ? context.syncs.inQuiet(ask) : ask()
  })
}

/** A shared collaboration may be full, and a shared workspace may be syncing. */
async function freshSubjectFor(session: Session, { target, given }: CheckContext, operation: OperationId) {
  if (operation === 'add-workspace')
    return target(operation).on({ ...(await session.pool.ownCollaboration()) })
  if (operation === 'sync-workspace') {
    const { collaborationId, workspaceId } = await given.ownWorkspace()
    return target(operation).on({ collaborationId, workspaceId })
  }
  return target(operation).fresh()
}

/** An address that no other contact has. */
function withOwnAddress(session: Session, request: Readonly<Record<string, unknown>>) {
  const { contactEmailAddress: address } = request
  if (typeof address !== 'string') return request
  session.sideQuestions.namesUsed += 1
  return { ...request, contactEmailAddress: address.replace('@', `.${session.sideQuestions.namesUsed}@`) }
}

/** Whether a plain request is accepted on the same fixture. */
export async function acceptsPlainRequest(
  session: Session,
  { operation, at, request }: Effect,
): Promise<boolean> {
  const { on, calledBy } = operationOf(operation)
  if (on === 'collaboration') return acceptsPlainWorkspace(session, String(at.collaborationId))
  const answer = await answerTo(session, { operation, by: calledBy }, async ({ given }, caller) => {
    const moved = on === 'items' ? { items: request.items, targetUsername: await given.receiver() } : {}
    const { targetFoldername: _, ...plain } = await given.request(operation, moved)
    return caller(operation, at as never, plain)
  })
  return answer !== undefined && succeeded(answer)
}

/** Whether a collaboration accepts a plain workspace. False if it could not be tried. */
export async function acceptsPlainWorkspace(session: Session, collaborationId: string): Promise<boolean> {
  const question = { operation: 'add-workspace', by: 'hostAdministrator' } as const
  const answer = await answerTo(session, question, async ({ given }, caller) => {
    const request = await given.request('add-workspace', { collaborationWorkspaceName: 'Plain workspace' })
    return caller('add-workspace', { collaborationId }, request)
  })
  return answer !== undefined && isAccepted(answer)
}

/** What to send, as which caller. */
interface Question {
  readonly operation: OperationId
  readonly by: Part
}

/**
 * The answer to a plain request. Undefined if the caller cannot send it here; the operation's own checks report why.
 */
async function answerTo(
  session: Session,
  { operation, by }: Question,
  ask: (context: CheckContext, caller: Caller) => Promise<Answer>,
): Promise<Answer | undefined> {
  const [id, needs] = [`protocol/form-post:${operation}` as const, targetNeeds(operation)]
  const definition = define(id, needs, { actors: isStranger(by) ? [] : [by] }, async () => undefined)
  if (withoutJudging(definition, session.configuration, everything) !== undefined) return undefined
  const { context } = buildContext(definition, session)
  try {
    return await ask(context, withAnotherGroup(session, context.as[by]))
  } catch {
    return undefined
  }
}

/**
 * If a workspace is refused twice, tries another group, because the shared one may be gone. If that helps, all later
 * requests share the new group.
 */
const withAnotherGroup =
  (session: Session, caller: Caller): Caller =>
  async (operation, at, request, how) => {
    const answer = await caller(operation, at, request, how)
    if (operation !== 'add-workspace' || succeeded(answer)) return answer
    const { pool, configuration } = session
    if (runningProvider(configuration) === undefined) return answer
    // A flaky refusal is not about the group.
    if (succeeded(await caller(operation, at, request, how))) return answer
    const portalGroupId = await pool.spareGroup(request?.portalGroupId)
    if (portalGroupId === undefined) return answer
    const second = await caller(operation, at, { ...request, portalGroupId }, how)
    if (!succeeded(second)) return answer
    pool.shareSpareGroup(portalGroupId)
    return second
  }

/** Values that no target has a reason to refuse, by kind. Two each, because an update may have to change something. */
const plainValues: Readonly<Record<string, readonly [string, string]>> = {
  'first-name': ['Anna', 'Maria'],
  'last-name': ['Miller', 'Baker'],
  email: ['anna.miller@example.com', 'maria.baker@example.com'],
  result: ['done', 'copied'],
}

function withPlainValues(session: Session, operation: OperationId, request: RequestFields): RequestFields {
  session.sideQuestions.namesUsed += 1
  const { properties } = requestSchema(operation)
  const { domain } = session.configuration.contract
  const values = Object.keys(request).flatMap((name) => {
    const value = plainValues[properties[name]?.['x-realistic'] ?? '']?.[session.sideQuestions.namesUsed % 2]
    return value === undefined ? [] : [[name, inDomain(value, domain)]]
  })
  return { ...request, ...Object.fromEntries(values) }
}

/** Each request has new names, since equal names, and updates without a change, are open points. */
function withOwnNames(session: Session, request: Readonly<Record<string, unknown>>) {
  const sent = ['collaborationWorkspaceName', 'targetFoldername', 'name'].filter(
    (name) => request[name] !== undefined,
  )
  return { ...request, ...Object.fromEntries(sent.map((name) => [name, nextName(session)])) }
}

function nextName(session: Session): string {
  session.sideQuestions.namesUsed += 1
  return `Sign of life ${session.sideQuestions.namesUsed} ${session.input.runId}`
}
