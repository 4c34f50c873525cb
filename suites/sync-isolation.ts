/** Asks whether a running sync holds up other workspaces, which the contract leaves open. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FixtureAnswers } from '../target/fixtures/fixture-kinds.ts'
import type { Answer } from '../target/http/exchange.ts'
import { outgoing } from './context/calls.ts'
import { isOfTheTarget } from './findings.ts'
import { acceptance } from './judging/acceptance.ts'
import type { Session } from './session.ts'

const operation = 'sync-workspace'

/** Long enough that the one meets the other, in ms. */
const noticeableMs = 700

/** By how much the second one follows the first, in ms: so they come in that order. */
const leadMs = 50

/** Whether a sync beside another is refused, or answered later by a good part of a sync; false where that cannot be asked. */
export async function syncsHoldUp(session: Session): Promise<boolean> {
  const { actors, run } = session.configuration
  if (actors.syncInitiator === undefined) return false
  try {
    const workspace = () => session.obtain('workspace', { minimumSyncMs: noticeableMs })
    const [one, other] = [await workspace(), await workspace()]
    const latest = performance.now() + run.settleMs
    // What checks have asked for before may still run.
    while (performance.now() < latest) {
      const asked = sync(session, one)
      await sleep(leadMs)
      const [first, second] = await Promise.all([asked, sync(session, other)])
      if (!acceptance(first).accepted) continue
      return !acceptance(second).accepted || took(second) - took(first) > noticeableMs / 2
    }
    return false
  } catch (error) {
    if (isOfTheTarget(error)) return false
    throw error
  }
}

const took = ({ sentAt, answeredAt }: Answer): number => answeredAt - sentAt

async function sync(session: Session, workspace: FixtureAnswers['workspace']): Promise<Answer> {
  const { configuration, client, ledger } = session
  const identity = await session.identityOf('syncInitiator')
  const at = { collaborationId: workspace.collaborationId, workspaceId: workspace.workspaceId }
  const sent = outgoing(configuration, identity, operation, at, {}, { urgent: true })
  const answer = await ledger.perform({ operation, actor: identity.actor, at, request: {} }, () =>
    session.send(() => client.send(sent)),
  )
  session.syncTimes.asked(workspace.workspaceId, answer)
  return answer
}
