/** Judges of "update task run" (§4.2). */
import { show } from '../schemas/wording.ts'
import { judgeRefusal, mayCall, onlyInRuns, pathExists } from './callers.ts'
import { acceptedWhere, type Judgement, type JudgesOf } from './clause.ts'
import type { Exchange } from './exchange.ts'
import type { Facts } from './facts.ts'
import { shaped } from './fields.ts'
import { isJudged } from './texts.ts'

export const updateTaskRunJudges: JudgesOf<'update-task-run'> = {
  'update-task-run/updates': shaped('update-task-run', {
    shows: ({ value }) => (value('status') === 'executing' ? 'kept' : 'in part'),
  }),
  'update-task-run/result-empty': acceptedWhere(({ value }) => value('result') === ''),
  'update-task-run/statuses': onlyInRuns(listedStatus),
  'update-task-run/result-text': acceptedWhere(({ value }) => isJudged(value('result') ?? '')),
}

/** If the profile lists the values of `status`, each is accepted. If the list is closed, all others are refused. */
function listedStatus(exchange: Exchange, facts: Facts): Judgement {
  const { statuses = [], closed = false } = facts.runStatuses ?? {}
  const status = exchange.value('status')
  if (statuses.length === 0 || status === undefined || !mayCall(exchange) || !pathExists(exchange, facts))
    return undefined
  if (statuses.includes(status)) return exchange.accepted && 'kept'
  if (!closed) return undefined
  const message = `the status ${show(status)}, which is not listed, was accepted`
  return judgeRefusal(exchange, facts, { message, parameter: 'status' })
}
