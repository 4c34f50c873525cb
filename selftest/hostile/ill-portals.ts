/** Portals that are right but for one operation, which fails now and then: nothing else may be blamed for it. */
import { around } from '../../reference/alterations.ts'
import type { Arrival, Parts, Rendered } from '../../reference/parts.ts'
import { type OperationId, operationIds } from '../../specs/operations.ts'

/** `error`: HTTP 500; `page`: HTML in place of JSON; `silence`: no answer; `closed`: the connection ends without one. */
export const illnesses = ['error', 'page', 'silence', 'closed'] as const

export type Illness = (typeof illnesses)[number]

export interface IllPortal {
  readonly operation: OperationId
  readonly illness: Illness
  /** One request in so many meets it, by chance. */
  readonly oneIn: number
}

const rates = [2, 3, 10] as const

/** Every operation with every illness, now and then. */
export const illPortals: readonly IllPortal[] = operationIds.flatMap((operation) =>
  illnesses.flatMap((illness) => rates.map((oneIn) => ({ operation, illness, oneIn }))),
)

/** Makes one operation of a portal fail: what is refused or shown as a page had no effect, an answer that is lost may have had one. */
export function fallIll(parts: Parts, { operation, illness, oneIn }: IllPortal): void {
  const ill = new WeakSet<Arrival>()
  const chance = dice(oneIn)
  around(parts, operation, (call, honest) => {
    if (!chance()) return honest()
    ill.add(call.arrival)
    return illness === 'error' || illness === 'page' ? parts.refuse('not-found') : honest()
  })
  const send = parts.send
  parts.send = (rendered, arrival) => {
    if (!ill.has(arrival)) return send(rendered, arrival)
    if (illness === 'closed') arrival.socket.destroy()
    else if (illness !== 'silence') return send(failure(illness), arrival)
  }
}

const failure = (illness: 'error' | 'page'): Rendered =>
  illness === 'error'
    ? {
        status: 500,
        headers: { 'content-type': 'application/json' },
        body: Buffer.from('{"error":{"code":500,"message":"Internal error","details":[]}}'),
      }
    : {
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: Buffer.from('<!doctype html><title>Sorry</title><p>Something went wrong.</p>'),
      }

/** True in one of so many cases, the same cases each time. */
function dice(oneIn: number): () => boolean {
  let state = 12_345
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 16) % oneIn === 0
  }
}
