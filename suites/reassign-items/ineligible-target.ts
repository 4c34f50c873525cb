/** The refusal of a reassignment to a user who may not receive the items (§7): how it is asked for, and what it holds. */

import { acceptance } from '../../clauses/acceptance.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import type { Caller } from '../../runner/context/calls.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { Unproven } from '../../runner/findings.ts'
import { operationTarget } from '../../runner/operation-targets.ts'
import { oneReceiver } from '../../runner/receivers.ts'
import { type Belongings, oneFolder, partOf, reassign, withStock } from './ownership.ts'

export interface Refusal {
  readonly answer: Answer
  readonly owner: string
  readonly itemIds: readonly string[]
  /** The folder that was named, or nothing. */
  readonly folder: { readonly targetFoldername?: string }
}

/** What the error needs of a check's context. */
export type ErrorContext = CheckContext<
  'contentAdministrator' | 'itemOwner',
  'items' | 'eligibleUser' | 'ineligibleUser'
>

/** The same caller may reassign items of that owner: what follows is refused for its target alone. */
export async function callerMayReassign(context: ErrorContext, by?: Caller): Promise<Answer> {
  const { given, control } = context
  if (by === undefined) {
    const target = operationTarget(context, 'reassign-items')
    control((await target.accepted()).answer)
    // What follows names a folder or none.
    const { answer } = await target.accepted('targetFoldername')
    control(answer)
    return answer
  }
  const items = await given.items({ owner: 'itemOwner', count: 1 })
  const answer = await reassign(by, items, await oneReceiver({ given }))
  control(answer)
  return answer
}

/** Asks for the error about items that all checks name in turn, since nothing becomes of them. */
export async function refusalOfStock(
  context: ErrorContext,
  count: number,
  judge: (refusal: Refusal) => void,
): Promise<void> {
  await withStock(context, count, async (stock) => {
    const found = await refusalOf(context, partOf(stock, count))
    if (acceptance(found.answer).accepted)
      throw new Unproven('the reassignment was not refused, so there is no error to look at', [found.answer])
    judge(found)
    return undefined
  })
}

/** Asks for the error: valid in all, but that the target may not receive. Every other request names a folder. */
export async function refusal(context: ErrorContext, count: number, by?: Caller): Promise<Refusal> {
  return refusalOf(context, await context.given.items({ owner: 'itemOwner', count }), by)
}

/** The same, for items that are there. */
export async function refusalOf(
  { as, given }: ErrorContext,
  { owner, itemIds }: Belongings,
  by: Caller = as.contentAdministrator,
): Promise<Refusal> {
  const { username } = await given.ineligibleUser()
  const folder = itemIds.length % 2 === 0 ? { targetFoldername: await oneFolder(given) } : {}
  const answer = await reassign(by, { owner, itemIds }, username, folder)
  return { answer, owner, itemIds, folder }
}
