/** §4.3 with §8, as far as recorded traffic shows them; the error of §7 stands in a file of its own. */

import { limitsOf, requestSchema } from '../schemas/request-schemas.ts'
import type { RequirementId } from '../specs/requirements.ts'
import { accepted, acceptedWhere, came, type Judge, type Look, overTime } from './clause.ts'
import { distinctItems } from './client-issues.ts'
import { isMissing } from './exchange.ts'
import { required } from './limits.ts'
import { isIneligible, reassignErrorJudges } from './reassign-error.ts'
import { shaped } from './shapes.ts'

type Ids = Extract<RequirementId, `reassign-items/${string}`>

const most = limitsOf(requestSchema('reassign-items')).find(({ field }) => field === 'items')!.most

export const reassignItemsJudges: Readonly<Partial<Record<Ids, Judge>>> = {
  'reassign-items/reassigns': shaped('reassign-items', (path) => path === 'itemId'),
  'reassign-items/items-required': required('items'),
  'reassign-items/target-required': required('targetUsername'),
  'reassign-items/folder-optional': acceptedWhere((exchange) => isMissing(exchange, 'targetFoldername')),
  'reassign-items/items-limit-accepts': acceptedWhere(
    (exchange) => exchange.recorded.form.exact && distinctItems(exchange, 'items').length === most,
  ),
  'reassign-items/items-limit-rejects': accepted((exchange) => {
    const { length } = distinctItems(exchange, 'items')
    if (!exchange.recorded.form.exact || length <= most) return undefined
    return {
      message: `more than ${most} items were accepted`,
      expected: `a request with more than ${most} items is refused`,
      actual: `${came(exchange)}; sent were ${length} items`,
      marks: { request: ['items'] },
    }
  }),
  ...reassignErrorJudges,
  'reassign-items/ineligible-target-keeps-owner': overTime(keepsOwner),
}

/** Items of a refused request that are given away later, under the same owner, had stayed where they were. */
function keepsOwner(): Look {
  const refused = new Set<string>()
  return (exchange) => {
    const keys = distinctItems(exchange, 'items').map((item) =>
      JSON.stringify([exchange.baseUrl, exchange.path.userName, item]),
    )
    if (isIneligible(exchange)) for (const key of keys) refused.add(key)
    if (exchange.accepted === undefined) return undefined
    return keys.length > 0 && keys.every((key) => refused.has(key)) ? 'kept' : undefined
  }
}
