/** Valid requests that the suite sends for itself, with nothing special about them: they show what a target takes now. */

import { isAccepted } from '../../clauses/acceptance.ts'
import { isStranger, type Part } from '../../clauses/exchange.ts'
import { fixturesUrl } from '../../deployment/configuration/configuration.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { requestSchema } from '../../schemas/catalogue.ts'
import { type OperationId, operationOf } from '../../specs/operations.ts'
import { withoutJudging } from '../applicability.ts'
import { inDomain } from '../cases/realistic.ts'
import { define, usesUp } from '../check.ts'
import { buildContext } from '../context/build-context.ts'
import type { Caller, RequestFields } from '../context/calls.ts'
import type { CheckContext } from '../context/context.ts'
import type { Situation } from '../context/situations.ts'
import { type Effect, took } from '../log/exchange.ts'
import { targetNeeds } from '../operation-targets.ts'
import { everything } from '../run-input.ts'
import type { Session } from '../session.ts'

const contentType = 'application/x-www-form-urlencoded; charset=utf-8'

export interface Plainly extends Pick<Question, 'situation'> {
  /** Absent: by whom the operation is called as a rule. */
  readonly by?: Part | undefined
  /** Nothing but the plain request without these parameters is tried. */
  readonly without?: readonly string[] | undefined
}

/**
 * Asks for what is valid, on a fixture of its own, by that actor or by whom the operation is called as a rule. Where that
 * is refused, it is tried without what is optional, and in a form that names its charset: what takes any of them is alive.
 * Gives the first answer.
 */
export function askPlainly(
  session: Session,
  operation: OperationId,
  { by = operationOf(operation).calledBy, without, situation = 'plain' }: Plainly = {},
): Promise<Answer | undefined> {
  return asked(session, { operation, by, situation }, async (context, caller) => {
    const { fixed, fresh } = context.target(operation)
    const whole = plainest(session, operation, await context.given.request(operation, fixed))
    const request = Object.fromEntries(
      Object.entries(whole).filter(([name]) => without?.includes(name) !== true),
    )
    const subject = await fresh()
    const answer = await subject.call(caller, named(session, request))
    if (took(answer) || without !== undefined) return answer
    const { targetFoldername: _, ...bare } = request
    const second = await subject.call(caller, named(session, bare))
    if (!took(second)) await subject.call(caller, named(session, request), { contentType })
    return answer
  })
}

/** Whether that very request is accepted of its user on something of its own, with nothing before it and beside it. */
export async function takesAlone(session: Session, { operation, actor, request }: Effect): Promise<boolean> {
  const by = actor ?? operationOf(operation).calledBy
  const answer = await asked(session, { operation, by }, async (context, caller) => {
    const { call } = await context.target(operation).fresh()
    return call(caller, named(session, request))
  })
  return answer !== undefined && took(answer)
}

/** What takes its time comes first. */
const others: readonly OperationId[] = [
  'sync-workspace',
  'delete-collaboration',
  'add-workspace',
  'reassign-items',
]
/** So many of them at most go beside one look, since each uses something of its own. */
const mostBeside = 30

/** Does it while valid requests of other operations are being served, one after the other. */
export async function amongOthers<T>(session: Session, look: () => Promise<T>): Promise<T> {
  const { asked } = session
  if (asked.amongOthers) return look()
  asked.amongOthers = true
  // A list holds few, and what a run makes itself takes its time: nothing of that is used up for company.
  const asks =
    fixturesUrl(session.configuration) !== undefined ? others : others.filter((each) => !usesUp(each))
  let over = false
  const goOn = async (): Promise<void> => {
    for (let next = 0; next < mostBeside && !over && !session.channel.exhausted; next += 1) {
      const before = session.channel.client.requests
      await askPlainly(session, asks[next % asks.length] as OperationId, { without: [] })
      // Where none of them can be asked, this would never leave the others their turn.
      if (next >= asks.length && session.channel.client.requests === before) return
    }
  }
  // The last one may take long: nobody waits for it.
  void goOn().finally(() => {
    asked.amongOthers = false
  })
  try {
    return await look()
  } finally {
    over = true
  }
}

