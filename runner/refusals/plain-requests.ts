/** Ordinary valid requests that the suite sends for itself, to see what the target accepts now. */
import { isStranger, type Part } from '../../clauses/exchange.ts'
import { runningProvider } from '../../deployment/configuration/configuration.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { requestSchema } from '../../schemas/catalogue.ts'
import { type OperationId, operationOf } from '../../specs/operations.ts'
import { inDomain } from '../cases/realistic.ts'
import { define } from '../check.ts'
import { buildContext } from '../context/build-context.ts'
import type { Caller, How, RequestFields } from '../context/calls.ts'
import type { CheckContext } from '../context/context.ts'
import { type Effect, succeeded } from '../log/run-log.ts'
import { targetNeeds } from '../operation-targets.ts'
import { withoutJudging } from '../plan.ts'
import { everything } from '../run-input.ts'
import type { Session } from '../session.ts'

const contentType = 'application/x-www-form-urlencoded; charset=utf-8'

/** The first answer of `plainAnswers`. Undefined if the request is impossible here. */
export const sendPlainRequest = async (
  session: Session,
  operation: OperationId,
  by?: Part,
): Promise<Answer | undefined> => (await plainAnswers(session, operation, by))[0]

/**
 * Sends a valid request on a thing that nothing else used, by that actor or by the operation's usual caller. If it is
 * refused, others are sent without optional parameters, then with a charset, because any acceptance is a sign of life.
 * Returns the answers to requests of the same form. None if the request is impossible here.
 */
export async function plainAnswers(
  session: Session,
  operation: OperationId,
  by: Part = operationOf(operation).calledBy,
): Promise<readonly Answer[]> {
  const answers = await answerTo(session, { operation, by }, async (context, caller) => {
    const whole = await context.given.request(operation, context.target(operation).fixed)
    const send = async (request: RequestFields, how?: How) => {
      const { call } = await unusedSubject(session, context, operation)
      return call(caller, plainly(session, operation, request), how)
    }
    if (operation === 'sync-workspace')
      return [await context.syncs.inQuiet(() => send(whole, { once: true }))]
    const answer = await send(whole)
    if (succeeded(answer)) return [answer]
    const { targetFoldername, ...bare } = whole
    const again = await send(bare)
    if (!succeeded(again)) await send(whole, { contentType })
    return targetFoldername === undefined ? [answer, again] : [answer]
  })
  return answers ?? []
}

/** A shared collaboration may be full, and a shared workspace may be syncing. */
async function unusedSubject(session: Session, { target, given }: CheckContext, operation: OperationId) {
  if (operation === 'add-workspace')
    return target(operation).on({ ...(await session.pool.ownCollaboration()) })
  if (operation === 'sync-workspace') {
    const { collaborationId, workspaceId } = await given.ownWorkspace()
    return target(operation).on({ collaborationId, workspaceId })
  }
  return target(operation).fresh()
}

/** Whether exactly this request is accepted on a thing of its own, with nothing before or beside it. */
export async function isAcceptedAlone(
  session: Session,
  { operation, actor, request }: Effect,
): Promise<boolean> {
  const by = actor ?? operationOf(operation).calledBy
  const answer = await answerTo(session, { operation, by }, async (context, caller) => {
    const { call } = await unusedSubject(session, context, operation)
    return call(caller, { ...request, ...ownNames(session, request) })
  })
  return answer !== undefined && succeeded(answer)
}

/** Whether the same operation is accepted on the same fixture, once that had time to show everywhere. */
export async function isAcceptedLater(
  session: Session,
  { operation, at, request }: Effect,
): Promise<boolean> {
  const { calledBy } = operationOf(operation)
  const answer = await answerTo(session, { operation, by: calledBy }, async ({ wait }, caller) => {
    await wait.settle()
    return caller(operation, at as never, plainly(session, operation, request))
  })
  return answer !== undefined && succeeded(answer)
}

/** Whether a plain request is accepted on the same fixture; in a collaboration, a workspace. False if it was not tried. */
export async function acceptsPlainRequest(
  session: Session,
  { operation: refused, at, request }: Effect,
): Promise<boolean> {
  const { on } = operationOf(refused)
  const operation = on === 'collaboration' ? 'add-workspace' : refused
  const { calledBy } = operationOf(operation)
  const answer = await answerTo(session, { operation, by: calledBy }, async ({ given }, caller) => {
    const moved = on === 'items' ? { items: request.items, targetUsername: await given.receiver() } : {}
    const { targetFoldername: _, ...plain } = await given.request(operation, moved)
    return caller(operation, at as never, plainly(session, operation, plain))
  })
  return answer !== undefined && succeeded(answer)
}

/** Whether a collaboration accepts a plain workspace. */
export const acceptsPlainWorkspace = (session: Session, collaborationId: string): Promise<boolean> =>
  acceptsPlainRequest(session, { operation: 'add-workspace', at: { collaborationId }, request: {} })

/** What to send, as which caller. */
interface Question {
  readonly operation: OperationId
  readonly by: Part
}

/**
 * What a plain request came to. Undefined if the caller cannot send it here; the operation's own checks report why.
 */
async function answerTo<Got>(
  session: Session,
  { operation, by }: Question,
  ask: (context: CheckContext, caller: Caller) => Promise<Got>,
): Promise<Got | undefined> {
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

/** Values that no target has a reason to refuse, by kind. */
const plainValues: Readonly<Record<string, string>> = {
  'first-name': 'Anna',
  'last-name': 'Miller',
  email: 'anna.miller@example.com',
  result: 'done',
}

/** The request with plain values, names and an address of its own. */
function plainly(session: Session, operation: OperationId, request: RequestFields): RequestFields {
  const names = ownNames(session, request)
  const { configuration, sideQuestions } = session
  const { properties } = requestSchema(operation)
  const values = Object.keys(request).flatMap((name) => {
    const value = plainValues[properties[name]?.['x-realistic'] ?? '']
    const own = value?.replace('@', `.${sideQuestions.plainRequests}@`)
    return own === undefined ? [] : [[name, inDomain(own, configuration.contract.domain)]]
  })
  return { ...request, ...Object.fromEntries(values), ...names }
}

/** New names for those in the request, since equal ones, and updates without a change, are open points. */
function ownNames({ sideQuestions, input }: Session, request: RequestFields): RequestFields {
  sideQuestions.plainRequests += 1
  const names = ['collaborationWorkspaceName', 'targetFoldername', 'name'].filter(
    (name) => request[name] !== undefined,
  )
  const own = `Sign of life ${sideQuestions.plainRequests} ${input.runId}`
  return Object.fromEntries(names.map((name) => [name, own]))
}
