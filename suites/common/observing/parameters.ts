/** Which parameters a deployment requires beyond those that the contract marks, and what else it makes of requests. */

import { acceptance } from '../../../clauses/acceptance.ts'
import type { FixtureAnswers } from '../../../deployment/fixtures/fixture-kinds.ts'
import type { RequestFields } from '../../../runner/context/calls.ts'
import type { CheckContext } from '../../../runner/context/context.ts'
import { operationTarget } from '../../../runner/operation-targets.ts'
import { oneReceiver } from '../../../runner/receivers.ts'
import { requestSchema } from '../../../schemas/catalogue.ts'
import type { OperationId } from '../../../specs/operations.ts'

const fate = (accepted: boolean): string => (accepted ? 'accepted' : 'refused')

/** Leaves out each parameter of which the contract does not say whether it is required. */
export async function observeRequiredParameters(
  context: CheckContext,
  operation: OperationId,
): Promise<void> {
  const { fixed, send } = operationTarget(context, operation)
  const whole = await context.given.request(operation, fixed)
  const { properties } = requestSchema(operation)
  const open = Object.keys(whole).filter(
    (name) => name !== 'f' && properties[name]?.['x-presence'] === 'open',
  )
  const required: string[] = []
  const omissible: string[] = []
  for (const name of open) {
    // Left undefined, so that no group is put in its place.
    const list = acceptance(await send({ ...whole, [name]: undefined })).accepted ? omissible : required
    list.push(name)
  }
  if (required.length > 0) context.observe('required-parameters', `required: ${required.join(', ')}`)
  if (omissible.length > 0) context.observe('required-parameters', `may be left out: ${omissible.join(', ')}`)
}

type ContentContext = CheckContext<'contentAdministrator', 'items' | 'eligibleUser'>

/** Ids that stand twice in a list, and spaces around its commas. */
export async function observeItemLists({ as, given, observe }: ContentContext): Promise<void> {
  const targetUsername = await oneReceiver({ given })
  const send = async (write: (ids: readonly string[]) => string): Promise<boolean> => {
    const { owner, itemIds } = await given.items({ owner: 'itemOwner', count: 2 })
    const request: RequestFields = { items: write(itemIds), targetUsername }
    return acceptance(await as.contentAdministrator('reassign-items', { userName: owner }, request)).accepted
  }
  observe('duplicate-items', `an id that stands twice: ${fate(await send(([one]) => `${one},${one}`))}`)
  observe('spaces-in-items', `a space after the comma: ${fate(await send((ids) => ids.join(', ')))}`)
}

/** Whether a run that has taken one status takes that other. */
export async function observeTransition(
  { as, observe }: CheckContext<'taskOwner', 'taskRun'>,
  run: FixtureAnswers['taskRun'],
  first: string,
  next: string,
): Promise<void> {
  const answer = await as.taskOwner('update-task-run', run, { status: next, result: '' })
  observe('run-transitions', `${first}, then ${next}: ${fate(acceptance(answer).accepted)}`)
}
