/** The control of controls: before a finding counts, the target must have shown that it speaks like a portal. */
import { operationIds } from '../specs/operations.ts'
import { withoutJudging } from './applicability.ts'
import { define } from './check.ts'
import { buildContext } from './context/build-context.ts'
import { operationTarget, targetNeeds } from './operation-targets.ts'
import type { Session } from './session.ts'

const nothing = (): Promise<void> => Promise.resolve()
const known = new WeakMap<Session, Promise<boolean>>()

/**
 * Whether any answer of the run was one of a portal. Where none was so far, each allowed operation is asked once for
 * what is valid. Where still none is, wrong credentials, a wrong address and a broken portal cannot be told apart.
 */
export function portalSpeaks(session: Session): Promise<boolean> {
  if (session.spoken) return Promise.resolve(true)
  const asked = known.get(session) ?? askAround(session)
  known.set(session, asked)
  return asked
}

async function askAround(session: Session): Promise<boolean> {
  for (const operation of operationIds) {
    if (session.spoken) return true
    const definition = define(`protocol/form-post:${operation}`, targetNeeds(operation), {}, nothing)
    if (withoutJudging(definition, session.configuration, { operations: [], requirements: [] }) !== undefined)
      continue
    const { context } = buildContext(definition, session)
    const { fixed, send } = operationTarget(context, operation)
    try {
      await send(await context.given.request(operation, fixed))
    } catch {
      // What keeps this operation from being asked is reported by its own checks.
    }
  }
  return session.spoken
}
