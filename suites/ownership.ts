/** Who holds items now: read from what reassignments the deployment takes, since the contract has no other way to ask. */
import type { Answer } from '../target/http/exchange.ts'
import type { CheckContext } from './context/context.ts'
import { Finding, Unproven } from './findings.ts'
import { acceptance, describe } from './judging/acceptance.ts'
import { anotherReceiver } from './receivers.ts'

/** What these rules need of a check's context. */
export type OwnershipContext = CheckContext<'contentAdministrator', 'items' | 'eligibleUser'>

/** The most items that one request may name (§8). */
export const itemsPerRequest = 100

/**
 * After a refusal: the items are still with their owner, for whom a permitted caller can give them away.
 * Throws a `Finding` where they are found with `suspect`, the target of the refused request.
 */
export async function expectStillWith(
  { as, given, expect }: OwnershipContext,
  items: { readonly owner: string; readonly itemIds: readonly string[] },
  suspect: string | undefined,
  refused: Answer,
): Promise<void> {
  const username = await anotherReceiver({ given })
  const move = (from: string, ids: readonly string[]) =>
    as.contentAdministrator(
      'reassign-items',
      { userName: from },
      { items: ids.slice(0, itemsPerRequest), targetUsername: username },
    )
  const after = await move(items.owner, items.itemIds)
  if (acceptance(after).accepted)
    return expect(after).toShow(true, 'nothing moved', { expected: '', actual: '' })
  const probes = suspect === undefined ? [] : [items.itemIds, ...items.itemIds.slice(0, 3).map((id) => [id])]
  for (const ids of probes) {
    const found = await move(suspect as string, ids)
    if (!acceptance(found).accepted) continue
    throw new Finding('the request was refused, and yet items moved', {
      expected: [`after the refusal the items are still with ${items.owner}`],
      actual: `${ids.join(',')} could be given away for ${suspect}`,
      answers: [refused, after, found],
    })
  }
  throw new Unproven(
    `the control, a reassignment by a permitted caller after the refusal, was ${describe(after)}`,
    [refused, after],
  )
}
