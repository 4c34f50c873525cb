/** Valid requests that the suite sends for itself, with nothing special about them: they show what a target takes now. */
import type { ActorName } from '../../deployment/configuration/actors.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { type OperationId, operationOf } from '../../specs/operations.ts'
import type { Effect } from '../acceptances.ts'
import { withoutJudging } from '../applicability.ts'
import { define } from '../check.ts'
import { buildContext } from '../context/build-context.ts'
import type { CheckContext } from '../context/context.ts'
import { operationTarget, targetNeeds, usesUp } from '../operation-targets.ts'
import type { Session } from '../session.ts'
import { oneReceiver } from '../sharing/receivers.ts'
import { everything } from '../worker-input.ts'

const contentType = 'application/x-www-form-urlencoded; charset=utf-8'

/**
 * Asks for what is valid, on a fixture of its own, by that actor or by whom the operation is called as a rule. Where that
 * is refused, it is tried without what is optional, and in a form that names its charset: what takes any of them is alive.
 * Gives the first answer. `without`: nothing but the plain request without these parameters is tried.
 */
export async function askPlainly(
  session: Session,
  operation: OperationId,
  by: ActorName = operationOf(operation).calledBy,
  without?: readonly string[],
): Promise<Answer | undefined> {
  const context = contextFor(session, operation, by)
  if (context === undefined) return
  const { fixed, fresh } = operationTarget(context, operation)
  try {
    const caller = context.as[by]
    const whole = await context.given.request(operation, fixed)
    const request = Object.fromEntries(
      Object.entries(whole).filter(([name]) => without?.includes(name) !== true),
    )
    const subject = await fresh()
    const answer = await subject.call(caller, named(session, request))
    const { took } = session.ledger.acceptances
    if (took(answer) || without !== undefined) return answer
    const { targetFoldername: _, ...bare } = request
    const second = await subject.call(caller, named(session, bare))
    if (!took(second)) await subject.call(caller, named(session, request), { contentType })
    return answer
  } catch {
    // What keeps this operation from being asked is reported by its own checks.
    return
  }
}

/** Whether that very request is accepted of its user on something of its own, with nothing before it and beside it. */
export async function takesAlone(session: Session, { operation, actor, request }: Effect): Promise<boolean> {
  const by = actor as ActorName
  const context = contextFor(session, operation, by)
  if (context === undefined) return false
  try {
    const { call } = await operationTarget(context, operation).fresh()
    return session.ledger.acceptances.took(await call(context.as[by], named(session, request)))
  } catch {
    return false
  }
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
const amongThem = new WeakSet<Session>()

/** Does it while valid requests of other operations are being served, one after the other. */
export async function amongOthers<T>(session: Session, look: () => Promise<T>): Promise<T> {
  if (amongThem.has(session)) return look()
  amongThem.add(session)
  const { fixtures } = session.configuration
  // A list holds few, and what a run makes itself takes its time: nothing of that is used up for company.
  const asks = fixtures !== undefined && 'url' in fixtures ? others : others.filter((each) => !usesUp(each))
  let over = false
  const asked = async (): Promise<void> => {
    for (let next = 0; next < mostBeside && !over && !session.exhausted; next += 1) {
      const before = session.client.requests
      await askPlainly(session, asks[next % asks.length] as OperationId, undefined, [])
      // Where none of them can be asked, this would never leave the others their turn.
      if (next >= asks.length && session.client.requests === before) return
    }
  }
  // The last one may take long: nobody waits for it.
  void asked().finally(() => amongThem.delete(session))
  try {
    return await look()
  } finally {
    over = true
  }
}

/** Whether a request that has nothing special about it is accepted on what that was performed on. */
export async function takesPlain(session: Session, { operation, at, request }: Effect): Promise<boolean> {
  const { on, calledBy } = operationOf(operation)
  if (on === 'collaboration') return session.takesPlain(String(at.collaborationId), nextName(session))
  const context = contextFor(session, operation, calledBy)
  if (context === undefined) return false
  try {
    const moved = on === 'items' ? { items: request.items, targetUsername: await oneReceiver(context) } : {}
    const plain = await context.given.request(operation, moved)
    const { targetFoldername: _, ...sent } = plain
    const answer = await context.as[calledBy](operation, at as never, sent)
    return session.ledger.acceptances.took(answer)
  } catch {
    return false
  }
}

/** A context in which that actor asks for the operation; undefined where it cannot be asked for here. */
function contextFor(session: Session, operation: OperationId, by: ActorName): CheckContext | undefined {
  const [id, needs] = [`protocol/form-post:${operation}` as const, targetNeeds(operation)]
  const definition = define(id, needs, { actors: [by] }, async () => undefined)
  if (withoutJudging(definition, session.configuration, everything) !== undefined) return undefined
  return buildContext(definition, session).context
}

/** Whether names may be given twice, and whether an update must change something, is open: each request has names of its own. */
function named(session: Session, request: Readonly<Record<string, unknown>>) {
  const sent = ['collaborationWorkspaceName', 'targetFoldername', 'name'].filter(
    (name) => request[name] !== undefined,
  )
  return { ...request, ...Object.fromEntries(sent.map((name) => [name, nextName(session)])) }
}

export function nextName(session: Session): string {
  session.plainNames += 1
  return `Sign of life ${session.plainNames} ${session.input.runId}`
}