/** Whether a request that has nothing special about it is accepted on what that was performed on. */
export async function takesPlain(session: Session, { operation, at, request }: Effect): Promise<boolean> {
  const { on, calledBy } = operationOf(operation)
  if (on === 'collaboration') return takesPlainWorkspace(session, String(at.collaborationId))
  const answer = await asked(session, { operation, by: calledBy }, async ({ given }, caller) => {
    const moved = on === 'items' ? { items: request.items, targetUsername: await given.receiver() } : {}
    const { targetFoldername: _, ...plain } = await given.request(operation, moved)
    return caller(operation, at as never, plain)
  })
  return answer !== undefined && took(answer)
}

/** Whether a collaboration takes a plain workspace, beside no other edit of it; false where it could not be asked. */
export async function takesPlainWorkspace(session: Session, collaborationId: string): Promise<boolean> {
  const question = { operation: 'add-workspace', by: 'hostAdministrator' } as const
  const answer = await asked(session, question, async ({ given }, caller) => {
    const request = await given.request('add-workspace', { collaborationWorkspaceName: 'Plain workspace' })
    return caller('add-workspace', { collaborationId }, request)
  })
  return answer !== undefined && isAccepted(answer)
}

/** What is asked, by whom, and in which situation; absent: plainly, whatever the check that it is asked for is in. */
interface Question {
  readonly operation: OperationId
  readonly by: Part
  readonly situation?: Situation
}

/**
 * What that actor is answered; undefined where he cannot ask for the operation here. What keeps it from being asked is
 * reported by its own checks.
 */
async function asked(
  session: Session,
  { operation, by, situation = 'plain' }: Question,
  ask: (context: CheckContext, caller: Caller) => Promise<Answer>,
): Promise<Answer | undefined> {
  const [id, needs] = [`protocol/form-post:${operation}` as const, targetNeeds(operation)]
  const definition = define(id, needs, { actors: isStranger(by) ? [] : [by] }, async () => undefined)
  if (withoutJudging(definition, session.configuration, everything) !== undefined) return undefined
  const { context, situation: ofAttempt } = buildContext(definition, session)
  try {
    return await ofAttempt.during(situation, () => ask(context, context.as[by]))
  } catch {
    return undefined
  }
}

/** Values that nobody has a reason to refuse, by what they are; in turn, since an update may have to change something. */
const plainestValues: Readonly<Record<string, readonly [string, string]>> = {
  'first-name': ['Anna', 'Maria'],
  'last-name': ['Miller', 'Baker'],
  email: ['anna.miller@example.com', 'maria.baker@example.com'],
  result: ['done', 'copied'],
}

function plainest(session: Session, operation: OperationId, request: RequestFields): RequestFields {
  session.asked.names += 1
  const { properties } = requestSchema(operation)
  const { domain } = session.configuration.contract
  const values = Object.keys(request).flatMap((name) => {
    const value = plainestValues[properties[name]?.['x-realistic'] ?? '']?.[session.asked.names % 2]
    return value === undefined ? [] : [[name, inDomain(value, domain)]]
  })
  return { ...request, ...Object.fromEntries(values) }
}

/** Whether names may be given twice, and whether an update must change something, is open: each request has names of its own. */
function named(session: Session, request: Readonly<Record<string, unknown>>) {
  const sent = ['collaborationWorkspaceName', 'targetFoldername', 'name'].filter(
    (name) => request[name] !== undefined,
  )
  return { ...request, ...Object.fromEntries(sent.map((name) => [name, nextName(session)])) }
}

function nextName(session: Session): string {
  session.asked.names += 1
  return `Sign of life ${session.asked.names} ${session.input.runId}`
}
