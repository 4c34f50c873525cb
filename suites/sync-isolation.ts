/** Asks whether a running sync holds up other workspaces, which the contract leaves open. */
import { setTimeout as sleep } from 'node:timers/promises'
import { acceptance } from '../clauses/acceptance.ts'
import type { FixtureAnswers } from '../target/fixtures/fixture-kinds.ts'
import type { Answer } from '../target/http/exchange.ts'
import { isOfTheTarget } from './findings.ts'
import { perform } from './perform.ts'
import type { Session } from './session.ts'
import { took } from './sync-length.ts'

const operation = 'sync-workspace'

type Workspace = FixtureAnswers['workspace']

/** Long enough that the one meets the other, in ms. */
const noticeableMs = 700

/** By how much the second one follows the first, in ms: so they come in that order. */
const leadMs = 50

/** How often it must show: a target that answers anyhow shows it once by chance. */
const rounds = 2

/** Whether a sync beside another is refused, or answered later by a good part of a sync; false where that cannot be asked. */
export async function syncsHoldUp(session: Session): Promise<boolean> {
  const { actors } = session.configuration
  if (actors.syncInitiator === undefined) return false
  try {
    const workspace = () => session.obtain('workspace', { minimumSyncMs: noticeableMs })
    const [one, other] = [await workspace(), await workspace()]
    for (let round = 0; round < rounds; round += 1) {
      if (!(await heldUp(session, one, other))) return false
    }
    return true
  } catch (error) {
    if (isOfTheTarget(error)) return false
    throw error
  }
}

/** Whether the sync of the other workspace is held up by that of the one, and by nothing else. */
async function heldUp(session: Session, one: Workspace, other: Workspace): Promise<boolean> {
  const first = await firstAccepted(session, () => both(session, one, other))
  if (first === undefined) return false
  const { beside, by } = first
  const late = acceptance(beside).accepted && took(beside) - took(by) > noticeableMs / 2
  if (!late && acceptance(beside).accepted) return false
  await session.syncTimes.over()
  const alone = await sync(session, other)
  await session.syncTimes.over()
  return acceptance(alone).accepted && took(alone) <= took(by) + noticeableMs / 2
}

/** The first pair in which the one was accepted: what checks have asked for before may still run. */
async function firstAccepted(
  { configuration }: Session,
  ask: () => Promise<Pair>,
): Promise<Pair | undefined> {
  const latest = performance.now() + configuration.run.settleMs
  do {
    const pair = await ask()
    if (acceptance(pair.by).accepted) return pair
  } while (performance.now() < latest)
  return undefined
}

interface Pair {
  readonly by: Answer
  readonly beside: Answer
}

async function both(session: Session, one: Workspace, other: Workspace): Promise<Pair> {
  const later = () => sync(session, other)
  const [by, beside] = await Promise.all([sync(session, one), sleep(leadMs).then(later)])
  return { by, beside }
}

async function sync(session: Session, workspace: Workspace): Promise<Answer> {
  const identity = await session.identityOf('syncInitiator')
  const at = { collaborationId: workspace.collaborationId, workspaceId: workspace.workspaceId }
  const answer = await perform(session, identity, { operation, at, how: { urgent: true } })
  session.syncTimes.asked(workspace.workspaceId, answer)
  return answer
}
