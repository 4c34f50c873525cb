/** The verdict of a run as a badge. */
import { makeBadge } from 'badge-maker'
import { waivedRequirements } from '../outline.ts'
import type { Results } from '../results.ts'
import { coveredBy, verdictWords } from '../verdict.ts'

/** The text of a badge, and its colour at shields.io. */
interface Badge {
  readonly label: string
  readonly message: string
  readonly color: string
}

const label = 'portal-conformance'

/** The verdict of a run as a badge. It never says plain `conformant` of a run with waivers, with a filter, or cut short. */
export function badgeOf(results: Results): Badge {
  const { verdict } = results
  const words = verdictWords(results)
  if (verdict === 'non-conformant') return { label, message: words, color: 'red' }
  const part = partOf(results)
  if (part !== undefined) return { label, message: `incomplete (${part})`, color: 'orange' }
  if (verdict === 'incomplete') return { label, message: words, color: 'orange' }
  const waived = waivedRequirements(results).length
  if (waived > 0) return { label, message: `${words} (waived ${waived})`, color: 'yellow' }
  return { label, message: words, color: coveredBy(results) === undefined ? 'brightgreen' : 'green' }
}

/** Why the run does not cover the whole contract. Undefined: it does. */
function partOf({ run: { selection }, errors, complete }: Results): string | undefined {
  if (errors !== undefined && errors.length > 0) return 'run broken'
  if (complete !== true) return 'run cut short'
  return selection === undefined ? undefined : 'filtered'
}

/** The badge as JSON for the endpoint badge of shields.io. */
export function badgeEndpoint(badge: Badge): string {
  return `${JSON.stringify({ schemaVersion: 1, ...badge }, null, 2)}\n`
}

/** SVG, in the usual look of badges. */
export function badgeSvg(badge: Badge): string {
  return `${makeBadge({ ...badge })}\n`
}
