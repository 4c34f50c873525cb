/** Ways in which one operation of a conforming portal fails. No other operation may get a finding for it. */
import { around } from '../reference/alterations.ts'
import type { Alter, Arrival, Parts, Rendered } from '../reference/parts.ts'
import { type OperationId, operationIds } from '../specs/operations.ts'

const illnesses = ['error', 'page', 'silence', 'closed'] as const
type Illness = (typeof illnesses)[number]

/** An operation that answers with an error or a page, does not answer, or closes the connection. */
interface IllFault {
  readonly id: string
  readonly operation: OperationId
  readonly alter: Alter
}

/** Every operation with every illness. */
export const illFaults: readonly IllFault[] = operationIds.flatMap((operation) =>
  illnesses.map((illness) => ({
    id: `${operation}-${illness}`,
    operation,
    alter: (parts: Parts) => fallIll(parts, operation, illness),
  })),
)

/** A request answered with an error or a page has no effect. A request without an answer takes effect. */
function fallIll(parts: Parts, operation: OperationId, illness: Illness): void {
  const ill = new WeakSet<Arrival>()
  around(operation, ({ arrival }, honest) => {
    ill.add(arrival)
    return illness in failures ? parts.refuse('not-found') : honest()
  })(parts)
  const send = parts.send
  parts.send = (rendered, arrival) => {
    if (!ill.has(arrival)) return send(rendered, arrival)
    if (illness === 'closed') arrival.socket.destroy()
    else if (illness !== 'silence') return send(failures[illness], arrival)
  }
}

const failures: Readonly<Record<'error' | 'page', Rendered>> = {
  error: {
    status: 500,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{"error":{"code":500,"message":"Internal error","details":[]}}'),
  },
  page: {
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: Buffer.from('<!doctype html><title>Sorry</title><p>Something went wrong.</p>'),
  },
}

/** The time-out of an answer. A healthy embedded portal is much faster. */
export const illTimeout = '1500ms'
